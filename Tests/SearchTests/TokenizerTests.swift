import Foundation
import TestSupport
import Testing

@testable import Search

/// The words of a text, folded, and their ranges.
private func tokens(_ bytes: [UInt8]) -> [(word: String, range: Range<Int>)] {
    bytes.withUnsafeBufferPointer { bytes in
        var tokenizer = Tokenizer(bytes)
        var tokens: [(word: String, range: Range<Int>)] = []
        while tokenizer.next() {
            tokens.append((String(decoding: tokenizer.folded, as: UTF8.self), tokenizer.range))
        }
        return tokens
    }
}

private func words(_ text: String) -> [String] { tokens(Array(text.utf8)).map(\.word) }

struct TokenizerTests {
    @Test(arguments: [
        ("", []), ("  \t\n", []), ("Hello, World!", ["hello", "world"]), ("don't", ["don", "t"]),
        ("snake_case", ["snake", "case"]), ("a1b2 3.14", ["a1b2", "3", "14"]), ("foo.bar", ["foo", "bar"]),
        ("/usr/bin", ["usr", "bin"]), ("x²", ["x2"]), ("C++", ["c"]), ("—", []),
    ])
    func `Words are runs of letters, marks and digits`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test(arguments: [
        ("Éclair", "eclair"), ("e\u{301}clair", "eclair"), ("STRASSE", "strasse"), ("Straße", "strasse"),
        ("STRAẞE", "strasse"), ("İstanbul", "istanbul"), ("ISTANBUL", "istanbul"), ("Iğdır", "igdir"),
        ("Łódź", "lodz"), ("Ørsted", "orsted"), ("Ǿ", "o"), ("Ægir", "aegir"), ("Þór", "thor"), ("œuvre", "oeuvre"),
        ("đa", "da"), ("ħ", "h"), ("ﬁn", "fin"), ("Ｋｅｄｇｅ", "kedge"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("σίσυφος", "σισυφοσ"),
        ("ЁЛКА", "елка"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("Việt", "viet"), ("K", "k"), ("𝐁𝐨𝐥𝐝", "bold"),
    ])
    func `Case and diacritics do not matter`(text: String, folded: String) {
        #expect(words(text) == [folded])
    }

    @Test func `A byte of ASCII is part of a word or not, wherever it stands`() {
        for byte in 0..<0x80 as Range<UInt8> {
            let scalar = Unicode.Scalar(byte)
            let isWord = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            for place in 0..<20 {
                var text = Array("ABCDEFGHIJKLMNOPQRST".utf8)
                text[place] = byte
                let whole = String(decoding: text, as: UTF8.self).lowercased()
                let expected = isWord ? [whole] : whole.split(separator: Character(scalar)).map(String.init)
                let found = tokens(text)
                #expect(found.map(\.word) == expected, "byte \(byte) at \(place)")
                let first = place == 0 && !isWord ? 1 : 0
                #expect(
                    found.first?.range.lowerBound == first
                        && found.last?.range.upperBound == (place == 19 && !isWord ? 19 : 20))
            }
        }
    }

    @Test(arguments: [
        ("a", "a"), ("É", "e"), ("ж", "ж"), ("ﬁ", "fi"), ("𝐁", "b"), ("ab7", "ab7"), ("aÆ", "aae"),
        ("\u{1D5A0}É", "ae"),
    ])
    func `A word of any length is folded whole`(part: String, folded: String) {
        for count in 1...200 {
            let word = String(repeating: part, count: count)
            #expect(words("x \(word) y") == ["x", String(repeating: folded, count: count), "y"])
        }
    }

    @Test func `Marks that make another letter are kept`() {
        #expect(words("か") != words("が"))
        #expect(words("が") == words("か\u{3099}"))
        #expect(words("ｶﾞ") == words("ガ"))
        #expect(words("की") != words("का"))
        #expect(words("นา") != words("น้ำ"))
    }

    @Test(arguments: [
        ("天気がいい", 5), ("東京tower2", 3), ("ラーメン", 4), ("ｶﾀｶﾅ", 4), ("ㄅㄆ", 2), ("하늘은", 3), ("สวัสดี", 4), ("ສະ", 2),
        ("មាន", 2), ("မြန်", 2), ("天。気", 2), ("𠮷野家", 3), ("人々", 2),
    ])
    func `In scripts without blanks each character is a word`(text: String, count: Int) {
        #expect(words(text).count == count, "\(words(text))")
    }

    @Test func `Hangul is equal in both its spellings`() {
        let text = "한글 하늘"
        #expect(words(text).count == 4)
        #expect(words(text) == words(text.decomposedStringWithCanonicalMapping))
    }

    @Test func `A character in two spellings folds to the same`() {
        for text in ["Éclair ñandú", "が ば", "Ệ", "Ǻ", "й"] {
            #expect(
                words(text.precomposedStringWithCanonicalMapping) == words(text.decomposedStringWithCanonicalMapping))
        }
    }

