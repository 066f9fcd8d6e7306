import Foundation
import Messages
import Search
import Synchronization
import Testing

@testable import Archive

struct RenewedIndexTests {
    private func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, (0..<600).map { message("m\($0)", "red word\($0)") + "\n" }.joined())
        try archive.makeIndex()
        return archive
    }

    private func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private func inodes(_ archive: TemporaryArchive) -> [UInt64?] {
        [inode(archive.index.path + "/manifest"), archive.words.first.flatMap(inode)]
    }

    private func builder(_ archive: TemporaryArchive, _ control: IndexControl) -> IndexBuilder {
        IndexBuilder(catalogue: Catalogue(archive: archive.path), folder: archive.index, control: control)
    }

    @Test(arguments: [true, false])
    func `The old index is used until the new one is complete`(withWords: Bool) async throws {
        let archive = try self.archive()
        let former = inodes(archive)
        let seen = Mutex<Set<[UInt64?]>>([])
        let failures = try ArchiveIndex(archive: archive.path, in: archive.index)
            .make(
                isRebuilding: true, withWords: withWords,
                progress: { _, _ in
                    let now = inodes(archive)
                    seen.withLock { _ = $0.insert(now) }
                })
        #expect(failures.isEmpty && seen.withLock { $0 } == [former])
        let now = inodes(archive)
        #expect(now[0] != former[0] && now[1] != former[1] && (now[1] != nil) == withWords)
        #expect(try FileManager.default.contentsOfDirectory(atPath: archive.index.path).contains("new") == false)
        let store = try archive.open(index: archive.index)
        try await #expect(store.page(.latest, 1).place == Place(index: 599, total: 600))
        try await #expect(store.hits(SearchRequest(Query("word77"))).map(\.message) == ["m77"])
        #expect(await store.problems().isEmpty)
    }

    @Test func `A cancelled rebuild leaves the old index unchanged and nothing else`() throws {
        let archive = try self.archive()
        let former = inodes(archive)
        let control = Mutex<IndexControl?>(nil)
        let made = IndexControl { _ in control.withLock { $0 }?.cancel() }
        control.withLock { $0 = made }
        defer { control.withLock { $0 = nil } }
        #expect(throws: CancellationError.self) { try builder(archive, made).run(renewal: .aside) }
        #expect(inodes(archive) == former && inode(archive.index.renewed.path) == nil)
    }

    @Test func `The next build removes what a killed process left`() throws {
        let archive = try self.archive()
        let new = archive.index.renewed
        for isRebuilding in [false, true] {
            try FileManager.default.createDirectory(atPath: new.path, withIntermediateDirectories: true)
            for name in ["manifest", "manifest.new", "part-7", "part-8.new", "words", "words-17"].map({
                new.path + "/" + $0
            }) {
                try Data("left".utf8).write(to: URL(fileURLWithPath: name))
            }
            try archive.makeIndex(isRebuilding: isRebuilding)
            #expect(inode(new.path) == nil)
            guard case .compared(let checks) = try ArchiveIndex(archive: archive.path, in: archive.index).check() else {
                Issue.record("no comparison")
                return
            }
            #expect(checks.allSatisfy { $0.isRight && $0.missingWords == 0 && $0.missingBytes == 0 })
        }
    }
}
