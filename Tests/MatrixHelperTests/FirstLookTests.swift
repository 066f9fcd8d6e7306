import Helper
import Matrix
import TestSupport
import Testing

@testable import MatrixHelper

/// The first look at a new account, at a server with sliding sync.
struct FirstLookTests {
    private let scratch: Scratch
    private let client: HTTPClient

    init() throws { (scratch, client) = (try Scratch(), try HTTPClient()) }

    private func mirror(_ server: ScriptedServer, encrypts: Bool = false) throws -> SyncEnd {
        let mirror = try SyncLoop(
            archive: scratch.path, me: "@me:e.org",
            server: Server(client, base: server.address, token: "t", encrypts: encrypts),
            goal: SyncGoal(hasHistory: false, follows: false), pace: SyncPace(jitter: { 0 }))
        return mirror.run()
    }

    /// A server whose responses to /sync are given by the tokens that they follow, and those of sliding sync by theirs.
    private func server(
        _ syncs: [String: String], sliding: [String: ScriptedServer.Response],
        _ others: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = { _ in nil }
    ) throws -> ScriptedServer {
        try ScriptedServer(hasSlidingSync: true) { request in
            if request.path.hasSuffix("org.matrix.simplified_msc3575/sync") {
                return sliding[request.parameter("pos") ?? ""]
            }
            guard request.path.hasSuffix("/sync") else { return others(request) }
            if request.isFirstLook { return .init(Events.sync("s0")) }
            let since = request.parameter("since") ?? ""
            return .init(syncs[since] ?? Events.sync(since))
        }
    }

    private func texts(_ conversation: String) -> [String] { Conversation(scratch, conversation).texts }

    private static func rooms(_ numbers: ClosedRange<Int>) -> [(id: String, timeline: [String])] {
        numbers.map { ("!room\($0)", [Events.text("a\($0)"), Events.text("b\($0)")]) }
    }

