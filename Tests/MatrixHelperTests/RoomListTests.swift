import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Spaces, invitations, and rooms that are joined, left and followed.
struct RoomListTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static func space(_ id: String, named name: String, _ children: [String]) -> String {
        Events.room(
            id, [],
            state: [
                Events.state("c", "m.room.create", #""type":"m.space""#),
                Events.state("n", "m.room.name", #""name":"\#(name)""#),
            ] + children.map { Events.state("k\($0)", "m.space.child", #""via":["e.org"]"#, key: $0) })
    }

    private static func invited(_ next: String, _ room: String, named name: String, joined: [String] = []) -> String {
        let state =
            #"{"type":"m.room.name","content":{"name":"\#(name)"}},"#
            + #"{"type":"m.room.member","state_key":"@me:e.org","sender":"@ana:e.org","content":{}}"#
        return #"{"next_batch":"\#(next)","rooms":{"join":{\#(joined.joined(separator: ","))},"#
            + #""invite":{"\#(room)":{"invite_state":{"events":[\#(state)]}}}}}"#
    }

    private static let online = RelayNews.reach(.online)

    private func spaces() -> String { account.scratch.text("spaces.json") }

    @Test func `spaces are groups, not conversations, and changes of them are told`() throws {
        let child = Events.state("k3", "m.space.child", #""via":["e.org"]"#, key: "!b")
        let server = try ScriptedAccount.server([
            "": Events.sync(
                "s1",
                [
                    RoomListTests.space("!s", named: "Kedge", ["!a"]), Events.room("!a", [Events.text("1")]),
                    Events.room("!b", [Events.text("2")]),
                ]),
            // A space that is known changes by one event.
            "s1": Events.sync("s2", [Events.room("!s", [child])]),
        ])
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .rooms)); #expect(kedge.wait(for: RoomListTests.online))
            #expect(server.wait { $0.contains { $0.parameter("since") == "s2" } })
        }
        #expect(account.scratch.names("conversations") == ["a", "b"])
        #expect(
            spaces().hasPrefix(##"[{"id":"!s","title":"Kedge","conversations":["a","b"],"matrix":{"##), "\(spaces())")
    }

    @Test func `an archive of an older version learns its spaces and invitations before all that is new`() throws {
        let first = try ScriptedAccount.server(["": Events.sync("s1", [Events.room("!a", [Events.text("1")])])])
        try account.serve(first) { kedge in #expect(kedge.wait(for: RoomListTests.online)) }
        #expect(spaces() == "[]\n")
        try #require(account.scratch.remove("spaces.json"))
        let relations = RoomListTests.invited(
            "x", "!i", named: "Pier", joined: [RoomListTests.space("!s", named: "Kedge", ["!a"])])
        // Without that, this event would make a conversation of the space.
        let event = Events.room("!s", [Events.state("t", "m.room.topic", #""topic":"x""#)])
        let later = try ScriptedAccount.server(["s1": Events.sync("s2", [event])], relations: .init(relations))
        try account.serve(later) { kedge in
            #expect(kedge.wait(for: .rooms))
            #expect(later.wait { $0.contains { $0.parameter("since") == "s2" } })
        }
        #expect(account.scratch.names("conversations") == ["a"])
        #expect(spaces().contains(#""title":"Kedge","conversations":["a"]"#))
        #expect(account.scratch.text("invitations.json").contains(#"{"id":"!i","title":"Pier","from":"@ana:e.org"}"#))
    }

    @Test func `a server that refuses to tell of spaces tells of messages all the same`() throws {
        let first = try ScriptedAccount.server(["": Events.sync("s1", [Events.room("!a", [Events.text("1")])])])
        try account.serve(first) { kedge in #expect(kedge.wait(for: RoomListTests.online)) }
        try #require(account.scratch.remove("spaces.json"))
        let refused = ScriptedServer.Response(#"{"errcode":"M_FORBIDDEN","error":"?"}"#, status: 403)
        let later = try ScriptedAccount.server(
            ["s1": Events.sync("s2", [Events.room("!a", [Events.text("2")])])], relations: refused)
        try account.serve(later) { kedge in
            #expect(kedge.wait(for: RoomListTests.online))
            #expect(later.wait { $0.contains { $0.parameter("since") == "s2" } })
        }
        #expect(account.texts("a") == ["1", "2"])
        #expect(spaces().isEmpty)
    }

    @Test func `an invitation that is accepted gives its conversation as soon as that is here`() throws {
        let joined = Box(false)
        let server = try ScriptedServer { request in
            if request.path.contains("/join/") {
                joined.value = true
                return .init(#"{"room_id":"!i"}"#)
            }
            switch request.parameter("since") {
            case nil: return .init(RoomListTests.invited("s1", "!i", named: "Pier"))
            case "s1":
                return joined.value
                    ? .init(
                        Events.sync(
                            "s2",
                            [
                                Events.room(
                                    "!i", [Events.text("1")],
                                    state: [Events.state("n", "m.room.name", #""name":"Pier""#)])
                            ]))
                    : .init(Events.sync("s1"))
            default: return .held
            }
        }
        let scratch = account.scratch
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .rooms))
            #expect(scratch.text("invitations.json").contains("Pier"))
            #expect(kedge.result(of: .join(address: "!i")) == .joined(ConversationID("pier")))
            // It is here already.
            #expect(kedge.result(of: .join(address: "!i")) == .joined(ConversationID("pier")))
        }
        #expect(server.requests.count { $0.path.contains("/join/") } == 1)
        #expect(account.scratch.text("invitations.json") == "[]\n")
        #expect(account.texts("pier") == ["1"])
    }

    @Test func `an invitation is declined, a room is left, and refusals come back`() throws {
        let syncs = [
            "": RoomListTests.invited("s1", "!i", named: "Pier", joined: [Events.room("!a", [Events.text("1")])])
        ]
        let server = try ScriptedAccount.server(syncs) { request in
            request.path.hasSuffix("/leave")
                ? .init("{}")
                : .init(#"{"errcode":"M_NOT_FOUND","error":"no such room"}"#, status: 404)
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .rooms))
            #expect(kedge.result(of: .decline(room: "!i")) == .done(segment: nil))
            #expect(kedge.result(of: .leave(ConversationID("a"))) == .done(segment: nil))
            #expect(
                kedge.result(of: .decline(room: "!x"))
                    == .failed(reason: "this invitation is no longer there", retry: nil))
            #expect(
                kedge.result(of: .leave(ConversationID("x"))) == .failed(reason: "x: there is no such room", retry: nil)
            )
            #expect(kedge.result(of: .join(address: "#x:e.org")) == .failed(reason: "no such room", retry: nil))
            #expect(
                kedge.result(of: .join(address: "x")) == .failed(reason: "x: not the address of a room", retry: nil))
        }
        let paths = server.requests.map(\.path).filter { $0.hasSuffix("/leave") }
        #expect(paths == ["/_matrix/client/v3/rooms/%21i/leave", "/_matrix/client/v3/rooms/%21a/leave"])
    }

    @Test func `a room that has moved leads to the new one, and back, as soon as both are here`() throws {
        let moved = Events.state("t", "m.room.tombstone", #""body":"moved","replacement_room":"!new""#)
        let old = "conversations/old/conversation.json"
        let server = try ScriptedAccount.server([
            "": Events.sync("s1", [Events.room("!old", [Events.text("1")])]),
            "s1": Events.sync("s2", [Events.room("!old", [moved])]),
            "s2": Events.sync(
                "s3",
                [Events.room("!new", [Events.state("c", "m.room.create", #""predecessor":{"room_id":"!old"}"#)])]),
        ])
        try account.serve(server) { kedge in
            #expect(server.wait { $0.contains { $0.parameter("since") == "s3" } })
            #expect(kedge.wait(for: .rooms))
        }
        let text = account.scratch.text(old)
        #expect(text.contains(#""successor":"new","movedTo":"https://matrix.to/#/%21new?via=e.org""#), "\(text)")
        #expect(account.scratch.text("conversations/new/conversation.json").contains(#""predecessor":"old""#))
    }
}
