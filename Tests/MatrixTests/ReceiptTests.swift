import Formats
import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import Matrix

/// How far people have read, as both kinds of sync tell it.
struct ReceiptTests {
    private let reader = SyncReader(events: MatrixEvents { _, _ in nil })

    private func receipts(_ content: String) -> [Receipt] {
        let sync = Events.sync("s1", [Events.room("!r", [], receipts: content)])
        return sync.asBody { reader.read($0) { _ in RoomFacts(room: "!r") } }?.receipts["!r"] ?? []
    }

    private func receipt(_ person: String, _ event: String, _ time: Int64, _ scope: Reader.Scope = .all) -> Receipt {
        Receipt(
            person: PersonID(person), message: MessageID(event), scope: scope, at: Timestamp(milliseconds: time))
    }

    @Test func `public and private receipts are read, with and without a thread`() {
        let content =
            #""$1":{"m.read":{"@ana:e.org":{"ts":7},"@ben:e.org":{"ts":8,"thread_id":"main"}}},"#
            + #""$2":{"m.read.private":{"@me:e.org":{"ts":9,"thread_id":"$root"}}}"#
        #expect(
            receipts(content) == [
                receipt("@ana:e.org", "$1", 7), receipt("@ben:e.org", "$1", 8, .mainTimeline),
                receipt("@me:e.org", "$2", 9, .thread(MessageID("$root"))),
            ])
    }

    @Test(arguments: [
        #""1":{"m.read":{"@ana:e.org":{"ts":7}}}"#, #""$1":7"#, #""$1":{"m.read":[]}"#,
        #""$1":{"m.read":{"ana":{"ts":7},"@ben:e.org":7}}"#, #""$1":{"m.seen":{"@ana:e.org":{"ts":7}}}"#,
    ])
    func `what is no receipt is passed over`(content: String) { #expect(receipts(content).isEmpty) }

    @Test func `a time of another type is none`() {
        let odd = #""$1":{"m.read":{"@ana:e.org":{"ts":"7","thread_id":7}}}"#
        #expect(receipts(odd) == [receipt("@ana:e.org", "$1", 0)])
    }

    @Test func `sliding sync tells them as an extension`() throws {
        let event = #"{"type":"m.receipt","content":{\#(Events.receipt("$1", "@ana:e.org", 7))}}"#
        let body =
            #"{"pos":"p","lists":{"all":{"count":1}},"rooms":{},"extensions":{"receipts":{"rooms":{"!r":\#(event)}}}}"#
        let page = try #require(body.asBody { reader.readSliding($0) })
        #expect(page.receipts == ["!r": [receipt("@ana:e.org", "$1", 7)]])
        let request = MatrixRequest.slidingSync(rooms: 20, pos: nil, hasPeople: true)
        #expect(String(decoding: request.body ?? [], as: UTF8.self).contains(#""receipts":{"enabled":true}"#))
    }

    // MARK: - A room

    private func receipt(
        _ person: Int, _ event: String = "$1", _ time: Int64 = 1, _ scope: Reader.Scope = .all
    ) -> Receipt {
        receipt("@p\(person):e.org", event, time, scope)
    }

    @Test func `a room of ten thousand people keeps the receipts that came last`() {
        var room = RoomReceipts()
        var isNew = room.take((0..<10_000).map { receipt($0, "$1", Int64($0)) })
        #expect(isNew)
        #expect(room.all.map(\.person.rawValue) == (0..<RoomReceipts.most).map { "@p\(9_999 - $0):e.org" })
        // A receipt of long ago, or of a server whose clock is wrong, is new all the same.
        isNew = room.take([receipt(3, "$2", -5)])
        #expect(isNew && room.all.count == RoomReceipts.most && room.all[0] == receipt(3, "$2", -5))
    }

    @Test func `a person has one receipt of each kind, and the same again is no change`() {
        var room = RoomReceipts()
        let first = [receipt(1), receipt(1, "$1", 1, .mainTimeline), receipt(1, "$1", 1, .thread(MessageID("$r")))]
        var changes = [room.take(first), room.take([room.all[0]]), room.take([])]
        #expect(changes == [true, false, false] && room.all.count == 3)
        changes = [room.take([receipt(1, "$2", 2)])]
        #expect(changes == [true] && room.all.count == 3 && room.all[0].message == MessageID("$2"))
    }

    @Test func `a receipt at a reaction is one at the message before it`() {
        var room = RoomReceipts()
        let events = ["$x", "$1", "$r", "$e", "$2"]
        _ = room.take(events.enumerated().map { receipt($0.offset, $0.element, Int64(9 - $0.offset)) })
        room.note(events: [("$x", false), ("$1", true), ("$r", false), ("$e", false), ("$2", true)])
        #expect(room.atMessages.map(\.message.rawValue) == ["$x", "$1", "$1", "$1", "$2"])
        for number in 0..<1_000 { room.note(events: [("$n\(number)", false)]) }
        _ = room.take([receipt(9, "$n999", 99)])
        #expect(room.atMessages.first?.message == MessageID("$2"))
    }
}