    private static let first = ScriptedServer.Response(
        Events.sliding("p1", count: 30, rooms(1...20), limited: true, from: "t1", fullyRead: ["!room3": "$a3"]))
    private static let second = ScriptedServer.Response(
        // A room that has changed since the first response comes with the change only.
        Events.sliding(
            "p2", count: 30, rooms(21...30), more: [#""!room1":{"timeline":[\#(Events.text("c1"))],"limited":false}"#]))

    @Test func `the newest rooms come first, then the others, and the rest from the token before them`() throws {
        let server = try server(
            [
                // All that came after the token, also what the rooms hold already.
                "s0": Events.sync("s1", [Events.room("!room1", [Events.text("b1"), Events.text("c1")])])
            ], sliding: ["": FirstLookTests.first, "p1": FirstLookTests.second])
        #expect(try mirror(server) == .done)
        #expect(texts("room1") == ["a1", "b1", "c1"])
        #expect((2...30).allSatisfy { texts("room\($0)") == ["a\($0)", "b\($0)"] })
        #expect(scratch.text("conversations/room3/conversation.json").contains(#""readUpTo":"$a3""#))
        let bodies = server.requests.map(\.body).filter { !$0.isEmpty }
        #expect(bodies.first?.contains(#""ranges":[[0,19]]"#) == true && bodies.count == 2)
        let syncs = server.requests.filter { $0.path.hasSuffix("/v3/sync") }
        #expect(syncs.map { $0.parameter("since") } == [nil, "s0", "s1"])
        let gaps = try RoomLog(scratch.path + "/conversations/room1").gaps()
        #expect(gaps.map(\.from) == ["t1"])
    }

    @Test func `what was left out after the first look is fetched up to what it brought, and nothing is there twice`()
        throws
    {
        let server = try server(
            ["s0": Events.sync("s1", [Events.room("!room1", [Events.text("e1")], limited: true, from: "t5")])],
            sliding: ["": .init(Events.sliding("p1", count: 1, FirstLookTests.rooms(1...1), limited: true, from: "t1"))]
        ) { request in
            if request.path.hasSuffix("/context/%24b1") { return .init(#"{"start":"t2","end":"t3"}"#) }
            guard request.path.hasSuffix("/messages") else { return nil }
            // Between the token and the first look more has come than the first look brought.
            let older = request.parameter("to") == "t3" ? [] : ["b1", "a1", "z1", "y1"]
            return .init(Events.page((["d1", "c1"] + older).map { Events.text($0) }))
        }
        #expect(try mirror(server) == .done)
        #expect(texts("room1") == ["a1", "b1", "c1", "d1", "e1"])
        let gaps = try RoomLog(scratch.path + "/conversations/room1").gaps()
        #expect(gaps.allSatisfy { $0.older == nil })
    }

    @Test func `through pantalaimon there is no first look, since it decrypts what sync brings only`() throws {
        let server = try server(
            ["": Events.sync("s0", [Events.room("!room1", [Events.text("b1")])])],
            sliding: ["": .init(Events.sliding("p1", count: 1, FirstLookTests.rooms(1...1)))])
        #expect(try mirror(server, encrypts: true) == .done)
        #expect(texts("room1") == ["b1"])
        #expect(!server.requests.contains { $0.isFirstLook || $0.path.contains("msc3575") })
    }

    @Test(arguments: [429, 500, 502])
    func `a run that does not follow ends after half a minute of failures of its first look`(
        status: Int
    ) throws {
        let server = try ScriptedServer { _ in .init(#"{"errcode":"M_UNKNOWN","error":"busy"}"#, status: status) }
        #expect(try mirror(server) == .refused("busy"))
        #expect(server.requests.count == 6)
    }

    @Test func `a look that was ended in its midst goes on from the same token`() throws {
        let refused = ScriptedServer.Response(#"{"errcode":"M_UNKNOWN_TOKEN","error":"?"}"#, status: 401)
        let one = try server([:], sliding: ["": FirstLookTests.first, "p1": refused])
        #expect(try mirror(one) == .loggedOut(isSoft: false))
        #expect(scratch.names("conversations").count == 20)
        let later = ScriptedServer.Response(
            Events.sliding(
                "q1", count: 20, [("!room1", [Events.text("b1"), Events.text("c1")])] + FirstLookTests.rooms(2...20)))
        let two = try server(
            ["s0": Events.sync("s1", [Events.room("!room1", [Events.text("c1")])])], sliding: ["": later])
        #expect(try mirror(two) == .done)
        #expect(texts("room1") == ["a1", "b1", "c1"])
        // The token of the first run counts, not one of the second.
        #expect(two.requests.filter(\.isFirstLook).allSatisfy { $0.method == "POST" })
    }

    @Test func `a server that has lost the tokens of sliding sync is asked once more from the first room`() throws {
        let lost = ScriptedServer.Response(#"{"errcode":"M_UNKNOWN_POS","error":"?"}"#, status: 400)
        let all = Events.sliding("p9", count: 21, FirstLookTests.rooms(1...21))
        let tries = Tries()
        let server = try ScriptedServer(hasSlidingSync: true) { request in
            if request.path.hasSuffix("org.matrix.simplified_msc3575/sync") {
                if request.parameter("pos") != nil { return lost }
                return tries.next() == 1
                    ? .init(Events.sliding("p1", count: 21, FirstLookTests.rooms(1...20))) : .init(all)
            }
            return .init(Events.sync("s0"))
        }
        #expect(try mirror(server) == .done)
        #expect(scratch.names("conversations").count == 21)
        #expect(texts("room1") == ["a1", "b1"])
    }

    @Test(arguments: [404, 400, 403])
    func `without sliding sync the first response of sync has all rooms`(status: Int) throws {
        let refused = ScriptedServer.Response(#"{"errcode":"M_UNRECOGNIZED","error":"?"}"#, status: status)
        let server = try server(
            ["": Events.sync("s1", [Events.room("!r", [Events.text("1")])])], sliding: ["": refused])
        #expect(try mirror(server) == .done)
        #expect(texts("r") == ["1"])
        #expect(scratch.names("matrix").contains("sync.json") && !scratch.names("matrix").contains("first.json"))
    }

    @Test func `an account that has rooms is never looked at anew`() throws {
        let one = try server(
            [:], sliding: ["": .init(Events.sliding("p1", count: 1, FirstLookTests.rooms(1...1)))])
        #expect(try mirror(one) == .done)
        let two = try ScriptedServer(hasSlidingSync: true) { request in
            // Restored from a backup: the token is unknown.
            switch request.parameter("since") {
            case "s0": .init(#"{"errcode":"M_UNKNOWN","error":"?"}"#, status: 400)
            case nil: .init(Events.sync("z1", [Events.room("!room1", [Events.text("b1"), Events.text("c1")])]))
            default: .init(Events.sync("z1"))
            }
        }
        #expect(try mirror(two) == .done)
        #expect(texts("room1") == ["a1", "b1", "c1"])
        #expect(two.requests.filter(\.isFirstLook).isEmpty)
    }

    @Test(arguments: [false, true])
    func `a room whose newest events are edits has the message that they change`(hasSlidingSync: Bool) throws {
        @Sendable func edit(_ id: String) -> String {
            let content =
                #""msgtype":"m.text","body":"* new","m.new_content":{"msgtype":"m.text","body":"new"},"m.relates_to":{"rel_type":"m.replace","event_id":"$old"}"#
            return Events.event(id, content)
        }
        let edits = (1...50).map { edit("e\($0)") }
        let pages: @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = { request in
            switch request.parameter("from") {
            case "t9": .init(Events.page([edit("e0")], end: "t8"))
            case "t8": .init(Events.page([Events.text("old"), Events.text("older")], end: "t7"))
            default: nil
            }
        }
        let room = Events.room("!r", edits, limited: true, from: "t9")
        let server =
            hasSlidingSync
            ? try server(
                [:],
                sliding: [
                    "": .init(Events.sliding("p1", count: 1, [(id: "!r", timeline: edits)], limited: true, from: "t9"))
                ], pages) : try ScriptedAccount.server(["": Events.sync("s1", [room])], pages)
        #expect(try mirror(server) == .done)
        #expect(texts("r").prefix(2) == ["older", "old"] && texts("r").count == 53)
        // No more than that.
        #expect(try RoomLog(scratch.path + "/conversations/r").gaps().map(\.from) == ["t7"])
    }
}
