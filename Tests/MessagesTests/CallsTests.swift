import Messages
import Testing

/// Words that call people.
struct CallsTests {
    private static let calls: Calls = {
        var calls = Calls()
        calls.add("@Ben", PersonID("@b:e.org"))
        calls.add("@Ben Ong", PersonID("@ben:e.org"))
        calls.add("@Zoë/)", PersonID("@z/(é):e.org"))
        calls.add("@plain", PersonID("ana"))
        return calls
    }()

    private static func link(_ word: String, _ id: String) -> String { "[\(word)](https://matrix.to/#/\(id))" }

    @Test(arguments: [
        ("hi @Ben Ong!", "hi " + link("@Ben Ong", "@ben:e.org") + "!"),
        ("@Ben, look", link("@Ben", "@b:e.org") + ", look"),
        // What is edited away calls nobody, and neither does a longer word.
        ("hi @Ben_Ong @Benjamin me@Ben", "hi @Ben_Ong @Benjamin me@Ben"), ("hi Ben Ong", "hi Ben Ong"), ("", ""),
        ("@plain", "@plain"),
    ])
    func `a word becomes a link, and the link becomes the word`(text: String, linked: String) {
        #expect(Self.calls.linked(text) == linked)
        let (back, calls) = Calls.unlinked(linked)
        #expect(back == text && calls.linked(back) == linked)
    }

    @Test(arguments: [
        "[x](https://e.org)", "[", "[a]", "[a](", "[a](https://matrix.to/#/@ben)",
        "[@Ben](https://matrix.to/#/!r:e.org)",
        // The word stands there without its link as well.
        "@Ben and [@Ben](https://matrix.to/#/@b:e.org)", "[a[b](https://matrix.to/#/@b:e.org)",
    ])
    func `another text stays as it is`(text: String) {
        let (back, calls) = Calls.unlinked(text)
        #expect(back == text && calls == Calls())
    }

    @Test func `an ID of any signs survives the link`() {
        var calls = Calls()
        calls.add("@Zoë", PersonID("@z/(é)%:e.org"))
        let linked = calls.linked("@Zoë")
        #expect(linked == "[@Zoë](https://matrix.to/#/@z%2F%28%C3%A9%29%25:e.org)")
        #expect(Calls.unlinked(linked).calls == calls)
    }
}
