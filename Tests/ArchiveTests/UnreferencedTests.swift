import Index
import Messages
import Testing

@testable import Archive

struct `Records that no other record refers to` {
    private let archive: TemporaryArchive

    init() throws {
        archive = try TemporaryArchive(
            message("m1"), message("m2"), record("reaction", "r1", on: "m2", more: #","emoji":"👍""#), message("m3"))
        try archive.makeIndex()
    }

    /// The numbers of their lines, of an archive in which each line is a record.
    private func lines() throws -> [Int64] {
        let records = try #require(try archive.index.files.snapshot())
        var lines: [Int64] = []
        try records.forEach(in: 0..<Int64.max) { (row, record) throws(IndexFault) in
            if try records.isUnreferenced(row, hash: record.hash) { lines.append(RecordRow(row).sequence) }
            return true
        }
        return lines
    }

    @Test func `are known when the index is made`() throws { #expect(try lines() == [1, 3, 4]) }

    @Test(arguments: [
        record("edit", "e1", on: "m1", more: #","text":"changed""#), record("delete", "d1", on: "m1"),
        record("reaction", "r2", on: "m1", more: #","emoji":"👍""#), message("t1", more: #","thread":"m1""#),
    ])
    func `are known until one refers to them`(line: String) throws {
        try archive.append(firstSegment, line + "\n")
        try archive.makeIndex()
        // The new record is one, too.
        #expect(try lines() == [3, 4, 5])
    }

    @Test func `are shown with what is said of them later`() async throws {
        #expect(try await archive.open().first()?.reactions.isEmpty == true)
        try archive.append(firstSegment, record("reaction", "r2", on: "m1", more: #","emoji":"👍""#) + "\n")
        try archive.makeIndex()
        #expect(try await archive.open().first()?.reactions.count == 1)
    }
}
