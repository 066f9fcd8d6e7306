import Foundation
import Messages
import Search
import Testing

@testable import Archive

/// Indexes that exist as long as their process, and those that a killed process left.
@Suite(.serialized)
struct TemporaryIndexTests {
    private func make(_ name: String, files: [String], age: Int = 0) throws -> String {
        let path = TemporaryIndexes.parent + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for file in files { try Data().write(to: URL(fileURLWithPath: path + "/" + file)) }
        if age > 0 {
            let times = [timeval(tv_sec: time(nil) - age, tv_usec: 0), timeval(tv_sec: time(nil) - age, tv_usec: 0)]
            utimes(path, times)
        }
        return path
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// A name with six letters or digits that no other test uses.
    private func name() -> String { "kedge-" + UUID().uuidString.replacingOccurrences(of: "-", with: "").prefix(6) }

    @Test func `A temporary index is removed only after its process has ended`() throws {
        let files = [
            "records.db", "records.db-wal", "records.db-shm", "manifest", "part-7", "words", "words-17", "words.db",
            "lock", "in-use",
        ]
        let path = try make(name(), files: files)
        let lock = open(path + "/in-use", O_RDWR)
        try #require(flock(lock, LOCK_EX) == 0)
        TemporaryIndexes.removeAbandoned()
        #expect(exists(path + "/manifest") && exists(path + "/in-use"))
        close(lock)
        TemporaryIndexes.removeAbandoned()
        #expect(!exists(path))
    }

    @Test func `A temporary index of this process stays until it is removed explicitly`() throws {
        let folder = try #require(TemporaryIndexes.make())
        TemporaryIndexes.removeAbandoned()
        #expect(exists(folder.path + "/in-use"))
        TemporaryIndexes.remove(folder)
        #expect(!exists(folder.path))
    }

    @Test func `Folders that are not abandoned indexes, or belong to another user, are left alone`() throws {
        let others = [
            try make("kedge-" + UUID().uuidString, files: ["in-use", "manifest"]),
            try make(name(), files: ["notes"], age: 99_999),
            try make(name(), files: [], age: 10),
        ]
        let empty = try make(name(), files: [], age: 99_999)
        let target = try make("other-" + UUID().uuidString, files: ["in-use", "manifest"])
        let link = TemporaryIndexes.parent + "/" + name()
        try #require(symlink(target, link) == 0)
        let foreign = try make(name(), files: ["in-use", "manifest"])
        if geteuid() == 0 { chown(foreign, 65_534, 65_534) }
        defer { for path in others + [target, link, foreign] { try? FileManager.default.removeItem(atPath: path) } }
        TemporaryIndexes.removeAbandoned()
        for path in others { #expect(exists(path), "\(path)") }
        #expect(exists(target + "/manifest"))
        #expect(geteuid() != 0 || exists(foreign + "/manifest"))
        #expect(!exists(empty))
    }

    @Test func `The folder of an index and its databases are accessible only to their owner`() throws {
        let cache = NSTemporaryDirectory() + "/kedge-private-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: cache) }
        let archive = try TemporaryArchive()
        let folder = IndexFolder(cache: cache + "/kedge", archive: archive.path)
        func modes() -> [String: mode_t] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            var modes: [String: mode_t] = [:]
            for path in [cache + "/kedge", folder.path] + names.map({ folder.path + "/" + $0 }) {
                var status = stat()
                if lstat(path, &status) == 0 { modes[path] = status.st_mode & 0o777 }
            }
            return modes
        }
        for _ in 0..<2 {
            _ = try ArchiveIndex(archive: archive.path, in: folder).make()
            #expect(modes().count >= 4)
            for (path, mode) in modes() { #expect(mode & 0o077 == 0, "\(path)") }
            for path in modes().keys { chmod(path, 0o755) }
        }
        guard geteuid() == 0 else { return }
        chown(folder.path, 65_534, 65_534)
        #expect(throws: (any Error).self) { try ArchiveIndex(archive: archive.path, in: folder).make() }
    }

    @Test func `An index that is made again in the place of a broken one is read`()
        async throws
    {
        let archive = try TemporaryArchive(message("m-1", "red"))
        try archive.makeIndex()
        let reader = IndexReader(archive.index)
        let segments = try await archive.open().segments(of: general)
        func isRead() throws -> Bool {
            try reader.read(general, segments) { (view) throws(StoreError) in
                try view?.records(ofID: IDHash(MessageID("m-1"))).count == 1
            }
        }
        #expect(try isRead())
        for name in try FileManager.default.contentsOfDirectory(atPath: archive.index.path) where name.hasPrefix("part")
        {
            try #require(truncate(archive.index.path + "/" + name, 0) == 0)
        }
        #expect(try !isRead() && !isRead())
        try archive.makeIndex()
        #expect(try isRead())
    }

    @Test func `A reader makes the index private before use and follows no link`() throws {
        let archive = try TemporaryArchive(message("m-1", "red"))
        try archive.makeIndex()
        try archive.write("elsewhere", "")
        let elsewhere = archive.path + "/elsewhere"
        func mode(_ path: String) throws -> mode_t {
            var status = stat()
            try #require(stat(path, &status) == 0)
            return status.st_mode & 0o777
        }
        let readings: [() throws -> Void] = [
            { _ = try IndexReader(archive.index).read(general, []) { (view) throws(StoreError) in view == nil } },
            { _ = SearchIndex(archive.index).coverage(of: general, []) },
            { _ = try ArchiveIndex(archive: archive.path, in: archive.index).check() },
            { _ = try archive.open(index: archive.index) },
        ]
        let lock = archive.index.path + "/lock"
        for read in readings {
            unlink(lock)
            symlink(elsewhere, lock)
            chmod(elsewhere, 0o666)
            chmod(archive.index.path, 0o777)
            chmod(archive.index.path + "/manifest", 0o666)
            for file in archive.words { chmod(file, 0o646) }
            try read()
            #expect(try mode(archive.index.path) == 0o700)
            #expect(try mode(archive.index.path + "/manifest") == 0o600)
            #expect(try archive.words.map(mode) == [0o600])
            #expect(try mode(elsewhere) == 0o666)
        }
    }

    @Test(.enabled(if: geteuid() == 0), arguments: ["", "/manifest", "/words", "/lock"])
    func `An index with files of another user is not used, and a problem says so`(name: String) async throws {
        let archive = try TemporaryArchive(message("m-1", "red"))
        try archive.makeIndex()
        let path = name == "/words" ? try #require(archive.words.first) : archive.index.path + name
        lchown(path, 65_534, 65_534)
        let store = try archive.open(index: archive.index)
        try await #expect(store.page(.latest, 1).place == nil)
        #expect(await store.problems() == ["the index cannot be saved: \(path): belongs to another user"])
        try await #expect(store.hits(SearchRequest(Query("red"))).map(\.message) == ["m-1"])
        let search = try #require(store.searchIndex())
        let segments = try await store.segments(of: general)
        #expect(search.coverage(of: general, segments) == nil)
        #expect(throws: StoreError.unavailable("\(path): belongs to another user")) {
            try ArchiveIndex(archive: archive.path, in: archive.index).check()
        }
    }
}
