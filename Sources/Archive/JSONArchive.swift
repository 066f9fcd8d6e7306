package import Logging
package import Messages

/// An archive of JSON files as a store. It only reads, and keeps nothing but surveys of the last conversations.
///
///     request → survey of the conversation (anew when its files changed) → which blocks can hold the answer
///             → read those → quotes, edits and names for all messages at once → Page
///
/// All of it runs on a thread of its own, where reads may block.
package actor JSONArchive {
    /// What people call the archive; its path when it has no name.
    package nonisolated let name: String
    /// Who the reader is; nil when the archive does not say.
    package nonisolated let me: PersonID?

    private nonisolated let executor: ThreadExecutor
    private let catalogue: Catalogue
    private let blocks = BlockReader()
    private let people: People
    private var found: Problems
    /// Of the conversations used last, the latest first.
    private var surveys: [(id: ConversationID, survey: Survey)] = []
    private static let keptSurveys = 4

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the archive in a folder: reads its archive.json, and nothing else yet.
    /// - Parameter logger: is told of each line that is passed over.
    /// - Throws: `unreadable` with one line that names the path and what to do; `unavailable` without a thread.
    package static func open(path: String, logger: Logger) throws(StoreError) -> JSONArchive {
        let label = try ArchiveLabel(folder: path)
        return JSONArchive(path: path, label: label, executor: try ThreadExecutor(), logger: logger)
    }

    private init(path: String, label: ArchiveLabel, executor: ThreadExecutor, logger: Logger) {
        name = label.name ?? path
        me = label.me
        self.executor = executor
        catalogue = Catalogue(archive: path)
        people = People(path: path + "/people.json")
        found = Problems(logger: logger)
    }

    deinit { executor.shutDown() }
}

extension JSONArchive: MessageStore {
    /// All conversations, by title. One that is broken has its ID as title, and is among the problems.
    /// - Throws: `unreadable`, `unavailable` when the folder of conversations cannot be read.
    package func conversations() throws(StoreError) -> [Conversation] {
        var all: [(key: String, conversation: Conversation)] = []
        for id in try catalogue.ids() {
            guard let folder = try catalogue.folder(of: id) else { continue }
            let conversation = read(id, in: folder)
            all.append((conversation.title.lowercased(), conversation))
        }
        return all.sorted { ($0.key, $0.conversation.id.rawValue) < ($1.key, $1.conversation.id.rawValue) }
            .map(\.conversation)
    }

    /// - Throws: `noSuchConversation` with at most three IDs that are near.
    package func conversation(_ id: ConversationID) throws(StoreError) -> Conversation {
        read(id, in: try folder(of: id))
    }

    /// Counts messages and thread replies; the times are of the first and the last line of the log.
    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func summary(of id: ConversationID) throws(StoreError) -> ConversationSummary {
        let conversation = try conversation(id)
        let survey = try survey(of: id)
        return ConversationSummary(
            conversation: conversation, count: survey.messages, first: survey.first, last: survey.last)
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

    /// For a thread reply, the place that it would take.
    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func place(of cursor: Cursor, in conversation: ConversationID) throws(StoreError) -> Place {
        try pages(of: conversation) { (pages) throws(StoreError) in
            let index = try pages.reader.mains(before: try pages.place(of: cursor))
            return Place(index: index, total: pages.reader.survey.mains)
        }
    }

    /// Ends at once: files are not watched yet.
    package nonisolated func changes(in conversation: ConversationID) -> AsyncStream<StoreChange> {
        AsyncStream { $0.finish() }
    }

    /// What was passed over in the files read so far: one line each, at most a hundred of a file or conversation.
    package func problems() -> [String] { found.all }
}

extension JSONArchive {
    private func folder(of id: ConversationID) throws(StoreError) -> String {
        if let folder = try catalogue.folder(of: id) { return folder }
        throw .noSuchConversation(id, nearest: Nearest.ids(to: id, among: try conversations()))
    }

    private func read(_ id: ConversationID, in folder: String) -> Conversation {
        let (conversation, problems) = catalogue.conversation(id, in: folder)
        found.replace("\(id)/conversation.json", with: problems)
        return conversation
    }

    /// As the files are now: made anew when one of them is not what it was.
    private func survey(of id: ConversationID) throws(StoreError) -> Survey {
        var strays = ProblemList()
        let segments = try Segment.all(in: try folder(of: id), of: id, &strays)
        found.replace("\(id)/messages-*", with: strays)
        let index = surveys.firstIndex { $0.id == id }
        let known = index.map { surveys.remove(at: $0).survey }
        let survey: Survey
        if let known, known.segments == segments {
            survey = known
        } else {
            survey = try Surveyor.survey(segments, with: blocks)
            found.replace(id.rawValue, with: survey.problems)
        }
        surveys.insert((id, survey), at: 0)
        if surveys.count > JSONArchive.keptSurveys { surveys.removeLast() }
        return survey
    }

    private func pages<Result>(
        of id: ConversationID, _ answer: (PageReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let reader = ConversationReader(survey: try survey(of: id), blocks: blocks)
        defer { found.replace("people.json", with: people.problems) }
        return try answer(PageReader(reader: reader, conversation: id, people: people))
    }
}
