internal import ArchiveFormat
internal import Files
import Glibc
internal import JSON
package import Logging
package import Messages
package import Threads

/// A message store that reads and writes an archive of JSON files.
///
///     request → current files → records of the index, and the lines that it does not cover yet
///             → messages → quotes, edits and names for all of them at once → Page
///
/// The actor has its own thread, where reading files may block. Searches, and counts that a summary makes of a whole
/// log, run on a second thread and writes on a third, so that pages never wait for them. (`statistics` runs on the
/// first: only `kedge stats`, which wants no page, calls it.)
package actor JSONArchive {
    /// The display name of the archive; its path if it has none.
    package nonisolated let name: String
    /// The reader; nil if unknown.
    package nonisolated let me: PersonID?
    private nonisolated let executor: SerialThread
    /// The thread of searches.
    nonisolated let searches = SerialThread()
    nonisolated let catalogue: Catalogue
    let blocks = BlockReader()
    nonisolated var people: People { assembly.people }
    nonisolated let assembly: Assembly
    /// Nil if the archive has no index.
    nonisolated let service: IndexService?
    /// Shares who is writing with other processes; nil if there is no folder for it.
    nonisolated let typing: TypingFolder?
    private let index: IndexReader
    private var isIndexBroken = false
    /// True if requests for pages update the index.
    let keepsIndex: Bool
    /// The kind of server whose account the archive mirrors, such as `matrix`; nil for any other archive.
    package nonisolated let server: String?
    /// True if only a server changes the archive.
    nonisolated var isOfServer: Bool { server != nil }
    /// The pace at which the archive waits for files that other programs write.
    nonisolated let pace: SettlingPace
    /// The files for which the index was last updated.
    private var announced: [Segment]?
    nonisolated let found: Problems
    /// Edits and deletions that arrived but have no effect.
    var passedOver: [ConversationID: ProblemList] = [:]
    /// Made when the first message is sent.
    var writer: ArchiveWriter?
    /// The bytes of memory that any archive needs.
    private static let leastMemory = 12 << 20

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the archive in a folder. Reads only its archive.json.
    /// - Parameters:
    ///   - index: the folder of the index, which may not exist yet; nil for no index.
    ///   - keepsIndex: true to update the index after the first page, on another thread. The update begins with the
    ///     call of `preparation`.
    ///   - typing: the folder in which processes share who is writing.
    ///   - identity: the person who reads.
    ///   - first: the conversation whose page will be requested; the index opens for it at once.
    ///   - thread: a thread that runs and has no work, for this archive alone; nil to start one.
    ///   - pace: the pace at which to wait for files that other programs write.
    ///   - logger: logs each skipped line.
    /// - Throws: `unreadable` with one line that names the path and a remedy; `unavailable` if no thread can be
    ///   started.
    package static func open(
        path: String, index: IndexFolder? = nil, keepsIndex: Bool = false, typing: TypingFolder? = nil,
        me identity: Identity = .ofArchive, first: ConversationID? = nil, thread: SerialThread? = nil,
        pace: SettlingPace = .usual, logger: Logger
    ) throws(StoreError) -> JSONArchive {
        let label = try ArchiveLabel(folder: path)
        let executor = if let thread { thread } else { try SerialThread.forReading() }
        // Swift ends the process if a small allocation fails, so a lack of memory is reported before that.
        try Memory.reserve(leastMemory)
        let me: PersonID? =
            switch identity.source {
            case .ofArchive: label.me.map { PersonID($0) }
            case .person(let id): id
            case .nobody: nil
            }
        let archive = JSONArchive(
            path, label, index, keepsIndex: keepsIndex, typing, me: me, identity.highlight, pace, executor, logger)
        if let first { Task(executorPreference: executor) { await archive.lookUp(first) } }
        // The thread of searches starts while the first thread is at work already.
        try archive.searches.startForReading()
        return archive
    }

    private init(
        _ path: String, _ label: ArchiveLabel, _ index: IndexFolder?, keepsIndex: Bool, _ typing: TypingFolder?,
        me: PersonID?, _ highlight: [String], _ pace: SettlingPace, _ executor: SerialThread, _ logger: Logger
    ) {
        self.keepsIndex = keepsIndex
        self.pace = pace
        self.typing = typing
        name = label.name ?? path
        server = label.server
        self.me = me
        self.executor = executor
        catalogue = Catalogue(archive: path)
        let people = People(path: catalogue.paths.people)
        assembly = Assembly(people: people, isIndexed: index != nil, me: me, highlight: highlight)
        found = Problems(logger: logger)
        service = index.map { IndexService(Catalogue(archive: path), $0, isHeld: keepsIndex) }
        self.index = IndexReader(service)
        // The first frame waits for the page alone, and the index soon knows the rest.
        if keepsIndex { blocks.mostSearched = 1 << 20 }
    }

    deinit { service?.shutDown() }
}

