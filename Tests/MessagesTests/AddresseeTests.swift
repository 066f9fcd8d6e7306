import Messages
import Testing

/// Which texts address a person.
struct AddresseeTests {
    private static let ana = Addressee(
        Person(id: PersonID("ana"), name: "Ana Ruiz"), highlight: ["deploy", "C++", "Æbeltoft", "qa"])

    private func found(_ text: String, _ person: Addressee = ana) -> [String] {
        person.mentions(in: text).map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("ana: are you there?", ["ana"]), ("hi ana", ["ana"]), ("hi ANA!", ["ANA"]), ("(ana)", ["ana"]),
            ("ask @Ana, or ana", ["@Ana", "ana"]), ("dear Ana Ruiz, hi", ["Ana Ruiz"]), ("@ana ruiz", ["@ana ruiz"]),
            ("ben/ana: both", ["ana"]), ("größe ana", ["ana"]), ("ana's turn", ["ana"]), ("bye ana.", ["ana"]),
            ("the deploy failed", ["deploy"]), ("is C++ fun", ["C++"]), ("from æbeltoft", ["æbeltoft"]),
            ("deploy.sh", ["deploy"]), ("ask qa about it", ["qa"]), ("日本 ana 日本", ["ana"]),
        ])
    func `A name or a chosen word is found as a word of its own, in any case`(text: String, places: [String]) {
        #expect(found(text) == places)
    }

    @Test(arguments: [
        "", "banana", "anatomy", "ana_", "ana-maria", "_ana", "anä", "ana\u{301}", "ána", "3ana", "x@ana.org",
        "ana@x.org",
        "www.ana.org", "see https://ana.org", "see https://x.org/ana now", "redeploy", "Ruiz", "日ana",
    ])
    func `A part of another word or of an address is none`(text: String) {
        #expect(found(text) == [])
        #expect(!Self.ana.isMentioned(in: text))
    }

    @Test func `A short name counts only where it calls somebody, and one without letters only after the mark`() {
        let short = Addressee(Person(id: PersonID("42"), name: "Al"))
        #expect(found("al: look, and al too, @al", short) == ["al", "@al"])
        #expect(found("al fine, 42: yes, @42", short) == ["@42"])
        #expect(found("al，看", short) == ["al"])
    }

    @Test func `Of an account on a server, the part before the colon is a name`() {
        let account = Addressee(Person(id: PersonID("@ana:example.org"), name: "Dr. Ruiz"))
        #expect(found("ana, @ana:example.org and dr. ruiz", account) == ["ana", "@ana:example.org", "dr. ruiz"])
        #expect(found("at example.org", account) == [])
    }

    @Test func `The search ends after as many places as are wanted`() {
        #expect(Self.ana.mentions(in: String(repeating: "ana ", count: 200)).count == 100)
        #expect(Self.ana.mentions(in: "ana ana", most: 1) == [0..<3])
    }
}
