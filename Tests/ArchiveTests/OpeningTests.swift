import Archive
import Foundation
import Glibc
import Logging
import Messages
import Testing

struct OpeningTests {
    @Test func `The temporary archive of a test leaves no files`() throws {
        var archive: TemporaryArchive? = try TemporaryArchive(message("m1"))
        let path = try #require(archive?.path)
        _ = try archive?.open()
        archive = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: path + "-cache"))
    }

    @Test func `An archive has a name and a reader`() throws {
        let store = try TemporaryArchive().open()
        #expect(store.name == "Test" && store.me == PersonID("ana"))
    }

    @Test func `The path serves as the name of an archive without one`() throws {
        let archive = try TemporaryArchive()
        try archive.write("archive.json", #"{"version":1,"format":"kedge","me":null}"#)
        let store = try archive.open()
        #expect(store.name == archive.path && store.me == nil)
    }

    @Test(arguments: [
        ("", "not a JSON object; repair it, or restore it from a copy"),
        ("{", "not a JSON object; repair it, or restore it from a copy"),
        ("[]", "not a JSON object; repair it, or restore it from a copy"),
        ("{}", #"says no format, not "kedge"; name another folder with --archive"#),
        (#"{"format":"mbox"}"#, #"says the format "mbox", not "kedge"; name another folder with --archive"#),
        (#"{"format":"kedge"}"#, "has no version; repair it, or restore it from a copy"),
        (#"{"format":"kedge","version":"1"}"#, "has no version; repair it, or restore it from a copy"),
        (
            #"{"format":"kedge","version":2}"#,
            "version 2, but this Kedge reads version 1; use another Kedge"
        ),
    ])
    func `An invalid archive json is refused with the cause and a remedy`(json: String, reason: String) throws {
        let archive = try TemporaryArchive()
        try archive.write("archive.json", json)
        #expect(throws: StoreError.unreadable("\(archive.path)/archive.json: \(reason)")) { try archive.open() }
    }

    @Test func `A folder without a valid archive is refused`() throws {
        let archive = try TemporaryArchive()
        let open = { (path: String) in
            #expect(throws: StoreError.self) {
                try JSONArchive.open(path: path, logger: Logger(label: "test"))
            }?.description
        }
        let file = archive.path + "/archive.json"
        #expect(open(file) == "\(file): not a folder; name an archive with --archive")
        let none = archive.path + "/none"
        #expect(open(none) == "\(none): there is no such folder; name an archive with --archive")
        #expect(open("") == "\"\": not the path of a folder; name an archive with --archive")
        try FileManager.default.removeItem(atPath: file)
        #expect(
            open(archive.path)
                == "\(archive.path): not an archive (it has no archive.json); name another folder with --archive")
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
    func `An unreadable archive is reported`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open()
        for path in ["/" + firstSegment, "/archive.json", ""] {
            chmod(archive.path + path, 0)
            defer { chmod(archive.path + path, 0o700) }
            let expected = StoreError.unreadable(
                "\(archive.path)\(path): may not be read (permission denied); check its permissions")
            if path.contains("messages") {
                await #expect(throws: expected) { try await store.page(.latest) }
            } else {
                #expect(throws: expected) { try archive.open() }
            }
        }
    }

    @Test func `Conversations are sorted by title, and a broken one has its ID as title and a problem`() async throws {
        let archive = try TemporaryArchive()
        try archive.write("conversations/a/conversation.json", #"{"id":"other","title":"zebra","topic":"Animals"}"#)
        try archive.write("conversations/b/conversation.json", #"{"title":"Apple","topic":""}"#)
        try archive.write("conversations/c/conversation.json", "nonsense")
        try archive.write("conversations/d/messages-000001.jsonl", "")
        try archive.write("conversations/.hidden/conversation.json", "{}")
        try archive.write("conversations/a-file", "")
        let store = try archive.open()
        let list = try await store.conversations()
        #expect(
            list == [
                Conversation(id: ConversationID("b"), title: "Apple", topic: nil),
                Conversation(id: ConversationID("c"), title: "c", topic: nil),
                Conversation(id: ConversationID("d"), title: "d", topic: nil),
                Conversation(id: ConversationID("a"), title: "zebra", topic: "Animals"),
            ])
        #expect(
            await store.problems() == [
                "conversations/a-file: not a folder; it is skipped",
                "c/conversation.json: not a JSON object; the ID is shown as its title",
            ])
    }

    @Test func `An archive without conversations has an empty list`() async throws {
        #expect(try await TemporaryArchive().open().conversations().isEmpty)
    }

    @Test(arguments: ["", ".", "..", "../general", "general/", "/tmp", "general\0", "general/../general", "none"])
    func `No conversation ID leads out of the archive`(id: String) async throws {
        let store = try TemporaryArchive(message("m1")).open()
        let id = ConversationID(id)
        let error = await #expect(throws: StoreError.self) { try await store.conversation(id) }
        guard case .noSuchConversation(id, _) = error else { throw ExpectationMissed() }
        await #expect(throws: StoreError.self) {
            try await store.page(PageRequest(conversation: id, position: .latest, limit: 1))
        }
    }

    @Test(arguments: [
        ("ubunto", ["ubuntu"]), ("UBUNTU-D", ["ubuntu", "ubuntu-de", "ubuntu-fr"]),
        ("#UBUNTU", ["ubuntu", "ubuntu-de", "ubuntu-fr"]), ("ubu", ["ubuntu", "ubuntu-de", "ubuntu-fr"]),
        ("Help Desk", ["x1"]), ("completely else", []), ("", []),
    ])
    func `An unknown conversation ID yields the most similar ones, by ID or title`(wanted: String, expected: [String])
        async throws
    {
        let archive = try TemporaryArchive()
        for id in ["ubuntu", "ubuntu-de", "ubuntu-fr", "ubuntu-it", "rust"] {
            try archive.write("conversations/\(id)/conversation.json", ##"{"title":"#\##(id)"}"##)
        }
        try archive.write("conversations/x1/conversation.json", #"{"title":"Help desk"}"#)
        let id = ConversationID(wanted)
        let store = try archive.open()
        await #expect(throws: StoreError.noSuchConversation(id, nearest: expected.map { ConversationID($0) })) {
            try await store.conversation(id)
        }
    }
}

struct ExpectationMissed: Error {}
