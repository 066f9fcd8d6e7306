import Testing

@testable import Display

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
        Example("a skin tone on its own", "🏽", "\u{FFFD}", 1),
        Example("a skin tone after a character that is no emoji", "a🏽", "a\u{FFFD}", 2),
        Example("a profession", "👩🏽\u{200D}💻!", "👩💻!", 5),
        Example("a flag shows as its letters", "🇩🇪!", "DE!", 3),
        Example("half a flag", "🇩🇪🇫", "DEF", 3),
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
        Example("initials of Hangul", "\u{1100}\u{1100}가", "\u{1100}\u{1100}가", 6),
        Example("a Hangul tone mark", "\u{1100}\u{302E}", "\u{1100}\u{FFFD}", 3),
        Example("Thai", "สวัสดี", "สวัสดี", 4),
        Example("the Thai AM", "ทำ", "ท\u{E4D}\u{E32}", 2),
        Example("the Thai AM after a tone", "น้ำ", "น\u{E4D}\u{E49}\u{E32}", 2),
        Example("the Thai AM on its own", "\u{E33}", "\u{25CC}\u{E4D}\u{E32}", 2),
        Example("the Lao AM", "ນ້ຳ", "ນ\u{ECD}\u{EC9}\u{EB2}", 2),
        Example("voiced half-width kana", "ｶﾞﾊﾟ", "ｶ\u{3099}ﾊ\u{309A}", 2),
        Example("a number in a square", "㉈㉏", "1080", 4),
        Example("Persian with a non-joiner", "می\u{200C}خواهم", "می\u{200C}خواهم", 7),
        Example("a loose non-joiner", "a \u{200C}\u{200C}b", "a b", 3),
        Example("a non-joiner in Latin letters", "pay\u{200C}pal", "paypal", 6),
        Example("a Devanagari conjunct", "क्ष", "क्ष", 2),
        Example("a conjunct with joiners", "क्\u{200D}ष क्ष", "क्ष क्ष", 5),
        Example("a conjunct with a nukta", "क़्य", "क\u{93C}्य", 2),
        Example("a virama at the end", "तत्", "तत्", 2),
        Example("a virama on its own", "\u{94D}", "\u{25CC}\u{94D}", 1),
        Example("Malayalam", "ക്ക", "ക്ക", 2),
        Example("a letter that joins the next", "ൎക", "ൎക", 2),
        Example("Kannada", "ನ್ನ", "ನ್ನ", 2),
        Example("Myanmar", "င်္ဘ", "င်\u{1039}ဘ", 2),
        Example("Khmer", "ក្ក", "ក្ក", 2),
        Example(
            "a virama needs room for what belongs to it", "क\u{93C}\u{951}\u{952}\u{94D}ष",
            "क\u{93C}\u{951}\u{952}ष", 2),
        Example(
            "three marks and a virama are within the four", "क\u{93C}\u{951}\u{94D}\u{952}ष",
            "क\u{93C}\u{951}\u{94D}ष", 2),
    ]

    @Test(arguments: examples)
    func `Scrubbed text shows controls as text`(_ example: Example) {
        let text = CleanText(example.raw)
        #expect(Array(text.string.unicodeScalars) == Array(example.clean.unicodeScalars))
        #expect(text.columns == example.columns)
        #expect(CleanText(text.string) == text, "scrubbing again changes nothing")
    }

    @Test func `A message is split at every kind of line end`() {
        let raw = "a\nb\r\nc\rd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i\n\nj\n"
        let lines = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "", "j", ""]
        #expect(CleanText.lines(raw).map(\.string) == lines)
        #expect(CleanText.lines("") == [.empty])
    }

    @Test(arguments: [
        ("\tx", "    x"), ("a\tx", "a   x"), ("abc\tx", "abc x"), ("abcd\tx", "abcd    x"), ("漢\tx", "漢  x"),
        ("ab\n\tx", "ab|    x"),
    ])
    func `Tabs go to the next stop of four columns`(raw: String, expected: String) {
        #expect(CleanText.lines(raw).map(\.string).joined(separator: "|") == expected)
    }

    @Test func `A mark at the start of a line gets a base`() {
        #expect(CleanText.lines("a\n\u{301}").last == "\u{301}")
        #expect(CleanText.lines("a\n\u{301}").last?.string == "\u{25CC}\u{301}")
    }

    @Test func `No scalar stays a control, and each has the width that libc gives`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = CleanText(String(Character(scalar)))
            var width = 0
            for left in text.string.unicodeScalars where left != Joining.nonJoiner {
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

    @Test func `An interpolated literal is scrubbed as well`() {
        let name = "\u{1B}[2J"
        #expect(("<\(name)>" as CleanText).string == "<␛[2J>")
    }

    static let joining = ["क्ष", "স্ত্র", "ക്ക്ക", "ગુજ્જુ", "స్త్రీ", "ଷ୍ଟ", "ൎക", "ក្ក", "น้ำ", "ｶﾞ", "a🏽"]

    @Test(arguments: joining)
    func `Text that is cut, joined or styled in pieces joins no more characters than before`(raw: String) {
        let whole = CleanText(raw)
        let scalars = Array(raw.unicodeScalars)
        for place in 0...whole.columns {
            let left = whole.prefix(columns: place)
            let right = whole.suffix(columns: whole.columns - left.columns)
            #expect(left + right == whole)
            #expect(CleanText(left.string) + CleanText(right.string) == whole, "scrubbed once more, as for a style")
            let width = max(2, place)
            #expect(wrap(whole, columns: width).map(\.text.string).joined() == whole.string)
        }
        for place in 0...scalars.count {
            let parts = [scalars[..<place], scalars[place...]].map { part in
                CleanText(String(String.UnicodeScalarView(part)))
            }
            // As a terminal gets it that measures clusters.
            let joined = parts[0].apart + parts[1].apart
            #expect(joined.count == joined.unicodeScalars.count { Width.columns(of: $0) > 0 && !isSpacing($0) })
        }
    }

    private func isSpacing(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .spacingMark }

    @Test(arguments: ["น้ำ ทำคำ", "ນ້ຳ", "a\u{E4D}b", "\u{E4D}", "ํ้", "नमस्ते", "plain"])
    func `Scrubbed text can be searched as it is spelled, at the same offsets`(raw: String) {
        let text = CleanText(raw)
        #expect(text.spelled.utf8.count == text.string.utf8.count)
        let drawn = text.spelled.unicodeScalars.filter { $0 != Joining.nonJoiner && $0 != "\u{25CC}" }
        #expect(Array(drawn) == Array(raw.unicodeScalars))
    }

    /// Nothing of these is lost where no terminal is.
    static let exact = [
        "family 👨\u{200D}👩\u{200D}👧", "heart ❤\u{FE0F}\u{200D}🔥 ❤\u{FE0E}", "key 1\u{FE0F}\u{20E3} #\u{FE0F}\u{20E3}",
        "👩🏽\u{200D}💻",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🇩🇪", "می\u{200C}خواهم", "ه\u{200D}.ش.", "क्\u{200D}ष",
        "ශ්\u{200D}රී",
        "Auf\u{200C}lage", "葛\u{E0100}飾", "🏳\u{FE0F}\u{200D}🌈", "plain", "أحد ۝١", "\u{600}١", "\u{1FADD}",
        "ភាសា\u{200B}ខ្មែរ", "ภาษา\u{200B}ไทย", "שלום\u{200F}", "لا\u{2060}إله",
    ]

    @Test(arguments: exact)
    func `A text for a file keeps all that belongs to its characters`(text: String) {
        #expect(Array(PipedText.line(text).unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(arguments: [
        ("annexe\u{202E}gpj.exe", "annexegpj.exe"), ("a \u{200D}\u{200C} b", "a  b"),
        ("pay\u{200B}pal\u{FEFF}", "paypal"),
        ("❤\u{FE0F}\u{FE0F}\u{FE0F}", "❤\u{FE0F}"), ("a\u{E0041}\u{E007F}", "a"), ("🏴\u{E0067}", "🏴"),
        ("می\u{200C}\u{200C}خ", "می\u{200C}خ"),
        ("👨\u{200D} x", "👨 x"), (" \u{FE0F}x\u{FE0F}", " x"), ("a\u{1B}[31m", "a␛[31m"),
    ])
    func `A text for a file loses what is invisible and loose`(text: String, left: String) {
        #expect(Array(PipedText.line(text).unicodeScalars) == Array(left.unicodeScalars))
    }

    @Test(arguments: [
        ("हिन्दी", "हिन्\u{200C}दी"), ("क्\u{200C}ष", "क्\u{200C}\u{200C}ष"),
        ("\u{1100}\u{1100}가", "\u{1100}\u{200C}\u{1100}\u{200C}가"),
        ("नमः", "नमः"), ("plain é", "plain é"),
    ])
    func `Only a terminal that measures clusters gets non-joiners that nobody wrote`(text: String, apart: String) {
        #expect(Array(CleanText(text).string.unicodeScalars) == Array(text.unicodeScalars))
        #expect(Array(CleanText(text).apart.unicodeScalars) == Array(apart.unicodeScalars))
    }
}
