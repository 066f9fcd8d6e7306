import Foundation
import Logging
import Messages
import Testing

@testable import Archive

/// Attachments are found only inside the archive, and not through symbolic links.
struct AttachmentTests {
    /// An archive beside a file outside it, with links to that file.
    private struct Files: ~Copyable {
        let parent = FileManager.default.temporaryDirectory.appending(path: "kedge-files-\(UUID().uuidString)")
        var archive: URL { parent.appending(path: "archive") }

        init() throws {
            for folder in ["conversations/general/files/deep", "conversations/general/pipe", "files"] {
                try FileManager.default.createDirectory(
                    at: archive.appending(path: folder), withIntermediateDirectories: true)
            }
            let texts = [
                "archive.json": #"{"format":"kedge","version":1}"#, "conversations/general/conversation.json": "{}",
                "conversations/general/files/a.png": "a", "conversations/general/files/deep/b c\\d.png": "b",
                "files/c.png": "c", "../secret": "s",
            ]
            for (path, text) in texts { try Data(text.utf8).write(to: archive.appending(path: path)) }
            let links = [
                "conversations/general/files/link": "../../../../secret", "conversations/general/out": "../../..",
                "files/link.png": "c.png", "conversations/general/gone": "nowhere",
            ]
            for (path, target) in links {
                try FileManager.default.createSymbolicLink(
                    atPath: archive.appending(path: path).path, withDestinationPath: target)
            }
            mkfifo(archive.appending(path: "files/fifo").path, 0o600)
        }

        deinit { try? FileManager.default.removeItem(at: parent) }
    }

    private func location(_ path: String?, in files: borrowing Files) async throws -> Result<String, StoreError> {
        let archive = try JSONArchive.open(path: files.archive.path, logger: Logger(label: "test"))
        do throws(StoreError) {
            return .success(
                try await archive.location(
                    of: MessageFile(
                        Attachment(name: "name", path: path, size: nil), of: MessageID("m"),
                        in: ConversationID("general"))
                ) { _ in })
        } catch {
            return .failure(error)
        }
    }

    @Test(
        arguments: [
            ("files/a.png", "conversations/general/files/a.png"),
            ("./files//a.png", "conversations/general/files/a.png"),
            ("files/deep/b c\\d.png", "conversations/general/files/deep/b c\\d.png"), ("files/c.png", "files/c.png"),
            ("conversations/general/files/a.png", "conversations/general/files/a.png"),
        ])
    func `An attachment is looked up in the folder of its conversation, then in that of the archive`(
        path: String, file: String
    )
        async throws
    {
        let files = try Files()
        let found = try await location(path, in: files).get()
        #expect(found.hasPrefix("/") && found.hasSuffix("/archive/" + file))
        #expect(FileManager.default.fileExists(atPath: found))
    }

    @Test(
        arguments: [
            ("../secret", "outside the archive"), ("../../../secret", "outside the archive"),
            ("/etc/passwd", "outside the archive"), ("files/../../../../secret", "outside the archive"),
            ("a\0b", "outside the archive"), ("files/link", "symbolic link"), ("out/secret", "symbolic link"),
            ("gone", "symbolic link"), ("files/link.png", "symbolic link"), ("files/fifo", "not a regular file"),
            ("files", "not a regular file"), ("files/none.png", "missing"), ("files/a.png/x", "missing"),
            ("..\\secret", "missing"), ("", "does not say where"),
            (String(repeating: "x", count: 5_000), "missing"),
        ])
    func `An attachment that is missing or outside the archive is refused with the reason`(path: String, reason: String)
        async throws
    {
        let files = try Files()
        guard case .failure(let error) = try await location(path, in: files) else {
            Issue.record("\(path) was given")
            return
        }
        #expect(error.description.contains(reason), "\(error)")
    }

    @Test func `No attachment is found through a conversation that is a symbolic link`() async throws {
        let files = try Files()
        let folder = files.archive.appending(path: "conversations")
        try FileManager.default.moveItem(
            at: folder.appending(path: "general"), to: files.parent.appending(path: "elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "general").path, withDestinationPath: "../../elsewhere")
        guard case .failure(let error) = try await location("files/a.png", in: files) else {
            Issue.record("given")
            return
        }
        #expect(error.description.contains("symbolic link"))
    }

    @Test func `A message without a path for its attachment is refused with the reason`() async throws {
        let files = try Files()
        guard case .failure(let error) = try await location(nil, in: files) else {
            Issue.record("given")
            return
        }
        #expect(error.description == "name is not in the archive: the message does not say where it is")
    }
}
