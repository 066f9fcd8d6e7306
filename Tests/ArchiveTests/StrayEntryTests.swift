import Foundation
import Glibc
import Messages
import Testing

@testable import Archive

/// Entries of the archive that do not belong there are reported. They affect no other entry and never block.
struct StrayEntryTests {
    /// Creates an entry at a path, with the reason that is reported for it.
    struct Stray: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let make: @Sendable (String) -> Bool
    }

    static let strays = [
        Stray(testDescription: "a link to itself", reason: "Too many levels of symbolic links") {
            symlink($0, $0) == 0
        },
        Stray(testDescription: "a link to nothing", reason: "a link that leads nowhere") {
            symlink("/nowhere", $0) == 0
        },
        Stray(testDescription: "a pipe", reason: "not a folder") { mkfifo($0, 0o600) == 0 },
        Stray(testDescription: "a link to a pipe", reason: "not a folder") {
            // Hidden, so that only the link is reported.
            mkfifo($0.replacing("stray", with: ".stray"), 0o600) == 0 && symlink(".stray", $0) == 0
        },
        Stray(testDescription: "a link to a device", reason: "not a folder") { symlink("/dev/zero", $0) == 0 },
        Stray(testDescription: "a file", reason: "not a folder") { close(creat($0, 0o600)) == 0 },
        Stray(testDescription: "a socket", reason: "not a folder") { path in
            mknod(path, S_IFSOCK | 0o600, 0) == 0
        },
    ]

    @Test(arguments: strays)
    func `An entry among the conversations that is not a folder is reported and skipped`(stray: Stray) async throws {
        let archive = try TemporaryArchive(message("m1", "tide"))
        #expect(stray.make(archive.path + "/conversations/stray"))
        let store = try archive.open()
        #expect(try await store.conversations().map(\.id) == [general])
        #expect(try await store.ids() == ["m1"])
        #expect(try await store.summary(of: general).count == 1)
        let problems = await store.problems()
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("conversations/stray: ") == true)
        #expect(problems.first?.contains(stray.reason) == true, "\(problems)")
        try await store.send(post("p-1"), to: general)
        try archive.makeIndex()
        #expect(try ArchiveIndex(archive: archive.path, in: archive.index).strays() == problems)
    }

    @Test func `A folder whose name is not UTF-8 is reported and skipped`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        #expect(mkdir(archive.path + "/conversations/caf", 0o700) == 0)
        var name = Array((archive.path + "/conversations/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        #expect(rename(archive.path + "/conversations/caf", &name) == 0)
        defer { rmdir(&name) }
        let store = try archive.open()
        #expect(try await store.conversations().map(\.id) == [general])
        #expect(
            await store.problems() == [
                "conversations/caf\u{FFFD}: its name is not UTF-8; it is skipped until it is renamed"
            ])
    }

    @Test(arguments: ["conversations/general/conversation.json", "people.json"], [false, true])
    func `A pipe or a link in place of a small file is reported and never blocks`(file: String, isPipe: Bool)
        async throws
    {
        let archive = try TemporaryArchive(message("m1"))
        let path = archive.path + "/" + file
        unlink(path)
        #expect(isPipe ? mkfifo(path, 0o600) == 0 : symlink(path, path) == 0)
        let store = try archive.open()
        _ = try await store.conversations()
        #expect(try await store.first()?.sender?.name == "ana")
        let problems = await store.problems().filter { $0.hasPrefix(file.replacing("conversations/", with: "")) }
        #expect(problems.count == 1)
        let reason = isPipe ? "not a regular file" : "Too many levels of symbolic links"
        #expect(problems.first?.contains(reason) == true, "\(problems)")
    }

    @Test func `A segment that is not a regular file is reported and skipped`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let folder = archive.path + "/conversations/general/"
        #expect(mkfifo(folder + "messages-000002.jsonl", 0o600) == 0)
        #expect(mkdir(folder + "messages-000003.jsonl", 0o700) == 0)
        #expect(symlink("/dev/zero", folder + "messages-000004.jsonl") == 0)
        let store = try archive.open()
        #expect(try await store.ids() == ["m1"])
        #expect(
            await store.problems()
                == (2...4).map { "general/messages-00000\($0).jsonl: not a regular file; it is skipped" })
        #expect(throws: StoreError.self) { _ = try File(folder + "messages-000002.jsonl") }
        #expect(throws: StoreError.self) { _ = try File("/dev/zero") }
    }

    @Test func `A file in place of the folder of conversations is an error`() async throws {
        let archive = try TemporaryArchive()
        try archive.write("conversations", "")
        let store = try archive.open(index: nil)
        let reason = StoreError.unreadable("\(archive.path)/conversations: not a folder; move it away")
        await #expect(throws: reason) { try await store.conversations() }
    }

    @Test(arguments: [
        "", ".", "..", "general/", "a/b", "../general", "a\0b", String(repeating: "x", count: 256),
        String(repeating: "é", count: 128), String(repeating: "x/", count: 3_000),
        String(repeating: "x", count: 100_000),
    ])
    func `An ID that is not a plain file name names no conversation`(id: String) async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open()
        let id = ConversationID(id)
        func isUnknown(_ body: () async throws -> Void) async {
            let error = await #expect(throws: StoreError.self) { try await body() }
            if case .noSuchConversation(id, _)? = error {} else { Issue.record("\(String(describing: error))") }
        }
        await isUnknown { _ = try await store.conversation(id) }
        await isUnknown { _ = try await store.summary(of: id) }
        await isUnknown { _ = try await store.page(PageRequest(conversation: id, position: .latest, limit: 1)) }
        await isUnknown { _ = try await store.message("m1", in: id) }
        await isUnknown { try await store.send(post("p-1"), to: id) }
        await isUnknown {
            _ = try ArchiveIndex(archive: archive.path, in: archive.index).statistics(of: id, in: .utc)
        }
        #expect(await store.obstacle(in: id)?.hasPrefix("there is no conversation") == true)
    }
}
