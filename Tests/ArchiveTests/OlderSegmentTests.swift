import Files
import Foundation
import Index
import Messages
import Search
import Testing

@testable import Archive

/// Files with older messages are added after newer ones, like pages fetched backwards from a server.
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

    /// All records, by their rows.
    private static func rows(_ archive: TemporaryArchive) throws -> [Int64: IndexRecord] {
        var found: [Int64: IndexRecord] = [:]
        try archive.index.files.snapshot()?.forEach(in: 0..<Int64.max) { row, record in
            found[row] = record
            return true
        }
        return found
    }

    @Test func `An older segment is indexed without changing a row of another segment`() async throws {
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

    @Test func `A message that is added after its edit was indexed is found by the new text`() async throws {
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

    @Test func `A reply leaves the main timeline when its root is added and returns when the root is removed`()
        async throws
    {
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

    @Test func `A broadcast reply stays in the main timeline when its root is added`() async throws {
        let archive = try Self.archive(message("r1", more: #","thread":"m0","broadcast":true"#), message("m2"))
        try Self.add(message("m0"), as: 499_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m0", "r1", "m2"])
        try Self.remove(499_000, from: archive)
        try await #expect(store.ids() == ["r1", "m2"])
    }

    @Test func `The first record with an ID counts, whichever was indexed first`() async throws {
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

    @Test func `A record that turns out to be a repeat is no longer the root of a thread`() async throws {
        let archive = try Self.archive(
            message("m1"), message("m3", more: #","thread":"m2""#), message("m2"),
            message("m4", more: #","thread":"m2""#))
        try Self.add(record("reaction", "m2", on: "m1", more: #","emoji":"👍""#), as: 499_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "m3", "m4"])
        try Self.remove(499_000, from: archive)
        try await #expect(store.ids() == ["m1", "m3", "m2"])
    }

    @Test func `If no number is left between two segments, the conversation is indexed anew`() async throws {
        let archive = try Self.archive(message("m1"))
        try Self.add(message("m9"), as: 502_000, to: archive)
        // Each new segment is between the first one and the one added before.
        for step in 1...5 { try Self.add(message("m\(9 - step)"), as: 502_000 - step, to: archive) }
        let store = try archive.open(index: archive.index)
        try await #expect(store.ids() == ["m1", "m4", "m5", "m6", "m7", "m8", "m9"])
    }

    @Test func `An incomplete line is reported only while another segment follows`() async throws {
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

    @Test func `An edited repeat does not hide the text of the first record with its ID`() async throws {
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

    @Test func `A conversation with more files than numbers has no index`() throws {
        let archive = try Self.archive(message("m1"))
        let stamp = FileStamp(size: 0, inode: 0, seconds: 0, nanoseconds: 0)
        let many = (0...RecordRow.mostSegments).map {
            Segment(path: "", label: "general/messages-\(100_000 + $0).jsonl", stamp: stamp)
        }
        let writer = try IndexWriter(archive.index.files)
        var state = try #require(try writer.base.state())
        var marker = RecordMarker(Catalogue(archive: archive.path))
        let known = try #require(try IndexedConversation.find(general, in: writer.base))
        let change = SegmentChange(from: known.segments, to: many)
        #expect(throws: StoreError.self) { try change.apply(to: known, in: writer, &state, &marker) }
    }

    @Test func `The words of repeats are no reason to rebuild all words`() throws {
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

    @Test func `Words that do not reflect a removed edit yet are no fault`() throws {
        let archive = try Self.archive(message("m1"))
        try Self.add(record("edit", "e1", on: "m1", more: #","text":"edited""#), as: 501_000, to: archive)
        try FileManager.default.removeItem(atPath: archive.path + "/" + Self.path(501_000))
        _ = try ArchiveIndex(archive: archive.path, in: archive.index).make(withWords: false)
        try IndexCheckTests.expectRight(archive, "without its words")
    }

    @Test func `A segment whose sequence numbers are used up is indexed anew`() async throws {
        let archive = try Self.archive(message("m1"))
        let writer = try IndexWriter(archive.index.files)
        let known = try #require(try IndexedConversation.find(general, in: writer.base))
        var segment = known.segments[0]
        segment.next = RecordRow.mostSequences - 1
        segment.save(of: known.number, to: writer)
        try writer.commit(isMerging: true)
        try Self.add(message("m2", "second"), message("m3"), as: 500_000, to: archive)
        let store = try archive.open(index: archive.index)
        try await #expect(store.hits(SearchRequest(Query("second"), in: general)).map(\.message) == ["m2"])
    }
}