extension JSONArchive: MessageStore {
    /// All conversations, sorted by title. A broken conversation has its ID as title and an entry in `problems`.
    /// - Throws: `unreadable`, `unavailable` if the folder of all conversations cannot be read.
    package func conversations() throws(StoreError) -> [Conversation] {
        let ids = try conversationIDs()
        let spaces = spaces()
        var all: [(key: String, conversation: Conversation)] = []
        all.reserveCapacity(ids.count)
        let reader = ConversationFileReader()
        func add(_ id: ConversationID, _ known: IndexedFolder?) {
            var conversation = read(id, by: reader, known: known)
            if let space = spaces[id] { conversation.space = space }
            all.append((conversation.title.lowercased(), conversation))
        }
        let isRead = withManyIndexed { session in
            // If the index fails half-way, the files are read.
            all.removeAll(keepingCapacity: true)
            return (try? session?.forEach(ids, add)) != nil
        }
        if !isRead { for id in ids { add(id, nil) } }
        all.sort { ($0.key, $0.conversation.id.rawValue) < ($1.key, $1.conversation.id.rawValue) }
        return named(all.map(\.conversation))
    }

    /// Runs on the caller's thread: a program that opens a conversation waits for this and for a page, which another thread
    /// reads meanwhile.
    /// - Throws: `noSuchConversation` with up to three similar IDs.
    package nonisolated(nonsending) func conversation(
        _ id: ConversationID
    ) async throws(StoreError) -> Conversation {
        guard try catalogue.stamp(of: id) != nil else { throw await unknown(id) }
        let conversation = read(id, by: ConversationFileReader())
        return named([conversation]).first ?? conversation
    }

    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) throws(StoreError) -> Unread {
        try pages(of: conversation) { (pages) throws(StoreError) in
            try pages.unread(since: state, threads: threads, for: reader)
        }
    }

    /// - Throws: `noSuchConversation`, `noSuchMessage`, `unreadable`, `unavailable`
    package func page(_ request: PageRequest) throws(StoreError) -> Page {
        try pages(of: request.conversation) { (pages) throws(StoreError) in try pages.page(request) }
    }

    /// - Throws: `noSuchConversation`, `noSuchMessage`, `unreadable`, `unavailable`
    package func message(_ id: MessageID, in conversation: ConversationID) throws(StoreError) -> Message {
        let message = try pages(of: conversation) { (pages) throws(StoreError) in try pages.message(id) }
        guard let message else { throw .noSuchMessage(id, in: conversation) }
        return message
    }

    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func messages(
        _ ids: Set<MessageID>, in conversation: ConversationID
    ) throws(StoreError) -> [Message] {
        try pages(of: conversation) { (pages) throws(StoreError) in try pages.messages(ids) }
    }

    /// Asynchronous, since a caller would otherwise get the default of the protocol, which knows no earlier texts.
    /// - Throws: `noSuchConversation`, `noSuchMessage`, `unreadable`, `unavailable`
    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        let versions = try pages(of: conversation) { (pages) throws(StoreError) in try pages.versions(of: id) }
        guard let versions else { throw .noSuchMessage(id, in: conversation) }
        return versions
    }

    /// The position of a message in the main timeline; for a thread reply, the position that it would have there. Nil
    /// while the index does not cover the files.
    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func place(of cursor: Cursor, in conversation: ConversationID) throws(StoreError) -> Place? {
        try pages(of: conversation) { (pages) throws(StoreError) in
            let place = try pages.reader.timeline(.main).position(of: try pages.place(of: cursor))
            return try place?.isPartial(pages.reader.islands().hasGaps)
        }
    }

    package nonisolated func preparation() -> AsyncStream<StoreProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard let service else { return continuation.finish() }
            let stop = service.watch(
                IndexService.Watcher(progress: { continuation.yield(StoreProgress(.indexing, share: $0)) }, settled: {})
            )
            continuation.onTermination = { _ in stop() }
        }
    }

    /// The lines that were skipped in the files read so far, with reasons: one line each, at most a hundred for a file
    /// or conversation.
    package func problems() -> [String] {
        if let service { found.replace("index", with: service.problems) }
        return found.all
    }
}

extension JSONArchive {
    /// The same problems, and those of the lines of these conversations that no page needed so far.
    package func problems(in conversations: [ConversationID]) -> [String] {
        withManyIndexed { session in
            for id in conversations {
                // A conversation that cannot be read has failed before this.
                guard let segments = try? segments(of: id) else { continue }
                let view = try? session?.view(of: session?.conversation(id), segments)
                guard let reader = try? ConversationReader(segments, blocks: blocks, index: view),
                    let problems = try? reader.problems()
                else { continue }
                report(of: id, problems)
            }
        }
        return problems()
    }
}

