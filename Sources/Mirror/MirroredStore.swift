package import Archive
package import Dates
package import Messages
internal import Threads

import Glibc

/// A message store over the mirror of an export. Requests wait for those parts of the mirror that they need, as they would
/// wait for a slow store; nobody can write.
package final class MirroredStore: Sendable {
    private let archive: JSONArchive
    private let mirror: Mirror
    private let aliases: [String: String]
    private var board: StatusBoard { mirror.board }

    /// Runs the parts of tasks that belong neither to the archive nor to the mirror.
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

    /// The conversation of an export that holds only one; nil for others.
    package var onlyConversation: ConversationID? { mirror.files.onlyConversation }

    /// A link by Kedge's own ID of the conversation, where it names the conversation by another ID, such as `C024BE91L`.
    package func resolved(_ link: Link) -> Link {
        let id = link.conversation.rawValue
        guard let known = aliases[id], access(mirror.files.folder(of: id), F_OK) != 0 else { return link }
        return Link(conversation: ConversationID(known), message: link.message)
    }

    /// All people of the export whom a name may mean.
    package func person(called name: String) async throws(StoreError) -> PersonMatch {
        try await settle()
        return try await archive.person(called: name)
    }

    /// Waits until the mirror holds all that the source holds.
    /// - Parameter progress: called with bytes of the source.
    /// - Throws: the reason why it cannot.
    package func settle(progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }) async throws(StoreError) {
        // A mirror that is known to be current needs no second look at its files.
        if !board.status.isSettled { mirror.begin() }
        try await board.value { status in
            progress(status.done, status.total)
            return status.isSettled ? () : nil
        }
    }

    private func complete(_ id: ConversationID) async throws(StoreError) {
        guard !isComplete(board.status, id) else { return }
        _ = try await archive.conversation(id)
        await mirror.want(id, message: nil)
        mirror.begin()
        try await board.value { status in self.isComplete(status, id) ? () : nil }
    }

    private func isComplete(_ status: StatusBoard.Status, _ id: ConversationID) -> Bool {
        status.isSettled || status.conversations[id]?.isComplete ?? false
    }

    /// The values of a stream that begins after a part of the mirror is there.
    private func stream<Value: Sendable>(
        after ready: @escaping @Sendable () async throws -> Void,
        _ make: @escaping @Sendable () -> AsyncStream<Value>,
        otherwise: @escaping @Sendable (StoreError) -> Value? = { _ in nil }
    ) -> AsyncStream<Value> {
        AsyncStream { continuation in
            let task = Task(executorPreference: tasks) {
                do {
                    try await ready()
                    for await value in make() { continuation.yield(value) }
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

    package func conversations() async throws(StoreError) -> [Conversation] { try await archive.conversations() }

    package func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation {
        try await archive.conversation(id)
    }

    package func problems() async -> [String] {
        let failure = board.status.failure.map { ["\($0)"] } ?? []
        return await archive.problems() + (await mirror.problems) + failure
    }

    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        let id = request.conversation
        if !isComplete(board.status, id) {
            _ = try await archive.conversation(id)
            let message: MessageID? = if case .message(let message) = request.position { message } else { nil }
            await mirror.want(id, message: message)
            mirror.begin()
        }
        while true {
            let status = board.status
            if isComplete(status, id) { return try await archive.page(request) }
            let part = PartialPage(request, hasTail: status.conversations[id]?.hasTail ?? false)
            if part.canBeThere, let page = try await part.read(from: archive, failure: status.failure) { return page }
            if let failure = status.failure {
                Task(executorPreference: tasks) { await self.mirror.retry() }
                throw failure
            }
            if await board.wait(after: status.steps) { throw .unavailable("the export is no longer read") }
        }
    }

    package func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        if !isComplete(board.status, conversation) {
            do throws(StoreError) { return try await archive.message(id, in: conversation) } catch {
                guard case .noSuchMessage = error else { throw error }
            }
            try await complete(conversation)
        }
        return try await archive.message(id, in: conversation)
    }

    package func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        guard isComplete(board.status, conversation) else { return nil }
        return try await archive.place(of: cursor, in: conversation)
    }

    package func messages(
        _ ids: Set<MessageID>, in conversation: ConversationID
    ) async throws(StoreError) -> [Message] {
        try await archive.messages(ids, in: conversation)
    }

    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        try await complete(conversation)
        return try await archive.versions(of: id, in: conversation)
    }

    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        let (attachment, attached) = (file.attachment, attachedFiles)
        guard let path = attachment.path.flatMap(UnpackJob.enclosed), attached.isPacked else {
            return try archive.location(of: attachment, under: attached.folder)
        }
        let folder = try await mirror.unpack(path)
        return try archive.location(of: Attachment(name: attachment.name, path: path, size: nil), under: folder)
    }

    private var attachedFiles: AttachedFiles { AttachedFiles(source: mirror.path, files: mirror.files) }

    /// Copies attached files into another archive, to the paths that they have here.
    func copy(_ paths: Set<String>, to archive: String) throws(StoreError) -> (copied: Int, missing: Int) {
        try attachedFiles.copy(paths, to: archive) { path, folder in
            try? self.archive.location(of: Attachment(name: path, path: path, size: nil), under: folder)
        }
    }

    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await complete(id)
        return try await archive.summary(of: id)
    }

    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?, withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        for conversation in conversations {
            do throws(StoreError) { try await complete(conversation.id) } catch {
                return conversations.map { _ in .failure(error) }
            }
        }
        return await archive.summaries(of: conversations, since: read, for: reader, withNewest: withNewest)
    }

    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread {
        try await complete(conversation)
        return try await archive.unread(in: conversation, since: state, threads: threads, for: reader)
    }

    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        // Of what is mirrored later, nothing is new.
        try await settle()
        return try await archive.ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await archive.lastMessages(before: ends)
    }

    package func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        stream(after: { try await self.settle() }, { self.archive.search(request) }, otherwise: { .failure($0) })
    }

    package func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        stream(
            after: { try await self.complete(conversation) }, { self.archive.places(of: query, in: conversation) },
            otherwise: { .failure($0) })
    }

    package func knows(sender: String) async -> Bool {
        try? await settle()
        return await archive.knows(sender: sender)
    }

    package func obstacle(in conversation: ConversationID) async -> String? { MirroredStore.obstacle }

    /// Why nothing can be written, short enough for a line of the screen.
    package static let obstacle = "read-only export; kedge import makes an archive to write in"

    /// Why nothing can be written, and the command for the shell.
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
            { self.archive.changes(in: conversation, since: since) })
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
        try await complete(id)
        return try await archive.statistics(of: id, in: zone, progress: progress)
    }
}
