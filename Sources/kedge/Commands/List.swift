import ArgumentParser
import JSON
import Messages
import Settings

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the conversations with count, unread and last message.",
        discussion: """
            One a line, separated by tabs: conversation, count, unread, time of the last message, title. Messages that were \
            there when the archive was first opened or listed count as read; in a muted conversation only those count that name you.
            """)

    @Argument(help: ArgumentHelp("The archive: a path, or a name of config.toml.", valueName: "archive"))
    var place: String?

    @OptionGroup var options: ArchiveOptions
    @OptionGroup var person: PersonOptions

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var raw: RawOption

    mutating func run() throws {
        try raw.check()
        if let place, !options.takesArchive(place) { throw CommandLineWords.excess(place, of: "list") }
        let store = try options.open(me: try person.identify(in: options).identity)
        let read = try options.readStates(of: store.me)
        let muted = try muted(by: store.me)
        let now = Timestamp.now
        let (summaries, failures) = try waiting { () async throws(StoreError) in
            try await List.summaries(of: store, read)
        }
        if read.baseline == nil { try options.keepBaseline(of: store, at: now) }
        if json {
            let records = summaries.map { List.record($0, isMuted: muted.contains($0.conversation.id)) }
            try Output.print(["[\(JSONText.elements(records))]"])
        } else {
            let namesakes = Namesakes(summaries.map(\.conversation))
            let rows = summaries.map {
                List.row($0, title: namesakes.title(of: $0.conversation), isMuted: muted.contains($0.conversation.id))
            }
            try Table(rows, header: List.header).print(isRaw: raw.isOn)
        }
        try warn(of: store, and: failures)
    }

    private func muted(by reader: PersonID?) throws -> Set<ConversationID> {
        let (muted, problem) = MutedConversations(
            folder: Folders.ofUser.state, archive: try options.realPath(), reader: reader
        ).load()
        if let problem { Output.complain(problem) }
        return muted
    }

    /// The conversations, the latest first. One that cannot be read does not hide the others.
    /// - Returns: those that can be read, and a line for each of the others.
    /// - Throws: the first error when no conversation can be read.
    private static func summaries(
        of store: any ConversationListing & UnreadCounting & MessageReading, _ read: ReadStates
    ) async throws(StoreError) -> ([ConversationSummary], [String]) {
        var summaries: [ConversationSummary] = []
        var failures: [(id: ConversationID, error: StoreError)] = []
        let conversations = try await store.conversations()
        var read = read
        // The user may have read in another client before any Kedge has shown the conversation.
        for conversation in conversations where read.positions[conversation.id] == nil {
            guard let message = conversation.readUpTo,
                let known = try? await store.messages([message], in: conversation.id), !known.isEmpty
            else { continue }
            read.positions[conversation.id] = ReadPosition(message: message, index: nil)
        }
        let results = await store.summaries(of: conversations, since: read, for: store.me, withNewest: false)
        for (conversation, result) in zip(conversations, results) {
            switch result {
            case .success(let summary): summaries.append(summary)
            case .failure(let error): failures.append((conversation.id, error))
            }
        }
        if summaries.isEmpty, let failure = failures.first { throw failure.error }
        summaries.sort { ($0.last?.milliseconds ?? .min) > ($1.last?.milliseconds ?? .min) }
        return (summaries, failures.map { "\($0.id): \($0.error)" })
    }

    private static let header = [
        Cell("CONVERSATION", .heading), Cell("MESSAGES", .headingOfNumbers), Cell("UNREAD", .headingOfNumbers),
        Cell("LAST MESSAGE", .heading), Cell("TITLE", .heading),
    ]

    /// For a muted conversation, only messages that name the user count as unread, as in its badge.
    private static func row(_ summary: ConversationSummary, title: String, isMuted: Bool) -> [Cell] {
        [
            Cell(summary.conversation.id.rawValue, .name), Cell("\(summary.count)", .number),
            Cell("\(isMuted ? summary.unread.mentions : summary.unread.count)", .number),
            Cell(summary.last.map(Zone.local.minute) ?? "", .time),
            Cell(title),
        ]
    }

    private static func record(_ summary: ConversationSummary, isMuted: Bool) -> JSONText {
        .record([
            "id": JSONText(summary.conversation.id.rawValue), "title": JSONText(summary.conversation.title),
            "topic": JSONText(orNull: summary.conversation.topic),
            "space": JSONText(orNull: summary.conversation.space?.title), "count": JSONText(summary.count),
            "presence": JSONText(summary.presence), "unread": JSONText(summary.unread.count),
            "mentions": JSONText(summary.unread.mentions), "muted": JSONText(isMuted),
            "first": JSONText(orNull: summary.first?.iso8601), "last": JSONText(orNull: summary.last?.iso8601),
        ])
    }
}
