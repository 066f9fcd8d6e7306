import Foundation
import Index
import Messages
import Search
import TestSupport
import Testing
import Words

@testable import Archive

struct BrokenIndexTests {
    private static let header = 512

    /// A conversation whose index has pages of every kind.
    private func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        var lines = (0..<600).map { number in
            message("m\(number)", minute: number, number % 3 == 0 ? "red number\(number)" : "blue number\(number)")
        }
        lines += (0..<40).map { record("edit", "e\($0)", on: "m\($0 * 7)", more: #","text":"edited red""#) }
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        return archive
    }

    /// The files whose names begin so; most end in unpredictable numbers.
    private static func files(_ name: String, of archive: TemporaryArchive) throws -> [String] {
        let all = try FileManager.default.contentsOfDirectory(atPath: archive.index.path).sorted()
        return all.filter { $0 == name || $0.hasPrefix(name + "-") }
    }

    @Test(arguments: ["manifest", "part", "words"], [true, false])
    func `A store gives correct results whichever page of the index is overwritten`(name: String, isZero: Bool)
        async throws
    {
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
        let size = name.hasPrefix("part") ? 2_048 : 512
        for page in 0...(whole.count - 1) / size {
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
            // A rebuilt index is intact.
            #expect(try ArchiveIndex(archive: archive.path, in: folder).make(isRebuilding: true).isEmpty)
            let mended = try archive.open(index: folder)
            try await #expect(mended.page(.latest, 1_000).place == Place(index: 0, total: 600), "page \(page)")
        }
    }

    @Test(arguments: ["manifest", "part", "words"])
    func `An index that turns out to be damaged during an update is rebuilt`(name: String) async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        for file in try Self.files(name, of: archive) {
            let path = URL(fileURLWithPath: archive.index.path + "/" + file)
            var bytes = try Data(contentsOf: path)
            // The header, which is needed to open the file, stays.
            let start = name == "part" ? Self.header : 8
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

    @Test func `Words without their edits cover nothing`() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let writer = try WordWriter(archive.index.files)
        let segment = RecordRow(conversation: 1, segment: 32_768, sequence: 1).segmentKey
        let messages = writer.progress(of: segment).messages
        #expect(messages > 0)
        try writer.commit([segment: WordProgress(messages: messages, edits: 0)])
        let hits = try await archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message)
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        #expect(hits == truth && !hits.isEmpty)
    }

    @Test func `If the index cannot be saved, a temporary one is made and a problem says so`() async throws {
        let archive = try self.archive()
        try archive.write("a-file", "")
        let folder = IndexFolder(cache: archive.path + "/a-file", archive: archive.path)
        let store = try archive.open(index: folder)
        try await #expect(store.summary(of: general).count == 600)
        try await #expect(store.page(.latest, 10).place == Place(index: 590, total: 600))
        let problems = await store.problems()
        let temporary = try #require(store.service?.folder.path)
        #expect(problems.count == 1 && problems.first?.hasPrefix("the index cannot be saved: ") ?? false, "\(problems)")
        #expect(FileManager.default.fileExists(atPath: temporary))
    }

