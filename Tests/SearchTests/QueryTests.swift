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
    func `A query matches the texts that contain its words and phrases`(query: String, text: String, isMatch: Bool) {
        #expect(Query(query).matches(text) == isMatch)
        #expect(Query(query).hits(in: text).isEmpty == !isMatch)
    }

    @Test(arguments: [
        ("-x", "x", false), ("-x", "y", true), ("-x", "", true), ("a -b", "a", true), ("a -b", "a b", false),
        ("a -\"b c\"", "a b", true), ("a -\"b c\"", "a b c", false), ("a -\"b c\" -d", "a d", false),
        ("a -b*", "a bc", false), ("a -b*", "a c", true), ("well-known", "well known", true),
        ("well-known", "known well", false), ("--force", "use --force", true), ("--force", "x", false),
        ("- a", "a", true), ("a -", "a", true), ("a - b", "a b", true), ("a - b", "a", false), ("-É", "e", false),
        ("-don't", "don t", false), ("-don't", "don", true), ("a -a", "a", false), ("a\"b\"-c", "a b c", true),
        ("-\"open", "open", false), ("-“typo graphic”", "typo graphic", false), ("-... a", "a", true),
        ("foo:bar", "foo, bar", true), ("foo:bar", "bar foo", false), ("-foo:bar", "foo bar", false),
        ("has:cheese", "has cheese", true), ("has:cheese", "cheese", false), ("is:great", "is great", true),
        ("-has:cheese", "has cheese", false), ("from:ana", "whatever", true), ("from:ana x", "from ana", false),
        ("\"from:ana\"", "from ana", true), ("\"from:ana\"", "ana", false), ("xfrom:ana", "xfrom ana", true),
        ("x\"y\"from:ana", "x y from ana", true), ("https://a.b", "see https://a.b", true),
    ])
    func `A minus excludes words, and operators do not affect the text`(
        query: String, text: String, isMatch: Bool
    ) {
        #expect(Query(query).matches(text) == isMatch)
        #expect(Query(query).matches(text.uppercased()) == isMatch)
    }

    /// A query in one line: required, excluded, names, dates, marks.
    private func reading(_ query: Query) -> String {
        func words(_ phrases: [Phrase], _ sign: String = "") -> [String] {
            phrases.map { phrase in
                sign
                    + phrase.map { String(decoding: $0.bytes, as: UTF8.self) + ($0.isPrefix ? "*" : "") }
                    .joined(separator: "+")
            }
        }
        func names(_ names: [QueryName], _ sign: String) -> [String] {
            names.map { "\(sign)<\($0.text)>\($0.isPrefix ? "*" : "")" }
        }
        func marks(_ marks: QueryMarks, _ sign: String) -> [String] {
            let all: [(QueryMarks, String)] = [
                (.link, "link"), (.file, "file"), (.reply, "reply"), (.thread, "thread"),
            ]
            return all.filter { marks.contains($0.0) }.map { sign + $0.1 }
        }
        let filters = query.filters
        let parts: [[String]] = [
            words(query.required), words(query.excluded, "-"), names(filters.senders, "from"),
            names(filters.excludedSenders, "-from"), names(filters.conversations, "in"),
            names(filters.excludedConversations, "-in"),
            filters.dates.map { "\($0.isExcluded ? "-" : "")\($0.relation)<\($0.text)>" }, marks(filters.marks, "+"),
            marks(filters.excludedMarks, "-"),
        ]
        return parts.joined().joined(separator: " ")
    }

    @Test(arguments: [
        ("from:ana from:\"Ana Ruiz\" -from:@ben", "from<ana> from<Ana Ruiz> -from<@ben>"),
        ("From:ana FROM:b frôm:c", "from<ana> from<b> from<c>"), ("from:an*", "from<an*>*"),
        ("-from:a", "-from<a>"), ("from:|odd|", "from<|odd|>"), ("from:@ana:matrix.org", "from<@ana:matrix.org>"),
        ("in:general in:#General -in:\"a b\"", "in<general> in<#General> -in<a b>"), ("in:gen*", "in<gen*>*"),
        ("since:2024-01-01 until:\"3 weeks ago\"", "since<2024-01-01> until<3 weeks ago>"),
        ("after:1 before:2 on:3 during:4 -during:5", "after<1> before<2> on<3> on<4> -on<5>"),
        ("since:2024-01-01T12:30:00Z", "since<2024-01-01T12:30:00Z>"), ("since:banana x", "x since<banana>"),
        ("has:link has:file has:attachment", "+link +file"), ("-HAS:Link -is:reply is:thread", "+thread -link -reply"),
        ("has:\"link\"", "+link"), ("is:link", "is+link"), ("has:reply", "has+reply"), ("has:link!", "has+link"),
        ("from: x", ""), ("from:", ""), ("-from:", ""), ("in:", ""), ("in:#", ""), ("from:@", ""), ("since:", ""),
        ("has:", ""), ("is: reply", ""), ("from:\"\" x", ""), ("-", ""), ("--", ""), ("-\"\"", ""), ("-*", ""),
        (":", ""), (":x", "x"), ("from:ana\"b c\"", "b+c from<ana>"), ("a -b -b a", "a -b"), ("from :ana", "from ana"),
        ("\"in:x\" y", "in+x y"), ("--from:ana", "from+ana"), ("since:\"3 wee", "since<3 wee>"),
        ("toolongtobeanoperatorwhateveritsays:x", "toolongtobeanoperatorwhateveritsays+x"),
    ])
    func `Operators are parsed, and unknown ones are words or nothing`(query: String, wanted: String) {
        #expect(reading(Query(query)) == wanted)
    }

    @Test(arguments: [
        ("from:an", "from<an>*"), ("from:ana ", "from<ana>"), ("from:\"ana r", "from<ana r>*"),
        ("from:\"ana ", "from<ana >"), ("from:\"ana\"", "from<ana>"), ("in:#gen", "in<#gen>*"), ("x -fo", "x -fo"),
        ("x -from:an", "x -from<an>"), ("-in:gen", "-in<gen>"), ("x -\"fo b", "x -fo+b"),
        ("from:an fo", "fo* from<an>"),
        ("has:", ""), ("has:l", ""), ("has:li", ""), ("has:link", "+link"), ("has:lx", "has+lx*"),
        ("has:li ", "has+li"),
        ("-has:li", ""), ("is:re x", "is+re x*"), ("is:re", ""), ("fro", "fro*"), ("from", "from*"), ("from:", ""),
        ("since:20", "since<20>"), ("foo:b", "foo+b*"),
    ])
    func `While typing, the last name or value may be incomplete, but no exclusion`(
        query: String, wanted: String
    ) {
        #expect(reading(Query(query, isTyping: true)) == wanted)
    }

    @Test(arguments: [
        ("from:me", "from<@ana:x>"), ("-from:ME x", "x -from<@ana:x>"), ("from:\"me\"", "from<@ana:x>"),
        ("from:me from:ben", "from<@ana:x> from<ben>"), ("from:@me", "from<@me>"), ("from:mei", "from<mei>"),
        ("in:me", "in<me>"),
    ])
    func `The user is a sender named me, if it is known who that is`(query: String, wanted: String) {
        #expect(reading(Query(query, me: "@ana:x")) == wanted)
        #expect(reading(Query(query)) == wanted.replacing("@ana:x", with: query.contains("ME") ? "ME" : "me"))
        #expect(reading(Query("from:me", isTyping: true, me: "@ana:x")) == "from<@ana:x>")
        #expect(reading(Query("from:me", isTyping: true)) == "from<me>*")
    }

    @Test func `The name me means the ID of the user, and nobody who has it as a part of a name`() {
        let me = Query("from:me", me: "ana").senders
        #expect(me.areID("ana".utf8) && !me.arePart(of: "Ana Ruiz"))
        #expect(Query("from:ana").senders.arePart(of: "Ana Ruiz"))
        #expect(Query("from:me", me: "ana") != Query("from:me"))
        #expect(Query("from:me", me: "ana") != Query("from:me", me: "ben"))
    }

    @Test(arguments: [
        ("http://a", true), ("see HTTPS://a.b/c?d.", true), ("(https://é.fr)", true), ("xhttp://a", false),
        ("http://[::1]/", true), ("www.a.org", true), ("(WWW.a", true), ("-www.1", true), ("http://", false),
        ("http:// a", false), ("http:/a", false), ("https//a", false), ("ftp://a", false), ("example.com", false),
        ("www", false), ("www.", false), ("www. a", false), ("awww.a", false), ("www.[", false), ("", false),
        ("http", false), ("h", false), ("http://\"", false), ("hhttp://a", false), ("wwww.a", false),
    ])
    func `A link has a scheme, or begins with www`(text: String, isLink: Bool) {
        #expect(Query("has:link").matches(text) == isLink)
        #expect(Query("-has:link").matches(text) == !isLink)
        #expect(Query("has:link").hits(in: text).isEmpty)
    }

    @Test(arguments: [
        ("a -b", "a c", ["a"]), ("a -b", "a b", []), ("-b", "a", []), ("from:ana", "from ana", []),
        ("from:ana a*", "ana", ["ana"]), ("a has:link", "a http://a", ["a", "a"]), ("a has:link", "a", []),
    ])
    func `Only required words are hits in the text`(query: String, text: String, hits: [String]) {
        let utf8 = Array(text.utf8)
        #expect(Query(query).hits(in: text).map { String(decoding: utf8[$0], as: UTF8.self) } == hits)
        #expect(Query("-b from:ana").occurrences(in: text).isEmpty)
    }

    @Test(arguments: [
        ("from:ana", true), ("-x", true), ("has:file", true), ("is:thread", true), ("in:a", true), ("-in:a", true),
        ("since:x", true), ("from:", false), ("-", false), ("-...", false),
    ])
    func `A query of operators or exclusions alone is valid`(query: String, asks: Bool) {
        #expect(Query(query).isEmpty == !asks)
        #expect(Query(query).matches("") == asks)
        #expect(Query(query).isEmptyButForDates == (!asks || query == "since:x"))
    }

    @Test func `Names match completely or in part, with and without their sign`() {
        #expect(QueryName("general").isWhole("#GENERAL") && QueryName("#Général").isWhole("general"))
        #expect(!QueryName("gen").isWhole("general") && QueryName("gen", isPrefix: true).isWhole("general"))
        #expect(
            QueryName("gen*", isPrefix: true).isWhole("general") && !QueryName("ral", isPrefix: true).isWhole("general")
        )
        #expect(QueryName("c++").isWhole("C++") && !QueryName("c").isWhole("C++"))
        #expect(QueryName("a  b").isWhole(" A b ") && !QueryName("ab").isWhole("a b"))
        #expect(QueryName("ruiz").isPart(of: "Ana Ruiz") && !QueryName("rui").isPart(of: "Ana Ruiz"))
        #expect(QueryName("rui", isPrefix: true).isPart(of: "Ana Ruiz") && !QueryName("|").isPart(of: "|"))
        #expect(
            QueryName("@ana").isID("ana".utf8) && QueryName("@ana").isID("@ana".utf8)
                && !QueryName("ana").isID("@ana".utf8))
    }

    /// Any text is parsed, in any state of typing, and the parts of the query agree with each other.
    @Test func `Any garbage is a valid query`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "-", "-", "\"", "\"", ":", " ", " ", "*", "from:", "in:", "#", "@", "has:", "has:link", "-has:link",
            "is:reply",
            "since:", "on:", "a", "b", "é", "É", "天", "👍🏽", "\u{200D}", "\u{301}", "\0", "“", "”", "http://a", "\\",
            "\n", "link",
        ]
        for _ in 0..<20_000 {
            func some(_ most: Int) -> String {
                (0..<Int.random(in: 0...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            let (typed, text) = (some(10), some(10))
            let query = Query(typed, isTyping: Bool.random(using: &random))
            let isMatch = query.matches(text)
            #expect(Set(query.required).count == query.required.count && !query.required.contains([]), "seed \(seed)")
            #expect(Set(query.excluded).count == query.excluded.count && !query.excluded.contains([]), "seed \(seed)")
            #expect(query.hits(in: text).isEmpty == (!isMatch || query.required.isEmpty), "seed \(seed): \(typed)")
            #expect(query.dependsOnText || isMatch, "seed \(seed): \(typed) in \(text)")
            // The byte filter never loses a match.
            var copy = text
            let isCandidate = copy.withUTF8 { query.filter.firstCandidate(in: $0) != nil }
            #expect(!isMatch || isCandidate || text.isEmpty, "seed \(seed): \(typed) in \(text)")
            // A minus before a text without signs excludes exactly the matches of the text alone.
            let words = text.filter { $0.isLetter }
            if !Query(words).required.isEmpty {
                #expect(Query("-\"\(words)\"").matches(typed) == !Query("\"\(words)\"").matches(typed), "seed \(seed)")
            }
        }
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
    func `While typing, the last word may be incomplete`(query: String, text: String, isMatch: Bool) {
        #expect(Query(query, isTyping: true).matches(text) == isMatch)
    }

    @Test(arguments: [
        ("mode", "A MODE is a mode", ["MODE", "mode"]), ("\"a b\" b", "b a b", ["b", "a b"]),
        ("mode*", "modes, model", ["modes", "model"]), ("cafe", "café cafe\u{301}", ["café", "cafe\u{301}"]),
        ("天気", "今日は天気がいい", ["天気"]), ("か", "かが", ["か"]), ("👍", "x👍🏽y", ["👍🏽"]), ("👩", "👨‍👩‍👧 👩", ["👨‍👩‍👧", "👩"]),
        ("\"a a\"", "a a a", ["a a a"]), ("น้", "น้ำ", ["น้ำ"]), ("x y", "x", []), ("strasse", "Die Straße", ["Straße"]),
    ])
    func `Hits are the words found, as whole characters`(query: String, text: String, hits: [String]) {
        let utf8 = Array(text.utf8)
        #expect(Query(query).hits(in: text).map { String(decoding: utf8[$0], as: UTF8.self) } == hits)
    }

    @Test func `Queries are equal when their text and meaning are equal`() {
        #expect(Query("a b") == Query("a b"))
        #expect(Query("a b").hashValue == Query("a b").hashValue)
        #expect(Query("a") != Query("b"))
        #expect(Query("a", isTyping: true) != Query("a"))
        #expect(Query("a ", isTyping: true) == Query("a "))
    }

    /// A text matches when a loop over all positions says so, and the hits are its words.
    @Test func `Random queries match random texts as a plain loop does`() {
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
        arguments: ["word%d ", "a", "\"a a a b\" ", "a ", "a* ", "\"", "(.*)+", "天", "👍", "é"])
    func `The longest query works like any other`(pattern: String) {
        var text = ""
        var number = 0
        while true {
            let longer = text + pattern.replacing("%d", with: "\(number % 2_000)")
            if Query(longer).fault != nil { break }
            text = longer
            number += 1
        }
        #expect(text.utf8.count > QuerySize.maximumBytes / 2 || number >= QuerySize.maximumTerms / 4)
        let query = Query(text, isTyping: true)
        let long = String(repeating: "a a a a word7 天天 👍 é ", count: 3_000)
        _ = query.matches(long)
        #expect(query.hits(in: long).isEmpty == !query.matches(long))
        #expect(query.isEmpty || query.matches(text))
    }

    @Test(arguments: ["deploy", "DEPLOY", "x", "a1b2c3d4e5"])
    func `The filter finds every possible match, wherever it is`(key: String) {
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

    @Test func `A name is a phrase without operators`() {
        #expect(Query(phrase: "Ana Ruiz").matches("ana ruiz"))
        #expect(Query(phrase: "ana*").matches("Ana Ruiz"))
        #expect(!Query(phrase: "ana*").matches("Anatol"))
        #expect(Query(phrase: "|-|").isEmpty)
    }
}
