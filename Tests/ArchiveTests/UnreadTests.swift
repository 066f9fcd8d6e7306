@testable import Archive
import Messages
import Testing

struct UnreadTests {
    private func unread(
        _ lines: [String], since id: String, for reader: PersonID? = "ana", indexed: Bool
    ) async throws -> Unread {
        let archive = try Self.archive(lines)
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        return try await store.unread(in: general, since: .upTo(MessageID(id)), threads: nil, for: reader)
    }

    private static let lines = [
        message("m1", from: "ana"), message("m2", from: "ben"), message("m3", from: "ana", "my own"),
        message("m4", from: "ben", "hi @ana"), message("m5", from: "ben", "aside", more: #","thread":"m1""#),
        message("m6", from: "ben", "to you", more: #","replyTo":"m1""#),
        message("m7", from: "ben", "to myself", more: #","replyTo":"m2""#),
        message("m8", from: "ben", "@Ana Ruiz: look"), message("m9", from: "ben", "@anabel, ana@home"),
    ]

    @Test(arguments: [true, false])
    func
        `Unread are the messages of others after the last read one, and mentions are those that concern the reader`(
            indexed: Bool
        ) async throws
    {
        #expect(try await unread(Self.lines, since: "m1", indexed: indexed) == Unread(count: 6, mentions: 4))
        #expect(try await unread(Self.lines, since: "m6", indexed: indexed) == Unread(count: 3, mentions: 1))
        #expect(try await unread(Self.lines, since: "m9", indexed: indexed) == Unread())
        #expect(try await unread(Self.lines, since: "gone", indexed: indexed) == Unread())
        #expect(try await unread(Self.lines, since: "m1", for: nil, indexed: indexed) == Unread(count: 7, mentions: 0))
    }

    @Test(arguments: [true, false])
    func `A name without a sign and a word that the reader has chosen count as mentions`(indexed: Bool) async throws {
        let archive = try Self.archive([
            message("m1", from: "ana"), message("m2", from: "ben", "ana: are you there?"),
            message("m3", from: "ben", "the Harbour is open"), message("m4", from: "ben", "bananas"),
        ])
        if indexed { try archive.makeIndex() }
        var identity = Identity.ofArchive
        identity.highlight = ["harbour"]
        let store = try archive.open(index: indexed ? archive.index : nil, me: identity)
        #expect(
            try await store.unread(in: general, since: .upTo("m1"), threads: nil, for: "ana")
                == Unread(count: 3, mentions: 2))
    }

    @Test(arguments: [true, false])
    func `If nothing is read, the first message is the first unread one, and if that is unknown there is none`(
        indexed: Bool
    ) async throws {
        let archive = try Self.archive(Self.lines)
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        #expect(
            try await store.unread(in: general, since: .nothing, threads: nil, for: "ana")
                == Unread(count: 6, mentions: 4))
        #expect(try await store.unread(in: general, since: .unknown, threads: nil, for: "ana") == Unread())
        #expect(
            try await store.unread(in: general, since: .upTo("m5"), threads: nil, for: "ana")
                == Unread(count: 4, mentions: 2))
    }

    @Test(arguments: [true, false])
    func `A page names the first unread message, on the page or not, and never the reader's own`(indexed: Bool)
        async throws
    {
        let archive = try Self.archive(Self.lines + (10...700).map { message("m\($0)", from: "ana") })
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        func first(_ state: ReadState, _ position: PageRequest.Position = .latest) async throws -> Page {
            try await store.page(PageRequest(conversation: general, position: position, limit: 3, since: state))
        }
        for (state, wanted) in [
            (ReadState.upTo("m1"), "m2"), (.upTo("m2"), "m4"), (.upTo("m5"), "m6"), (.upTo("m8"), "m9"),
            (.nothing, "m2"),
        ] {
            #expect(try await first(state).firstUnread == MessageID(wanted))
            #expect(try await first(state, .unread).focus == MessageID(wanted))
        }
        for state in [ReadState.unknown, .upTo("m9"), .upTo("m500"), .upTo("m700"), .upTo("gone")] {
            #expect(try await first(state).firstUnread == nil)
            #expect(try await first(state, .unread).messages.last?.id == "m700")
        }
    }

    private static func archive(_ lines: [String]) throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"}]"#)
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        return archive
    }

    @Test func `Thousands of unread messages are counted without reading them`() async throws {
        let lines = (0...6_000).map { message("m\($0)", from: "ben", "@ana") }
        #expect(try await unread(lines, since: "m0", indexed: true) == Unread(count: 6_000, mentions: 0))
        let own = (0..<3_000).map { message("own\($0)", from: "ana") }
        #expect(try await unread(lines + own, since: "m500", indexed: true) == Unread(count: 5_500, mentions: 0))
    }
}
