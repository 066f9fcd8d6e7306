import ArchiveFormat
import Formats
import TestSupport
import Testing

@testable import Matrix

struct SpaceTests {
    private func facts(_ room: String, _ events: [String]) throws -> RoomFacts {
        let reader = SyncReader(events: MatrixEvents { _, _ in nil })
        let body = Events.sync("s", [Events.room(room, [], state: events)])
        return try #require(body.asBody { reader.read($0) { _ in nil } }?.rooms.first?.facts)
    }

    private func space(_ room: String, named name: String, _ children: [String]) throws -> RoomFacts {
        try facts(
            room,
            [
                Events.state("c", "m.room.create", #""type":"m.space""#),
                Events.state("n", "m.room.name", #""name":"\#(name)""#),
            ] + children.map { Events.state("k\($0)", "m.space.child", #""via":["e.org"]"#, key: $0) })
    }

    private func room(_ id: String, main: String? = nil) throws -> RoomFacts {
        let parent = main.map { [Events.state("p", "m.space.parent", #""via":["e.org"],"canonical":true"#, key: $0)] }
        return try facts(id, [Events.state("n", "m.room.name", #""name":"\#(id)""#)] + (parent ?? []))
    }

    @Test func `a room in two spaces stands in its main space, or in the first by title`() throws {
        let (ahoy, beach) = (
            try space("!s2", named: "ahoy", ["!a", "!b"]), try space("!s1", named: "Beach", ["!a", "!b"])
        )
        let groups = SpaceEntry.groups(
            of: [beach, ahoy],
            rooms: [(try room("!a"), "a"), (try room("!b", main: "!s1"), "b"), (try room("!c", main: "!s1"), "c")])
        #expect(groups.map(\.title) == ["ahoy", "Beach"])
        // A room that claims a space which does not list it stays outside.
        #expect(groups.map(\.conversations) == [["a"], ["b"]])
    }

    @Test func `a child without servers is none any more, and a space that was left is no group`() throws {
        let gone = Events.state("k", "m.space.child", "", key: "!a")
        var facts = try space("!s", named: "S", ["!a", "!b"])
        let reader = SyncReader(events: MatrixEvents { _, _ in nil })
        let body = Events.sync("t", [Events.room("!s", [gone])])
        facts = try #require(body.asBody { reader.read($0) { _ in facts } }?.rooms.first?.facts)
        #expect(facts.children == ["!b"])
        facts.hasLeft = true
        #expect(SpaceEntry.groups(of: [facts], rooms: [(try room("!b"), "b")]).isEmpty)
    }

    @Test func `the file keeps the spaces, also one with a hostile name`() throws {
        let space = try space("!s", named: "\\u001b[31m\\\"x", ["!a"])
        let groups = SpaceEntry.groups(of: [space], rooms: [(try room("!a"), "a")])
        let read = SpaceEntry.file(groups).withUnsafeBytes { SpaceEntry.spaces(file: $0) }
        #expect(read == [space])
        #expect(SpaceEntry.groups(of: read, rooms: [(try room("!a"), "a")]) == groups)
        for broken in ["", "{}", "[7,{}]", #"[{"matrix":7}]"#] {
            #expect(broken.asBody { SpaceEntry.spaces(file: $0) }.isEmpty)
        }
    }

    // MARK: - Invitations

    private let me = "@me:e.org"

    private func invite(_ events: String) -> String {
        #"{"next_batch":"s","rooms":{"invite":{"!r":{"invite_state":{"events":[\#(events)]}}}}}"#
    }

    @Test func `an invitation has a name, the person who invites, and whether it is to a space`() throws {
        let body = invite(
            [
                #"{"type":"m.room.name","content":{"name":"Harbour"}}"#,
                #"{"type":"m.room.create","content":{"type":"m.space"}}"#,
                #"{"type":"m.room.member","state_key":"@ana:e.org","content":{"displayname":"Ana","membership":"join"}}"#,
                #"{"type":"m.room.member","state_key":"@me:e.org","sender":"@ana:e.org","content":{"membership":"invite"}}"#,
            ].joined(separator: ","))
        let reader = SyncReader(events: MatrixEvents { _, _ in nil })
        let sync = try #require(body.asBody { reader.read($0, me: me) { _ in nil } })
        let invitation = try #require(sync.invitations.first)
        #expect((invitation.title, invitation.sender, invitation.senderName) == ("Harbour", "@ana:e.org", "Ana"))
        #expect(invitation.isToSpace && sync.rooms.isEmpty && !sync.isEmpty)
    }

    @Test(arguments: [
        "", "7", #"{"type":7}"#, #"{"type":"m.room.name","content":7}"#,
        #"{"type":"m.room.member","state_key":"@me:e.org","sender":"nobody\u0000","content":{}}"#,
    ])
    func `an invitation of any shape is one`(events: String) throws {
        let reader = SyncReader(events: MatrixEvents { _, _ in nil })
        let sync = invite(events).asBody { reader.read($0, me: me) { _ in nil } }
        #expect(sync?.invitations.map(\.id) == ["!r"] && sync?.invitations.first?.sender == nil)
    }

    @Test func `an invitation is answered when its room is joined or left`() {
        let reader = SyncReader(events: MatrixEvents { _, _ in nil })
        let body = Events.sync("s", [Events.room("!a", []), Events.room("!b", [])], left: [Events.room("!c", [])])
        let sync = body.asBody { reader.read($0, me: me, isInvited: { $0 != "!b" }) { _ in nil } }
        #expect(sync?.answered == ["!a", "!c"])
    }

    // MARK: - Addresses

    @Test(arguments: [
        ("#a:e.org", "#a:e.org", []), ("!AbC", "!AbC", []),
        ("https://matrix.to/#/!AbC:e.org?via=a.org&via=b.org%3A80", "!AbC:e.org", ["a.org", "b.org:80"]),
        ("https://matrix.to/#/%23a%3Ae.org/$event?via=", "#a:e.org", []), ("matrix:r/a:e.org", "#a:e.org", []),
    ])
    func `an address is read from an ID, an alias and a link`(text: String, room: String, via: [String]) {
        #expect(RoomAddress(text) == RoomAddress(room: room, via: via))
    }

    @Test(arguments: [
        "", "#", "!", "#a", "a:e.org", "https://matrix.to/#/", "https://matrix.to/#/%2", "#a b:e.org",
        "https://e.org/x",
    ])
    func `other texts are no addresses`(text: String) { #expect(RoomAddress(text) == nil) }

    @Test func `the link of an address is read as the same`() {
        let address = RoomAddress(room: "!a/%?#é", via: ["e.org:8448", "x&y"])
        #expect(RoomAddress(address.link) == address)
    }
}