    @Test func `An index of another version is replaced`() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        try setVersion(99, of: archive)
        try Data("words of another version".utf8).write(to: URL(fileURLWithPath: archive.index.path + "/words"))
        try await #expect(archive.open(index: archive.index).page(.latest, 10).place == nil)
        try await #expect(archive.open().page(.latest, 10).place == Place(index: 590, total: 600))
    }

    private func setVersion(_ version: Int64, of archive: TemporaryArchive) throws {
        let writer = try IndexWriter(archive.index.files)
        writer.set([], in: .state, to: entry(version, 1, 9, 9, 9))
        try writer.commit(isMerging: true)
    }

    @Test func `The database of an earlier Kedge and its words are replaced, and no word is missing`() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let folder = archive.index.path
        archive.index.files.removeAll()
        let former = ["records.db", "records.db-wal", "records.db-shm", "words", "words-17"].map { folder + "/" + $0 }
        for path in former { try Data("SQLite format 3".utf8).write(to: URL(fileURLWithPath: path)) }
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        // Neither is read as it is.
        try await #expect(archive.open(index: archive.index).page(.latest, 10).place == nil)
        try await #expect(archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message) == truth)
        let store = try archive.open()
        #expect(former.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        try await #expect(store.page(.latest, 10).place == Place(index: 590, total: 600))
        try await #expect(store.hits(SearchRequest(Query("red"))).map(\.message) == truth)
        try IndexCheckTests.expectRight(archive, "after the database")
    }

    @Test func `An index whose words have a manifest of their own is replaced, and no word is missing`() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        // The files that the version before has left, with a magic number of their own.
        let manifest = URL(fileURLWithPath: archive.index.path + "/manifest")
        var bytes = [UInt8](try Data(contentsOf: manifest))
        withUnsafeBytes(of: 0x3330_4D67_6764_656B as UInt64) { bytes.replaceSubrange(0..<8, with: $0) }
        try Data(bytes).write(to: manifest)
        let former = ["words", "words-1", "part-1"].map { archive.index.path + "/" + $0 }
        for path in former { try Data("former".utf8).write(to: URL(fileURLWithPath: path)) }
        let reader = try archive.open(index: archive.index)
        try await #expect(reader.page(.latest, 10).place == nil)
        try await #expect(reader.hits(SearchRequest(Query("red"))).map(\.message) == truth)
        #expect(await reader.problems() == [])
        let store = try archive.open()
        #expect(former.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        try await #expect(store.page(.latest, 10).place == Place(index: 590, total: 600))
        try await #expect(store.hits(SearchRequest(Query("red"))).map(\.message) == truth)
        try IndexCheckTests.expectRight(archive, "after the version before")
    }

    @Test func `An older manifest and its parts beside newer words hide no word`() async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let backup = archive.index.path + ".backup"
        try FileManager.default.copyItem(atPath: archive.index.path, toPath: backup)
        defer { try? FileManager.default.removeItem(atPath: backup) }
        // Another conversation takes the next number, and goes again; then a third one takes the same number.
        let path = "conversations/zzz/messages-000001.jsonl"
        try archive.write(path, (0..<50).map { message("z\($0)", "green") + "\n" }.joined())
        try archive.makeIndex()
        for name in try FileManager.default.contentsOfDirectory(atPath: backup) where !name.hasPrefix("words") {
            let target = archive.index.path + "/" + name
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.copyItem(atPath: backup + "/" + name, toPath: target)
        }
        try FileManager.default.removeItem(atPath: archive.path + "/conversations/zzz")
        try archive.write(
            "conversations/yyy/messages-000001.jsonl", (0..<40).map { message("y\($0)", "tide") + "\n" }.joined())
        try archive.makeIndex()
        for word in ["tide", "red", "green"] {
            let truth = try await archive.open(index: nil).hits(SearchRequest(Query(word))).map(\.message)
            let hits = try await archive.open(index: archive.index).hits(SearchRequest(Query(word))).map(\.message)
            #expect(hits == truth, "\(word)")
            #expect(hits.isEmpty == (word == "green"), "\(word)")
        }
        try IndexCheckTests.expectRight(archive, "restored")
    }

    @Test(arguments: ["part", "words"], [true, false])
    func `An ordinary update makes a damaged file again, wherever the damage is`(name: String, isByService: Bool)
        async throws
    {
        let archive = try self.archive()
        try archive.makeIndex()
        let file = try #require(try Self.files(name, of: archive).first)
        let path = URL(fileURLWithPath: archive.index.path + "/" + file)
        let size = try Data(contentsOf: path).count
        for place in stride(from: 700, to: size, by: size / 12) {
            let file = try #require(try Self.files(name, of: archive).first)
            let path = URL(fileURLWithPath: archive.index.path + "/" + file)
            var bytes = try Data(contentsOf: path)
            bytes[min(place, bytes.count - 1)] ^= 0x11
            try bytes.write(to: path)
            if isByService {
                let service = IndexService(Catalogue(archive: archive.path), archive.index)
                service.update()
                while service.isAtWork { await service.recordsSettled() }
                #expect(service.problems.lines == [])
            } else {
                try archive.makeIndex()
            }
            try IndexCheckTests.expectRight(archive, "\(name), byte \(place)")
        }
    }

    @Test(arguments: ["manifest", "manifest.new", "part", "words", "lock", "new"], [true, false])
    func `A folder in the place of a file of the index is replaced`(name: String, isRebuilding: Bool) async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        let file = try Self.files(name, of: archive).first ?? name
        let path = archive.index.path + "/" + file
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/folder", withIntermediateDirectories: true)
        try Data("file".utf8).write(to: URL(fileURLWithPath: path + "/folder/file"))
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        let store = try archive.open(index: archive.index)
        try await #expect(store.hits(SearchRequest(Query("red"))).map(\.message) == truth)
        try archive.makeIndex(isRebuilding: isRebuilding)
        try IndexCheckTests.expectRight(archive, name)
        try await #expect(
            archive.open(index: archive.index).page(.latest, 10).place == Place(index: 590, total: 600))
        var isFolder: ObjCBool = false
        #expect(!FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue)
    }

    @Test(arguments: [true, false])
    func `Words that belong to replaced records are ignored, then rebuilt`(isRemoved: Bool) async throws {
        let archive = try self.archive()
        try archive.makeIndex()
        if isRemoved { archive.index.files.removeAll() } else { try setVersion(99, of: archive) }
        // A conversation before all others changes the row of each record.
        try archive.write("conversations/aaa/messages-000001.jsonl", message("first", "green") + "\n")
        _ = try ArchiveIndex(archive: archive.path, in: archive.index).make(withWords: false)
        let truth = try await archive.open(index: nil).hits(SearchRequest(Query("red"))).map(\.message)
        // The old words belong to other records.
        try await #expect(archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message) == truth)
        #expect(!truth.isEmpty)
        try archive.makeIndex()
        try await #expect(archive.open(index: archive.index).hits(SearchRequest(Query("red"))).map(\.message) == truth)
        try IndexCheckTests.expectRight(archive, "made anew")
    }
}
