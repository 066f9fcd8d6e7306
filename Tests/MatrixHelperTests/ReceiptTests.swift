import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import Matrix
@testable import MatrixHelper

/// Receipts of others on their way to the Kedges that want to know of them.
struct ReceiptTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let room = ConversationID("r")
    private static let online = RelayNews.reach(.online)
    private static let first = Events.sync("s1", [Events.room("!r", [Events.text("1")]), Events.room("!q", [])])

    private static func sync(_ next: String, _ receipts: String, in room: String = "!r") -> String {
        Events.sync(next, [Events.room(room, [], receipts: receipts)])
    }

    private static func news(_ person: String, _ message: String) -> RelayNews {
        .receipts(
            room,
            [
                Receipt(
                    person: PersonID(person), message: MessageID(message), at: Timestamp(milliseconds: 1_000))
            ])
    }

    @Test func `who follows a room is told what is known and what comes, and the others are told nothing`() throws {
        let isOpen = Box(false)
        let server = try ScriptedServer { request in
            guard request.path.hasSuffix("/sync") else { return nil }
            switch request.parameter("since") {
            case nil: return .init(Self.first)
            case "s1": return .init(Self.sync("s2", Events.receipt("$1", "@ana:e.org")))
            case "s2" where isOpen.value:
                return .init(Self.sync("s4", Events.receipt("$1", "@ana:e.org"), in: "!q"))
            case let since?: return request.parameter("timeout") == "0" ? .init(Events.sync(since)) : .held
            }
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: Self.online))
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
            #expect(kedge.result(of: .follow(Self.room, isOn: true)) == .done(segment: nil))
            #expect(kedge.wait(for: Self.news("@ana:e.org", "$1")))
        }
        #expect(server.requests.allSatisfy { !$0.path.hasSuffix("/sync") || $0.target.contains("m.receipt") })
        isOpen.value = true
        try account.serve(server) { kedge in
            // The process before has kept them.
            #expect(kedge.result(of: .follow(Self.room, isOn: true)) == .done(segment: nil))
            #expect(kedge.wait(for: Self.news("@ana:e.org", "$1")))
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s4" } }))
            #expect(!kedge.hasHeard { if case .receipts(ConversationID("q"), _) = $0 { true } else { false } })
            _ = kedge.result(of: .follow(Self.room, isOn: false))
        }
    }

    @Test func `a thousand receipts are told a few times, and of a room that nobody follows never`() {
        let book = ReceiptBook(path: account.scratch.path + "/receipts.json")
        let begin = ContinuousClock.now
        var told = 0
        for number in 0..<1_000 {
            let now = begin + .milliseconds(number)
            let receipt = Receipt(
                person: PersonID("@p\(number):e.org"), message: MessageID("$1"),
                at: Timestamp(milliseconds: Int64(number)))
            book.take([receipt], in: "!r", isFollowed: true, now: now)
            book.take([receipt], in: "!q", isFollowed: false, now: now)
            let changed = book.takeChanged(now: now)
            if !changed.isEmpty { told += 1 }
            #expect(changed.isSubset(of: ["!r"]))
        }
        #expect(told == 1 && book.due == begin + .seconds(1))
        #expect(book.takeChanged(now: begin + .seconds(1)) == ["!r"])
        // Nothing is left to be told; in a minute all of it is saved, once.
        #expect(book.due == begin + .seconds(60))
        book.save(now: begin + .seconds(59))
        #expect(account.scratch.text("receipts.json").isEmpty)
        book.save(now: begin + .seconds(60))
        #expect(book.due == nil)
        let next = ReceiptBook(path: account.scratch.path + "/receipts.json")
        #expect(next.receipts(in: "!r") == book.receipts(in: "!r"))
        #expect(next.receipts(in: "!q").count == RoomReceipts.most)
    }

    @Test(arguments: ["", "7", "{\"!r\":7}", "{\"!r\":[7,{\"person\":\"a\"}]}", "{\"!r\":[{"])
    func `a damaged file is none`(text: String) throws {
        try account.scratch.write(text, to: "receipts.json")
        #expect(ReceiptBook(path: account.scratch.path + "/receipts.json").receipts(in: "!r").isEmpty)
    }

    @Test func `a receipt at a reaction is told as one at the message before it`() throws {
        let content = #""m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"x"}"#
        let reaction = Events.event("2", content, type: "m.reaction")
        let second = Events.sync(
            "s2", [Events.room("!r", [Events.text("1b"), reaction], receipts: Events.receipt("$2", "@ana:e.org"))])
        let server = try ScriptedAccount.server(["": Self.first, "s1": second])
        try account.serve(server) { kedge in
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
            _ = kedge.ask(.follow(Self.room, isOn: true))
            #expect(kedge.wait(for: Self.news("@ana:e.org", "$1b")))
        }
    }

    @Test(arguments: ["m.read", "m.read.private"])
    func `a receipt of this account is how far the user has read elsewhere`(type: String) throws {
        let server = try ScriptedAccount.server([
            "": Self.first, "s1": Self.sync("s2", Events.receipt("$1", "@me:e.org", type: type)),
            "s2": Self.sync("s3", Events.receipt("$9", "@me:e.org", type: type, thread: "$root")),
        ])
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .read(Self.room, MessageID("$1"))))
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s3" } }))
            _ = kedge.result(of: .follow(Self.room, isOn: true))
            #expect(!kedge.hasHeard { $0 == .read(Self.room, MessageID("$9")) })
            #expect(kedge.wait(for: .receipts(Self.room, [])))
        }
    }
}
