import TestSupport
import Testing

@testable import Display

/// Text for terminals that do not read UTF-8, and for pipes.
struct TransliterationTests {
    @Test func `Every scalar becomes printable ASCII of the same width`() {
        for value in UInt32(0x20)...0x3FFFF {
            guard value < 0x7F || value >= 0xA0, let scalar = Unicode.Scalar(value) else { continue }
            let text = CleanText(String(scalar))
            let ascii = Transliteration.ascii(text.string)
            guard ascii.utf8.count == text.columns, ascii.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                Issue.record("U+\(String(value, radix: 16)) becomes \(ascii.debugDescription)")
                return
            }
        }
    }

    @Test(arguments: [
        ("Łukasz Wójcik, Søren Østergaard", "Lukasz Wojcik, Soren Ostergaard"),
        ("“quoted” – it’s…", "\"quoted\" - it's."),
        ("▌↳ ─│┃┤ ↓ · ›", ">> -|#+ v . >"), ("e\u{301}", "e"), ("潮位", "????"), ("Û", "U"), ("plain", "plain"),
    ])
    func `Characters that look like ASCII become that character`(text: String, ascii: String) {
        #expect(Transliteration.ascii(text) == ascii)
    }

    @Test func `On a pipe no scalar acts on a terminal, and words keep their spelling`() {
        for value in UInt32(0)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let line = PipedText.line("a" + String(scalar) + "b")
            // The joiner and the non-joiner are part of a spelling between letters, and nowhere else.
            if value == 0x200C || value == 0x200D {
                #expect(Array(line.unicodeScalars) == ["a", scalar, "b"])
                #expect(PipedText.line("1" + String(scalar) + "2") == "12")
                continue
            }
            let isHarmless = line.unicodeScalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: !$0.properties.isDefaultIgnorableCodePoint
                }
            }
            #expect(isHarmless, "U+\(String(value, radix: 16))")
            // A harmless scalar stays, wherever it is.
            if Self.isShown(scalar) { #expect(line == "a\(scalar)b", "U+\(String(value, radix: 16))") }
        }
        #expect(PipedText.line("one\r\ntwo\tthree\u{2028}four") == "one two three four")
        #expect(PipedText.line("\u{202E}abc\u{2066}\u{1B}[31m\u{9B}\u{E0041}") == "abc␛[31m\u{FFFD}")
        for word in ["คำ", "नमस्ते", "Søren", "e\u{301}", "🇩🇪"] { #expect(PipedText.line(word) == word) }
    }

    @Test(arguments: 0..<20)
    func `On a pipe each scalar is replaced by itself, whatever stands beside it`(seed: UInt64) {
        let some: [Unicode.Scalar] = [
            "a", " ", "\r", "\n", "\t", "\u{0}", "\u{7F}", "\u{85}", "\u{9B}", "\u{AD}", "ø", "\u{301}", "\u{200D}",
            "\u{202E}", "\u{2028}", "–", "あ", "潮", "ه", "\u{FFFE}", "🇩", "😀", "\u{E0041}", "\u{10FFFF}",
        ]
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let count = Int.random(in: 0...12, using: &random)
            let scalars = (0..<count).compactMap { _ in some.randomElement(using: &random) }
            var expected = ""
            var previous: Unicode.Scalar?
            for (index, scalar) in scalars.enumerated() {
                if scalar == "\u{200D}" {
                    let next = scalars.dropFirst(index + 1).first
                    if Self.keepsJoiner(after: expected, before: next) { expected.unicodeScalars.append(scalar) }
                } else if scalar != "\n" || previous != "\r" {
                    expected += PipedText.line(String(scalar))
                }
                previous = scalar
            }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(PipedText.line(text).utf8.elementsEqual(expected.utf8), "\(text.debugDescription), seed \(seed)")
        }
    }

    /// Whether a joiner belongs to a letter with its marks, to the Arabic letter after it, or to the emoji on both
    /// sides. A second one never does.
    private static func keepsJoiner(after text: String, before next: Unicode.Scalar?) -> Bool {
        let before = text.unicodeScalars.reversed()
        guard before.first != "\u{200D}" else { return false }
        let letters: Set<Unicode.Scalar> = ["a", "ø", "あ", "潮", "ه"]
        let base = before.first { $0 != "\u{301}" && $0 != "\u{200D}" }
        if let base, letters.contains(base) { return true }
        return next == "ه" || next == "😀" && before.first == "😀"
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
