import Messages
import SQLite
import Testing

@testable import Archive

struct `Records of which nothing speaks` {
    private let archive: TemporaryArchive

    init() throws {
        archive = try TemporaryArchive(
            message("m1"), message("m2"), record("reaction", "r1", on: "m2", more: #","emoji":"👍""#), message("m3"))
        try archive.makeIndex()
    }

    /// The numbers of their lines, of an archive in which each line is a record.
    private func lines() throws -> [Int64] {
        let database = try Database(path: archive.index.path + "/records.db", for: .reading, timeout: 5_000)
        return try database.read { database in
            var rows: [Int64] = []
            try RecordTable(database).forEach(in: 0..<Int64.max) { row, _ in
                rows.append(row)
                return true
            }
            let quiet = QuietRows(database: database)
            return try rows.filter { row in
                let bits = try quiet.bits(ofWord: QuietRows.word(of: row)) ?? 0
                return bits & QuietRows.bit(of: row) != 0
            }.map { RecordRow($0).sequence }
        }
    }

    @Test func `are known when the index is made`() throws { #expect(try lines() == [1, 3, 4]) }

    @Test(arguments: [
        record("edit", "e1", on: "m1", more: #","text":"changed""#), record("delete", "d1", on: "m1"),
        record("reaction", "r2", on: "m1", more: #","emoji":"👍""#), message("t1", more: #","thread":"m1""#),
    ])
    func `are known until one speaks of them`(line: String) throws {
        try archive.append(firstSegment, line + "\n")
        try archive.makeIndex()
        #expect(try lines() == [3, 4])
    }

    @Test func `are shown with what is said of them later`() async throws {
        #expect(try await archive.open().first()?.reactions.isEmpty == true)
        try archive.append(firstSegment, record("reaction", "r2", on: "m1", more: #","emoji":"👍""#) + "\n")
        try archive.makeIndex()
        #expect(try await archive.open().first()?.reactions.count == 1)
    }
}
