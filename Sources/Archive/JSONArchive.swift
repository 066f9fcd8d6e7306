package import Logging
package import Messages
internal import Threads

/// An archive of JSON files as a store.
/// (Searches: `JSONArchive+Search.swift`. Writing: `JSONArchive+Sending.swift`.)
///
///     request → the files as they are now → records of the index, and the lines that it does not cover yet
///             → read those → quotes, edits and names for all messages at once → Page
///
/// All of it runs on a thread of its own, where reads may block; searches and counting have another, and writing has a
/// third, so that pages never wait for them.
package actor JSONArchive {
    /// The name that people have for the archive; its path when it has no name.
    package nonisolated let name: String
    /// Who the reader is; nil when nobody says.
    package nonisolated let me: PersonID?

    private nonisolated let executor: SerialThread
    /// Where searches run.
    nonisolated let searches: SerialThread
    nonisolated let catalogue: Catalogue
    private let blocks = BlockReader()
    let people: People
    /// Nil when nobody said where an index may be.
    nonisolated let service: IndexService?
    /// Where those who write say so; nil when nobody said where that may be.
    nonisolated let typing: TypingFolder?
    private let index: CurrentIndex
    private var isIndexBroken = false
    /// Whether the index is brought up to the files whenever pages are asked for.
    private let keepsIndex: Bool
    /// How long files that are being rewritten are given to settle.
    nonisolated let pace: SettlingPace
    /// The files for which it last was.
    private var announced: [Segment]?
    var found: Problems
    /// Edits and deletions that have come in and count for nothing.
    var passedOver: [ConversationID: ProblemList] = [:]
    /// Made when somebody first writes.
    var writer: ArchiveWriter?
    /// The memory that reading any archive takes at least, in bytes.
    private static let leastMemory = 12 << 20

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the archive in a folder: reads its archive.json, and nothing else yet.
    /// - Parameters:
    ///   - index: where its index is, or is to be; nil for none at all.
    ///   - keepsIndex: whether to bring the index up to the files, on another thread, after the first page; it begins when
    ///     `preparation` is called.
    ///   - typing: where those who write say so.
    ///   - me: who the reader is.
    ///   - logger: is told of each line that is passed over.
    /// - Throws: `unreadable` with one line that names the path and what to do; `unavailable` without a thread.
    package static func open(
        path: String, index: IndexFolder? = nil, keepsIndex: Bool = false, typing: TypingFolder? = nil,
        me identity: Identity = .ofArchive, logger: Logger
    ) throws(StoreError) -> JSONArchive {
        try open(
            path: path, index: index, keepsIndex: keepsIndex, typing: typing, me: identity, pace: SettlingPace(),
            logger: logger)
    }

    /// - Parameter pace: how long files that are being rewritten are given to settle.
    static func open(
        path: String, index: IndexFolder? = nil, keepsIndex: Bool = false, typing: TypingFolder? = nil,
        me identity: Identity = .ofArchive, pace: SettlingPace, logger: Logger
    ) throws(StoreError) -> JSONArchive {
        let label = try ArchiveLabel(folder: path)
        let executors = (try SerialThread.forReading(), try SerialThread.forReading())
        // Swift ends the process when a small thing finds no room: better to say so while there is some.
        try Memory.reserve(leastMemory)
        let me: PersonID? =
            switch identity {
            case .ofArchive: label.me
            case .person(let id): id
            case .nobody: nil
            }
        return JSONArchive(
            path, label, index, keepsIndex: keepsIndex, typing, me: me, pace, executors.0,
            searches: executors.1, logger)
    }

    private init(
        _ path: String, _ label: ArchiveLabel, _ index: IndexFolder?, keepsIndex: Bool, _ typing: TypingFolder?,
        me: PersonID?, _ pace: SettlingPace, _ executor: SerialThread, searches: SerialThread, _ logger: Logger
    ) {
        self.keepsIndex = keepsIndex
        self.pace = pace
        self.typing = typing
        name = label.name ?? path
        self.me = me
        self.executor = executor
        self.searches = searches
        catalogue = Catalogue(archive: path)
        people = People(path: path + "/people.json")
        found = Problems(logger: logger)
        service = index.map { IndexService(Catalogue(archive: path), $0, isHeld: keepsIndex) }
        self.index = CurrentIndex(service)
    }

    deinit { service?.shutDown() }
}

extension JSONArchive: MessageStore {
    /// All conversations, by title. One that is broken has its ID as title, and is among the problems.
    /// - Throws: `unreadable`, `unavailable` when the folder of all of them cannot be read.
    package func conversations() throws(StoreError) -> [Conversation] {
        var all: [(key: String, conversation: Conversation)] = []
        let reader = Catalogue.reader()
        for id in try conversationIDs() {
            let conversation = read(id, in: catalogue.path(of: id), by: reader)
            all.append((conversation.title.lowercased(), conversation))
        }
        return named(
            all.sorted { ($0.key, $0.conversation.id.rawValue) < ($1.key, $1.conversation.id.rawValue) }
                .map(\.conversation))
    }

    /// - Throws: `noSuchConversation` with at most three IDs that are near.
    package func conversation(_ id: ConversationID) throws(StoreError) -> Conversation {
        let conversation = read(id, in: try folder(of: id), by: Catalogue.reader())
        return named([conversation]).first ?? conversation
    }

    /// Counts messages and thread replies; the times are of the first and the last line of the log.
    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await summaries(of: [try conversation(id)], since: ReadStates(), for: nil, withNewest: true)[0].get()
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

