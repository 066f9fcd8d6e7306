@testable import Archive
import Foundation
import Glibc
import Messages
import Testing

final class TypingFolderTests {
    private let runtime = NSTemporaryDirectory() + "/kedge-typing-\(UUID().uuidString)"
    private let folder: TypingFolder

    init() { folder = TypingFolder(runtime: runtime, archive: "/an/archive", patience: 600) }

    deinit { try? FileManager.default.removeItem(atPath: runtime) }

    /// The file of another process, in which a person is writing.
    private func file(of process: pid_t) throws -> String {
        folder.make()
        folder.note("me", in: general)
        let own = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        return folder.path + "/" + own.replacing("\(getpid())", with: "\(process)")
    }

    @Test
    func `People who are writing in other processes are listed, unless their file is old or their process is gone`()
        throws
    {
        let parent = getppid()
        try "ana".write(toFile: try file(of: parent), atomically: false, encoding: .utf8)
        #expect(folder.people(in: general) == ["ana"])
        #expect(folder.people(in: "dev").isEmpty)
        #expect(folder.people(in: general, now: time(nil) + 1_000).isEmpty)
        #expect(folder.people(in: general).isEmpty, "it was removed")
        // The number is higher than that of any process.
        try "ben".write(toFile: try file(of: 1 << 30), atomically: false, encoding: .utf8)
        #expect(folder.people(in: general).isEmpty)
    }

    @Test func `Invalid files in the folder are ignored`() throws {
        let file = try file(of: getppid())
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: file))
        #expect(folder.people(in: general).isEmpty)
        try FileManager.default.removeItem(atPath: file)
        #expect(symlink("/etc/hostname", file) == 0)
        #expect(folder.people(in: general).isEmpty)
    }

    @Test
    func `A store reports that a person starts and stops writing`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open(index: nil, typing: folder)
        let other = try file(of: getppid())
        var changes = store.changes(in: general, since: nil).makeAsyncIterator()
        try "ana".write(toFile: other, atomically: false, encoding: .utf8)
        #expect(await changes.next() == [.typing([Person(id: "ana", name: "ana")])])
        try FileManager.default.removeItem(atPath: other)
        #expect(await changes.next() == [.typing([])])
    }
}
