import Foundation
import Messages
import SQLite
import Search
import TestSupport
import Testing
import Words

@testable import Archive

@Suite("A broken index is never in the way")
struct BrokenIndexTests {
    private static let pageSize = 8_192

    /// A conversation whose index has some pages of every kind.
    private func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        var lines = (0..<600).map { number in
            message("m\(number)", minute: number, number % 3 == 0 ? "red number\(number)" : "blue number\(number)")
        }
        lines += (0..<40).map { record("edit", "e\($0)", on: "m\($0 * 7)", more: #","text":"edited red""#) }
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        return archive
    }

    /// The files of the words: their names end in numbers that nobody knows before.
    private static func files(_ name: String, of archive: TemporaryArchive) throws -> [String] {
        let all = try FileManager.default.contentsOfDirectory(atPath: archive.index.path).sorted()
        return all.filter { $0 == name || $0.hasPrefix(name + "-") && name == "words" }
    }

    @Test("each page of each file overwritten in turn", arguments: ["records.db", "words"], [true, false])
    func pages(name: String, isZero: Bool) async throws {
        let archive = try self.archive()
        let truth = try archive.open(index: nil)
        let expected = try await truth.page(.latest, 1_000).messages
        let hits = try await truth.hits(SearchRequest(Query("red"))).map(\.message)
        try archive.makeIndex()
        for file in try Self.files(name, of: archive) {
            try await overwrite(file, of: archive, isZero: isZero, expected, hits)
        }
    }

    private func overwrite(
        _ name: String, of archive: TemporaryArchive, isZero: Bool, _ expected: [Message], _ hits: [MessageID]
    ) async throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: archive.index.path + "/" + name))
        var random = SeededGenerator(seed: 5)
        let size = name == "records.db" ? Self.pageSize : 512
        for page in 0...(whole.count - 1) / size where name != "records.db" || (page + 1) * size <= whole.count {
            let folder = IndexFolder(path: NSTemporaryDirectory() + "/kedge-broken-\(UUID().uuidString)")
            try FileManager.default.copyItem(atPath: archive.index.path, toPath: folder.path)
            defer { try? FileManager.default.removeItem(atPath: folder.path) }
            let range = page * size..<min(whole.count, (page + 1) * size)
            let garbage = range.map { _ in isZero ? 0 : UInt8.random(in: 0...255, using: &random) }
            var broken = whole
            broken.replaceSubrange(range, with: garbage)
            try broken.write(to: URL(fileURLWithPath: folder.path + "/" + name))
            let store = try archive.open(index: folder)
            let found = try await store.page(.latest, 1_000).messages
            #expect(found == expected, "page \(page)")
            let ids = try await store.hits(SearchRequest(Query("red"))).map(\.message)
            #expect(ids == hits, "page \(page)")
            // Made again, it is as good as new.
            #expect(try ArchiveIndex(archive: archive.path, in: folder).make(isRebuilding: true).isEmpty)
            let mended = try archive.open(index: folder)
            try await #expect(mended.page(.latest, 1_000).place == Place(index: 0, total: 600), "page \(page)")
        }
    }

    @Test("one that breaks while it is brought up to the files is made anew", arguments: ["records.db", "words"])
    func breaking(name: String) async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        for file in try Self.files(name, of: archive) {
            let path = URL(fileURLWithPath: archive.index.path + "/" + file)
            var bytes = try Data(contentsOf: path)
            // All but the first page, by which it is opened.
            let start = name == "words" ? 8 : Self.pageSize
            bytes.replaceSubrange(start..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - start))
            try bytes.write(to: path)
        }
        try archive.append(firstSegment, message("new", "red and new") + "\n")
        try archive.makeIndex()
        let store = try archive.open(index: archive.index)
        try await #expect(store.page(.latest, 1).place == Place(index: 600, total: 601))
        try await #expect(store.hits(SearchRequest(Query("new"))).map(\.message) == ["new"])
        #expect(await store.problems() == [])
    }

    @Test("words whose edits are not in yet cover nothing")
    func unfinished() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let records = try #require(try archive.index.recordDatabase.reader(cache: 1 << 20))
        let writer = try WordWriter(archive.index.words, of: records.read { try RecordSchema.identity($0) })
        let segment = RecordRow(conversation: 1, segment: 32_768, sequence: 1).segmentKey
        let messages = writer.progress(of: segment).messages
        #expect(messages > 0)
        try writer.commit([segment: WordProgress(messages: messages, edits: 0)])
        let hits = try await archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message)
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        #expect(hits == truth && !hits.isEmpty)
    }

    @Test("where none can be kept there is one for this time, and a line that says so")
    func unwritable() async throws {
        let archive = try self.archive()
        try archive.write("a-file", "")
        let folder = IndexFolder(cache: archive.path + "/a-file", archive: archive.path)
        let store = try archive.open(index: folder)
        try await #expect(store.summary(of: general).count == 600)
        try await #expect(store.page(.latest, 10).place == Place(index: 590, total: 600))
        let problems = await store.problems()
        let temporary = try #require(store.service?.folder.path)
        #expect(problems.count == 1 && problems.first?.hasPrefix("the index cannot be kept: ") ?? false, "\(problems)")
        #expect(FileManager.default.fileExists(atPath: temporary))
    }

    @Test("another version of it gives way")
    func version() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        try archive.index.recordDatabase.writer(cache: 1 << 20).write {
            try $0.runAll("PRAGMA user_version = 99")
        }
        try Data("words of another version".utf8).write(to: URL(fileURLWithPath: archive.index.words.manifest))
        try await #expect(archive.open(index: archive.index).page(.latest, 10).place == nil)
        try await #expect(archive.open().page(.latest, 10).place == Place(index: 590, total: 600))
    }

    @Test("words whose records were made anew without them are made anew as well", arguments: [true, false])
    func wordsOfOthers(isRemoved: Bool) async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let records = archive.index.recordDatabase
        if isRemoved {
            records.remove()
        } else {
            try records.writer(cache: 1 << 20).write { try $0.run("PRAGMA user_version = 99") }
        }
        // What comes before all else gives each record another number.
        try archive.write("conversations/aaa/messages-000001.jsonl", message("first", "green") + "\n")
        _ = try ArchiveIndex(archive: archive.path, in: archive.index).make(withWords: false)
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        // The words that are still there are of others.
        try await #expect(archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message) == truth)
        #expect(!truth.isEmpty)
        try archive.makeIndex()
        try await #expect(archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message) == truth)
        try IndexCheckTests.expectRight(archive, "made anew")
    }
}
