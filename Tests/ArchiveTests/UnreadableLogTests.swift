import Foundation
import Index
import Messages
import Search
import Synchronization
import Testing
import Words

@testable import Archive

struct UnreadableLogTests {
    private static let broken = "conversations/aaa/messages-000001.jsonl"

    /// Two conversations, the first of which takes more than one read.
    private func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        let long = String(repeating: "x", count: 1_000)
        try archive.write(Self.broken, (0..<600).map { message("a\($0)", "red \(long)") + "\n" }.joined())
        try archive.write(firstSegment, (0..<600).map { message("m\($0)", "red") + "\n" }.joined())
        return archive
    }

    private func truncate(_ archive: TemporaryArchive, to size: UInt64) throws {
        let handle = FileHandle(forUpdatingAtPath: archive.path + "/" + Self.broken)
        try handle?.truncate(atOffset: size)
        try handle?.close()
    }

    private func addWords(_ archive: TemporaryArchive) throws -> [ConversationID: StoreError] {
        let records = IndexSource(archive.index.files)
        let words = try WordWriter(archive.index.files)
        let indexer = WordIndexer(
            Catalogue(archive: archive.path), records: records, words, IndexControl())
        try indexer.addPending()
        return indexer.failures
    }

    @Test func `An unreadable log keeps no other words out of the index, and its own are added once later`()
        async throws
    {
        let archive = try self.archive()
        let control = IndexControl()
        _ = try IndexBuilder(catalogue: Catalogue(archive: archive.path), folder: archive.index, control: control)
            .run(withWords: false)
        let whole = try Data(contentsOf: URL(fileURLWithPath: archive.path + "/" + Self.broken))
        // The second read finds the file too short.
        try truncate(archive, to: 300_000)
        let failures = try addWords(archive)
        #expect(failures.keys.map(\.rawValue) == ["aaa"])
        #expect(failures["aaa"]?.description.contains("became shorter while it was read") ?? false, "\(failures)")
        func rows() throws -> [Int64] {
            let words = WordReader(archive.index.files)
            _ = try words.refresh(from: IndexSource(archive.index.files))
            var rows: [Int64] = []
            try words.forEachWord { term, row, _ in if term == Array("red".utf8) { rows.append(row) } }
            return rows
        }
        let some = try rows()
        #expect((601..<1_200).contains(some.count), "\(some.count)")
        try archive.write(Self.broken, whole)
        #expect(try addWords(archive).isEmpty)
        let all = try rows()
        #expect(all.count == 1_200 && Set(all).count == 1_200)
    }

    @Test func `An unreadable log keeps no other edits out of the index, and its own are added later`() async throws {
        let archive = try self.archive()
        let edit = record("edit", "e1", on: "a1", more: #","text":"green""#) + "\n"
        try archive.append(Self.broken, edit)
        try archive.append(firstSegment, record("edit", "e2", on: "m1", more: #","text":"green""#) + "\n")
        let catalogue = Catalogue(archive: archive.path)
        _ = try IndexBuilder(catalogue: catalogue, folder: archive.index, control: IndexControl()).run(withWords: false)
        let size = UInt64(try Data(contentsOf: URL(fileURLWithPath: archive.path + "/" + Self.broken)).count)
        try truncate(archive, to: size - UInt64(edit.utf8.count))
        #expect(try addWords(archive).keys.map(\.rawValue) == ["aaa"])
        try archive.append(Self.broken, edit)
        #expect(try addWords(archive).isEmpty)
        let words = WordReader(archive.index.files)
        _ = try words.refresh(from: IndexSource(archive.index.files))
        let found = try words.rows(.phrases([[Array("green".utf8)]]), isCurrent: true)
        #expect(found.rows(in: 0..<Int64.max, limit: 9).count == 2)
    }

    @Test func `If repeats of a log cannot be checked, only that log is missing from the index`() async throws {
        let archive = try self.archive()
        try archive.append(Self.broken, message("a1", "again") + "\n")
        try archive.append(firstSegment, message("m1", "again") + "\n")
        let whole = try Data(contentsOf: URL(fileURLWithPath: archive.path + "/" + Self.broken))
        let path = archive.path + "/" + Self.broken
        let control = IndexControl { progress in
            // All records are read, and the search for repeats has not begun.
            if progress.records > 0, progress.records == progress.recordsTotal { Glibc.truncate(path, 1_000) }
        }
        let failures = try IndexBuilder(
            catalogue: Catalogue(archive: archive.path), folder: archive.index, control: control
        )
        .run(withWords: false)
        #expect(failures.map(\.0.rawValue) == ["aaa"])
        try await #expect(archive.open(index: archive.index).page(.latest, 1).place == Place(index: 599, total: 600))
        try archive.write(Self.broken, whole)
        try archive.makeIndex()
        guard case .compared(let checks) = try ArchiveIndex(archive: archive.path, in: archive.index).check() else {
            Issue.record("no comparison")
            return
        }
        #expect(checks.count == 2 && checks.allSatisfy { $0.isRight && $0.records == 601 && $0.missingWords == 0 })
    }
}
