import Formats
import JSON
import TestSupport
import Testing

@testable import Matrix

struct RoomFactsTests {
    private func made(_ events: [String], summary: String = "") -> RoomFacts? {
        let reader = SyncReader(events: MatrixEvents { _, _ in nil })
        let body = Events.sync("s", [Events.room("!AbC", [], state: events, summary: summary)])
        return body.asBody { reader.read($0) { _ in nil } }?.rooms.first?.facts
    }

    private let alias = Events.state("a", "m.room.canonical_alias", ##""alias":"#harbour:e.org""##)
    private let name = Events.state("n", "m.room.name", #""name":"The Harbour""#)

    @Test func `a conversation is named after the alias, the name, the people or the room`() {
        #expect(made([alias, name])?.conversation { _ in false } == "harbour")
        #expect(made([name])?.conversation { _ in false } == "the-harbour")
        #expect(made([], summary: #""m.heroes":["@ana:e.org"]"#)?.conversation { _ in false } == "ana")
        #expect(made([])?.conversation { _ in false } == "abc")
    }

    @Test func `a name that is taken gets a number`() {
        let taken: Set = ["harbour", "harbour-2"]
        #expect(made([alias])?.conversation { taken.contains($0) } == "harbour-3")
    }

    @Test(arguments: ["../..", "/", ".", "\\u0000", "\\u202e", "😀", ""])
    func `a hostile name is the name of no other folder`(name: String) {
        let event = Events.state("n", "m.room.name", #""name":"\#(name)""#)
        let id = made([event])?.conversation { _ in false }
        #expect(id == "abc")
    }

    @Test func `a title is the name, the alias, or the people`() {
        #expect(made([alias, name])?.title { $0 } == "The Harbour")
        #expect(made([alias])?.title { $0 } == "#harbour:e.org")
        let heroes = #""m.heroes":["@ana:e.org","@ben:e.org",7,"x"]"#
        #expect(made([], summary: heroes)?.title { $0 == "@ana:e.org" ? "Ana" : $0 } == "Ana, @ben:e.org")
        #expect(made([])?.title { $0 } == "Empty room")
        // The server names nobody, since the room has a name; but nobody sees it.
        let hidden = Events.state("n", "m.room.name", #""name":" \u200b ""#)
        let people = ["@cy:e.org", "@me:e.org", "@ben:e.org"].map { Events.member($0, $0, name: "x") }
        #expect(made([hidden] + people)?.title(for: "@me:e.org") { $0 } == "@ben:e.org, @cy:e.org")
    }

    @Test func `the file of a conversation keeps all of it`() throws {
        let moved = Events.state("t", "m.room.tombstone", #""replacement_room":"!new""#)
        let child = Events.state("sc", "m.space.child", #""via":["e.org"]"#, key: "!child")
        let parent = Events.state("sp", "m.space.parent", #""via":["e.org"],"canonical":true"#, key: "!space")
        var facts = try #require(
            made(
                [
                    alias, name, moved, child, parent, Events.member("m", "@ana:e.org", name: "Ana"),
                    Events.state("e", "m.room.encryption", ""),
                    Events.state("c", "m.room.create", #""type":"m.space","predecessor":{"room_id":"!old"}"#),
                    Events.state("p", "m.room.topic", #""topic":"\"x\\""#),
                ], summary: #""m.heroes":["@ben:e.org"]"#))
        facts.hasLeft = true
        let file = facts.file(conversation: "harbour") { $0 }.line
        #expect(file.withUnsafeBytes { RoomFacts(file: $0) } == facts)
        let text = String(decoding: file, as: UTF8.self)
        #expect(text.contains(#","left":true,"aliases""#), "\(text)")
        #expect(text.contains(##""link":"https://matrix.to/#/\##(facts.room)""##), "\(text)")
        let aliases = [facts.room, facts.alias ?? ""].map { "\"\($0)\"" }.joined(separator: ",")
        #expect(text.contains(#""aliases":[\#(aliases)]"#), "\(text)")
    }

    @Test(arguments: ["", "{}", #"{"id":"general","title":"General"}"#, #"{"matrix":{}}"#])
    func `the file of another conversation is none of a room`(file: String) {
        #expect(file.asBody { RoomFacts(file: $0) } == nil)
    }

    @Test func `people who leave are members no more`() {
        let events = [
            Events.member("1", "@ana:e.org", name: "Ana"),
            Events.member("2", "@ana:e.org", name: "Ana", membership: "leave"),
        ]
        #expect(made(events)?.members == [])
    }

    @Test func `those may call everybody whose permissions say so`() {
        func levels(_ content: String) -> RoomFacts? { made([Events.state("l", "m.room.power_levels", content)]) }
        #expect(made([])?.mayCallRoom("@ana:e.org") == true)
        let some = levels(#""users":{"@ana:e.org":50,"@ben:e.org":"49"}"#)
        #expect(some?.mayCallRoom("@ana:e.org") == true && some?.mayCallRoom("@ben:e.org") == false)
        let all = levels(#""users_default":10,"notifications":{"room":10}"#)
        #expect(all?.mayCallRoom("@cy:e.org") == true)
        let create = Events.state("c", "m.room.create", #""room_version":"12""#)
        let new = self.made([Events.state("l", "m.room.power_levels", #""users":{}"#), create])
        #expect(new?.mayCallRoom("@ana:e.org") == true && new?.mayCallRoom("@ben:e.org") == false)
        let file = new?.file(conversation: "r") { $0 }.line
        #expect(file?.withUnsafeBytes { RoomFacts(file: $0) } == new)
    }

    @Test func `the number of members is that of the server`() {
        let facts = made([], summary: #""m.joined_member_count":122"#)
        #expect(facts?.memberCount == 122)
        let file = facts?.file(conversation: "r") { $0 }.line
        #expect(file?.withUnsafeBytes { RoomFacts(file: $0) }?.memberCount == 122)
    }

    @Test(arguments: [" ", "\\u200b", " \\u2060\\u00ad\\u3164 ", "\\u2800"])
    func `a name of which nothing can be seen is none`(name: String) {
        let facts = made([alias, Events.state("n", "m.room.name", "\"name\":\"\(name)\"")])
        #expect(facts?.title { $0 } == "#harbour:e.org")
    }
}
