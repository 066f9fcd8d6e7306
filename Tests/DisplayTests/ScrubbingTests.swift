import Testing

@testable import Display

@Suite("Scrubbing")
struct ScrubbingTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let name: String
        let raw: String
        let clean: String
        let columns: Int

        var testDescription: String { name }

        init(_ name: String, _ raw: String, _ clean: String, _ columns: Int) {
            self.name = name
            self.raw = raw
            self.clean = clean
            self.columns = columns
        }
    }

    static let examples = [
        Example("plain text", "plain text ~", "plain text ~", 12),
        Example("nothing", "", "", 0),
        Example("an escape sequence", "\u{1B}[31mred\u{7}", "␛[31mred␇", 9),
        Example("an operating system command", "\u{1B}]0;title\u{1B}\\", "␛]0;title␛\\", 11),
        Example("NUL and DEL", "a\0b\u{7F}c", "a␀b␡c", 5),
        Example("8-bit controls", "a\u{9B}31m\u{9D}", "a\u{FFFD}31m\u{FFFD}", 6),
        Example(
            "a name over several lines", "a\nb\r\nc\rd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i", "a b c d e f g h i", 17),
        Example("tabs in a single line", "a\t\tb", "a  b", 4),
        Example("a bidi override", "annexe\u{202E}gpj.exe", "annexegpj.exe", 13),
        Example("isolates and marks", "\u{2066}a\u{2069}\u{200E}\u{200F}\u{61C}b", "ab", 2),
        Example("zero-width spaces and joiners", "pay\u{200B}p\u{2060}a\u{FEFF}l\u{AD}!", "paypal!", 7),
        Example("tag characters", "🏴\u{E0067}\u{E0062}\u{E007F}", "🏴", 2),
        Example("interlinear annotation", "a\u{FFF9}b", "a\u{FFFD}b", 3),
        Example("a noncharacter", "a\u{FFFF}b", "a\u{FFFD}b", 3),
        Example("an unassigned scalar", "a\u{0378}b", "a\u{FFFD}b", 3),
        Example("a private icon stays", "\u{E0B0}x", "\u{E0B0}x", 2),
        Example("a family shows as its members", "👨\u{200D}👩\u{200D}👧", "👨👩👧", 6),
        Example("a heart without its emoji selector", "❤\u{FE0F}!", "❤!", 2),
        Example("a variation of a Han character", "葛\u{E0100}飾", "葛飾", 4),
        Example("a skin tone", "👍🏽 ok", "👍 ok", 5),
        Example("a skin tone on its own", "🏽", "🏽", 2),
        Example("a flag shows as its letters", "🇩🇪!", "DE!", 3),
        Example("a keycap", "1\u{FE0F}\u{20E3}", "1", 1),
        Example("accents", "e\u{301}e", "e\u{301}e", 2),
        Example(
            "four marks at most", "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}a\u{300}",
            "Z\u{300}\u{301}\u{302}\u{303}a\u{300}", 2),
        Example("a mark with nothing to stand on", "\u{301}a", "\u{25CC}\u{301}a", 2),
        Example("a mark on what was dropped", "\u{200D}\u{301}", "\u{25CC}\u{301}", 1),
        Example("Hebrew with points", "שָׁלוֹם", "שָׁלוֹם", 4),
        Example("Arabic", "مرحبا", "مرحبا", 5),
        Example("Chinese", "你好，世界", "你好，世界", 10),
        Example("Hangul in letters", "\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}", 2),
        Example("Thai", "สวัสดี", "สวัสดี", 4),
    ]

    @Test("Text is shown as text", arguments: examples)
    func scrubs(_ example: Example) {
        let text = CleanText(example.raw)
        #expect(Array(text.string.unicodeScalars) == Array(example.clean.unicodeScalars))
        #expect(text.columns == example.columns)
        #expect(CleanText(text.string) == text, "scrubbing again changes nothing")
    }

    @Test("A message is split at every kind of line end")
    func lines() {
        let raw = "a\nb\r\nc\rd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i\n\nj\n"
        let lines = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "", "j", ""]
        #expect(CleanText.lines(raw).map(\.string) == lines)
        #expect(CleanText.lines("") == [.empty])
    }

    @Test(
        "Tabs go to the next stop of four columns",
        arguments: [
            ("\tx", "    x"), ("a\tx", "a   x"), ("abc\tx", "abc x"), ("abcd\tx", "abcd    x"), ("漢\tx", "漢  x"),
            ("ab\n\tx", "ab|    x"),
        ])
    func tabs(raw: String, expected: String) {
        #expect(CleanText.lines(raw).map(\.string).joined(separator: "|") == expected)
    }

    @Test("A mark at the start of each line has something to stand on")
    func marksAfterLineEnds() {
        #expect(CleanText.lines("a\n\u{301}").last == "\u{301}")
        #expect(CleanText.lines("a\n\u{301}").last?.string == "\u{25CC}\u{301}")
    }

    @Test("No scalar survives as a control, and each has the width that libc gives")
    func everyScalar() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = CleanText(String(Character(scalar)))
            var width = 0
            for left in text.string.unicodeScalars {
                let columns = Width.columns(of: left)
                width += max(0, columns)
                let isSafe =
                    switch left.properties.generalCategory {
                    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: false
                    default: columns >= 0
                    }
                if !isSafe { Issue.record("\(name(scalar)) leaves \(name(left))") }
            }
            if width != text.columns { Issue.record("\(name(scalar)) has another width") }
            if text.string.unicodeScalars.first.map({ Width.columns(of: $0) }) == 0 {
                Issue.record("\(name(scalar)) starts with a mark")
            }
            if text.isASCII != text.string.utf8.allSatisfy({ $0 < 0x80 }) {
                Issue.record("\(name(scalar)) is taken for ASCII, or ASCII for something else")
            }
        }
    }

    private func name(_ scalar: Unicode.Scalar) -> String {
        "U+" + String(scalar.value, radix: 16, uppercase: true)
    }

    @Test("An interpolated literal is scrubbed as well")
    func interpolation() {
        let name = "\u{1B}[2J"
        #expect(("<\(name)>" as CleanText).string == "<␛[2J>")
    }
}
