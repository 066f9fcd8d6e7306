import Testing

@testable import Formats

struct MarkedTextTests {
    private func text(_ build: (inout MarkedText) -> Void) -> String {
        var text = MarkedText()
        build(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private func marked(_ before: String, _ inside: String, _ look: MarkedText.Look, _ after: String) -> String {
        text { text in
            text.add(before)
            Array(inside.utf8).withUnsafeBytes { text.add($0, look) }
            text.add(after)
        }
    }

    @Test(arguments: [
        ("a ", "b", " c", "a **b** c"), ("", " b ", "c", " **b** c"), ("(", "b", ")", "(**b**)"),
        ("漢", "字", "漢", "漢**字**漢"),
        ("a", "b", " c", "ab c"), ("a ", "b", "c", "a bc"), ("é", "b", "", "éb"), ("", "b", "\u{301}", "b\u{301}"),
        ("", "b\nc", " d", "**b**\n**c** d"), ("", " \n ", "", " \n "), ("*", "b", "", "*b"), ("", "*b", "", "*b"),
    ])
    func `a mark stands where it is one, and nowhere else`(before: String, inside: String, after: String, text: String)
    {
        #expect(marked(before, inside, .bold, after) == text)
    }

    @Test func `struck text and spoilers keep their marks within a word`() {
        #expect(marked("a", "b", .struck, "c") == "a~~b~~c")
        #expect(marked("a", "b", .spoiler, "c") == "a||b||c")
    }

    @Test func `marks of one character do not touch`() {
        let text = text { text in
            for (part, look) in [("a", MarkedText.Look.bold), ("b", .italic), ("c", .underlined), ("d", .italic)] {
                Array(part.utf8).withUnsafeBytes { text.add($0, look) }
            }
        }
        #expect(text == "**a**_b_*c*_d_")
    }

    @Test func `a line of its own is followed by a line feed in any case`() {
        #expect(
            text {
                $0.addLine("a"); $0.add("\nb")
            } == "a\n\nb")
        #expect(
            text {
                $0.add("a"); $0.addLine("b"); $0.addLine("c")
            } == "a\nb\nc")
        #expect(text { $0.addLine("a") } == "a")
    }

    @Test func `a block begins and ends at a line feed, of which there is one`() {
        let quote = { (text: inout MarkedText) in Array("q".utf8).withUnsafeBytes { text.addQuote($0) } }
        #expect(
            text {
                $0.add("a"); quote(&$0); $0.add("b")
            } == "a\n> q\nb")
        #expect(
            text {
                $0.add("a\n"); quote(&$0); $0.add("\nb")
            } == "a\n> q\nb")
        #expect(
            text {
                quote(&$0); quote(&$0)
            } == "> q\n> q")
    }

    @Test(arguments: [
        ("a", "https://e.org/(b)", "[a](https://e.org/(b))"), ("a", "https://e.org/b)", "[a](https://e.org/b%29)"),
        ("[a]", "https://e.org", "[a] (https://e.org)"), ("https://e.org", "https://e.org", "https://e.org"),
        ("a", "", "a"), ("a", "javascript:x", "a (javascript:x)"), (" ", "https://e.org", " "),
    ])
    func `a link shows where it leads`(title: String, address: String, result: String) {
        let text = text { text in
            Array(title.utf8).withUnsafeBytes { title in
                Array(address.utf8).withUnsafeBytes { text.addLink(title, to: $0) }
            }
        }
        #expect(text == result)
    }

    @Test(arguments: [
        ("Ana Petrova", "ana-petrova"), ("  Été 2024!! ", "été-2024"), ("Ромашка", "ромашка"), ("a/b\\c", "a-b-c"),
        ("🎉", ""),
        ("हिन्दी", "हिन्दी"), (String(repeating: "a", count: 60), String(repeating: "a", count: 48)),
        // By bytes, since a character has any number of them; between characters, unless one alone has too many.
        ("z" + String(repeating: "\u{301}", count: 250), "z" + String(repeating: "\u{301}", count: 59)),
        (String(repeating: "क्ष", count: 40), String(repeating: "क्ष", count: 13)),
        (String(repeating: "\u{1D4D0}", count: 40), String(repeating: "\u{1D4D0}", count: 30)),
    ])
    func `a name makes an ID that can be typed`(name: String, slug: String) {
        #expect(Slug.of(name) == slug)
    }

    @Test(
        arguments: [
            ("a/b", "x", "x/a/b"), ("./a", "", "a"), ("a\\b", "", "a/b"), ("../a", "x", nil), ("/a", "", nil),
            ("a/../../b", "x/y", nil),
            ("C:/a", "", nil), ("", "x", nil), ("a\u{0}", "", nil),
        ] as [(String, String, String?)])
    func `a path leads nowhere but into the source`(path: String, folder: String, inside: String?) {
        #expect(Source.inside(path, of: folder[...]) == inside)
    }
}
