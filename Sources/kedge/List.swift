import ArgumentParser
import Messages

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the conversations: last message, count, unread.",
        discussion: "One a line, separated by tabs: conversation, count, unread, time of the last message, title.")

    @OptionGroup var options: ArchiveOptions

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        let store = try options.open()
        let summaries = try waiting { () async throws(StoreError) in try await List.summaries(of: store) }
        if json {
            print(try JSONText.encode(summaries.map(Record.init)))
        } else {
            Table(summaries.map(List.row)).print()
        }
        try warn(of: store)
    }

    /// The conversation that was last written to first.
    private static func summaries(of store: any MessageStore) async throws(StoreError) -> [ConversationSummary] {
        var summaries: [ConversationSummary] = []
        for conversation in try await store.conversations() {
            summaries.append(try await store.summary(of: conversation.id))
        }
        return summaries.sorted { ($0.last?.milliseconds ?? .min) > ($1.last?.milliseconds ?? .min) }
    }

    private static func row(_ summary: ConversationSummary) -> [Table.Cell] {
        [
            Table.Cell(summary.conversation.id.rawValue, .name), Table.Cell("\(summary.count)", .number),
            Table.Cell("0", .number), Table.Cell(summary.last.map(Zone.local.minute) ?? "", .time),
            Table.Cell(summary.conversation.title),
        ]
    }

    private struct Record: Encodable {
        let id: String
        let title: String
        let topic: String?
        let count: Int
        let unread = 0
        let mentions = 0
        let first: String?
        let last: String?

        init(_ summary: ConversationSummary) {
            id = summary.conversation.id.rawValue
            title = summary.conversation.title
            topic = summary.conversation.topic
            count = summary.count
            first = summary.first?.iso8601
            last = summary.last?.iso8601
        }
    }
}