// Used by searches and by writing.
extension JSONArchive {
    /// All conversations, sorted by the bytes of their IDs. Other entries of the folder are added to `problems`.
    func conversationIDs() throws(StoreError) -> [ConversationID] {
        try found.replace("conversations", by: catalogue.ids)
    }

    func spaces() -> [ConversationID: Space] { found.replace("spaces.json", by: catalogue.spaces) }

    /// Asynchronous, since a caller would otherwise get the default of the protocol, which knows no invitations.
    package func invitations() async -> [Invitation] {
        found.replace("invitations.json", by: catalogue.invitations)
    }

    nonisolated var peoplePath: String { catalogue.paths.people }

    /// The current files of many conversations. One call for all of them, because each call from another thread takes
    /// longer than listing the files.
    func segments(of ids: [ConversationID]) -> [Result<[Segment], StoreError>] {
        ids.map { id in Result { () throws(StoreError) in try segments(of: id) } }
    }

    func report(ofPeople problems: ProblemList) { found.replace("people.json", with: problems) }

    /// - Throws: `noSuchConversation`, and the errors of reading files.
    func folder(of id: ConversationID) throws(StoreError) -> String {
        if let folder = try catalogue.folder(of: id) { return folder }
        throw unknown(id)
    }

    private func unknown(_ id: ConversationID) -> StoreError {
        do throws(StoreError) {
            return .noSuchConversation(id, nearest: Nearest.ids(to: id, among: try conversations()))
        } catch {
            return error
        }
    }

    /// The current files of a conversation.
    /// - Parameter known: the entry of the conversation in the index.
    func segments(of id: ConversationID, known: IndexedConversation? = nil) throws(StoreError) -> [Segment] {
        guard let segments = try catalogue.segments(of: id, known: known, reportingTo: found) else { throw unknown(id) }
        return segments
    }
}

extension JSONArchive {
    private nonisolated func read(
        _ id: ConversationID, by reader: borrowing ConversationFileReader, known: IndexedFolder? = nil
    ) -> Conversation {
        let (conversation, problems) = catalogue.conversation(id, by: reader, known: known)
        found.replace("\(id)/conversation.json", with: problems)
        return conversation
    }

    /// The conversations with the names of their members. Finding names needs a walk through the people file, so one
    /// walk serves all conversations.
    private nonisolated func named(_ conversations: [Conversation]) -> [Conversation] {
        let names = people.names(Set(conversations.flatMap { $0.members.map(\.id) }))
        found.replace("people.json", with: people.problems)
        return conversations.map { conversation in
            // A member whose name is not the ID has that name in this conversation only.
            guard conversation.members.contains(where: { $0.name == $0.id.rawValue && names[$0.id] ?? $0 != $0 })
            else { return conversation }
            var conversation = conversation
            conversation.members = conversation.members.map { $0.name == $0.id.rawValue ? names[$0.id] ?? $0 : $0 }
            return conversation
        }
    }

    /// Waits until the records of the index are up to date with the files.
    func indexRecords(first id: ConversationID) async {
        guard let service else { return }
        service.update(first: id, withWords: keepsIndex)
        await service.recordsSettled()
    }

    func pages<Result>(
        of id: ConversationID, _ answer: (MessageAssembler) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try pages(of: id, try segments(of: id), answer)
    }

    /// - Parameter segments: the current files of the conversation.
    func pages<Result>(
        of id: ConversationID, _ segments: [Segment], _ answer: (MessageAssembler) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        defer { found.replace("people.json", with: people.problems) }
        // Updated after the request, because both would compete for disk and processors.
        defer { updateIndex(first: id, for: segments) }
        return try blocks.keepingFileOpen { () throws(StoreError) in
            try withIndex(of: id, segments) { (view) throws(StoreError) in
                let pages = try assembly.pages(of: id, segments, view, by: blocks)
                if let view { report(of: id, try view.problems()) }
                return try answer(pages)
            }
        }
    }

    /// Opens the index and finds a conversation in it, so that a later page comes sooner. Errors are reported with that page.
    private func lookUp(_ id: ConversationID) {
        try? index.read(id, []) { (_) throws(StoreError) in }
    }

    /// The number of reads of the index, for tests.
    var indexReadings: Int { index.readings }

    func report(of id: ConversationID, _ problems: ProblemList) { found.replace(id.rawValue, with: problems) }

    func reportPeople() { found.replace("people.json", with: people.problems) }

    /// Does for many conversations what `withIndex` does for one.
    func withManyIndexed<Result>(_ answer: (IndexSession?) -> Result) -> Result {
        defer { if let failure = index.failure { noteIndexFailure(.readingIndex(failure)) } }
        return index.readMany(answer)
    }

