import Display
import Testing

struct BarChartTests {
    private func lines(
        _ rows: [(CleanText, Int)], columns: Int, total: Int? = nil, ink: BarChart.Ink = .blocks
    ) -> [String] {
        BarChart(rows.map { BarChart.Row($0, $1) }, total: total).lines(columns: columns, ink: ink).map(\.text.string)
    }

    @Test func `The highest bar takes all the room, and others are exact to half a column`() {
        #expect(
            lines([("2024-01", 1_000), ("2024-02", 500), ("2024-03", 250), ("2024-04", 0)], columns: 29) == [
                "2024-01  1,000  ████████████",
                "2024-02    500  ██████",
                "2024-03    250  ███",
                "2024-04      0",
            ])
    }

    @Test func `A count above zero has a bar`() {
        #expect(lines([("a", 1_000_000), ("b", 1)], columns: 20).last == "b          1  ▌")
        #expect(lines([("a", 1_000_000), ("b", 1)], columns: 20, ink: .ascii).last == "b          1  #")
    }

    @Test func `Labels are cut before bars, and numbers are never cut`() {
        #expect(
            lines([("Bartholomew the Elder", 75), ("林美 Mei Lin", 25)], columns: 32, total: 200) == [
                "Bartholom…  75  37.5%  ████████",
                "林美 Mei …  25  12.5%  ██▌",
            ])
        #expect(lines([("Bartholomew", 1_234_567)], columns: 12, total: 1_234_567) == ["Barthol…  1,234,567  100.0%"])
    }

    @Test func `A share below a thousandth shows as such`() {
        #expect(lines([("a", 1)], columns: 20, total: 10_000).first?.contains("<0.1%") == true)
        #expect(lines([("a", 0)], columns: 20, total: 10_000).first?.contains("0.0%") == true)
    }

    @Test(arguments: [20, 40, 57, 100, 200])
    func `All rows leave the last column of the terminal free, and all numbers end in one column`(columns: Int) {
        let rows: [(CleanText, Int)] = [("Ana", 12), ("佐藤由紀", 345_678), ("한지우 Ji-woo Han", 9_999), ("", 0)]
        let lines = BarChart(rows.map { BarChart.Row($0, $1) }, total: 400_000).lines(columns: columns)
        // Labels of eight columns and numbers are always shown.
        if columns >= 30 { #expect(lines.map(\.text.columns).max() == columns - 1) }
        #expect(Set(lines.map { ($0.label + $0.numbers).columns }).count == 1)
    }

    @Test func `Digits stand in groups of three`() {
        #expect(
            [0, 12, 123, 1_234, 123_456, 1_234_567, -1_234].map(\.grouped).joined(separator: " ")
                == "0 12 123 1,234 123,456 1,234,567 -1,234")
    }
}
