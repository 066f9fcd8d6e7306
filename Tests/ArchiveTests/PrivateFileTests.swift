import Foundation
import Glibc
import Logging
import Messages
import Testing

@testable import Archive

/// Whom new files and folders admit.
struct PrivateFileTests {
    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// The permissions that this process withholds from all that it creates.
    private static func umask() throws -> mode_t {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        return try #require(mode_t(line.split(whereSeparator: \.isWhitespace)[1], radix: 8))
    }

    @Test(arguments: [mode_t(0o755), 0o1777])
    func `A new archive and all in it are their owner's alone, whoever may read the folder around it`(
        around: mode_t
    ) async throws {
        let parent = NSTemporaryDirectory() + "/kedge-private-\(UUID().uuidString)"
        #expect(mkdir(parent, 0o700) == 0 && chmod(parent, around) == 0)
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let path = parent + "/deep/chats"
        try NewArchive.make(at: path, name: "Chats", me: "ana")
        let id = try NewConversation.make(title: "Harbour", topic: nil, in: path)
        let store = try JSONArchive.open(path: path, index: nil, logger: Logger(label: "test"))
        try await store.send(post("p-1"), to: id)
        let names = try #require(FileManager.default.enumerator(atPath: path)).compactMap { $0 as? String }
        #expect(names.count == 6, "\(names)")
        for name in names + ["", "../"] {
            var isFolder: ObjCBool = false
            #expect(FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder))
            #expect(Self.mode(path + "/" + name) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test(arguments: [mode_t(0o750), 0o770, 0o755])
    func `In an archive that is shared, new files and folders are shared with the same people`(
        shared: mode_t
    ) async throws {
        let archive = try TemporaryArchive(message("m1"))
        let umask = try Self.umask()
        for folder in ["", "/conversations"] { #expect(chmod(archive.path + folder, shared) == 0) }
        let id = try NewConversation.make(title: "Harbour", topic: nil, in: archive.path)
        try await archive.open(index: nil).send(post("p-1"), to: id)
        let folder = archive.path + "/conversations/" + id.rawValue
        #expect(Self.mode(folder) == shared & ~umask)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["conversation.json", "messages-000001.jsonl"])
        for name in names { #expect(Self.mode(folder + "/" + name) == shared & 0o666 & ~umask, "\(name)") }
    }
}
