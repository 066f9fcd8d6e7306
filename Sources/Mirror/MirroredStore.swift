package import Archive
package import Dates
internal import Files
package import Messages
internal import Threads

/// A message store over the mirror of an export. Requests wait for the parts of the mirror that they need, as with a slow store.
/// The store is read-only.
package final class MirroredStore: Sendable {
    private let archive: JSONArchive
    private let mirror: Mirror
    private let aliases: [String: String]
    private var board: StatusBoard { mirror.board }

    /// Runs work that blocks, but belongs neither to the archive nor to the mirror.
    private let tasks = SerialThread()

    init(_ archive: JSONArchive, _ mirror: Mirror, aliases: [String: String]) {
        self.archive = archive
        self.mirror = mirror
        self.aliases = aliases
    }

    deinit { mirror.stop() }

    /// The canonical path of the export.
    package var source: String { mirror.path }

    /// The folder of the native archive.
    package var folder: String { mirror.files.root }

    /// The conversation of an export with only one; nil for others.
    package var onlyConversation: ConversationID? { mirror.files.onlyConversation }

    /// Replaces the service's ID of a conversation, such as `C024BE91L`, by Kedge's own ID.
    package func resolved(_ link: Link) -> Link {
        let id = link.conversation.rawValue
        guard let known = aliases[id], !Disk.exists(mirror.files.folder(of: id)) else { return link }
        return Link(conversation: ConversationID(known), message: link.message)
    }

    /// All people of the export to whom a name may refer.
    package func person(called name: String) async throws(StoreError) -> PersonMatch {
        try await whole(try await archive.person(called: name))
    }

    /// Waits until the mirror contains everything in the source.
    /// - Parameter progress: called with bytes of the source.
    /// - Throws: the reason why the mirror cannot be made.
    package func settle(progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }) async throws(StoreError) {
        // A mirror known to be current is not checked again.
        if !board.status.isSettled { mirror.begin() }
        try await board.value { status in
            progress(status.done, status.total)
            return status.isSettled ? () : nil
        }
    }

    /// Waits until the list of conversations and the people match the source.
    private func listed() async throws(StoreError) {
        let (files, board) = (mirror.files, board)
        let isIntact = await onThread { board.status.stamps.map { $0.labels == files.stampOfLabels } ?? true }
        if !isIntact { await mirror.inspect(nil) }
        try await board.value { $0.isListed ? () : nil }
    }

    private func complete(_ id: ConversationID) async throws(StoreError) {
        while true {
            if isComplete(board.status, id) {
                if try await isIntact(id) { return }
                continue
            }
            try await listed()
            _ = try await archive.conversation(id)
            await mirror.want(id, message: nil)
            mirror.begin()
            try await board.value { status in self.isComplete(status, id) ? () : nil }
        }
    }

    /// True if a conversation's files have not changed since they were written. If they have, they are made again.
    private func isIntact(_ id: ConversationID) async throws(StoreError) -> Bool {
        let (files, board) = (mirror.files, board)
        let (isSame, hasPeople) = await onThread {
            let status = board.status
            return (
                status.conversations[id]?.stamp == files.stamp(of: id.rawValue),
                status.stamps.map { $0.people == files.stampOfPeople } ?? PeopleFile.isWhole(in: files)
            )
        }
        if !hasPeople { await mirror.inspect(nil) }
        if isSame { return hasPeople || isComplete(board.status, id) }
        try await listed()
        // If the export has no such conversation, the archive returns the error.
        guard await onThread({ Disk.exists(files.folder(of: id.rawValue)) }) else { return true }
        await mirror.inspect(id)
        return isComplete(board.status, id)
    }

    /// True if no file has changed since it was written. Files that have are made again.
    private func isIntact() async -> Bool {
        let (files, board) = (mirror.files, board)
        if await onThread({ board.status.stamps.map { $0.all == files.stampOfAll } ?? true }) { return true }
        await mirror.inspect(nil)
        return board.status.isSettled
    }

    /// Answers a request about one conversation, and repeats it if files were damaged meanwhile.
    private func whole<Answer: Sendable>(
        _ id: ConversationID, _ request: @autoclosure () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer {
        while true {
            try await complete(id)
            let answer: Result<Answer, StoreError>
            do throws(StoreError) { answer = .success(try await request()) } catch { answer = .failure(error) }
            if try await isIntact(id) { return try answer.get() }
        }
    }

    /// Answers a request about all conversations.
    private func whole<Answer: Sendable>(
        _ request: @autoclosure () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer {
        repeat { try await settle() } while await !isIntact()
        return try await request()
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await Task(executorPreference: tasks) { body() }.value
    }

    private func isComplete(_ status: StatusBoard.Status, _ id: ConversationID) -> Bool {
        status.isSettled || status.conversations[id]?.isComplete ?? false
    }

    /// The values of a stream that begins when a part of the mirror is ready.
    private func stream<Value: Sendable>(
        after ready: @escaping @Sendable () async throws -> Void,
        before check: @escaping @Sendable () async throws -> Void = {},
        _ make: @escaping @Sendable () -> AsyncStream<Value>,
        otherwise: @escaping @Sendable (StoreError) -> Value? = { _ in nil }
    ) -> AsyncStream<Value> {
        AsyncStream { continuation in
            let task = Task(executorPreference: tasks) {
                do {
                    try await ready()
                    for await value in make() { continuation.yield(value) }
                    try await check()
                } catch {
                    if let error = error as? StoreError, let value = otherwise(error) { continuation.yield(value) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension MirroredStore: MessageStore {
    package var me: PersonID? { archive.me }

    package func conversations() async throws(StoreError) -> [Conversation] {
        var tries = 0
        while true {
            // Checked before reading too, because a step in between could hide damage that was read.
            guard try await hasIntactList() else { continue }
            let conversations: Result<[Conversation], StoreError>
            do throws(StoreError) { conversations = .success(try await archive.conversations()) } catch {
                conversations = .failure(error)
            }
            guard try await hasIntactList() else { continue }
            let found = try conversations.get()
            tries += 1
            let files = mirror.files
            let isWhole = await onThread { files.lists(found.map(\.id.rawValue)) }
            if isWhole || tries == MirroredStore.mostTries { return found }
        }
    }

    /// The list may never match, for example because of a name that another program put there.
    private static let mostTries = 5

    private func hasIntactList() async throws(StoreError) -> Bool {
        try await listed()
        return await board.status.stamps == nil ? mirror.checkList() : isIntact()
    }

    package func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation {
        try await listed()
        if isComplete(board.status, id), try await !isIntact(id) { try await listed() }
        return try await archive.conversation(id)
    }

    package func problems() async -> [String] {
        let failure = board.status.failure.map { ["\($0)"] } ?? []
        return await archive.problems() + (await mirror.problems) + failure
    }

    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        let id = request.conversation
        if !isComplete(board.status, id) {
            try await listed()
            _ = try await archive.conversation(id)
            let message: MessageID? = if case .message(let message) = request.position { message } else { nil }
            await mirror.want(id, message: message)
            mirror.begin()
        }
        while true {
            let status = board.status
            if isComplete(status, id) {
                return try await whole(id, try await archive.page(request))
            }
            let progress = status.conversations[id] ?? .init()
            let part = PartialPage(request, hasTail: progress.hasTail)
            if progress.steps > 0, !progress.isDamaged, part.canBeThere,
                let page = try await part.read(from: archive, failure: status.failure)
            {
                return page
            }
            if let failure = status.failure {
                Task(executorPreference: tasks) { await self.mirror.retry() }
                throw failure
            }
            if await board.wait(after: status.steps) { throw .unavailable("the export is no longer read") }
        }
    }

    package func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        let status = board.status
        if !isComplete(status, conversation), let progress = status.conversations[conversation], progress.steps > 0,
            !progress.isDamaged
        {
            do throws(StoreError) { return try await archive.message(id, in: conversation) } catch {
                guard case .noSuchMessage = error else { throw error }
            }
        }
        return try await whole(conversation, try await archive.message(id, in: conversation))
    }

    package func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        guard isComplete(board.status, conversation) else { return nil }
        return try await whole(conversation, try await archive.place(of: cursor, in: conversation))
    }

    package func messages(
        _ ids: Set<MessageID>, in conversation: ConversationID
    ) async throws(StoreError) -> [Message] {
        if isComplete(board.status, conversation) {
            return try await whole(conversation, try await archive.messages(ids, in: conversation))
        }
        // Only the messages converted so far; the others come later.
        guard let progress = board.status.conversations[conversation], !progress.isDamaged else { return [] }
        return try await archive.messages(ids, in: conversation)
    }

    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        try await whole(conversation, try await archive.versions(of: id, in: conversation))
    }

    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        let (attachment, attached) = (file.attachment, attachedFiles)
        guard let path = attachment.path.flatMap(OutsideName.enclosed), attached.isPacked else {
            return try archive.location(of: attachment, under: attached.folder)
        }
        let folder = try await mirror.unpack(path)
        return try archive.location(of: Attachment(name: attachment.name, path: path, size: nil), under: folder)
    }

    private var attachedFiles: AttachedFiles { AttachedFiles(source: mirror.path, files: mirror.files) }

    /// Copies attachments to the same paths in another archive.
    func copy(_ paths: Set<String>, to archive: String) throws(StoreError) -> (copied: Int, missing: Int) {
        try attachedFiles.copy(paths, to: archive) { path, folder in
            try? self.archive.location(of: Attachment(name: path, path: path, size: nil), under: folder)
        }
    }

    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await whole(id, try await archive.summary(of: id))
    }

    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?, withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        do throws(StoreError) {
            // One check of all is cheaper than one for each.
            if conversations.count == 1 || !board.status.isSettled {
                for conversation in conversations { try await complete(conversation.id) }
            } else {
                try await whole(())
            }
        } catch {
            return conversations.map { _ in .failure(error) }
        }
        return await archive.summaries(of: conversations, since: read, for: reader, withNewest: withNewest)
    }

    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread {
        try await whole(
            conversation, try await archive.unread(in: conversation, since: state, threads: threads, for: reader))
    }

    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        // Messages that are mirrored later are not new.
        try await whole(try await archive.ends(at: moment))
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await archive.lastMessages(before: ends)
    }

    package func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        stream(
            after: { try await self.whole(()) },
            before: { if await !self.isIntact() { throw MirroredStore.damaged } },
            { self.archive.search(request) }, otherwise: { .failure($0) })
    }

    package func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        stream(
            after: { try await self.complete(conversation) },
            before: { if try await !self.isIntact(conversation) { throw MirroredStore.damaged } },
            { self.archive.places(of: query, in: conversation) }, otherwise: { .failure($0) })
    }

    private static let damaged = StoreError.unavailable(
        "the copy of this export was damaged during the search and is made again; search again")

    package func knows(sender: String) async -> Bool {
        (try? await whole(await archive.knows(sender: sender))) ?? false
    }

    package func obstacle(in conversation: ConversationID) async -> String? { MirroredStore.obstacle }

    /// The reason why the store is read-only, short enough for one line of the screen.
    package static let obstacle = "read-only export; kedge import makes an archive to write in"

    /// The reason why the store is read-only, with the command for the shell.
    package nonisolated var advice: String {
        "exports are read-only; `kedge import \(mirror.path) FOLDER` makes an archive to write in"
    }

    package func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError) {
        throw .notSent(advice)
    }

    package func makeConversation(titled title: String) async throws(StoreError) -> Conversation {
        throw .notSent(advice)
    }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) async {}

    package func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]> {
        mirror.begin()
        return stream(
            after: { try await self.complete(conversation) },
            { self.intact(self.archive.changes(in: conversation, since: since), in: conversation) })
    }

    /// Changes of a conversation. If they come from a damaged file, they are replaced by one `replaced`, after the files are made
    /// again.
    private func intact(
        _ changes: AsyncStream<[StoreChange]>, in conversation: ConversationID
    ) -> AsyncStream<[StoreChange]> {
        AsyncStream { continuation in
            let task = Task(executorPreference: tasks) {
                for await some in changes {
                    if (try? await self.isIntact(conversation)) == true {
                        continuation.yield(some)
                    } else {
                        try? await self.complete(conversation)
                        continuation.yield([.replaced])
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    package func arrivals(
        besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) -> AsyncStream<[Arrival]> {
        stream(after: { try await self.settle() }, { self.archive.arrivals(besides: isFollowed) })
    }

    package func preparation() -> AsyncStream<StoreProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task(executorPreference: tasks) {
                try? await self.settle { done, total in
                    if total > 0 { continuation.yield(StoreProgress(.reading, share: Double(done) / Double(total))) }
                }
                continuation.yield(StoreProgress(.reading, share: 1))
                for await progress in self.archive.preparation() { continuation.yield(progress) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    package func statistics(
        of id: ConversationID, in zone: Zone, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        try await whole(id, try await archive.statistics(of: id, in: zone, progress: progress))
    }
}

/// A page of a conversation whose mirror is incomplete. It is returned only if the missing messages could not change it.
struct PartialPage {
    private let request: PageRequest
    private let hasTail: Bool

    init(_ request: PageRequest, hasTail: Bool) {
        self.request = request
        self.hasTail = hasTail
    }

    /// True if the converted part may contain the page. Dates, shares and threads need the whole conversation.
    var canBeThere: Bool {
        guard request.thread == nil else { return false }
        switch request.position {
        case .latest: return hasTail
        case .message, .before, .after: return true
        case .earliest, .unread, .survivor, .date, .index, .share: return false
        }
    }

    /// Nil if the page reaches the edge of the converted part.
    /// - Parameter failure: the reason why no more will be converted. The page then ends one message before the edge, so that a
    ///   request for more receives the reason.
    func read(from archive: JSONArchive, failure: StoreError?) async throws(StoreError) -> Page? {
        do throws(StoreError) {
            let page = try await archive.page(request)
            let isOpenAbove = page.older == .end
            let isOpenBelow = page.newer == .end && !hasTail
            guard isOpenAbove || isOpenBelow else { return partial(page) }
            return failure == nil ? nil : partial(page, isOpenAbove: isOpenAbove, isOpenBelow: isOpenBelow)
        } catch {
            if case .noSuchMessage = error { return nil }
            throw error
        }
    }

    private func partial(_ page: Page, isOpenAbove: Bool = false, isOpenBelow: Bool = false) -> Page? {
        var (messages, older, newer) = (page.messages[...], page.older, page.newer)
        if isOpenAbove, let first = messages.popFirst(), let next = messages.first {
            older = .more(next.cursor, Neighbour(first))
        }
        if isOpenBelow, let last = messages.popLast(), let next = messages.last {
            newer = .more(next.cursor, Neighbour(last))
        }
        guard !messages.isEmpty, page.focus.map({ id in messages.contains { $0.id == id } }) ?? true else { return nil }
        return Page(
            messages: messages.map(waiting), root: page.root, older: older, newer: newer, focus: page.focus,
            thread: page.thread, place: nil, asOf: hasTail ? page.asOf : nil, firstUnread: page.firstUnread,
            threads: page.threads)
    }

    /// Marks a missing quoted message as pending, since it may be converted later.
    private func waiting(_ message: Message) -> Message {
        guard let quote = message.quote, quote.content == .missing else { return message }
        var message = message
        message.quote = Quote(id: quote.id, content: .pending)
        return message
    }
}
