@testable import Archive
import Messages
import Testing

@Suite("What is unread")
struct UnreadTests {
    private func unread(
        _ lines: [String], since id: String, for reader: PersonID? = "ana", indexed: Bool
    ) async throws -> Unread {
        let archive = try TemporaryArchive()
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"}]"#)
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        return try await store.unread(
            in: general, since: ReadPosition(message: MessageID(id), index: nil), for: reader)
    }

    private static let lines = [
        message("m1", from: "ana"), message("m2", from: "ben"), message("m3", from: "ana", "my own"),
        message("m4", from: "ben", "hi @ana"), message("m5", from: "ben", "aside", more: #","thread":"m1""#),
        message("m6", from: "ben", "to you", more: #","replyTo":"m1""#),
        message("m7", from: "ben", "to myself", more: #","replyTo":"m2""#),
        message("m8", from: "ben", "@Ana Ruiz: look"), message("m9", from: "ben", "@anabel, ana@home"),
    ]

    @Test(
        "others' messages of the main timeline behind the last that was read; names and answers",
        arguments: [true, false])
    func counts(indexed: Bool) async throws {
        #expect(try await unread(Self.lines, since: "m1", indexed: indexed) == Unread(count: 6, mentions: 3))
        #expect(try await unread(Self.lines, since: "m6", indexed: indexed) == Unread(count: 3, mentions: 1))
        #expect(try await unread(Self.lines, since: "m9", indexed: indexed) == Unread())
        #expect(try await unread(Self.lines, since: "gone", indexed: indexed) == Unread())
        #expect(try await unread(Self.lines, since: "m1", for: nil, indexed: indexed) == Unread(count: 7, mentions: 0))
    }

    @Test("thousands are counted without being read")
    func many() async throws {
        let lines = (0...6_000).map { message("m\($0)", from: "ben", "@ana") }
        #expect(try await unread(lines, since: "m0", indexed: true) == Unread(count: 6_000, mentions: 0))
    }
}
