import Foundation
import Messages
import Testing

@testable import Archive

@Suite("Reading blocks")
struct ReadingTests {
    @Test("a segment that shrinks or vanishes after its survey is an error, not a crash")
    func underTheRead() throws {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        let path = archive.path + "/" + firstSegment
        let folder = archive.path + "/conversations/general"
        var strays = ProblemList()
        let segments = try Segment.all(in: folder, of: general, &strays)
        let blocks = BlockReader()
        let reader = SurveyReader(survey: try Surveyor.survey(segments, with: blocks), blocks: blocks)
        try archive.write(firstSegment, message("m1") + "\n")
        let changed = StoreError.unavailable("\(path): changed while it was read; try again")
        let shorter = StoreError.unavailable("\(path): became shorter while it was read; try again")
        #expect(throws: changed) { try reader.mains(before: .end) }
        #expect(throws: shorter) { try Surveyor.survey(segments, with: blocks) }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: StoreError.unavailable("\(path): vanished while it was read; try again")) {
            try reader.mains(before: .end)
        }
    }

    @Test("a segment overwritten with other lines of the same size is no crash")
    func overwritten() throws {
        let archive = try TemporaryArchive(message("m1", "long enough for two others"), message("m2"))
        let path = archive.path + "/" + firstSegment
        let size = try #require(try FileStamp.of(path)).size
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let reader = try ConversationReader(segments, blocks: BlockReader(), index: nil)
        let pages = PageReader(reader: reader, conversation: general, people: People(path: ""))
        let short = (0..<9).map { #"{"type":"message","id":"\#($0)","at":"2025-03-01T09:12:33Z"}"# + "\n" }.joined()
        try archive.write(firstSegment, String(short.prefix(Int(size))))
        for position in [
            PageRequest.Position.before(Cursor(token: "9:0:m1")), .after(Cursor(token: "9:0:m1")), .latest,
        ] {
            _ = try? pages.page(PageRequest(conversation: general, position: position, limit: 1))
            _ = try? pages.page(PageRequest(conversation: general, position: position, limit: 50))
        }
    }

    @Test("blocks hold whole lines, one behind the other, and a survey counts them")
    func blocks() throws {
        let archive = try TemporaryArchive()
        let text = String(repeating: "t", count: 300)
        try archive.write(firstSegment, (0..<1_000).map { message("m\($0)", minute: $0, text) + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let survey = try Surveyor.survey(segments, with: BlockReader())
        #expect(survey.blocks.count > 4 && survey.mains == 1_000 && survey.messages == 1_000)
        var end: Int64 = 0
        for block in survey.blocks {
            #expect(block.offset == end && !block.hasOverrules)
            #expect(block.length < 64 << 10 + 1_000)
            end += Int64(block.length)
        }
        #expect(end == segments.first?.stamp.size)
        for index in 0..<1_000 {
            let hash = IDHash(MessageID("m\(index)"))
            #expect(survey.blocks.indices.contains { survey.ids.mayContain(hash, at: $0) })
        }
    }

    @Test(
        "the quick clock agrees with the slow one",
        arguments: [
            "2025-03-01T09:12:33Z", "2025-03-01T09:12:33.120Z", "2025-03-01T23:59:60Z", "2025-03-01T09:12:33+02:00",
            "2024-02-29T00:00:00Z", "2025-02-29T00:00:00Z", "1969-12-31T23:59:59.999Z", "2025-03-01T24:00:00Z",
            "2025-13-01T00:00:00Z", "2025-03-01T09:12:33.1Z", "2025-03-01 09:12:33Z", "2025-03-01T09:12:3xZ", "", "Z",
        ])
    func clock(text: String) {
        var clock = FastClock()
        for _ in 0..<2 {
            let bytes = Array(text.utf8)
            #expect(bytes.withUnsafeBytes { clock.timestamp($0) } == Timestamp(iso8601: text))
        }
    }
}
