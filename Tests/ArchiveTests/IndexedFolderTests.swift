import Foundation
import Messages
import Testing

@testable import Archive

/// What a list of conversations takes from the index instead of opening each folder and each conversation.json.
struct IndexedFolderTests {
    private static let description = "conversations/general/conversation.json"
    private static let old = Date(timeIntervalSince1970: 1_700_000_000)

    private static func archive(_ description: String = #"{"title":"Alpha"}"#) throws -> TemporaryArchive {
        let archive = try TemporaryArchive(message("m1", "one"))
        try archive.write(Self.description, description)
        for file in [Self.description, firstSegment, "conversations/general"] { try archive.date(file, old) }
        return archive
    }

    private static func list(_ archive: TemporaryArchive) async throws -> (title: String, count: Int) {
        let store = try archive.open(index: archive.index)
        let all = try await store.conversations()
        let summaries = await store.summaries(of: all, since: ReadStates(), for: nil, withNewest: false)
        let summary = try #require(summaries.first).get()
        return (summary.conversation.title, summary.count)
    }

    /// The bytes change and the stamp does not, which shows what was read.
    @Test func `An indexed list opens neither conversation.json nor the folder`() async throws {
        let archive = try Self.archive()
        try archive.makeIndex()
        try archive.write(Self.description, #"{"title":"Omega"}"#)
        try archive.date(Self.description, Self.old)
        try archive.write("conversations/general/messages-000002.jsonl", message("m2", "two") + "\n")
        try archive.date("conversations/general", Self.old)
        let listed = try await Self.list(archive)
        #expect(listed.title == "Alpha" && listed.count == 1)
    }

    @Test func `A changed title and a new segment are listed at once`() async throws {
        let archive = try Self.archive()
        try archive.makeIndex()
        try archive.write(Self.description, #"{"title":"Omega"}"#)
        try archive.write("conversations/general/messages-000002.jsonl", message("m2", "two") + "\n")
        for _ in 0..<3 {
            let listed = try await Self.list(archive)
            #expect(listed.title == "Omega" && listed.count == 2)
            try archive.makeIndex()
        }
        // Another title of the same length, while the index may know the first one.
        try archive.write(Self.description, #"{"title":"Gamma"}"#)
        #expect(try await Self.list(archive).title == "Gamma")
        try FileManager.default.removeItem(atPath: archive.path + "/" + Self.description)
        #expect(try await Self.list(archive).title == "general")
        try FileManager.default.removeItem(atPath: archive.path + "/" + firstSegment)
        #expect(try await Self.list(archive).count == 1)
    }

    /// The clock of the file system may not move on between two changes.
    @Test func `Nothing is kept of a file that has just changed`() async throws {
        let archive = try Self.archive()
        let now = Date()
        for file in [Self.description, "conversations/general"] { try archive.date(file, now) }
        try archive.makeIndex()
        try archive.write(Self.description, #"{"title":"Omega"}"#)
        try archive.write("conversations/general/messages-000002.jsonl", message("m2", "two") + "\n")
        for file in [Self.description, "conversations/general"] { try archive.date(file, now) }
        let listed = try await Self.list(archive)
        #expect(listed.title == "Omega" && listed.count == 2)
    }

    /// A text that is too long for the index, one that is no JSON, one with a byte order mark, and none.
    @Test(arguments: [
        #"{"topic":"\#(String(repeating: "x", count: 5_000))","title":"Alpha"}"#, "{", "\u{FEFF}{\"title\":\"Alpha\"}",
        "",
    ])
    func `A list is the same with and without an index`(description: String) async throws {
        let archive = try Self.archive(description)
        let plain = try archive.open(index: nil)
        let expected = try await plain.conversations()
        let problems = await plain.problems()
        let store = try archive.open()
        #expect(try await store.conversations() == expected)
        #expect(await store.problems() == problems)
    }

    @Test func `Something in the place of a segment is reported by each list`() async throws {
        let archive = try Self.archive()
        try archive.write("conversations/general/messages-000002.jsonl/x", "")
        try archive.date("conversations/general", Self.old)
        for _ in 0..<2 {
            let store = try archive.open()
            _ = await store.summaries(
                of: try await store.conversations(), since: ReadStates(), for: nil, withNewest: false)
            #expect(await store.problems() == ["general/messages-000002.jsonl: not a regular file; it is skipped"])
        }
    }

    @Test func `The ends of the logs count segments that the index does not know yet`() async throws {
        let archive = try Self.archive()
        try archive.makeIndex()
        try archive.write("conversations/general/messages-000002.jsonl", message("m2", "two") + "\n")
        let store = try archive.open(index: archive.index)
        let later = Timestamp(milliseconds: 4_000_000_000_000)
        let last = await store.lastMessages(before: try await store.ends(at: later))
        #expect(last == [general: MessageID("m2")])
    }
}

extension TemporaryArchive {
    /// Sets the time at which a file or folder has changed.
    fileprivate func date(_ file: String, _ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/" + file)
    }
}
