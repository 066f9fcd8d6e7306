import Foundation
import Index
import Messages
import Search
import TestSupport
import Testing

@testable import Archive

/// A conversation leaves the index with all that is known of it.
struct GoneConversationTests {
    /// Two conversations that share an ID. Each has a repeat, replies and a reaction.
    private static func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        for name in ["general", "other"] {
            let lines = [
                message("m1"), message("\(name)2"), message("m3", more: #","thread":"m1""#), message("m1", "a repeat"),
                message("m4", more: #","thread":"\#(name)2""#),
                record("reaction", "r1", on: "m1", more: #","emoji":"👍""#),
            ]
            try archive.write(
                "conversations/\(name)/messages-000001.jsonl", lines.map { $0 + "\n" }.joined())
        }
        try archive.makeIndex()
        return archive
    }

    @Test func `After its folder was removed`() throws {
        let archive = try Self.archive()
        try FileManager.default.removeItem(atPath: archive.path + "/conversations/other")
        try archive.makeIndex()
        try IndexCheckTests.expectRight(archive, "")
    }

    @Test func `After its repeats could not be read`() throws {
        let archive = try Self.archive()
        let writer = try IndexWriter(archive.index.files)
        var state = try #require(try writer.base.state())
        #expect(try IndexedConversation.find("other", in: writer.base) != nil)
        try archive.write("conversations/other/messages-000001.jsonl", "")
        var marker = RecordMarker(Catalogue(archive: archive.path))
        let failures = try marker.markAll(in: writer, &state)
        #expect(failures.map(\.conversation.id) == ["other"])
        #expect(try IndexedConversation.find("other", in: writer.base) == nil)
        try writer.merge()
        try writer.base.check()
    }

    /// Without its label, as behind a mount point whose disk is away, or without its whole folder.
    @Test(arguments: [true, false], [true, false])
    func `An archive that is gone while it is open is told, and is not taken for an empty one`(
        isWhole: Bool, isIndexed: Bool
    ) async throws {
        let archive = try Self.archive()
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        #expect(try await store.conversations().count == 2)
        let (away, files) = (archive.path + "-away", FileManager.default)
        defer { try? files.removeItem(atPath: away) }
        try files.moveItem(atPath: archive.path, toPath: away)
        if !isWhole { try files.createDirectory(atPath: archive.path, withIntermediateDirectories: true) }
        let reason =
            isWhole ? "the folder of the archive is gone; bring it back" : "archive.json is gone; bring it back"
        func expectGone(_ request: () async throws -> some Any) async {
            do {
                let result = try await request()
                Issue.record("answered \(result)")
            } catch let error {
                let error = error as? StoreError
                #expect(
                    error?.isTransient == true && error?.reason.hasPrefix(reason) == true,
                    "\(String(describing: error))")
            }
        }
        let general = ConversationID("general")
        await expectGone { try await store.conversations() }
        await expectGone { try await store.conversation(general) }
        await expectGone { try await store.summary(of: general) }
        await expectGone { try await store.page(PageRequest(conversation: general, position: .latest, limit: 5)) }
        var batches = store.search(SearchRequest(Query("m1"))).makeAsyncIterator()
        let first = await batches.next()
        await expectGone { try #require(first).get() }
        if isIndexed { #expect(throws: (any Error).self) { try archive.makeIndex() } }
        // It comes back, and so does all that was in it and in its index.
        if !isWhole { try files.removeItem(atPath: archive.path) }
        try files.moveItem(atPath: away, toPath: archive.path)
        #expect(try await store.conversations().count == 2)
        #expect(
            try await store.page(PageRequest(conversation: general, position: .latest, limit: 5)).messages.count > 0)
        try IndexCheckTests.expectRight(archive, "")
    }
}
