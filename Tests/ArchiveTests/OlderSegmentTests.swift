import Foundation
import Messages
import SQLite
import Search
import Testing

@testable import Archive

/// Files of older messages that turn up before the others, as pages that a server gave one after the other.
struct OlderSegmentTests {
    private static func path(_ number: Int) -> String { "conversations/general/messages-\(number).jsonl" }

    private static func archive(_ lines: String...) throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        try archive.write(path(500_000), lines.map { $0 + "\n" }.joined())
        try archive.makeIndex()
        return archive
    }

    private static func add(_ lines: String..., as number: Int, to archive: TemporaryArchive) throws {
        try archive.write(path(number), lines.map { $0 + "\n" }.joined())
        try archive.makeIndex()
        try IndexCheckTests.expectRight(archive, "\(number)")
    }

    private static func remove(_ number: Int, from archive: TemporaryArchive) throws {
        try FileManager.default.removeItem(atPath: archive.path + "/" + path(number))
        try archive.makeIndex()
        try IndexCheckTests.expectRight(archive, "without \(number)")
    }

    /// All columns of all records, by their rows.
    private static func rows(_ archive: TemporaryArchive) throws -> [Int64: [Int64?]] {
        let database = try Database(path: archive.index.path + "/records.db", for: .reading, timeout: 5_000)
        let rows = try database.rows("SELECT * FROM record") { row in (0..<11).map { row.optional($0) } }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? 0, $0) })
    }

    @Test func `They are read, and no row of another segment is touched`() async throws {
        let archive = try Self.archive(message("m5"), message("m6"), message("m7", more: #","thread":"m5""#))
        let before = try Self.rows(archive)
        try Self.add(message("m3"), message("m4"), as: 499_000, to: archive)
        try Self.add(message("m1"), message("m2"), as: 498_000, to: archive)
        let after = try Self.rows(archive)
        #expect(after.count == 7 && before.allSatisfy { after[$0.key] == $0.value })
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "m2", "m3", "m4", "m5", "m6"])
        let page = try await store.page(.message("m5"), 1)
        #expect(page.place == Place(index: 4, total: 6))
        try await #expect(store.summary(of: general).count == 7)
    }

    @Test func `A segment between two others takes its place`() async throws {
        let archive = try Self.archive(message("m1"))
        try Self.add(message("m4"), as: 502_000, to: archive)
        try Self.add(message("m2", "second"), message("m3"), as: 501_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "m2", "m3", "m4"])
        try await #expect(store.hits(SearchRequest(Query("second"), in: general)).map(\.message) == ["m2"])
    }

    @Test func `A message that comes after its edit was indexed is found by the new text`() async throws {
        let archive = try Self.archive(
            record("edit", "e1", on: "m1", more: #","text":"late words""#), record("delete", "d1", on: "m2"))
        try Self.add(message("m1", "early words"), message("m2", "gone words"), as: 499_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.hits(SearchRequest(Query("late"), in: general)).map(\.message) == ["m1"])
        try await #expect(store.hits(SearchRequest(Query("early"), in: general)).isEmpty)
        try await #expect(store.hits(SearchRequest(Query("gone"), in: general)).isEmpty)
        try Self.remove(500_000, from: archive)
        try await #expect(store.hits(SearchRequest(Query("early"), in: general)).map(\.message) == ["m1"])
    }

    @Test func `A reply leaves the main timeline when its root comes, and returns when the root goes`() async throws {
        let archive = try Self.archive(message("m1"), message("r1", more: #","thread":"m0""#), message("m2"))
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "r1", "m2"])
        try Self.add(message("m0"), as: 499_000, to: archive)
        try await #expect(store.ids() == ["m0", "m1", "m2"])
        try await #expect(store.page(.message("m2"), 1).place == Place(index: 2, total: 3))
        try Self.remove(499_000, from: archive)
        try await #expect(store.ids() == ["m1", "r1", "m2"])
        try await #expect(store.page(.message("m2"), 1).place == Place(index: 2, total: 3))
    }

    @Test func `A reply that its author put into the main timeline stays there when its root comes`() async throws {
        let archive = try Self.archive(message("r1", more: #","thread":"m0","broadcast":true"#), message("m2"))
        try Self.add(message("m0"), as: 499_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m0", "r1", "m2"])
        try Self.remove(499_000, from: archive)
        try await #expect(store.ids() == ["r1", "m2"])
    }

    @Test func `Of two records with an ID the first counts, whichever was indexed first`() async throws {
        let archive = try Self.archive(message("m1", "newer text"), message("m2"))
        let store = try archive.open(index: archive.index)
        try Self.add(message("m0"), message("m1", "older text"), as: 499_000, to: archive)
        try await #expect(store.ids() == ["m0", "m1", "m2"])
        try await #expect(store.page(.message("m1"), 1).messages.first?.text == "older text")
        try await #expect(store.page(.message("m2"), 1).place == Place(index: 2, total: 3))
        try await #expect(store.hits(SearchRequest(Query("newer"), in: general)).isEmpty)
        try Self.remove(499_000, from: archive)
        try await #expect(store.ids() == ["m1", "m2"])
        try await #expect(store.hits(SearchRequest(Query("newer"), in: general)).map(\.message) == ["m1"])
    }

    @Test func `A root that turns out to be a repeat is the root of no thread`() async throws {
        let archive = try Self.archive(
            message("m1"), message("m3", more: #","thread":"m2""#), message("m2"),
            message("m4", more: #","thread":"m2""#))
        try Self.add(record("reaction", "m2", on: "m1", more: #","emoji":"👍""#), as: 499_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "m3", "m4"])
        try Self.remove(499_000, from: archive)
        try await #expect(store.ids() == ["m1", "m3", "m2"])
    }

    @Test func `No number is left between two segments that once had neighbours`() async throws {
        let archive = try Self.archive(message("m1"))
        try Self.add(message("m9"), as: 502_000, to: archive)
        // Each stands between the first segment and the one that came last.
        for step in 1...5 { try Self.add(message("m\(9 - step)"), as: 502_000 - step, to: archive) }
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "m4", "m5", "m6", "m7", "m8", "m9"])
    }

    @Test func `A torn line before another file is torn again when that file goes`() async throws {
        let archive = try Self.archive(message("m1"), message("m2"))
        try archive.append(Self.path(500_000), #"{"type":"message","#)
        try Self.add(message("m3"), as: 501_000, to: archive)
        let before = try archive.open(index: archive.index)
        try await #expect(before.ids() == ["m1", "m2", "m3"])
        #expect(await before.problems().count == 1)
        try Self.remove(501_000, from: archive)
        let after = try archive.open(index: archive.index)
        try await #expect(after.ids() == ["m1", "m2"])
        #expect(await after.problems() == [])
    }

    @Test func `A repeat that was edited before its first record came does not hide the text of that`() async throws {
        let archive = try Self.archive(
            message("m1", "newer"), record("edit", "e1", on: "m1", more: #","text":"edited""#))
        let store = try archive.open(index: archive.index)
        let search = SearchRequest(Query("edited"), in: general)
        for _ in 1...2 {
            try Self.add(message("m0"), message("m1", "older"), as: 499_000, to: archive)
            try await #expect(store.hits(search).map(\.message) == ["m1"])
            try Self.remove(499_000, from: archive)
            try await #expect(store.hits(search).map(\.message) == ["m1"])
        }
    }

    @Test func `A conversation with more files than there are numbers has no index`() throws {
        let archive = try Self.archive(message("m1"))
        let log = PlainLog(segments: [])
        let stamp = FileStamp(size: 0, inode: 0, seconds: 0, nanoseconds: 0)
        let many = (0...RecordRow.mostSegments).map {
            Segment(path: "", label: "general/messages-\(100_000 + $0).jsonl", stamp: stamp)
        }
        let database = try archive.index.recordDatabase.writer(cache: 1 << 20)
        try database.write { database in
            let known = try #require(try IndexedConversation.find(general, in: database))
            let change = SegmentChange(from: known.segments, to: many)
            #expect(throws: StoreError.self) {
                try change.apply(to: known, log, BlockReader(), in: database, isReady: true)
            }
        }
    }

    @Test func `The words of repeats are no reason to make all words anew`() throws {
        let lines = (1...6_000).map { message("m\($0)") + "\n" }.joined()
        let archive = try TemporaryArchive()
        for number in 1...2 { try archive.write(Self.path(number), lines) }
        try archive.makeIndex()
        func files() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: archive.index.path)).filter {
                $0.hasPrefix("words-")
            }
        }
        let before = try files()
        try archive.makeIndex()
        try #expect(!before.isEmpty && files() == before)
    }

    @Test func `Words that do not know yet that an edit is gone are no fault`() throws {
        let archive = try Self.archive(message("m1"))
        try Self.add(record("edit", "e1", on: "m1", more: #","text":"edited""#), as: 501_000, to: archive)
        try FileManager.default.removeItem(atPath: archive.path + "/" + Self.path(501_000))
        _ = try ArchiveIndex(archive: archive.path, in: archive.index).make(withWords: false)
        try IndexCheckTests.expectRight(archive, "without its words")
    }

    @Test func `A segment that was replaced until its sequences are used up gets others`() async throws {
        let archive = try Self.archive(message("m1"))
        let database = try archive.index.recordDatabase.writer(cache: 1 << 20)
        let last = RecordRow.mostSequences - 1
        try database.write { try $0.run("UPDATE segment SET next = ?", last) }
        try Self.add(message("m2", "second"), message("m3"), as: 500_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.hits(SearchRequest(Query("second"), in: general)).map(\.message) == ["m2"])
    }
}
