import Foundation
import Messages
import Testing

@testable import Archive

struct ScanTests {
    @Test func `No two of all short IDs of letters have one hash`() {
        let letters = (0..<26).map { String(UnicodeScalar(UInt8(97 + $0))) }
        let pairs = letters.flatMap { first in letters.map { first + $0 } }
        let ids = letters + pairs + pairs.flatMap { first in letters.map { first + $0 } }
        #expect(Set(ids.map { IDHash(MessageID($0)) }).count == ids.count)
    }

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

    @Test func `A line of megabytes is not kept after it was read, and is read as before`() throws {
        let archive = try TemporaryArchive()
        let long = String(repeating: "word ", count: 1_000_000)
        try archive.write(firstSegment, [message("m1"), message("m2", long), message("m3")].map { $0 + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let blocks = BlockReader()
        let filter = IDFilter(["m1", "m2", "m3"].map { IDHash(MessageID($0)) }, isOfLinks: false)
        for _ in 0..<2 {
            var lengths: [Int] = []
            var kept = 0
            try PlainLog(segments: segments).scan(LinePlace.first..<LinePlace.end, filter, blocks) { _, head, fields in
                lengths.append(head.indexedText(fields).count)
                kept = max(kept, blocks.keptBytes)
                return true
            }
            #expect(lengths.max() == long.utf8.count && kept > long.utf8.count && blocks.keptBytes < 1 << 20)
        }
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

    @Test("each ID is found, however long it is and wherever it stands in its line", arguments: [false, true])
    func everywhere(isOfLinks: Bool) throws {
        let ids = (0..<300).map { String(repeating: "x", count: $0 % 37) + "\($0)" }
        let lines = ids.enumerated().map { number, id in
            let text = String(repeating: "y", count: number * 7 % 67)
            let line =
                isOfLinks
                ? record("reaction", "r\(number)-\(text)", on: id, more: #","emoji":"👍""#)
                : #"{"text":"\#(text)","# + message(id).dropFirst()
            return number.isMultiple(of: 2) ? line : line.replacing("\":\"", with: "\" :\t\"")
        }
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        for id in ids {
            var found: [String] = []
            let filter = IDFilter([IDHash(MessageID(id))], isOfLinks: isOfLinks)
            try PlainLog(segments: segments).scan(LinePlace.first..<LinePlace.end, filter, BlockReader()) {
                _, head, _ in
                found.append(String(decoding: isOfLinks ? head.target : head.id, as: UTF8.self))
                return true
            }
            #expect(found.count { $0 == id } == 1)
            #expect(found.count < 20)
        }
    }

    @Test("the records are the same when two threads look for them, and as many are read as are wanted")
    func shared() throws {
        let archive = try TemporaryArchive()
        for number in 1...9 {
            let lines = (0..<60).map { line in
                record("reaction", "r\(number)-\(line)", on: "m\(line * number % 7)", more: #","emoji":"👍""#) + "\n"
            }
            try archive.write("conversations/general/messages-00000\(number).jsonl", lines.joined())
        }
        var strays = ProblemList()
        let log = PlainLog(
            segments: try Segment.all(in: archive.path + "/conversations/general", of: general, &strays))
        let filter = IDFilter([IDHash(MessageID("m3"))], isOfLinks: true)
        func places(_ stretch: Range<LinePlace>, sharedFrom shared: Int64, limit: Int) throws -> [LinePlace] {
            var found: [LinePlace] = []
            try log.scan(stretch, filter, BlockReader(), sharedFrom: shared) { place, _, _ in
                found.append(place)
                return found.count < limit
            }
            return found
        }
        let middle = LinePlace(segment: 4, offset: 0)
        for stretch in [LinePlace.first..<LinePlace.end, middle..<LinePlace.end, LinePlace.first..<middle] {
            let all = try places(stretch, sharedFrom: .max, limit: .max)
            #expect(all.count > 20 && all == all.sorted())
            for limit in [1, 2, 9, 20, .max] {
                #expect(try places(stretch, sharedFrom: 0, limit: limit) == Array(all.prefix(limit)))
            }
        }
    }

    @Test("a file that goes while two threads look for records fails the scan", arguments: [3, 4])
    func lost(number: Int) throws {
        let archive = try TemporaryArchive()
        for number in 1...6 {
            let line = record("reaction", "r\(number)", on: "m1", more: #","emoji":"👍""#)
            try archive.write("conversations/general/messages-00000\(number).jsonl", line + "\n")
        }
        var strays = ProblemList()
        let folder = archive.path + "/conversations/general"
        let log = PlainLog(segments: try Segment.all(in: folder, of: general, &strays))
        try FileManager.default.removeItem(atPath: folder + "/messages-00000\(number).jsonl")
        let filter = IDFilter([IDHash(MessageID("m1"))], isOfLinks: true)
        var count = 0
        #expect(throws: StoreError.self) {
            try log.scan(LinePlace.first..<LinePlace.end, filter, BlockReader(), sharedFrom: 0) { _, _, _ in
                count += 1
                return true
            }
        }
        #expect(count == number - 1)
    }
}