    @Test(arguments: [
        ("👍", ["👍"]), ("👍🏽", ["👍"]), ("👍👎", ["👍", "👎"]), ("ok👍", ["ok", "👍"]), ("❤️", ["❤"]), ("👨‍👩‍👧", ["👨", "👩", "👧"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]), ("🇩🇪🇫", ["🇩🇪", "🇫"]), ("1️⃣", ["1"]), ("🏽", []), ("#", []), ("🏴\u{E0067}\u{E007F}", ["🏴"]),
    ])
    func `Each emoji is a word`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func `Invisible characters split no word`() {
        #expect(words("soft\u{AD}ware") == ["software"])
        #expect(words("a\u{200D}b\u{FE0F}c") == ["abc"])
        #expect(words("\u{200D}\u{FE0F}") == [])
    }

    @Test func `The range of a word covers its marks and invisible characters, and nothing else`() {
        let text = "x e\u{301}te\u{301}! 👍🏽\u{FE0F} (\u{301}y"
        let ranges = tokens(Array(text.utf8)).map(\.range)
        let utf8 = Array(text.utf8)
        #expect(
            ranges.map { String(decoding: utf8[$0], as: UTF8.self) } == ["x", "e\u{301}te\u{301}", "👍🏽\u{FE0F}", "y"])
    }

    @Test func `Words of plain letters are those that an independent tokenizer finds`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    "aZ09_ é.-ßŁ\n".randomElement(using: &random) ?? " "
                })
            let plain = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
                .replacing("ß", with: "ss").replacing("ł", with: "l")
            let expected = plain.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            #expect(words(text) == expected, "seed \(seed)")
        }
    }

    @Test func `Invalid UTF-8 separates words and crashes nothing`() {
        #expect(tokens(Array("ab".utf8) + [0xFF] + Array("cd".utf8)).map(\.word) == ["ab", "cd"])
        #expect(tokens([0xC3]).isEmpty && tokens([0xED, 0xA0, 0x80]).isEmpty && tokens([0xC0, 0xAF]).isEmpty)
        #expect(tokens([0xF0, 0x9F, 0x98]).isEmpty && tokens([0xF4, 0x90, 0x80, 0x80]).isEmpty)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let valid = String(decoding: bytes, as: UTF8.self)
            var end = 0
            for (word, range) in tokens(bytes) {
                #expect(!word.isEmpty && range.lowerBound >= end && range.upperBound <= bytes.count, "seed \(seed)")
                end = range.upperBound
            }
            #expect(tokens(bytes).map(\.word) == words(valid), "seed \(seed)")
        }
    }

    @Test func `Each scalar by itself is at most one word, which folds to itself`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let found = words(String(scalar))
            #expect(found.count <= 1)
            guard let word = found.first, scalar.properties.numericType == nil else { continue }
            // A ligature that folds to a text with blanks is several words; a symbol may fold to others.
            if word.unicodeScalars.allSatisfy({ Folding.kind(of: $0) == .letter }) {
                #expect(words(word) == [word], "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test(arguments: [("word ", 1), ("a", 0), ("天", 1), ("e\u{301}", 0), (" ", 0)])
    func `Two million bytes have as many words as two thousand, a thousand times`(pattern: String, each: Int) {
        let counts = [2_000, 2_000_000].map { bytes in
            tokens(Array(String(repeating: pattern, count: bytes / pattern.utf8.count).utf8)).count
        }
        #expect(counts[0] == (each == 1 ? 2_000 / pattern.utf8.count : pattern == " " ? 0 : 1))
        #expect(counts[1] == (each == 1 ? 2_000_000 / pattern.utf8.count : counts[0]))
    }
}
