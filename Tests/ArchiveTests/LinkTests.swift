import Foundation
import Glibc
import Logging
import Messages
import Testing

@testable import Archive

/// Kedge never writes through a link inside an archive: the target stays unchanged.
struct LinkTests {
    /// Targets of links: a complete log, logs whose end a writer would repair, and files that are not logs.
    static let contents = [message("m-1") + "\n", message("m-1") + "\n{\"type\":", message("m-1"), "secret", ""]

    private func archive() throws -> (archive: TemporaryArchive, outside: String) {
        let archive = try TemporaryArchive(message("m-1"))
        // Inside the folder of the archive, so that it is deleted with it, but not where Kedge writes.
        let outside = archive.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        return (archive, outside)
    }

    /// Sends and expects an error that names the link, with no change in the archive or outside.
    private func refusal(
        in archive: TemporaryArchive, naming path: String, _ reason: String, isRetry: Bool = false
    ) async throws {
        let before = try archive.files()
        let expected = "\(archive.path)/\(path): \(reason)"
        let store = try archive.open(index: nil)
        #expect(await store.obstacle(in: general)?.hasPrefix(expected) == true)
        let error = await #expect(throws: StoreError.self) {
            try await store.send(post("p-1"), to: general, isRetry: isRetry)
        }
        #expect(error?.description.hasPrefix(expected) == true, "\(String(describing: error))")
        // The writer notices the link even if the check before did not.
        let writer = try ArchiveWriter(index: nil, patience: .zero)
        let late = await #expect(throws: StoreError.self) {
            try await writer.send(
                post("p-2"), to: general, in: archive.path + "/conversations/general", isRetry: isRetry)
        }
        #expect(late?.description.hasPrefix(expected) == true, "\(String(describing: late))")
        #expect(try archive.files() == before)
    }

    @Test(arguments: LinkTests.contents, [false, true])
    func `A segment that is a symbolic link is read but not written`(content: String, isRetry: Bool) async throws {
        let (archive, outside) = try archive()
        try archive.write("outside/log", content)
        let segment = archive.path + "/conversations/general/messages-000002.jsonl"
        try FileManager.default.createSymbolicLink(atPath: segment, withDestinationPath: outside + "/log")
        try await refusal(
            in: archive, naming: "conversations/general/messages-000002.jsonl", "is a symbolic link", isRetry: isRetry)
    }

    @Test(arguments: LinkTests.contents)
    func `A segment with a second name is not written`(content: String) async throws {
        let (archive, outside) = try archive()
        try archive.write("outside/log", content)
        let segment = archive.path + "/conversations/general/messages-000002.jsonl"
        #expect(link(outside + "/log", segment) == 0)
        try await refusal(in: archive, naming: "conversations/general/messages-000002.jsonl", "has a second name")
    }

    @Test func `A symbolic link in place of a conversation or of their folder is read but not written`()
        async throws
    {
        for path in ["conversations/general", "conversations"] {
            let (archive, outside) = try archive()
            try FileManager.default.moveItem(atPath: archive.path + "/" + path, toPath: outside + "/folder")
            try FileManager.default.createSymbolicLink(
                atPath: archive.path + "/" + path, withDestinationPath: outside + "/folder")
            #expect(try await archive.open(index: nil).ids() == ["m-1"])
            try await refusal(in: archive, naming: path, "is a symbolic link")
        }
    }

    @Test func `A link in place of the next segment is left alone`() async throws {
        let (archive, outside) = try archive()
        try archive.write(firstSegment, message("m-1", String(repeating: "x", count: 8 << 20)) + "\n")
        let segment = archive.path + "/conversations/general/messages-000002.jsonl"
        try FileManager.default.createSymbolicLink(atPath: segment, withDestinationPath: outside + "/nothing")
        let store = try archive.open(index: nil)
        let reason = "\(segment): is in the place of the next file; move it away and send again"
        await #expect(throws: StoreError.notSent(reason)) { try await store.send(post("p-1"), to: general) }
        #expect(!FileManager.default.fileExists(atPath: outside + "/nothing"))
    }

    @Test func `The path of the archive and earlier segments may be symbolic links`() async throws {
        let (archive, outside) = try archive()
        let link = outside + "/archive"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: archive.path)
        let first = archive.path + "/" + firstSegment
        try FileManager.default.moveItem(atPath: first, toPath: outside + "/log")
        try FileManager.default.createSymbolicLink(atPath: first, withDestinationPath: outside + "/log")
        try archive.write("conversations/general/messages-000002.jsonl", message("m-2") + "\n")
        let store = try JSONArchive.open(path: link, logger: Logger(label: "test"))
        try await store.send(post("p-1"), to: general)
        try await store.send(post("m-1"), to: general, isRetry: true)
        #expect(try await store.ids() == ["m-1", "m-2", "p-1"])
        #expect(try archive.log() == message("m-1") + "\n")
    }
}
