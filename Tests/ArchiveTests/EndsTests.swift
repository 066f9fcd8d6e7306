@testable import Archive
import Messages
import Testing

struct EndsTests {
    private static let segment = "messages-000001.jsonl"

    private func write(_ archive: TemporaryArchive, _ id: String, _ lines: [String], _ file: String = segment) throws {
        try archive.write("conversations/\(id)/\(file)", lines.map { $0 + "\n" }.joined())
    }

    private func last(_ store: JSONArchive) async throws -> [String: String] {
        let last = await store.lastMessages(before: try await store.ends(at: Self.later))
        return Dictionary(uniqueKeysWithValues: last.map { ($0.key.rawValue, $0.value.rawValue) })
    }

    @Test func `The end of a log is its last message, thread replies included`() async throws {
        let archive = try TemporaryArchive()
        try write(archive, "plain", [message("m1"), message("m2")])
        try write(archive, "thread", [message("m1"), message("m2", more: #","thread":"m1""#)])
        let edits = (0..<3_000).map { record("edit", "e\($0)", on: "m1", more: #","text":"edited once more""#) }
        try write(archive, "edited", [message("m1")] + edits)
        try write(archive, "repeated", [message("m1"), message("m2"), message("m1")])
        try write(archive, "empty", [])
        try write(archive, "segments", [message("m1")])
        try write(archive, "segments", [message("m2")], "messages-000002.jsonl")
        try write(archive, "torn", [message("m1"), "{\"type\":\"message\",\"id\":\"m2\""])
        let wanted = [
            "plain": "m2", "thread": "m2", "edited": "m1", "repeated": "m2", "segments": "m2", "torn": "m1",
        ]
        #expect(try await last(archive.open(index: nil)) == wanted)
    }

    @Test(arguments: [true, false])
    func `A line that repeats an ID of an earlier segment is not the last message`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive()
        let lines = (0..<4).map { message("m\($0)", from: "ben") }
        try write(archive, "general", lines)
        try write(archive, "general", [lines[0], lines[2]], "messages-000002.jsonl")
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        let last = await store.lastMessages(before: try await store.ends(at: Self.later))
        #expect(last == [general: MessageID("m3")])
        let read = ReadStates(baseline: last)
        #expect(try await store.unread(in: general, since: read[general], threads: nil, for: "ana") == Unread())
    }

    /// A moment after all messages.
    private static let later = Timestamp(milliseconds: .max / 2)

    @Test func `The end at a moment excludes later messages`() async throws {
        let archive = try TemporaryArchive()
        try write(archive, "all", [message("m1", minute: 7)])
        let some = [message("m1", minute: 1), message("m2", minute: 9), message("m3", minute: 2)]
        try write(archive, "some", some + [message("m4", minute: 5), message("m5", minute: 6)])
        try write(
            archive, "many", [message("m1", minute: 1)] + (2...3_000).map { message("m\($0)", minute: 5 + $0) })
        try write(archive, "none", [message("m1", minute: 1), message("m2", minute: 2)])
        let store = try archive.open(index: nil)
        let moment = try #require(Timestamp(iso8601: time(5)))
        let last = await store.lastMessages(before: try await store.ends(at: moment))
        let found = Dictionary(uniqueKeysWithValues: last.map { ($0.key.rawValue, $0.value.rawValue) })
        #expect(found == ["some": "m3", "many": "m1", "none": "m2"])
    }

    @Test func `The ends are those at the time of the request`() async throws {
        let archive = try TemporaryArchive()
        for number in 0..<200 { try write(archive, "c\(number)", [message("m1")]) }
        try write(archive, "none", [])
        let store = try archive.open(index: nil)
        let ends = try await store.ends(at: Self.later)
        for id in ["c7", "none"] {
            try archive.append("conversations/\(id)/\(Self.segment)", message("m2") + "\n" + message("m3") + "\n")
        }
        try write(archive, "new", [message("m1")])
        let last = await store.lastMessages(before: ends)
        #expect(last.count == 200 && Set(last.values) == [MessageID("m1")])
        // Messages that arrived in between are unread; without an end, all messages are.
        let read = ReadStates(baseline: last)
        var counts: [String: Int] = [:]
        for conversation in try await store.conversations() {
            let unread = try await store.unread(
                in: conversation.id, since: read[conversation.id], threads: nil, for: nil)
            if !unread.isEmpty { counts[conversation.id.rawValue] = unread.count }
        }
        #expect(counts == ["c7": 2, "none": 2, "new": 1])
    }
}
