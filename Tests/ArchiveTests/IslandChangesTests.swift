import Foundation
import Messages
import Testing

@testable import Archive

/// A server's messages come into the files while a conversation is open.
struct IslandChangesTests {
    private static let middle: Int64 = 500_000_000_000_000_000

    private static func path(_ number: Int64) -> String { "conversations/general/messages-\(number).jsonl" }

    private static func add(
        _ number: Int64, before: String, _ lines: String..., to archive: TemporaryArchive
    ) throws {
        let head = #"{"type":"segment","before":"\#(before)"}"#
        // As the helper does: the name appears with the whole file.
        let new = "conversations/general/.new"
        try archive.write(new, ([head] + lines).map { $0 + "\n" }.joined())
        try FileManager.default.moveItem(
            atPath: archive.path + "/" + new, toPath: archive.path + "/" + path(number))
    }

    private static func archive(_ lines: String...) throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        let head = #"{"type":"segment","before":"gap"}"#
        try archive.write(path(middle), ([head] + lines).map { $0 + "\n" }.joined())
        return archive
    }

    @Test(arguments: [false, true])
    func `A page into a gap is reported with the messages that it changes, and later arrivals go on`(
        hasIndex: Bool
    ) async throws {
        let archive = try Self.archive(message("m5"), message("m6"))
        let store = try archive.open(index: hasIndex ? archive.index : nil, keepsIndex: hasIndex)
        let page = try await store.page(.latest)
        let changes = ChangesTests.Listener(store, since: page)
        let thumb = record("reaction", "r1", on: "m5", more: #","emoji":"👍""#)
        try archive.append(Self.path(Self.middle), thumb + "\n")
        #expect(await changes.next(1) == ["now m5 hello"])
        try Self.add(Self.middle - 1, before: "start", message("m3"), message("m4"), to: archive)
        #expect(await changes.next(1) == ["filled"])
        try archive.append(Self.path(Self.middle), message("m7") + "\n")
        #expect(await changes.next(1) == ["m7 hello"])
        #expect(page.older != .end)
        let older = try await store.page(.before(page.messages[0].cursor))
        #expect(older.messages.map(\.id.rawValue) == ["m3", "m4"] && older.older == .end)
    }

    @Test func `A page that was filled between a list and the start of its watch is reported`() async throws {
        let archive = try Self.archive(message("m5"))
        let store = try archive.open(index: nil)
        let page = try await store.page(.latest)
        try Self.add(Self.middle - 1, before: "start", message("m4"), to: archive)
        try archive.append(Self.path(Self.middle), message("m6") + "\n")
        #expect(await ChangesTests.Listener(store, since: page).next(2) == ["filled", "m6 hello"])
    }

    @Test func `A new island is reported as a gap before its messages, and a segment that follows is not`() async throws
    {
        let archive = try Self.archive(message("m5"))
        let store = try archive.open(index: nil)
        let changes = ChangesTests.Listener(store, since: try await store.page(.latest))
        try Self.add(Self.middle + 1, before: "messages-\(Self.middle).jsonl", message("m6"), to: archive)
        #expect(await changes.next(1) == ["m6 hello"])
        try Self.add(Self.middle + 2_000_000_000, before: "gap", message("m8"), message("m9"), to: archive)
        #expect(await changes.next(3) == ["gap", "m8 hello", "m9 hello"])
        let gap = try await store.page(.after(try await store.page(.message(MessageID("m6"))).messages[0].cursor))
        guard case .gap(_, let between) = gap.newer else { throw ExpectationMissed() }
        #expect(between.neighbour?.id == MessageID("m8") && gap.messages.map(\.id) == [MessageID("m6")])
        let name = "messages-\(Self.middle + 1).jsonl"
        try Self.add(Self.middle + 1_999_999_999, before: name, message("m7"), to: archive)
        #expect(await changes.next(1) == ["filled"])
        try await #expect(store.ids() == ["m5", "m6", "m7", "m8", "m9"])
    }

    @Test func `Reactions in a page that comes into a gap change the messages of an older island`() async throws {
        let archive = try Self.archive(message("m1"))
        try Self.add(Self.middle + 2_000_000_000, before: "gap", message("m8"), to: archive)
        let store = try archive.open(index: nil)
        let changes = ChangesTests.Listener(store, since: try await store.page(.latest))
        let edit = record("edit", "e1", on: "m1", more: #","text":"better""#)
        try archive.append(Self.path(Self.middle + 2_000_000_000), message("m9") + "\n")
        #expect(await changes.next(1) == ["m9 hello"])
        try Self.add(Self.middle + 1_999_999_999, before: "gap", message("m7"), edit, to: archive)
        #expect(await changes.next(2) == ["filled", "now m1 better"])
    }

    @Test func `A head that cannot be read makes no gap, and neither does a name without 18 digits`() async throws {
        let archive = try TemporaryArchive()
        for (number, head) in [(1, #"{"type":"segment","before":"gap"}"#), (7, #"{"type":"segment","before":"gap"}"#)] {
            try archive.write(
                "conversations/general/messages-00000\(number).jsonl", head + "\n" + message("m\(number)") + "\n")
        }
        try await #expect(archive.open(index: nil).ids() == ["m1", "m7"])
        let other = try TemporaryArchive()
        for (number, head) in [
            (0, "broken"), (5, #"{"type":"segment"}"#), (9, #"{"type":"segment","before":7}"#), (12, message("m3")),
        ] {
            try other.write(Self.path(Self.middle + Int64(number)), head + "\n" + message("m\(20 + number)") + "\n")
        }
        try await #expect(other.open(index: nil).ids() == ["m20", "m25", "m29", "m3", "m32"])
        try await #expect(other.open(index: nil).page(.earliest).older == .end)
    }
}