    /// For a thread reply, the place that it would take. Nil as long as the files have lines that the index has not.
    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func place(of cursor: Cursor, in conversation: ConversationID) throws(StoreError) -> Place? {
        try pages(of: conversation) { (pages) throws(StoreError) in
            try pages.reader.timeline(.main).position(of: try pages.place(of: cursor))
        }
    }

    package nonisolated func preparation() -> AsyncStream<Double> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard let service else { return continuation.finish() }
            let stop = service.watch(IndexService.Watcher(progress: { continuation.yield($0) }, settled: {}))
            continuation.onTermination = { _ in stop() }
        }
    }

    /// The lines that were passed over in the files read so far, and why: one line each, at most a hundred of a file
    /// or conversation.
    package func problems() -> [String] {
        if let service { found.replace("index", with: service.problems) }
        return found.all
    }
}

// What searches and writing ask for, besides the above.
extension JSONArchive {
    /// All conversations, by the bytes of their IDs. What stands among them and is none is among the problems.
    func conversationIDs() throws(StoreError) -> [ConversationID] {
        var problems = ProblemList()
        let ids = try catalogue.ids(&problems)
        found.replace("conversations", with: problems)
        return ids
    }

    nonisolated var peoplePath: String { catalogue.archive + "/people.json" }

    /// The files of many conversations as they are now, in one turn: from another thread each turn takes longer than a look
    /// at the files.
    func segments(of ids: [ConversationID]) -> [Result<[Segment], StoreError>] {
        ids.map { id in Result { () throws(StoreError) in try segments(of: id) } }
    }

    func report(ofPeople problems: ProblemList) { found.replace("people.json", with: problems) }

    /// - Throws: `noSuchConversation`, and what reading throws.
    func folder(of id: ConversationID) throws(StoreError) -> String {
        if let folder = try catalogue.folder(of: id) { return folder }
        throw .noSuchConversation(id, nearest: Nearest.ids(to: id, among: try conversations()))
    }

    /// The files of a conversation as they are now.
    func segments(of id: ConversationID) throws(StoreError) -> [Segment] {
        var strays = ProblemList()
        let segments = try Segment.all(in: try folder(of: id), of: id, &strays)
        found.replace("\(id)/messages-*", with: strays)
        return segments
    }
}

extension JSONArchive {
    private func read(_ id: ConversationID, in folder: String, by reader: borrowing JSONReader) -> Conversation {
        let (conversation, problems) = catalogue.conversation(id, in: folder, by: reader)
        found.replace("\(id)/conversation.json", with: problems)
        return conversation
    }

    /// The conversations with the names of their members: of all at once, since names are looked for by walking a file.
    private func named(_ conversations: [Conversation]) -> [Conversation] {
        let names = people.names(Set(conversations.flatMap { $0.members.map(\.id) }))
        found.replace("people.json", with: people.problems)
        return conversations.map { conversation in
            Conversation(
                id: conversation.id, title: conversation.title, topic: conversation.topic,
                members: conversation.members.map { names[$0.id] ?? $0 })
        }
    }

    /// Waits until the records of the index are up to the files.
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

    /// - Parameter segments: the files of the conversation as they are now.
    func pages<Result>(
        of id: ConversationID, _ segments: [Segment], _ answer: (MessageAssembler) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        defer { found.replace("people.json", with: people.problems) }
        // Behind the answer, which would share the disk and the processors with it.
        defer { updateIndex(first: id, for: segments) }
        return try withIndex(of: id, segments) { (view) throws(StoreError) in
            let pages = try self.pages(of: id, segments, view)
            if let view { report(of: id, try view.problems()) }
            return try answer(pages)
        }
    }

    func pages(of id: ConversationID, _ segments: [Segment], _ view: IndexView?) throws(StoreError) -> MessageAssembler
    {
        let reader = try ConversationReader(segments, blocks: blocks, index: view)
        return MessageAssembler(reader: reader, conversation: id, people: people, isIndexed: service != nil, me: me)
    }

    /// How often the index was asked, for tests.
    var indexReadings: Int { index.readings }

    func report(of id: ConversationID, _ problems: ProblemList) { found.replace(id.rawValue, with: problems) }

    func reportPeople() { found.replace("people.json", with: people.problems) }

    /// As `withIndex`, for many conversations.
    func withManyIndexed<Result>(_ answer: (IndexSession?) -> Result) -> Result {
        defer { if let failure = index.failure { noteIndexFailure(IndexFailure.reading(failure)) } }
        return index.readMany(answer)
    }

    /// Once for each state of the files: what cannot be indexed is not tried for ever.
    private func updateIndex(first id: ConversationID, for segments: [Segment]) {
        guard keepsIndex, announced != segments else { return }
        announced = segments
        service?.update(first: id)
    }

    private func withIndex<Result>(
        of id: ConversationID, _ segments: [Segment], _ answer: (IndexView?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        defer { if let failure = index.failure { noteIndexFailure(IndexFailure.reading(failure)) } }
        return try index.read(id, segments, answer)
    }

    /// That the index cannot be read is said once. Where it is damaged it is made anew once, if somebody keeps it.
    func noteIndexFailure(_ error: StoreError) {
        guard !isIndexBroken else { return }
        isIndexBroken = true
        var problems = ProblemList()
        defer { found.replace("index that was read", with: problems) }
        if error.isTransient {
            problems.add("\(error); the files are read instead")
            return
        }
        problems.add(keepsIndex ? "\(error); it is made anew" : "\(error); `kedge index --rebuild` makes it anew")
        if keepsIndex { service?.update(isRebuilding: true) }
    }
}
