import Foundation
import TestSupport
import Testing

@testable import Search

struct QueryTests {
    @Test(arguments: [
        ("seamless mode", "The Mode is seamless.", true), ("seamless mode", "seamless", false),
        ("\"seamless mode\"", "a Seamless-Mode!", true), ("\"seamless mode\"", "mode seamless", false),
        ("\"seamless mode\"", "seamless x mode", false), ("seam", "seamless", false), ("seam*", "seamless", true),
        ("*", "anything", false), ("foo.*", "foobar", false), ("foo.*", "a foo b", true), ("foo.bar", "foo-bar", true),
        ("foo.bar", "bar foo", false), ("don't", "I don’t", true), ("don't", "t don", false), ("C++", "c", true),
        ("[a-z]+(x|y)$", "a z x y", true), ("[a-z]+(x|y)$", "[a-z]", false), ("^a", "a", true), ("\\d", "5", false),
        ("\"open quote", "an open quote", true), ("\"open quote", "quote open", false),
        ("“typo graphic”", "typo graphic", true),
        ("„typo graphic“", "graphic typo", false), ("foo\"bar baz\"", "bar baz foo", true),
        ("foo\"bar baz\"", "baz bar foo", false), ("\"\" x", "x", true), ("\"foo ba*\"", "foo bar", true),
        ("天気", "今日は天気がいい", true), ("天気", "気天", false), ("天 気", "気天", true), ("ﾗｰﾒﾝ", "ラーメン", true),
        ("👍", "done 👍🏽", true), ("👍🏽", "👍", true), ("👩", "👨‍👩‍👧", true), ("🇩🇪", "🇩🇪", true), ("🇪🇫", "🇩🇪🇫🇷", false),
        ("cafe", "CAFÉ", true), ("CAFÉ", "cafe", true), ("strasse", "Straße", true), ("istanbul", "İstanbul", true),
        ("한", "한글", true), ("a a", "a", true), ("\"a a\"", "a", false), ("\"a a b\"", "a a a b", true),
        ("x OR y", "x y", false),
    ])
    func `A query finds what it says`(query: String, text: String, isMatch: Bool) {
        #expect(Query(query).matches(text) == isMatch)
        #expect(Query(query).hits(in: text).isEmpty == !isMatch)
    }

