import Messages
import Testing

@testable import Archive

/// All texts that a message has had.
struct VersionTests {
    private static func versions(
        isIndexed: Bool, _ lines: String..., of id: MessageID = "m1"
    ) async throws -> [MessageVersion] {
        let archive = try TemporaryArchive(lines.joined(separator: "\n"))
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        return try await store.versions(of: id, in: "general")
    }

    @Test(arguments: [true, false])
    func `The texts of a message come in the order of the log, those of other people left out`(isIndexed: Bool)
        async throws
    {
        let found = try await Self.versions(
            isIndexed: isIndexed, message("m1", "one"), message("m2", "other"),
            record("edit", "e1", on: "m1", more: #","text":"two""#),
            record("edit", "e2", on: "m1", from: "ben", more: #","text":"not mine""#),
            record("edit", "e3", on: "m2", more: #","text":"other again""#),
            record("edit", "e4", on: "m1", more: #","text":"three""#))
        #expect(found.map(\.text) == ["one", "two", "three"])
        #expect(found.map(\.isFirst) == [true, false, false])
    }

    @Test(arguments: [true, false])
    func `A deleted message shows none of its texts`(isIndexed: Bool) async throws {
        let found = try await Self.versions(
            isIndexed: isIndexed, message("m1", "secret"),
            record("edit", "e1", on: "m1", more: #","text":"less secret""#),
            record("delete", "d1", on: "m1"))
        #expect(found.isEmpty)
    }

    @Test func `An edited message of an export has its last text alone, which is not the first one`() async throws {
        let found = try await Self.versions(isIndexed: false, message("m1", "now", more: #","edited":true"#))
        #expect(found.map(\.text) == ["now"] && found.map(\.isFirst) == [false])
    }

    @Test func `Edits that the index does not cover yet are there, too`() async throws {
        let archive = try TemporaryArchive(
            message("m1", "one"), record("edit", "e1", on: "m1", more: #","text":"two""#))
        try archive.makeIndex()
        try archive.append(firstSegment, record("edit", "e2", on: "m1", more: #","text":"three""#) + "\n")
        let store = try archive.open(index: archive.index)
        #expect(try await store.versions(of: "m1", in: "general").map(\.text) == ["one", "two", "three"])
        await #expect(throws: StoreError.noSuchMessage("m9", in: "general")) {
            try await store.versions(of: "m9", in: "general")
        }
    }
}
