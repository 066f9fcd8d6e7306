import Files
import Foundation
import Messages
import Testing

@testable import Archive

struct ReadingTests {
    @Test func `A segment that shrinks or vanishes after it was counted is an error and not a crash`() throws {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        let path = archive.path + "/" + firstSegment
        let folder = archive.path + "/conversations/general"
        var strays = ProblemList()
        let segments = try Segment.all(in: folder, of: general, &strays)
        let blocks = BlockReader()
        let count = LogCount(segments, blocks: blocks)
        while !count.isComplete { try count.step() }
        let second = LinePlace(segment: 0, offset: Int64(message("m1").utf8.count + 1))
        try archive.write(firstSegment, message("m1") + "\n")
        let changed = StoreError.unavailable("\(path): changed while it was read; try again")
        let shorter = StoreError.unavailable("\(path): became shorter while it was read; try again")
        #expect(throws: changed) { try count.mainCounts(before: [second]) }
        #expect(throws: shorter) { try LogCount(segments, blocks: blocks).step() }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: StoreError.unavailable("\(path): vanished while it was read; try again")) {
            try count.mainCounts(before: [second])
        }
    }

    @Test func `A segment overwritten with other lines of the same size is no crash`() throws {
        let archive = try TemporaryArchive(message("m1", "long enough for two others"), message("m2"))
        let path = archive.path + "/" + firstSegment
        let size = try #require(try FileStamp.of(path)).size
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let pages = try Assembly(people: People(path: ""), isIndexed: true, me: nil, highlight: [])
            .pages(of: general, segments, nil, by: BlockReader())
        let short = (0..<9).map { #"{"type":"message","id":"\#($0)","at":"2025-03-01T09:12:33Z"}"# + "\n" }.joined()
        try archive.write(firstSegment, String(short.prefix(Int(size))))
        for position in [
            PageRequest.Position.before(Cursor(token: "9:0:m1")), .after(Cursor(token: "9:0:m1")), .latest,
        ] {
            _ = try? pages.page(PageRequest(conversation: general, position: position, limit: 1))
            _ = try? pages.page(PageRequest(conversation: general, position: position, limit: 50))
        }
    }

    @Test func `Blocks hold whole lines in order, and the messages before each line are counted`() throws {
        let archive = try TemporaryArchive()
        let text = String(repeating: "t", count: 300)
        try archive.write(firstSegment, (0..<1_000).map { message("m\($0)", minute: $0, text) + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let count = LogCount(segments, blocks: BlockReader())
        while !count.isComplete { try count.step() }
        #expect(count.totals.messages == 1_000)
        let (walk, reader) = (BlockWalk(segments: segments), BlockReader())
        var (end, blocks) = (LinePlace.first, 0)
        var places: [LinePlace] = []
        while let block = try walk.block(from: end) {
            #expect(block.place == end)
            #expect(block.length < 64 << 10 + 1_000)
            try reader.forEachRecord(of: block, in: PlainLog(segments: segments)) { place, _, _ in
                places.append(place)
                return true
            }
            end = block.end
            blocks += 1
        }
        #expect(blocks > 4 && end.offset == segments.first?.stamp.size)
        #expect(try count.mainCounts(before: places) == Array(0..<1_000))
        #expect(try count.mainCounts(before: [places[700], end, .end]) == [700, 1_000, 1_000])
    }

    @Test(arguments: [
        "2025-03-01T09:12:33Z", "2025-03-01T09:12:33.120Z", "2025-03-01T23:59:60Z", "2025-03-01T09:12:33+02:00",
        "2024-02-29T00:00:00Z", "2025-02-29T00:00:00Z", "1969-12-31T23:59:59.999Z", "2025-03-01T24:00:00Z",
        "2025-13-01T00:00:00Z", "2025-03-01T09:12:33.1Z", "2025-03-01 09:12:33Z", "2025-03-01T09:12:3xZ", "", "Z",
    ])
    func `The fast parser of times agrees with the general one`(text: String) {
        var clock = FastClock()
        for _ in 0..<2 {
            let bytes = Array(text.utf8)
            #expect(bytes.withUnsafeBytes { clock.timestamp($0) } == Timestamp(iso8601: text))
        }
    }
}