    @Test(arguments: [
        ("", true), (" \t", true), ("\"\"", true), ("...", true), ("*", true), ("\"", true), ("\u{200D}", true),
        ("🏽", true),
        ("x", false), ("👍", false), ("天", false), ("²", false),
    ])
    func `A query without a word finds nothing`(text: String, isEmpty: Bool) {
        #expect(Query(text).isEmpty == isEmpty)
        #expect(Query(text).matches("x 👍 天 2") == !isEmpty)
        if isEmpty { #expect(!Query(text).matches(text)) }
    }

    @Test(arguments: [
        ("seaml", "seamless", true), ("seaml ", "seamless", false), ("sea mod", "seamless mode", false),
        ("seamless mod", "seamless mode", true), ("\"seamless mod", "seamless mode", true),
        ("\"seamless mod\"", "seamless mode", false), ("\"seamless ", "seamless mode", true),
        ("foo.b", "foo bar", true),
        ("h", "한글 하늘 hi", true), ("하", "한글", true),
    ])
    func `While one types, the last word may go on`(query: String, text: String, isMatch: Bool) {
        #expect(Query(query, isTyping: true).matches(text) == isMatch)
    }

    @Test(arguments: [
        ("mode", "A MODE is a mode", ["MODE", "mode"]), ("\"a b\" b", "b a b", ["b", "a b"]),
        ("mode*", "modes, model", ["modes", "model"]), ("cafe", "café cafe\u{301}", ["café", "cafe\u{301}"]),
        ("天気", "今日は天気がいい", ["天気"]), ("か", "かが", ["か"]), ("👍", "x👍🏽y", ["👍🏽"]), ("👩", "👨‍👩‍👧 👩", ["👨‍👩‍👧", "👩"]),
        ("\"a a\"", "a a a", ["a a a"]), ("น้", "น้ำ", ["น้ำ"]), ("x y", "x", []), ("strasse", "Die Straße", ["Straße"]),
    ])
    func `Hits are the words that were found, as whole characters`(query: String, text: String, hits: [String]) {
        let utf8 = Array(text.utf8)
        #expect(Query(query).hits(in: text).map { String(decoding: utf8[$0], as: UTF8.self) } == hits)
    }

    @Test func `Queries that ask for the same are equal when they were typed the same`() {
        #expect(Query("a b") == Query("a b"))
        #expect(Query("a b").hashValue == Query("a b").hashValue)
        #expect(Query("a") != Query("b"))
        #expect(Query("a", isTyping: true) != Query("a"))
        #expect(Query("a ", isTyping: true) == Query("a "))
    }

    /// A text matches when a loop over all places says so, and the hits are its words.
    @Test func `Random queries find in random texts what a plain loop finds`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let words = ["a", "b", "ab", "abc", "É", "天", "👍"]
        func list(_ most: Int) -> [String] {
            (0..<Int.random(in: 1...most, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        }
        for _ in 0..<5_000 {
            let text = list(12)
            let phrases = (0..<Int.random(in: 1...4, using: &random)).map { _ in list(3) }
            let isPrefix = Bool.random(using: &random)
            let typed = phrases.map { "\"\($0.joined(separator: " "))\"" }.joined() + (isPrefix ? " a*" : "")
            var covered: Set<Int> = []
            let all = phrases.allSatisfy { phrase in
                let places = text.indices.filter { text[$0...].prefix(phrase.count).elementsEqual(phrase) }
                for place in places { covered.formUnion(place..<place + phrase.count) }
                return !places.isEmpty
            }
            let beginnings = isPrefix ? text.indices.filter { text[$0].hasPrefix("a") } : []
            covered.formUnion(beginnings)
            let isMatch = all && (!isPrefix || !beginnings.isEmpty)
            let joined = text.joined(separator: "-")
            let found = Query(typed).hits(in: joined)
            #expect(Query(typed).matches(joined) == isMatch && found.isEmpty == !isMatch, "seed \(seed)")
            let bytes = Array(joined.utf8)
            let hit = found.flatMap { String(decoding: bytes[$0], as: UTF8.self).split(separator: "-") }.map(
                String.init)
            #expect(hit == (isMatch ? covered.sorted().map { text[$0] } : []), "seed \(seed): \(typed) in \(joined)")
        }
    }

    @Test(
        .timeLimit(.minutes(5)), arguments: ["word%d ", "a", "\"a a a b\" ", "a ", "a* ", "\"", "(.*)+", "天", "👍", "é"])
    func `A query of ten thousand characters is one like any other`(pattern: String) {
        var text = ""
        var number = 0
        while text.count < 10_000 {
            text += pattern.replacing("%d", with: "\(number % 2_000)")
            number += 1
        }
        let query = Query(text, isTyping: true)
        let long = String(repeating: "a a a a word7 天天 👍 é ", count: 3_000)
        _ = query.matches(long)
        #expect(query.hits(in: long).isEmpty == !query.matches(long))
        #expect(query.isEmpty || query.matches(text))
    }

    @Test(arguments: ["deploy", "DEPLOY", "x", "a1b2c3d4e5"])
    func `The filter finds every place that matters, wherever it stands`(key: String) {
        let query = Query(key)
        for length in [0, 1, 2, 60, 63, 64, 65, 70, 127, 128, 129, 200] {
            for place in 0...length {
                for needle in [key, key.lowercased(), "é", "\\u0041"] where !needle.isEmpty {
                    let bytes =
                        Array((String(repeating: "-", count: place) + needle).utf8)
                        + Array(repeating: UInt8(ascii: "-"), count: length - place)
                    let isFound = bytes.withUnsafeBufferPointer { query.filter.firstCandidate(in: $0) }
                    #expect(isFound == place)
                }
            }
            let blank = Array(repeating: UInt8(ascii: "-"), count: length)
            #expect(blank.withUnsafeBufferPointer { query.filter.firstCandidate(in: $0) } == nil)
        }
    }

    @Test func `Names are looked for as they are`() {
        #expect(Query(phrase: "Ana Ruiz").matches("ana ruiz"))
        #expect(Query(phrase: "ana*").matches("Ana Ruiz"))
        #expect(!Query(phrase: "ana*").matches("Anatol"))
        #expect(Query(phrase: "|-|").isEmpty)
    }
}
