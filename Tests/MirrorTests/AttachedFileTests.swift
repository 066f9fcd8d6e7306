import Foundation
import Messages
import Testing

@testable import Formats
@testable import Mirror

/// Files that messages name are found in the export, packed or not, and come along with an import.
struct AttachedFileTests {
    private static let formats: [any Format] = [WhatsAppFormat()]
    private static let chat = """
        [31/12/2022, 11:40:26] Jane: hello
        [31/12/2022, 11:41:00] Ben: \u{200E}<attached: photo.jpg>
        [31/12/2022, 11:42:00] Jane: \u{200E}<attached: gone.jpg>

        """

    /// An export in which `photo.jpg` is, and `gone.jpg` is not.
    private func export(packed: Bool) throws -> TestExport {
        let export = try TestExport(["_chat.txt": Self.chat, "photo.jpg": "pixels"])
        guard packed else { return export }
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/bin/tar")
        tar.arguments = ["-C", export.source, "-cf", export.root + "/packed.tar", "_chat.txt", "photo.jpg"]
        try tar.run()
        tar.waitUntilExit()
        try FileManager.default.removeItem(atPath: export.source)
        try FileManager.default.moveItem(atPath: export.root + "/packed.tar", toPath: export.source)
        return export
    }

    private func attachments(of store: MirroredStore) async throws -> (ConversationID, [Messages.Attachment]) {
        try await store.settle()
        let conversation = try #require(try await store.conversations().first?.id)
        let page = try await store.page(PageRequest(conversation: conversation, position: .earliest, limit: 10))
        return (conversation, page.messages.flatMap(\.attachments))
    }

    @Test(arguments: [true, false]) func `an attached file is opened from the export`(packed: Bool) async throws {
        let export = try export(packed: packed)
        let store = try export.open(formats: Self.formats)
        let (conversation, attachments) = try await attachments(of: store)
        try #require(attachments.map(\.name) == ["photo.jpg", "gone.jpg"])
        // The second time, what was unpacked is there.
        for _ in 0..<2 {
            let path = try await store.location(of: MessageFile(attachments[0], of: MessageID("m"), in: conversation)) {
                _ in
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "pixels")
        }
        await #expect {
            try await store.location(of: MessageFile(attachments[1], of: MessageID("m"), in: conversation)) { _ in }
        } throws: {
            "\($0)".contains("missing")
        }
    }

    @Test(arguments: ["../source/photo.jpg", "/etc/passwd", "a/../../photo.jpg"])
    func `a path that leads out of a packed export opens nothing`(path: String) async throws {
        let export = try export(packed: true)
        let store = try export.open(formats: Self.formats)
        let attachment = Messages.Attachment(name: "x", path: path, size: nil)
        await #expect(throws: StoreError.self) {
            try await store.location(of: MessageFile(attachment, of: MessageID("m"), in: ConversationID("Jane"))) { _ in
            }
        }
    }

    @Test(arguments: [true, false]) func `an import copies attached files once`(packed: Bool) async throws {
        let export = try export(packed: packed)
        let store = try export.open(formats: Self.formats)
        try await store.settle()
        let archive = export.root + "/archive"
        let first = try Importer(store, to: archive).run { _, _ in }
        #expect(first.added == 3 && first.files == 1 && first.missingFiles == 1)
        #expect(try String(contentsOfFile: archive + "/photo.jpg", encoding: .utf8) == "pixels")
        try Data("changed".utf8).write(to: URL(fileURLWithPath: archive + "/photo.jpg"))
        let second = try Importer(store, to: archive).run { _, _ in }
        #expect(second.added == 0 && second.known == 3 && second.files == 0)
        #expect(try String(contentsOfFile: archive + "/photo.jpg", encoding: .utf8) == "changed")
    }

    @Test func `an export that is one file has its attachments beside it`() async throws {
        let export = try TestExport(["chat.lines": "m0 hello\n", "photos/a.jpg": "pixels"])
        let attached = AttachedFiles(source: export.source + "/chat.lines", files: export.files)
        #expect(!attached.isPacked && attached.folder == export.source)
    }
}
