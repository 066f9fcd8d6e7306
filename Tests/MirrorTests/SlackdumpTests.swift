import CSQLite
import Foundation
import Formats
import Messages
import Testing

@testable import Mirror

/// The archive of slackdump, which is a database.
struct SlackdumpTests {
    private static let schema = """
        CREATE TABLE CHUNK (ID INTEGER PRIMARY KEY);
        CREATE TABLE MESSAGE (ID INTEGER, CHUNK_ID INTEGER, CHANNEL_ID TEXT, TS TEXT, IDX INTEGER, DATA BLOB);
        CREATE TABLE CHANNEL (ID TEXT, CHUNK_ID INTEGER, NAME TEXT, IDX INTEGER, DATA BLOB);
        CREATE TABLE S_USER (ID TEXT, CHUNK_ID INTEGER, IDX INTEGER, USERNAME TEXT, DATA BLOB);
        CREATE TABLE CHANNEL_USER (CHANNEL_ID TEXT, USER_ID TEXT, CHUNK_ID INTEGER, IDX INTEGER);
        INSERT INTO S_USER VALUES ('U1000001', 1, 0, 'ana', '{"id":"U1000001","name":"ana","profile":{"real_name":"Ana R"}}');
        INSERT INTO CHANNEL VALUES ('C1000001', 1, 'pier', 0, '{}'), ('D1000001', 1, '', 1, '{}');
        INSERT INTO CHANNEL_USER VALUES ('D1000001', 'U1000001', 1, 0);
        INSERT INTO MESSAGE VALUES
          (2, 1, 'C1000001', '1700000060.000001', 1, '{"type":"message","user":"U1000001","ts":"1700000060.000001","text":"old"}'),
          (1, 1, 'C1000001', '1700000000.000001', 0, '{"type":"message","user":"U1000001","ts":"1700000000.000001","text":"low tide",
            "thread_ts":"1700000000.000001","files":[{"id":"F1","name":"boat.png"}]}'),
          (3, 2, 'C1000001', '1700000090.000001', 0, '{"type":"message","user":"U1000001","ts":"1700000090.000001","text":"at six",
            "thread_ts":"1700000000.000001"}'),
          (2, 3, 'C1000001', '1700000060.000001', 0, '{"type":"message","user":"U1000001","ts":"1700000060.000001","text":"new"}'),
          (4, 3, 'C1000001', '1700000099.000001', 1, 'no record'),
          (5, 3, 'D1000001', '1700000100.000001', 0, '{"type":"message","user":"U1000001","ts":"1700000100.000001","text":"hi"}');
        """

    private func export() throws -> TestExport {
        let export = try TestExport(["__uploads/F1/boat.png": "pixels"])
        try Self.database(export, Self.schema)
        return export
    }

    /// Makes the database of an export.
    private static func database(_ export: TestExport, _ statements: String) throws {
        var handle: OpaquePointer?
        #expect(sqlite3_open(export.source + "/slackdump.sqlite", &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        #expect(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
    }

    private func messages(_ store: MirroredStore, _ name: String) async throws -> [Message] {
        let found = try await store.conversations().first { $0.title.lowercased().contains(name) }
        let conversation = try #require(found?.id)
        return try await store.page(PageRequest(conversation: conversation, position: .earliest, limit: 20)).messages
    }

    @Test func `the records of a database are those of Slack`() async throws {
        let export = try export()
        let before = try FileManager.default.contentsOfDirectory(atPath: export.source).sorted()
        let store = try export.open(formats: Formats.all)
        try await store.settle()
        let pier = try await messages(store, "pier")
        // The third one is a reply in the thread of the first.
        #expect(pier.map(\.text) == ["low tide", "new"])
        #expect(pier.first?.replyCount == 1)
        #expect(pier.first?.attachments.map(\.name) == ["boat.png"])
        #expect(try await messages(store, "ana").map(\.text) == ["hi"])
        // Nothing is written beside an export.
        #expect(try FileManager.default.contentsOfDirectory(atPath: export.source).sorted() == before)
    }

    @Test func `a zip may hold such an archive`() async throws {
        let plain = try export()
        let database = try Data(contentsOf: URL(fileURLWithPath: plain.source + "/slackdump.sqlite"))
        let (zip, store) = try MirrorTests.open(
            MirrorTests.zip([
                ("dump/slackdump.sqlite", Array(database)), ("dump/__uploads/F1/boat.png", Array("pixels".utf8)),
            ]))
        try await store.settle()
        let pier = try await messages(store, "pier")
        #expect(pier.map(\.text) == ["low tide", "new"])
        #expect(pier.first?.attachments.map(\.name) == ["boat.png"])
        #expect(await store.problems() == [])
        withExtendedLifetime((plain, zip)) {}
    }

    @Test func `another database is not taken for one, and damage is an error in words`() throws {
        let export = try TestExport()
        try Self.database(export, "CREATE TABLE MESSAGE (ID INTEGER)")
        #expect(throws: StoreError.self) { try export.open(formats: Formats.all) }
        let whole = try self.export()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole.source + "/slackdump.sqlite"))
        for at in 4_096..<bytes.count { bytes[at] ^= 0x55 }
        try bytes.write(to: URL(fileURLWithPath: whole.source + "/slackdump.sqlite"))
        #expect(throws: StoreError.self) { try whole.open(formats: Formats.all) }
    }
}
