import Display
import TestSupport
import Testing

struct WrappingTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let name: String
        let text: CleanText
        let columns: Int
        let rows: [String]

        var testDescription: String { name }

        init(_ name: String, _ text: CleanText, _ columns: Int, _ rows: String...) {
            self.name = name
            self.text = text
            self.columns = columns
            self.rows = rows
        }
    }

    static let examples = [
        Example("nothing", "", 10, ""),
        Example("a short text", "a b", 10, "a b"),
        Example("words", "the quick brown fox", 9, "the quick", "brown fox"),
        Example("blanks at a break", "ab   cd", 3, "ab", "cd"),
        Example("a blank that would stick out", "abc d", 3, "abc", "d"),
        Example("blanks at the end, not drawn", "abc   ", 4, "abc"),
        Example("blanks at the end that fit", "abc  d ", 4, "abc", "d "),
        Example("indentation", "  if x then y", 8, "  if x", "then y"),
        Example("an indented word that is too long", "  abcdefgh", 6, "  abcd", "efgh"),
        Example("more indentation than fits", "      ab", 4, "    ", "ab"),
        Example("blanks only", "      ", 4, "    "),
        Example("a word that is too long", "ab abcdefgh cd", 5, "ab", "abcde", "fgh", "cd"),
        Example(
            "an address", "see https://kedge.chat/a/b?q=1 now", 12, "see", "https://", "kedge.chat/", "a/b?q=1 now"),
        Example("a break that leaves too little is not taken", "a-bcdefghijk", 8, "a-bcdefg", "hijk"),
        Example("Chinese", "你好世界", 5, "你好", "世界"),
        Example("no closing mark starts a row", "他说你好。再见", 8, "他说你", "好。再见"),
        Example("no opening mark ends a row", "他说「你好」", 6, "他说", "「你", "好」"),
        Example("Chinese and English", "使用Swift写", 8, "使用", "Swift写"),
        Example("an ideographic space", "漢字　漢字", 4, "漢字", "漢字"),
        Example("accents stay with their letters", "e\u{301}e\u{301}e\u{301}", 2, "e\u{301}e\u{301}", "e\u{301}"),
        Example("emoji", "👍👍👍", 4, "👍👍", "👍"),
        Example("Hebrew", "שלום עולם", 5, "שלום", "עולם"),
        Example("a hard space is no place to break", "aé b\u{A0}c", 4, "aé", "b\u{A0}c"),
        Example("a wide character in one column", "a漢b", 1, "a", "?", "b"),
        Example("no columns", "ab", 0, "a", "b"),
    ]

    @Test(arguments: examples)
    func `Rows break where a reader expects it`(_ example: Example) {
        #expect(wrap(example.text, columns: example.columns).map(\.text.string) == example.rows)
    }

    @Test(arguments: [
        Example("blanks", "a   b  c", 3, "a  ", " b ", " c"),
        Example("words", "let x = 1", 4, "let ", "x = ", "1"),
        Example("wide characters", "a漢字b", 3, "a漢", "字b"),
        Example("wide characters in one column", "漢a", 1, "?", "a"),
        Example("nothing", "", 3, ""),
    ])
    func `Code breaks anywhere and keeps all its blanks`(_ example: Example) {
        #expect(hardWrap(example.text, columns: example.columns).map(\.text.string) == example.rows)
    }

    @Test func `The start of a row is its UTF-8 offset in the text`() {
        #expect(wrap("aé  漢字 b", columns: 4).map(\.start) == [0, 5, 12])
        #expect(hardWrap("aé漢字b", columns: 3).map(\.start) == [0, 3, 6])
    }

    /// Text with all kinds of characters that wrapping treats differently.
    static func randomText(_ random: inout SeededGenerator, pieces: [String]) -> CleanText {
        let length = Int(random.next() % 40)
        return CleanText((0..<length).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined())
    }

    static let pieces = [
        " ", " ", "  ", "a", "bc", "def", "-", "/", "?", "é", "e\u{301}", "漢", "字", "。", "「", "」", "👍", "　", "(", ")",
        "\u{1112}\u{1161}\u{11AB}", "abcdefghijklmnop", "\u{A0}",
    ]

    @Test
    func `At every width, wrapped rows lose and double nothing, fit, and have rising starts`() {
        var seeds = SystemRandomNumberGenerator()
        let seed = seeds.next()
        print("WrappingTests seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let text = Self.randomText(&random, pieces: Self.pieces)
            for columns in 1...24 {
                let isWrapped = Self.problems(text, wrap(text, columns: columns), columns, keepsBlanks: false)
                let isCut = Self.problems(text, hardWrap(text, columns: columns), columns, keepsBlanks: true)
                guard isWrapped.isEmpty, isCut.isEmpty else {
                    Issue.record("seed \(seed), '\(text)' at \(columns): \(isWrapped) \(isCut)")
                    return
                }
            }
        }
    }

    static func problems(_ text: CleanText, _ rows: [WrappedRow], _ columns: Int, keepsBlanks: Bool) -> [String] {
        var problems: [String] = []
        if rows.first?.start != 0 { problems.append("the first start is not 0") }
        if zip(rows, rows.dropFirst()).contains(where: { $0.start >= $1.start }) {
            problems.append("starts do not rise")
        }
        let bytes = Array(text.string.utf8)
        for (index, row) in rows.enumerated() {
            if row.text.columns > columns { problems.append("'\(row.text)' is too wide") }
            if CleanText(row.text.string).columns != row.text.columns {
                problems.append("'\(row.text)' has wrong columns")
            }
            let next = index + 1 < rows.count ? rows[index + 1].start : bytes.count
            let part = String(decoding: bytes[row.start..<next], as: UTF8.self)
            let isReplaced = row.text.string == "?" && CleanText(part).columns > columns
            if isReplaced { continue }
            guard part.unicodeScalars.starts(with: row.text.string.unicodeScalars) else {
                problems.append("'\(row.text)' is not at \(row.start)")
                continue
            }
            let left = part.unicodeScalars.dropFirst(row.text.string.unicodeScalars.count)
            if keepsBlanks ? !left.isEmpty : !left.allSatisfy({ $0 == " " || $0 == "　" }) {
                problems.append("'\(String(left))' is lost")
            }
        }
        return problems
    }

    @Test
    func `The fast path for ASCII gives the same rows`() {
        var seeds = SystemRandomNumberGenerator()
        let seed = seeds.next()
        print("WrappingTests.fastPath seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<600 {
            let pieces = [" ", " ", "  ", "     ", "é", "ab", "-", "/", "éabcdefghé", "abcé"]
            let text = Self.randomText(&random, pieces: pieces)
            let ascii = CleanText(String(text.string.map { $0 == "é" ? "e" : $0 }))
            for columns in 1...16 {
                let slow = wrap(text, columns: columns).map { String($0.text.string.map { $0 == "é" ? "e" : $0 }) }
                let fast = wrap(ascii, columns: columns).map(\.text.string)
                guard slow == fast else {
                    Issue.record("seed \(seed), '\(ascii)' at \(columns): \(fast), not \(slow)")
                    return
                }
            }
        }
    }
}
