import Foundation
import Messages
import SQLite
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
        let database = try Database(path: archive.index.path + "/records.db", for: .writing, timeout: 5_000)
        let shared: Set = [IDHash(MessageID("m1")).number]
        let number = try #require(try IndexedConversation.find("other", in: database)?.number)
        try archive.write("conversations/other/messages-000001.jsonl", "")
        let failures = try database.write { database in
            try RepeatFinder(database, BlockReader())
                .markAll([number: shared], Catalogue(archive: archive.path)).failures
        }
        #expect(failures.map(\.0) == ["other"])
        #expect(try IndexedConversation.find("other", in: database) == nil)
        #expect(try LookupCheck(database).faults() == [])
    }
}
