import Archive
import Foundation
import Glibc
import Logging
import Messages
import Testing

@Suite("Opening an archive, and finding conversations in it")
struct OpeningTests {
    @Test("Nothing is left of an archive that was made for a test")
    func leftNothing() throws {
        var archive: TemporaryArchive? = try TemporaryArchive(message("m1"))
        let path = try #require(archive?.path)
        _ = try archive?.open()
        archive = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: path + "-cache"))
    }

    @Test("an archive tells its name and who the reader is")
    func label() throws {
        let store = try TemporaryArchive().open()
        #expect(store.name == "Test" && store.me == PersonID("ana"))
    }

    @Test("without a name the path is the name")
    func noName() throws {
        let archive = try TemporaryArchive()
        try archive.write("archive.json", #"{"version":1,"format":"kedge","me":null}"#)
        let store = try archive.open()
        #expect(store.name == archive.path && store.me == nil)
    }

    @Test(
        "another archive.json is refused with what is wrong and what to do",
        arguments: [
            ("", "not a JSON object; repair it, or restore it from a copy"),
            ("{", "not a JSON object; repair it, or restore it from a copy"),
            ("[]", "not a JSON object; repair it, or restore it from a copy"),
            ("{}", #"says no format, not "kedge"; name another folder with --archive"#),
            (#"{"format":"mbox"}"#, #"says the format "mbox", not "kedge"; name another folder with --archive"#),
            (#"{"format":"kedge"}"#, "says no version; repair it, or restore it from a copy"),
            (#"{"format":"kedge","version":"1"}"#, "says no version; repair it, or restore it from a copy"),
            (
                #"{"format":"kedge","version":2}"#,
                "version 2, but this Kedge reads version 1; use another Kedge"
            ),
        ])
    func refused(json: String, reason: String) throws {
        let archive = try TemporaryArchive()
        try archive.write("archive.json", json)
        #expect(throws: StoreError.unreadable("\(archive.path)/archive.json: \(reason)")) { try archive.open() }
    }

    @Test("what is no archive is refused")
    func noArchive() throws {
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
        #expect(open("") == "\"\": no path of a folder; name an archive with --archive")
        try FileManager.default.removeItem(atPath: file)
        #expect(
            open(archive.path)
                == "\(archive.path): not an archive (it has no archive.json); name another folder with --archive")
    }

    @Test(
        "what may not be read says so", .enabled(if: geteuid() != 0, "the superuser may read everything"))
    func forbidden() async throws {
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

    @Test("conversations are sorted by title; a broken conversation.json leaves the ID, and is told")
    func conversations() async throws {
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
                "conversations/a-file: not a folder; it is passed over",
                "c/conversation.json: not a JSON object; the ID is shown as its title",
            ])
    }

    @Test("an archive without conversations has none")
    func empty() async throws {
        #expect(try await TemporaryArchive().open().conversations().isEmpty)
    }

    @Test(
        "no ID leads out of the archive",
        arguments: ["", ".", "..", "../general", "general/", "/tmp", "general\0", "general/../general", "none"])
    func escape(id: String) async throws {
        let store = try TemporaryArchive(message("m1")).open()
        let id = ConversationID(id)
        let error = await #expect(throws: StoreError.self) { try await store.conversation(id) }
        guard case .noSuchConversation(id, _) = error else { throw ExpectationMissed() }
        await #expect(throws: StoreError.self) {
            try await store.page(PageRequest(conversation: id, position: .latest, limit: 1))
        }
    }

    @Test(
        "the nearest conversations are named, by ID or title",
        arguments: [
            ("ubunto", ["ubuntu"]), ("UBUNTU-D", ["ubuntu", "ubuntu-de", "ubuntu-fr"]),
            ("#UBUNTU", ["ubuntu", "ubuntu-de", "ubuntu-fr"]), ("ubu", ["ubuntu", "ubuntu-de", "ubuntu-fr"]),
            ("Help Desk", ["x1"]), ("completely else", []), ("", []),
        ])
    func nearest(wanted: String, expected: [String]) async throws {
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
