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
        #expect(try await unread(.upTo("m1")) == [3, 4])
        #expect(try await unread(.nothing) == [3, 4])
        #expect(try await unread(.upTo("m3")) == [0, 1])
        #expect(try await unread(.upTo("t6")) == [0, 0])
        #expect(try await unread(.unknown) == [0, 0])
        #expect(try await unread(.upTo("m3"), marks("t6")) == [0, 0])
        #expect(try await unread(.upTo("m3"), marks("m2")) == [0, 3])
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
        #expect(new.thread == nil && new.focus == "t5" && new.threads == marks("t6", "t2", "t3", "t6"))
        #expect(try await page(.unknown).threads == marks("t6"))
        #expect(try await page(nil).threads == nil)
    }
}
