@testable import Archive
import Messages
import Testing

struct ThreadMentionTests {
    private static func reply(_ id: String, _ text: String, from: String = "ben", more: String = "") -> String {
        message(id, from: from, text, more: #","thread":"m1""# + more)
    }

    private static let lines = [
        message("m1", from: "ana"), message("m2", from: "ben"), reply("t1", "hi"), reply("t2", "hi @ana"),
        reply("t3", "to you", more: #","replyTo":"m1""#), reply("t4", "@ana: my own", from: "ana"),
        reply("t5", "@ana, everybody", more: #","broadcast":true"#), message("m3", from: "cy"),
        reply("t6", "@Ana Ruiz, again"),
    ]

    private func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"}]"#)
        try archive.write(firstSegment, Self.lines.map { $0 + "\n" }.joined())
        return archive
    }

    private func marks(_ upTo: String, _ open: String...) -> ThreadMarks {
        ThreadMarks(
            upTo: MessageID(upTo), open: open.map { ThreadReply(thread: MessageID("m1"), message: MessageID($0)) })
    }

    @Test(arguments: [true, false])
    func `A mention in a thread counts until its thread is read, and a broadcast one counts only in the main timeline`(
        indexed: Bool
    ) async throws {
        let archive = try archive()
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        func unread(_ state: ReadState, _ threads: ThreadMarks? = nil) async throws -> [Int] {
            let unread = try await store.unread(in: general, since: state, threads: threads, for: "ana")
            return [unread.count, unread.mentions]
        }
        #expect(try await unread(.upTo("m1")) == [3, 5])
        #expect(try await unread(.nothing) == [3, 5])
        #expect(try await unread(.upTo("m3")) == [0, 1])
        #expect(try await unread(.upTo("t6")) == [0, 0])
        #expect(try await unread(.unknown) == [0, 0])
        #expect(try await unread(.upTo("m3"), marks("t6")) == [0, 0])
        #expect(try await unread(.upTo("m3"), marks("m2")) == [0, 4])
        #expect(try await unread(.upTo("m3"), marks("t6", "t2", "gone")) == [0, 1])
        #expect(try await unread(.upTo("m3"), marks("t4", "t2")) == [0, 2])
        #expect(try await unread(.upTo("m3"), marks("gone", "t2")) == [0, 2])
        let nobody = try await store.unread(in: general, since: .upTo("m1"), threads: nil, for: nil)
        #expect(nobody.mentions == 0)
    }

    @Test(arguments: [true, false])
    func `If only a mention in a thread is unread, the page opens at it`(indexed: Bool) async throws {
        let archive = try archive()
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        func page(_ state: ReadState?, _ threads: ThreadMarks? = nil) async throws -> Page {
            try await store.page(
                PageRequest(conversation: general, position: .unread, limit: 3, since: state, threads: threads))
        }
        let waiting = try await page(.upTo("m3"), marks("t4", "t3"))
        #expect(waiting.thread == "m1" && waiting.focus == "m1" && waiting.firstUnread == nil)
        #expect(waiting.threads == marks("t6", "t3", "t6"))
        let new = try await page(.upTo("m2"))
        #expect(new.thread == nil && new.focus == "t5" && new.threads == marks("t6", "t1", "t2", "t3", "t6"))
        #expect(try await page(.unknown).threads == marks("t6"))
        #expect(try await page(nil).threads == nil)
    }

    @Test(arguments: [true, false])
    func `What was deleted concerns nobody`(isIndexed: Bool) async throws {
        let archive = try archive()
        try archive.append(
            firstSegment,
            [record("delete", "d1", on: "t2", from: "ben"), record("delete", "d2", on: "t5", from: "ben")]
                .map { $0 + "\n" }.joined())
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        // t1, t3 and t6 are left of the replies in the thread of ana.
        let unread = try await store.unread(in: general, since: .upTo("m1"), threads: nil, for: "ana")
        #expect([unread.count, unread.mentions] == [3, 3])
        let known = try await store.unread(in: general, since: .upTo("m3"), threads: marks("t6", "t2"), for: "ana")
        #expect(known.mentions == 0)
    }

    /// Threads that ana has begun (m1), has written in (m2, between the replies), and has nothing to do with (m3). A thread
    /// whose root is gone shows its replies in the main timeline.
    @Test(arguments: [true, false])
    func `Replies in threads that the reader has begun or written in wait, from the reader's first reply on`(
        isIndexed: Bool
    ) async throws {
        func reply(_ id: String, in thread: String, from: String = "ben", more: String = "") -> String {
            message(id, from: from, "text", more: #","thread":"\#(thread)""# + more)
        }
        let archive = try TemporaryArchive(
            message("m1", from: "ana"), message("m2", from: "ben"), message("m3", from: "cy"),
            reply("a1", in: "m1"), reply("b1", in: "m2"), reply("c1", in: "m3"), reply("b2", in: "m2", from: "ana"),
            reply("a2", in: "m1", from: "ana"), reply("b3", in: "m2", from: "cy"), reply("c2", in: "m3"),
            reply("a3", in: "m1", from: "cy", more: #","broadcast":true"#), reply("x1", in: "gone"))
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        let unread = try await store.unread(in: general, since: .upTo("m3"), threads: nil, for: "ana")
        #expect([unread.count, unread.mentions] == [2, 3])
        let request = PageRequest(conversation: general, position: .unread, limit: 3, since: .upTo("m3"))
        #expect(try await store.page(request).threads?.open.map(\.message) == ["a1", "b3"])
        let ben = try await store.unread(in: general, since: .upTo("m3"), threads: nil, for: "ben")
        // All replies in m2, and those after his own in m1.
        #expect([ben.count, ben.mentions] == [1, 4])
        let changes = ChangesTests.Listener(store, since: try await store.page(.latest))
        try archive.append(
            firstSegment,
            [reply("b4", in: "m2"), reply("c3", in: "m3"), reply("b5", in: "m2", from: "ana")]
                .map { $0 + "\n" }.joined())
        var news: [String] = []
        while news.last != "b5 text" { news += await changes.next(1) }
        #expect(news.filter { $0.hasPrefix("own threads") } == ["own threads: b4"])
    }

    /// With more replies than are read at once before the reader's own one.
    @Test func `The reader's own reply is found in a long thread`() async throws {
        let replies = (1...600).map { message("t\($0)", from: "ben", "text", more: #","thread":"m1""#) }
        let own = message("own", from: "ana", "text", more: #","thread":"m1""#)
        let last = message("last", from: "cy", "text", more: #","thread":"m1""#)
        let archive = try TemporaryArchive()
        let lines = [message("m1", from: "cy"), message("m2", from: "cy")] + replies + [own, last]
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let unread = try await archive.open().unread(in: general, since: .upTo("m2"), threads: nil, for: "ana")
        #expect([unread.count, unread.mentions] == [0, 1])
    }
}
