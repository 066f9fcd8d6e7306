import Display
import Messages

/// The counts of a conversation as a page for people.
struct StatsPage {
    /// The most rows of months in a readable chart.
    private static let mostRows = 60
    private static let mostPeople = 20

    let conversation: Conversation
    let statistics: Statistics
    let zone: Zone

    init(_ conversation: Conversation, _ statistics: Statistics, zone: Zone) {
        (self.conversation, self.statistics, self.zone) = (conversation, statistics, zone)
    }

    func lines(columns: Int, ink: BarChart.Ink, hasColor: Bool) -> [String] {
        let bold = { (text: CleanText) in hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text.string }
        func section(_ name: CleanText, _ chart: BarChart, label color: String) -> [String] {
            ["", bold(name.truncated(to: columns))]
                + chart.lines(columns: columns, ink: ink).map { line in
                    guard hasColor else { return line.text.string }
                    let bar = line.bar.isEmpty ? "" : "\u{1B}[36m\(line.bar)\u{1B}[0m"
                    return "\u{1B}[\(color)m\(line.label)\u{1B}[0m\(line.numbers)\(bar)"
                }
        }
        var lines = [bold(CleanText(conversation.title).truncated(to: columns))]
        guard statistics.count > 0 else { return lines + ["no messages"] }
        lines += heading(columns: columns)
        let span = self.span
        lines += section("Messages by \(StatsPage.name(of: span))", months(by: span), label: "2")
        if !statistics.people.isEmpty { lines += section("By person", people, label: "36") }
        let rest = statistics.people.dropFirst(StatsPage.mostPeople)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.count }
            let persons = rest.count == 1 ? "1 more person" : "\(rest.count.grouped) more people"
            lines.append(CleanText("and \(persons): \(count.grouped)").truncated(to: columns).string)
        }
        if statistics.senderless > 0 {
            lines.append(CleanText("without a sender: \(statistics.senderless.grouped)").truncated(to: columns).string)
        }
        return lines + section("By hour of the day", hours, label: "2")
    }

    /// `3,300 messages, from … to …`: in two lines if one is too long.
    private func heading(columns: Int) -> [String] {
        guard let first = statistics.first, let last = statistics.last else { return [] }
        let count = statistics.count.counted("message")
        let times = statistics.count == 1 ? zone.minute(first) : "\(zone.minute(first)) to \(zone.minute(last))"
        let line = CleanText("\(count), \(times)")
        let parts = line.columns <= columns ? [line] : [CleanText(count), CleanText(times)]
        let presence = statistics.presence.grouped
        let rest = statistics.presence > 0 ? [CleanText("including \(presence) presence lines (such as joins)")] : []
        return (parts + rest).map { $0.truncated(to: columns).string }
    }

    /// The number of months in a row of the chart, so that all rows fit: one, a quarter, a year, ten years, a hundred.
    private var span: Int {
        let all = [1, 3, 12, 120, 1_200]
        return all.first { steps(by: $0).count <= StatsPage.mostRows } ?? 1_200
    }

    /// The rows of the chart of months, from the first to the last, in units of `span` months.
    private func steps(by span: Int) -> ClosedRange<Int> {
        guard let first = statistics.months.first?.month, let last = statistics.months.last?.month else { return 0...0 }
        return StatsPage.step(of: first, span)...StatsPage.step(of: last, span)
    }

    private static func step(of month: Statistics.Month, _ span: Int) -> Int {
        let number = month.year * 12 + month.month - 1
        return number >= 0 ? number / span : -((span - 1 - number) / span)
    }

    /// The chart of months. Rows without a message are included, so that a gap can be seen.
    private func months(by span: Int) -> BarChart {
        let counts = Dictionary(
            statistics.months.map { (StatsPage.step(of: $0.month, span), $0.count) }, uniquingKeysWith: +)
        return BarChart(steps(by: span).map { BarChart.Row(StatsPage.label(of: $0, span), counts[$0] ?? 0) })
    }

    private static func label(of step: Int, _ span: Int) -> CleanText {
        let year = step * span / 12
        return switch span {
        case 1: CleanText(Statistics.Month(year: step / 12, month: step % 12 + 1).iso8601)
        case 3: CleanText("\(step / 4) Q\(step % 4 + 1)")
        case 12: CleanText("\(year)")
        default: CleanText("\(year) to \(year + span / 12 - 1)")
        }
    }

    private static func name(of span: Int) -> CleanText {
        switch span {
        case 1: "month"
        case 3: "quarter"
        case 12: "year"
        case 120: "decade"
        default: "century"
        }
    }

    private var people: BarChart {
        let most = statistics.people.prefix(StatsPage.mostPeople)
        return BarChart(most.map { BarChart.Row(CleanText($0.person.name), $0.count) }, total: statistics.count)
    }

    private var hours: BarChart {
        BarChart(statistics.hours.enumerated().map { BarChart.Row(CleanText(StatsPage.hour($0)), $1) })
    }

    /// `07`
    static func hour(_ hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }
}
