import Display
import TestSupport
import Testing

/// Rows that are indented below the text after a mark.
struct HangingTests {
    @Test(
        arguments: [
            ("- one two three", 2, 9, ["- one two", "  three"]),
            ("- a", 2, 9, ["- a"]),
            ("12. one two", 4, 8, ["12. one", "    two"]),
            ("- abcdefghij", 2, 7, ["- abcde", "  fghij"]),
            ("• 漢字漢字", 4, 6, ["• 漢字", "  漢字"]),
            // More than half of the row, so nothing is indented.
            ("123. one two", 5, 8, ["123. one", "two"]),
            ("no mark at all", 0, 8, ["no mark", "at all"]),
        ] as [(String, Int, Int, [String])])
    func `The text of a list item stays beside its mark`(text: String, hang: Int, columns: Int, expected: [String]) {
        let rows = wrap(CleanText(text), columns: columns, hanging: hang)
        #expect(rows.map { CleanText.blanks($0.indent).string + $0.text.string } == expected)
    }

    @Test(arguments: [UInt64](1...200))
    func `At every width, hanging rows lose and double nothing, fit, and have rising starts`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let mark = ["- ", "1. ", "  * ", "> > ", "• "].randomElement(using: &random) ?? ""
        let text = CleanText(mark + "x") + WrappingTests.randomText(&random, pieces: WrappingTests.pieces)
        for columns in 1...24 {
            let rows = wrap(text, columns: columns, hanging: mark.utf8.count)
            let problems = WrappingTests.problems(text, rows, columns, keepsBlanks: false)
            #expect(problems.isEmpty, "seed \(seed), '\(text)' at \(columns)")
            #expect(rows.allSatisfy { $0.columns <= columns }, "seed \(seed), '\(text)' at \(columns)")
            #expect(rows.dropFirst().allSatisfy { $0.indent == rows[rows.count - 1].indent }, "seed \(seed)")
        }
    }
}
