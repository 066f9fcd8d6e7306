import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Handlers alone: requests and responses are values, and no server and no thread is there.
struct HandlerTests {
    private static let room = ConversationID("r")
    private static let first = Asker(client: 1, number: 1)
    private static let second = Asker(client: 1, number: 2)
    private static let unknown = #"{"errcode":"M_UNRECOGNIZED","error":"?"}"#

    private static func post(_ id: String) -> Post {
        Post(
            id: MessageID(id), at: Timestamp(milliseconds: 0), sender: PersonID("@me:e.org"),
            content: .message(text: id, replyTo: nil, thread: nil))
    }

    @Test func `a request that is given up has no response`() throws {
        let handlers = try Handlers()
        let number = handlers.context.start(.whoAmI) { _ in Issue.record("a response has come") }
        handlers.context.cancel(number)
        try handlers.respond("{}")
        #expect(handlers.paths == ["whoami"])
    }

    @Test func `a response of the server that is no success is the response to Kedge`() throws {
        let handlers = try Handlers()
        handlers.context.ask(.leave("!r"), for: Self.first.of(.init()))
        handlers.context.ask(.leave("!r"), for: Self.second.of(.init()))
        try handlers.respond(#"{"errcode":"M_FORBIDDEN","error":"no"}"#, status: 403)
        #expect(handlers.response(to: 1) == .failed(reason: "no", retry: nil))
        try handlers.respond("{}")
        #expect(handlers.response(to: 2) == .done(segment: nil))
    }

    @Test func `a room that was joined is told when it is in the archive, and the list once`() throws {
        let handlers = try Handlers()
        let rooms = Rooms(handlers.context)
        try rooms.join("!r:e.org", for: Self.first.of(.init()))
        try handlers.respond(#"{"room_id":"!r:e.org"}"#)
        rooms.resume(handlers.now)
        #expect(handlers.news.isEmpty)
        try handlers.write(Events.sync("s1", [Events.room("!r:e.org", [Events.text("1")])]))
        for _ in 0..<2 { rooms.resume(handlers.now) }
        let conversation = try #require(handlers.context.conversation(of: "!r:e.org"))
        #expect(handlers.news == [.response(1, .joined(conversation)), .rooms])
        // Who joins it again waits for nothing.
        try rooms.join("!r:e.org", for: Self.second.of(.init()))
        #expect(handlers.response(to: 2) == .joined(conversation) && handlers.paths.count == 1)
    }

    @Test func `an own receipt is told once, and one of a thread never`() throws {
        let handlers = try Handlers()
        let receipts = Receipts(handlers.context)
        try handlers.write(Events.sync("s1", [Events.room("!r", [Events.text("1")])]))
        func news(_ event: String, _ scope: Reader.Scope = .all) -> SyncNews {
            let receipt = Receipt(
                person: PersonID("@me:e.org"), message: MessageID(event), scope: scope,
                at: Timestamp(milliseconds: 1))
            return SyncNews(receipts: ["!r": [receipt]])
        }
        for event in ["$1", "$1"] { receipts.take(news(event)) }
        receipts.take(news("$9", .thread(MessageID("$1"))))
        #expect(handlers.news == [.read(Self.room, MessageID("$1"))])
    }

    @Test func `a file that an old server has is asked for by its older request, once for all`() throws {
        let handlers = try Handlers()
        let media = try Media(handlers.context)
        let file = Events.event("a", #""msgtype":"m.image","body":"cat.png","url":"mxc://e.org/AbC""#)
        try handlers.write(Events.sync("s1", [Events.room("!r", [file])]))
        for asker in [Self.first, Self.second] { try media.fetch(fileOf: "$a", in: "!r", for: asker.of(.init())) }
        try handlers.respond(Self.unknown, status: 404)
        #expect(handlers.paths == ["AbC", "AbC"])
        try handlers.respond(Self.unknown, status: 404)
        for number in [1, 2] { #expect(handlers.response(to: number) == .failed(reason: "?", retry: nil)) }
        #expect(handlers.scratch.names("matrix/parts").isEmpty)
    }

    @Test func `a post waits for the server, and after the end of the session for the next one`() throws {
        let handlers = try Handlers()
        let outbox = try Outbox(handlers.context)
        try handlers.write(Events.sync("s1", [Events.room("!r", [Events.text("1")])]))
        try outbox.add(Self.post("p1"), to: Self.room, Self.first.of(.init()))
        outbox.resume(handlers.now)
        #expect(handlers.paths.isEmpty)
        handlers.context.desk.note(.online)
        outbox.resume(handlers.now)
        #expect(handlers.paths == ["p1"])
        #expect(throws: SyncEnd.loggedOut(isSoft: false)) {
            try handlers.respond(#"{"errcode":"M_UNKNOWN_TOKEN","error":"?"}"#, status: 401)
        }
        outbox.resume(handlers.now)
        #expect(handlers.paths.count == 1)
        outbox.hurry()
        outbox.resume(handlers.now)
        try handlers.respond(#"{"event_id":"$p1"}"#)
        #expect(handlers.paths == ["p1", "p1"] && handlers.response(to: 1) == .done(segment: nil))
        #expect(try outbox.event(of: MessageID("p1"), in: "!r") == "$p1")
    }

    @Test func `nothing is written while the disk refuses it, and who waits hears why`() throws {
        let handlers = try Handlers()
        let islands = IslandFetcher(handlers.context, Gaps(handlers.context))
        try handlers.write(Events.sync("s1", [Events.room("!r", [Events.text("1")], limited: true, from: "t1")]))
        try islands.find("$0", "!r", for: Self.first.of(.init()))
        handlers.context.pauseReason = "the disk is full"
        try handlers.respond(
            #"{"start":"a","end":"b","event":\#(Events.text("0")),"events_before":[],"events_after":[]}"#)
        #expect(handlers.response(to: 1) == .failed(reason: "the disk is full", retry: SyncPace.wait))
        #expect(handlers.context.archive.log(ofKnown: "!r")?.segment(holding: "$0") == nil)
    }

    @Test func `a loop that fails pauses longer each time, and a success ends that`() throws {
        let handlers = try Handlers()
        let updates = Updates(handlers.context)
        try handlers.write(Events.sync("s1", [Events.room("!r", [Events.text("1")])]))
        try handlers.context.archive.state.commit("s1")
        try updates.open()
        var now = handlers.now
        for pause in [1, 2, 4] {
            try updates.resume(now)
            try handlers.respond("{}", status: 502)
            #expect(updates.due == handlers.now + .seconds(pause))
            now = handlers.now + .seconds(pause)
        }
        try updates.resume(now)
        try handlers.respond(#"{"next_batch":"r"}"#)
        #expect(updates.due == nil)
        try updates.resume(now)
        try handlers.respond(Events.sync("s2"))
        #expect(handlers.paths == Array(repeating: "sync", count: 5))
        #expect(handlers.news.last == .reach(.online))
    }
}
