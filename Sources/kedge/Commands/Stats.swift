import ArgumentParser
import Display
import JSON
import Messages

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the messages of a conversation: by month, person and hour.",
        discussion: """
            Counts all messages, with thread replies and deleted ones, but without edits and reactions. On a terminal it draws \
            bars; else it prints one count a line, separated by tabs: section (first, last, total, month, person, nobody, hour), key, \
            count. Months and hours are in the local zone (TZ).
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(help: "The conversation.")
    var conversation: String

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup var raw: RawOption

    func run() throws {
        try raw.check()
        var options = self.options
        let wanted = try options.resolve(self.conversation)
        let opened = try options.opened()
        let store: any ConversationListing & MessageCounting = opened.store
        let conversation = try opened.conversation(of: wanted).conversation
        let bar = ProgressBar()
        let answer = try waiting { () async throws(StoreError) in
            try await store.statistics(of: conversation.id, in: .local) { bar.show($0, of: $1) }
        }
        bar.finish()
        if json {
            try Output.print([JSONText.elements([Stats.record(conversation, answer.statistics)])])
        } else if Output.isTerminal {
            let page = StatsPage(conversation, answer.statistics, zone: .local)
            let ink: BarChart.Ink = Width.isUTF8 ? .blocks : .ascii
            try Output.print(page.lines(columns: Output.columns, ink: ink, hasColor: Output.allowsColor))
        } else {
            try Output.print(Table(Stats.rows(answer.statistics)).tabbed(isRaw: raw.isOn))
        }
        try warn(of: store, and: answer.problems)
    }

    /// Section, key, count. The first message has the count 1, the last one the count of all messages.
    private static func rows(_ statistics: Statistics) -> [[Cell]] {
        func row(_ section: String, _ key: String, _ count: Int) -> [Cell] {
            [Cell(section), Cell(key), Cell("\(count)")]
        }
        var rows: [[Cell]] = []
        if let first = statistics.first { rows.append(row("first", Zone.local.minute(first), 1)) }
        if let last = statistics.last { rows.append(row("last", Zone.local.minute(last), statistics.count)) }
        rows.append(row("total", "messages", statistics.count))
        if statistics.presence > 0 { rows.append(row("total", "presence", statistics.presence)) }
        rows += statistics.months.map { row("month", $0.month.iso8601, $0.count) }
        rows += statistics.people.map { row("person", $0.person.id.rawValue, $0.count) }
        if statistics.senderless > 0 { rows.append(row("nobody", "", statistics.senderless)) }
        rows += statistics.hours.enumerated().map { row("hour", StatsPage.hour($0), $1) }
        return rows
    }

    private static func record(_ conversation: Conversation, _ statistics: Statistics) -> JSONText {
        .record([
            "id": JSONText(conversation.id.rawValue), "title": JSONText(conversation.title),
            "count": JSONText(statistics.count), "presence": JSONText(statistics.presence),
            "first": JSONText(orNull: statistics.first?.iso8601), "last": JSONText(orNull: statistics.last?.iso8601),
            "months": JSONText(
                statistics.months.map { ["count": JSONText($0.count), "month": JSONText($0.month.iso8601)] }),
            "people": JSONText(
                statistics.people.map {
                    [
                        "count": JSONText($0.count), "id": JSONText($0.person.id.rawValue),
                        "name": JSONText($0.person.name),
                    ]
                }),
            "hours": JSONText(statistics.hours.map { JSONText($0) }),
        ])
    }
}
