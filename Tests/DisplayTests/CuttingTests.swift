import Display
import Testing

struct CuttingTests {
    static let text: CleanText = "aé漢e\u{301}字z"

    @Test(arguments: [
        (-1, ""), (0, ""), (1, "a"), (2, "aé"), (3, "aé"), (4, "aé漢"), (5, "aé漢e\u{301}"), (6, "aé漢e\u{301}"),
        (7, "aé漢e\u{301}字"), (8, "aé漢e\u{301}字z"), (9, "aé漢e\u{301}字z"),
    ])
    func `A prefix holds whole clusters`(columns: Int, expected: String) {
        let prefix = Self.text.prefix(columns: columns)
        #expect(prefix.string == expected)
        #expect(prefix == CleanText(expected), "its columns are right")
    }

    @Test(arguments: [
        (-1, ""), (0, ""), (1, "…"), (2, "a…"), (4, "aé…"), (5, "aé漢…"), (8, "aé漢e\u{301}字z"),
    ])
    func `Truncated text ends with an ellipsis`(columns: Int, expected: String) {
        #expect(Self.text.truncated(to: columns) == CleanText(expected))
    }

    @Test(arguments: 0...12)
    func `Padded text has exactly the requested columns`(columns: Int) {
        #expect(Self.text.padded(to: columns).columns == columns)
        #expect(Line([Span(Self.text), Span("tail", Style(.accent))]).padded(to: columns).columns == columns)
    }

    @Test func `A line is cut across its spans, and its ellipsis has the style of its place`() {
        let line: Line = [Span("ab", Style(.accent)), Span("cdef", Style(.warning))]
        #expect(line.truncated(to: 6) == line)
        #expect(
            line.truncated(to: 4) == [
                Span("ab", Style(.accent)), Span("c", Style(.warning)), Span("…", Style(.warning)),
            ])
        #expect(line.truncated(to: 1).text == "…")
        #expect(line.truncated(to: 0) == .empty)
    }

    @Test func `A frame has exactly its rows, none too wide, and no cursor off the screen`() {
        let size = Size(columns: 3, rows: 2)
        let frame = Frame(
            size: size, lines: ["漢字", "ab  ", "c"].map { Line($0) }, cursor: ScreenPosition(row: 1, column: 3))
        #expect(frame.text == "漢\nab")
        #expect(frame.cursor == nil)
        #expect(Frame(size: size, lines: []).lines == [.empty, .empty])
        #expect(Frame(size: Size(columns: -1, rows: -1), lines: [[]]).lines.isEmpty)
        #expect(Frame(size: size, lines: [], cursor: ScreenPosition(row: 1, column: 2)).cursor != nil)
    }

    @Test(arguments: [
        (Key.up, "↑"), (.pageUp, "PgUp"), (.control("e"), "^E"), (.control("_"), "^_"), (.control("@"), "^Space"),
        (.alt("a"), "Alt-a"), (.altEnter, "Alt-Enter"), (.function(1), "F1"), (.character(" "), "Space"),
        (.escape, "Esc"), (.character("é"), "é"),
    ])
    func `Keys are named as in the help`(key: Key, name: String) {
        #expect(key.description == name)
    }
}
