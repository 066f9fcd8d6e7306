/// Numbers as bars beside their names: one a row, all to the same scale.
///
///     2024-03     912  ████████████
///     2024-04   1,824  ████████████████████████
package struct BarChart: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let label: CleanText
        package let count: Int

        package init(_ label: CleanText, _ count: Int) { (self.label, self.count) = (label, count) }
    }

    /// A row of it, in pieces that may have colours of their own. Together they are no wider than was asked for.
    package struct Line: Hashable, Sendable {
        package let label: CleanText
        /// Right-aligned, with blanks before and between.
        package let numbers: CleanText
        /// Empty where there is no count, or no room.
        package let bar: CleanText

        package var text: CleanText { label + numbers + bar }
    }

    /// What bars are made of. Every font has these: both are of the oldest character sets of terminals.
    package enum Ink: Sendable {
        case blocks, ascii

        fileprivate var whole: String { self == .blocks ? "█" : "#" }
        fileprivate var half: String { self == .blocks ? "▌" : "" }
        /// Steps of a column.
        fileprivate var steps: Int { self == .blocks ? 2 : 1 }
    }

    private static let gap = 2

    package let rows: [Row]
    /// What all counts are a share of, when shares are wanted.
    package let total: Int?

    package init(_ rows: [Row], total: Int? = nil) { (self.rows, self.total) = (rows, total) }

    /// - Parameter columns: of the terminal. Labels give way before bars do, and numbers never.
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

    /// The highest takes all columns, and what is not nothing is something.
    private static func bar(_ count: Int, of highest: Int, columns: Int, _ ink: Ink) -> CleanText {
        guard count > 0, highest > 0, columns > 0 else { return .empty }
        let steps = Double(columns * ink.steps) * Double(count) / Double(highest)
        let rounded = min(columns * ink.steps, max(1, Int(steps.rounded())))
        let whole = String(repeating: ink.whole, count: rounded / ink.steps)
        return CleanText(rounded % ink.steps == 0 ? whole : whole + ink.half)
    }

    /// `37.4%`; less than a thousandth is not nothing.
    private static func share(_ count: Int, of total: Int) -> String {
        guard total > 0 else { return "" }
        let permille = Int((Double(count) / Double(total) * 1_000).rounded())
        return count > 0 && permille == 0 ? "<0.1%" : "\(permille / 10).\(permille % 10)%"
    }
}