    /// Runs once for each state of the files, so that an unindexable file is not retried forever.
    private func updateIndex(first id: ConversationID, for segments: [Segment]) {
        guard keepsIndex, announced != segments else { return }
        announced = segments
        service?.update(first: id)
    }

    private func withIndex<Result>(
        of id: ConversationID, _ segments: [Segment], _ answer: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        defer { if let failure = index.failure { noteIndexFailure(.readingIndex(failure)) } }
        return try index.read(id, segments, answer)
    }

    /// Reports only the first failure of the index. Rebuilds a damaged index once if `keepsIndex` is set.
    func noteIndexFailure(_ error: StoreError) {
        guard !isIndexBroken else { return }
        isIndexBroken = true
        var problems = ProblemList()
        defer { found.replace("index that was read", with: problems) }
        if error.isTransient {
            problems.add("\(error); the files are read instead")
            return
        }
        problems.add(keepsIndex ? "\(error); it is rebuilt" : "\(error); `kedge index --rebuild` builds a new one")
        if keepsIndex { service?.update(isRebuilding: true) }
    }
}

extension JSONArchive {
    /// Examines the files that sending would write to, without writing.
    package func obstacle(in conversation: ConversationID) -> String? {
        if me == nil { return Post.withoutSender }
        do throws(StoreError) {
            return try obstacle(in: try folder(of: conversation), of: conversation)
        } catch {
            return error.description
        }
    }

    /// Appends one line to the log of the conversation and changes nothing else in the archive. Safe while other
    /// processes append.
    /// - Throws: `notSent`, `noSuchConversation`, `noSuchMessage`; `unreadable`, `unavailable` if the log cannot be
    ///   read.
    package nonisolated func send(
        _ post: Post, to conversation: ConversationID, isRetry: Bool
    ) async throws(StoreError) {
        let (writer, folder) = try await writer(for: conversation)
        try await writer.send(post, to: conversation, in: folder, isRetry: isRetry)
    }

    /// - Throws: `notSent`
    package func makeConversation(titled title: String) throws(StoreError) -> Conversation {
        let id = try NewConversation.make(title: title, topic: nil, in: catalogue.archive)
        return Conversation(id: id, title: title, topic: nil)
    }

    private func writer(
        for conversation: ConversationID
    ) throws(StoreError) -> (writer: ArchiveWriter, folder: String) {
        let folder = try folder(of: conversation)
        if let obstacle = try obstacle(in: folder, of: conversation) { throw .notSent(obstacle) }
        if let writer { return (writer, folder) }
        let new = try ArchiveWriter(index: service, patience: pace.lock)
        writer = new
        return (new, folder)
    }

    private func obstacle(in folder: String, of conversation: ConversationID) throws(StoreError) -> String? {
        if isOfServer { return NewConversation.ofServer(catalogue.archive) }
        let last = try segments(of: conversation).last.map { [$0.path] } ?? []
        return WriteFailure.link(among: [catalogue.root, folder] + last)
            ?? WriteFailure.obstacle([catalogue.archive, folder] + last)
    }
}

extension JSONArchive {
    /// The path of an attachment's file. The message gives it relative to the conversation's folder or to the archive.
    /// - Throws: `unreadable` with a reason in one line: the file is missing, the message names no file, or the file is
    ///   outside the archive.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        let (attachment, conversation) = (file.attachment, file.conversation)
        guard let path = attachment.path, !path.isEmpty else {
            throw .unreadable("\(attachment.name) is not in the archive: the message does not say where it is")
        }
        _ = try folder(of: conversation)
        let folders = ["conversations/\(conversation.rawValue)/", ""]
        for folder in folders {
            do throws(FileError) {
                return try OutsideName.find(path.hasPrefix("/") ? path : folder + path, in: catalogue.archive)
            } catch {
                if error.isMissing { continue }
                throw .unreadable(reason(error, path))
            }
        }
        throw .unreadable("the file \(path) is missing from the archive")
    }

    /// The path of an attachment's file that the message gives relative to another folder.
    /// - Throws: as above.
    package nonisolated func location(
        of attachment: Attachment, under folder: String
    ) throws(StoreError) -> String {
        guard let path = attachment.path, !path.isEmpty else {
            throw .unreadable("\(attachment.name) is not in the export")
        }
        do throws(FileError) {
            return try OutsideName.find(path, in: folder)
        } catch {
            throw .unreadable(reason(error, path))
        }
    }

    private nonisolated func reason(_ error: FileError, _ path: String) -> String {
        switch error.cause {
        case .outside: "not opened, since it is outside the archive: \(path)"
        case .link: "not opened, because a symbolic link leads to it: \(path)"
        case .irregular: "not opened, since it is not a regular file: \(path)"
        default:
            error.isMissing ? "the file \(path) is missing from the archive" : "not opened, \(error.reason): \(path)"
        }
    }
}
