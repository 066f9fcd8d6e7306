@testable import Archive
import Foundation
import Glibc
import Messages
import Testing

struct PageTests {
    static let nine = (1...9).map { message("m\($0)", minute: $0) + "\n" }.joined()

    private func nine() throws -> (TemporaryArchive, JSONArchive) {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, PageTests.nine)
        return (archive, try archive.open())
    }

    @Test(arguments: [("m1", 1...4), ("m2", 1...4), ("m5", 3...6), ("m9", 6...9)])
    func `The page around a message is centred on it, and full even at the ends`(id: String, expected: ClosedRange<Int>)
        async throws
    {
        let (archive, store) = try nine()
        let page = try await store.page(.message(MessageID(id)), 4)
        #expect(page.messages.map(\.id.rawValue) == expected.map { "m\($0)" })
        #expect(page.focus == MessageID(id))
        #expect(page.place == Place(index: expected.lowerBound - 1, total: 9))
        withExtendedLifetime(archive) {}
    }

    @Test(arguments: [0, -5])
    func `An empty page still has edges that lead to its neighbours`(limit: Int) async throws {
        let (archive, store) = try nine()
        let none = try await store.page(.latest, limit)
        #expect(none.messages.isEmpty && none.newer == .end)
        guard case .more(let cursor, let neighbour) = none.older else { throw ExpectationMissed() }
        #expect(neighbour.id == "m9")
        #expect(try await store.ids(.before(cursor), 2) == ["m8", "m9"])
        let first = try #require(try await store.first())
        let before = try await store.page(.before(first.cursor), 5)
        #expect(before.messages.isEmpty && before.older == .end)
        guard case .more(let after, let next) = before.newer else { throw ExpectationMissed() }
        #expect(next.id == "m1")
        #expect(try await store.ids(.after(after), 2) == ["m1", "m2"])
        withExtendedLifetime(archive) {}
    }

    @Test func `The page of an empty conversation has no messages and both ends`() async throws {
        let archive = try TemporaryArchive()
        try archive.write("conversations/general/conversation.json", "{}")
        let store = try archive.open()
        let nothing = Page(
            messages: [], older: .end, newer: .end, place: Place(index: 0, total: 0), asOf: LogEnd(of: []).cursor)
        for position in [PageRequest.Position.earliest, .latest, .date(NamedTime(Timestamp(milliseconds: 0)))] {
            #expect(try await store.page(position) == nothing)
        }
        let summary = try await store.summary(of: general)
        #expect(summary.count == 0 && summary.first == nil && summary.last == nil)
    }

    @Test(arguments: ["m10", "e1", ""])
    func `An unknown message is an error, and the ID of an edit names no message`(id: String) async throws {
        let archive = try TemporaryArchive(message("m1"), record("edit", "e1", on: "m1", more: #","text":"x""#))
        let store = try archive.open()
        let error = StoreError.noSuchMessage(MessageID(id), in: general)
        await #expect(throws: error) { try await store.page(.message(MessageID(id))) }
        await #expect(throws: error) { try await store.message(MessageID(id), in: general) }
    }

    @Test(arguments: ["", ":", "1", "a:b", "0:-2", "-1:0", "0:0", "9999999999999999999999:0:m1"])
    func `A malformed cursor is an error, and an outdated one still leads to its place`(token: String) async throws {
        let (archive, store) = try nine()
        await #expect(
            throws: StoreError.unavailable(
                "the cursor \"\(token)\" does not belong to this archive; open the archive again")
        ) { try await store.page(.before(Cursor(token: token))) }
        #expect(try await store.ids(.after(Cursor(token: "0:5:gone")), 1) == ["m2"])
        #expect(try await store.ids(.before(Cursor(token: "0:5:gone")), 1) == ["m1"])
        #expect(try await store.ids(.before(Cursor(token: "7:0:gone")), 1) == ["m9"])
        #expect(try await store.ids(.after(Cursor(token: "7:0:gone")), 1) == [])
        withExtendedLifetime(archive) {}
    }

    @Test func `A date leads to the first message in the log at or after it, even if times go backwards`() async throws
    {
        let archive = try TemporaryArchive(
            message("m1", minute: 5), message("m2", minute: 3), message("m3", minute: 8),
            message("r", minute: 20, more: #","thread":"m1""#), message("m4", minute: 7))
        let store = try archive.open()
        let focus = { (minute: Int) in
            try await store.page(.date(NamedTime(try #require(Timestamp(iso8601: time(minute))))), 1).focus?.rawValue
        }
        #expect(try await focus(0) == "m1")
        #expect(try await focus(6) == "m3")
        #expect(try await focus(9) == nil)
        let late = try await store.page(.date(NamedTime(try #require(Timestamp(iso8601: time(9))))), 1)
        #expect(late.messages.map(\.id) == ["m4"])
    }

    @Test func `A thread reply is represented by its root, or stands in the main timeline if it has none`() async throws
    {
        let archive = try TemporaryArchive(
            message("lost0", more: #","thread":"gone""#), message("m1"), message("r1", more: #","thread":"m1""#),
            message("m2"), message("lost", more: #","thread":"gone""#), message("m3"),
            message("b", more: #","thread":"m1","broadcast":true"#))
        let store = try archive.open()
        #expect(try await store.ids() == ["lost0", "m1", "m2", "lost", "m3", "b"])
        let focus = { (id: String) in try await store.page(.message(MessageID(id)), 1).focus?.rawValue }
        #expect(try await focus("r1") == "m1")
        #expect(try await focus("lost") == "lost")
        #expect(try await focus("lost0") == "lost0")
        #expect(try await focus("b") == "b")
        #expect(try await store.message("m1", in: general).replyCount == 2)
        #expect(try await store.message("lost", in: general).thread == "gone")
        #expect(try await store.message("r1", in: general).thread == "m1")
        #expect(try await store.summary(of: general).count == 7)
    }

    @Test func `A quote shows the current state of the quoted message, wherever it stands`() async throws {
        let archive = try TemporaryArchive(
            message("q", "old"), message("gone"), message("t", "in thread", more: #","thread":"q""#),
            message("a", more: #","replyTo":"q""#), message("b", more: #","replyTo":"gone""#),
            message("c", more: #","replyTo":"none""#), message("d", more: #","replyTo":"t""#),
            message("e", more: #","replyTo":"late""#), message("x", more: #","replyTo":"q""#),
            record("edit", "e1", on: "q", more: #","text":"\#(String(repeating: "n", count: 1_500))""#),
            record("delete", "d1", on: "gone"), record("delete", "d2", on: "x"), message("late", "later"))
        let store = try archive.open()
        let ana = Person(id: PersonID("ana"), name: "ana")
        for limit in [1, 50] {
            let quote = { (id: String) in
                try await store.page(.message(MessageID(id)), limit).messages.first { $0.id.rawValue == id }?.quote
            }
            let capped = String(repeating: "n", count: 1_000)
            #expect(try await quote("a") == Quote(id: "q", content: .message(sender: ana, text: capped)))
            #expect(try await quote("b") == Quote(id: "gone", content: .deleted))
            #expect(try await quote("c") == Quote(id: "none", content: .missing))
            #expect(try await quote("d") == Quote(id: "t", content: .message(sender: ana, text: "in thread")))
            #expect(try await quote("e") == Quote(id: "late", content: .message(sender: ana, text: "later")))
            #expect(try await quote("x") == nil)
        }
    }

    @Test func `A person may have another name in one conversation, by which they are found as well`() async throws {
        let archive = try TemporaryArchive(message("1", from: "b"), message("2", from: "a"))
        try archive.write("conversations/other/messages-000001.jsonl", message("1", from: "b") + "\n")
        try archive.write(
            "people.json", #"[{"id":"a","name":"Ana"},{"id":"b","name":"Ben","names":["Bee","The Captain"]}]"#)
        try archive.write(
            "conversations/general/conversation.json",
            #"{"members":["a","b"],"names":[{"id":"b","name":"The Captain"},7,{"id":"a"},{"name":"x"}]}"#)
        let store = try archive.open()
        func names(_ id: ConversationID) async throws -> [String] {
            let page = try await store.page(PageRequest(conversation: id, position: .earliest, limit: 10))
            return page.messages.compactMap(\.sender?.name)
        }
        #expect(try await names(general) == ["The Captain", "Ana"])
        #expect(try await names("other") == ["Ben"])
        #expect(try await store.conversation(general).members.map(\.name) == ["Ana", "The Captain"])
        for name in ["ben", "the captain", "bee", "b"] { #expect(try await store.person(called: name) == .one("b")) }
        try archive.write("conversations/general/conversation.json", #"{"names":[{"id":"a","name":"Anna"}]}"#)
        #expect(try await names(general) == ["Ben", "Anna"])
    }

    @Test func `People without an entry in the people file have their ID as name`() async throws {
        let archive = try TemporaryArchive(
            message("1", from: "a"), message("2", from: "b"), message("3", from: "c"), message("4", from: "d"))
        try archive.write(
            "people.json", #"[7,{"id":"a","name":"A\u00e9\ud800"},{"id":"b","name":null},{"id":"c","name":""},{"x":1}]"#
        )
        let store = try archive.open()
        let names = { try await store.page(.earliest).messages.compactMap(\.sender?.name) }
        #expect(try await names() == ["Aé\u{FFFD}", "b", "c", "d"])
        try archive.write("people.json", #"[{"id":"d","name":"Dan"}]"#)
        #expect(try await names() == ["a", "b", "c", "Dan"])
        #expect(await store.problems() == [])
        try FileManager.default.removeItem(atPath: archive.path + "/people.json")
        #expect(try await names() == ["a", "b", "c", "d"])
        #expect(await store.problems() == ["people.json: there is no such file; IDs are shown instead of names"])
        try archive.write("people.json", "{ broken")
        #expect(try await names() == ["a", "b", "c", "d"])
        #expect(
            await store.problems() == ["people.json: not a JSON array of persons; IDs are shown instead of names"])
    }
}

struct ChangingFilesTests {
    @Test func `Appended lines are in the next page`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open()
        #expect(try await store.ids() == ["m1"])
        try archive.append(firstSegment, message("m2") + "\n" + message("to"))
        #expect(try await store.ids() == ["m1", "m2", "to"])
        try archive.write("conversations/general/messages-000002.jsonl", message("m3") + "\n")
        #expect(try await store.ids(.latest, 2) == ["to", "m3"])
        try archive.append(firstSegment, "\n" + record("delete", "d", on: "m1") + "\n")
        #expect(try await store.first()?.isDeleted == true)
    }

    @Test func `A truncated or deleted file never crashes the reader`() async throws {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        let store = try archive.open()
        let cursor = try #require(try await store.page(.latest).messages.last?.cursor)
        try archive.write(firstSegment, message("m1") + "\n")
        #expect(try await store.ids(.before(cursor)) == ["m1"])
        try FileManager.default.removeItem(atPath: archive.path + "/" + firstSegment)
        #expect(try await store.ids(.before(cursor)) == [])
        try FileManager.default.removeItem(atPath: archive.path + "/conversations/general")
        await #expect(throws: StoreError.noSuchConversation(general, nearest: [])) { try await store.page(.latest) }
    }

    @Test func `Files with other names, and pipes, are not read`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        try archive.write("conversations/general/notes.jsonl", message("x"))
        try archive.write("conversations/general/messages-000002.jsonl~", message("x"))
        mkfifo(archive.path + "/conversations/general/messages-000003.jsonl", 0o600)
        #expect(try await archive.open().ids() == ["m1"])
    }

    @Test func `IDs that differ only in Unicode normalization are different`() async throws {
        let archive = try TemporaryArchive(message("caf\u{E9}", "composed"), message("cafe\u{301}", "decomposed"))
        let store = try archive.open()
        let page = try await store.page(PageRequest(conversation: general, position: .latest, limit: 10))
        #expect(page.messages.map(\.text) == ["composed", "decomposed"])
        #expect(Set(page.messages.map(\.id)).count == 2)
        #expect(try await store.message(MessageID("cafe\u{301}"), in: general).text == "decomposed")
    }

    @Test func `A cursor finds its message after the log was rewritten`() async throws {
        let lines = (0..<100).map { message("m\($0)") }
        let archive = try TemporaryArchive(lines.joined(separator: "\n"))
        let store = try archive.open()
        let first = try await store.page(PageRequest(conversation: general, position: .message("m50"), limit: 3))
        let cursor = try #require(first.messages.first).cursor
        let inserted = lines[..<20] + (0..<30).map { message("n\($0)") } + lines[20...]
        try archive.write(firstSegment, inserted.joined(separator: "\n") + "\n")
        let before = try await store.page(PageRequest(conversation: general, position: .before(cursor), limit: 5))
        #expect(before.messages.map(\.id) == ["m44", "m45", "m46", "m47", "m48"])
        // The position is known after the index was updated.
        #expect(try await store.place(of: cursor, in: general) == nil)
        try archive.makeIndex()
        #expect(try await store.place(of: cursor, in: general) == Place(index: 79, total: 130))
    }

    @Test func `A message that names itself as the root of its thread is in the main timeline`() async throws {
        let archive = try TemporaryArchive(#"{"type":"message","id":"a","at":"2025-01-01T00:00:00Z","thread":"a"}"#)
        let page = try await archive.open().page(PageRequest(conversation: general, position: .latest, limit: 5))
        #expect(page.messages.map(\.id) == ["a"])
        #expect(page.messages.first?.thread == nil)
    }
}
