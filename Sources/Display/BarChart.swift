/// A bar chart: a row for each number, with its name, all to the same scale.
///
///     2024-03     912  ████████████
///     2024-04   1,824  ████████████████████████
package struct BarChart: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let label: CleanText
        package let count: Int

        package init(_ label: CleanText, _ count: Int) { (self.label, self.count) = (label, count) }
    }

    /// A row of the chart, in pieces that may have different colours. Together they are no wider than the columns given
    /// to `lines`.
    package struct Line: Hashable, Sendable {
        package let label: CleanText
        /// Right-aligned, with blanks before and between the numbers.
        package let numbers: CleanText
        /// Empty when the count is zero, or when there is no room.
        package let bar: CleanText

        package var text: CleanText { label + numbers + bar }
    }

    /// The characters of the bars. Every font has them: both belong to the oldest character sets of terminals.
    package enum Ink: Sendable {
        case blocks, ascii

        fileprivate var whole: String { self == .blocks ? "█" : "#" }
        fileprivate var half: String { self == .blocks ? "▌" : "" }
        /// The number of lengths that a bar can have within a column.
        fileprivate var steps: Int { self == .blocks ? 2 : 1 }
    }

    private static let gap = 2

    package let rows: [Row]
    /// Each row shows its share of this total; nil to show no shares.
    package let total: Int?

    package init(_ rows: [Row], total: Int? = nil) { (self.rows, self.total) = (rows, total) }

    /// - Parameter columns: the width of the terminal. Labels are cut before bars, and numbers are never cut.
    package func lines(columns: Int, ink: Ink = .blocks) -> [Line] {
        let counts = rows.map { $0.count.grouped }
        let shares = rows.map { row in total.map { BarChart.share(row.count, of: $0) } ?? "" }
        let countWidth = counts.map(\.utf8.count).max() ?? 0
        let shareWidth = shares.map(\.utf8.count).max() ?? 0
        let numberWidth = BarChart.gap + countWidth + (shareWidth > 0 ? BarChart.gap + shareWidth : 0)
        let longest = rows.map(\.label.columns).max() ?? 0
        let labelWidth = min(longest, max(8, (columns - numberWidth) / 2))
        // The last column stays free: some terminals go on to the next row when it is written.
        let room = columns - 1 - labelWidth - numberWidth - BarChart.gap
        let highest = rows.map(\.count).max() ?? 0
        return zip(rows, zip(counts, shares)).map { row, numbers in
            let count = CleanText(numbers.0)
            var text = CleanText.blanks(BarChart.gap + countWidth - count.columns) + count
            if shareWidth > 0 {
                let share = CleanText(numbers.1)
                text = text + CleanText.blanks(BarChart.gap + shareWidth - share.columns) + share
            }
            let bar = BarChart.bar(row.count, of: highest, columns: room, ink)
            return Line(
                label: row.label.padded(to: labelWidth), numbers: text,
                bar: bar.isEmpty ? bar : CleanText.blanks(BarChart.gap) + bar)
        }
    }

    /// The highest count takes all columns, and every count above zero takes at least one step.
    private static func bar(_ count: Int, of highest: Int, columns: Int, _ ink: Ink) -> CleanText {
        guard count > 0, highest > 0, columns > 0 else { return .empty }
        let steps = Double(columns * ink.steps) * Double(count) / Double(highest)
        let rounded = min(columns * ink.steps, max(1, Int(steps.rounded())))
        let whole = String(repeating: ink.whole, count: rounded / ink.steps)
        return CleanText(rounded % ink.steps == 0 ? whole : whole + ink.half)
    }

    /// `37.4%`; a small share shows as `<0.1%` and not as zero.
    private static func share(_ count: Int, of total: Int) -> String {
        guard total > 0 else { return "" }
        let permille = Int((Double(count) / Double(total) * 1_000).rounded())
        return count > 0 && permille == 0 ? "<0.1%" : "\(permille / 10).\(permille % 10)%"
    }
}
