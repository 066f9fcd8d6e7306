import Messages
import Testing

@testable import Archive

struct ScanTests {
    private func scan(
        _ lines: [String], for id: String
    ) throws -> (targets: Int, loads: Int) {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let blocks = BlockReader()
        var found = 0
        let filter = IDFilter([IDHash(MessageID(id))], isOfLinks: true)
        try PlainLog(segments: segments).scan(LinePlace.first..<LinePlace.end, filter, blocks) { _, head, _ in
            if head.target.elementsEqual(id.utf8) { found += 1 }
            return true
        }
        return (found, blocks.loads)
    }

    @Test func `All of many reactions to a message are found, and the file is read in large blocks`() throws {
        let reactions = (0..<5_000).map { record("reaction", "r\($0)", on: "m1", more: #","emoji":"👍""#) }
        let (found, loads) = try scan([message("m1")] + reactions, for: "m1")
        #expect(found == 5_000)
        #expect(loads < 30)
    }

    @Test(arguments: [1, 10, 500, 70_000])
    func `Reactions that are far apart are found one by one`(distance: Int) throws {
        var lines = [message("m1")]
        for number in 0..<10 {
            lines.append(message("x\(number)", String(repeating: "x", count: distance)))
            lines.append(record("reaction", "r\(number)", on: "m1", more: #","emoji":"👍""#))
        }
        #expect(try scan(lines, for: "m1").targets == 10)
    }
}
