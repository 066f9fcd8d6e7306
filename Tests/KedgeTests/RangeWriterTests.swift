import Foundation
import Interface
import Messages
import Synchronization
import Testing

@testable import kedge

/// Several messages as text for the clipboard, and in files.
final class RangeWriterTests {
    /// A conversation of five messages.
    private struct Talk: MessageReading {
        private let all = (1...5).map { number in
            Message(
                id: MessageID("m-\(number)"), at: Timestamp(milliseconds: Int64(number) * 60_000),
                sender: Person(id: PersonID("ana"), name: "Ana"), text: "text \(number)",
                cursor: Cursor(token: "\(number)"))
        }

        func page(_ request: PageRequest) async throws(StoreError) -> Page {
            guard case .message(let id) = request.position, all.contains(where: { $0.id == id }) else {
                throw .noSuchMessage(MessageID("?"), in: request.conversation)
            }
            return Page(messages: all, older: .end, newer: .end)
        }

        func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
            guard let found = all.first(where: { $0.id == id }) else { throw .noSuchMessage(id, in: conversation) }
            return found
        }

        func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? { nil }

        func messages(
            _ ids: Set<MessageID>, in conversation: ConversationID
        ) async throws(StoreError) -> [Message] { all.filter { ids.contains($0.id) } }
    }

    /// A thousand messages, ten a page: more than it may hold at a time.
    private final class LongTalk: MessageReading {
        private func message(_ number: Int) -> Message {
            Message(
                id: MessageID("\(number)"), at: Timestamp(milliseconds: 0), sender: nil, text: "text \(number)",
                cursor: Cursor(token: "\(number)"))
        }

        func page(_ request: PageRequest) async throws(StoreError) -> Page {
            let start =
                switch request.position {
                case .message(let id): Int(id.rawValue) ?? 0
                case .after(let cursor): (Int(cursor.token) ?? 0) + 1
                default: 0
                }
            let messages = (start..<min(start + min(10, request.limit), 1_000)).map(message)
            let isEnd = messages.last?.id == MessageID("999")
            return Page(
                messages: messages, older: .end,
                newer: isEnd
                    ? .end : .more(Cursor(token: messages.last?.id.rawValue ?? ""), Neighbour(message(start + 10))))
        }

        func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
            message(Int(id.rawValue) ?? 0)
        }

        func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? { nil }

        func messages(
            _ ids: Set<MessageID>, in conversation: ConversationID
        ) async throws(StoreError) -> [Message] { [] }
    }

    @Test(arguments: [("5", "904"), ("904", "5")])
    func `A range is read a page at a time, whichever end comes first`(one: String, other: String) async throws {
        let general = ConversationID("general")
        var left: MessageRange? = try await MessageRange(
            MessageID(one), MessageID(other), in: general, hasReplies: true, of: LongTalk())
        var (texts, largest) = ([String](), 0)
        while let range = left {
            let (messages, rest) = try await range.next()
            texts += messages.map(\.text)
            largest = max(largest, messages.count)
            left = rest
        }
        #expect(texts == (5...904).map { "text \($0)" })
        #expect(largest == 10)
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-range-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    private func range(_ first: String, _ last: String) throws -> MarkedRange {
        MarkedRange(
            conversation: ConversationID("general"), thread: nil, first: MessageID(first), last: MessageID(last))
    }

    private let writer = RangeWriter(store: KnownPages(Talk()))

    @Test func `The text has each message in a line`() async throws {
        guard case .copied(let text, let count) = await writer.copy(try range("m-2", "m-4")) else {
            Issue.record("not copied")
            return
        }
        #expect(count == 3)
        #expect(text.split(separator: "\n").map { $0.suffix(11) } == ["Ana: text 2", "Ana: text 3", "Ana: text 4"])
        #expect(
            await writer.copy(try range("m-2", "m-9"))
                == .unread(.noSuchMessage(MessageID("m-9"), in: ConversationID("general")), messages: 0))
    }

    /// A conversation of pages of two messages. Each page fails the first time.
    private final class FailingTalk: MessageReading {
        private let talk = Talk()
        private let asked = Mutex<[PageRequest.Position: Int]>([:])

        var most: Int { asked.withLock { $0.values.max() ?? 0 } }

        /// How often a single message was asked for.
        let singles = Mutex(0)

        func page(_ request: PageRequest) async throws(StoreError) -> Page {
            let count = asked.withLock { asked in
                asked[request.position, default: 0] += 1
                return asked[request.position]
            }
            if count == 1 { throw .unavailable("the line is down") }
            let all = try await talk.page(
                PageRequest(conversation: request.conversation, position: .message(MessageID("m-1")), limit: 5)
            ).messages
            var start = 0
            if case .after(let cursor) = request.position { start = Int(cursor.token) ?? 0 }
            let some = Array(all[start..<min(start + 2, all.count)])
            guard let last = some.last, last.id != all.last?.id else {
                return Page(messages: some, older: .end, newer: .end)
            }
            return Page(messages: some, older: .end, newer: .more(last.cursor, Neighbour(last)))
        }

        func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
            singles.withLock { $0 += 1 }
            return try await talk.message(id, in: conversation)
        }

        func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? { nil }

        func messages(
            _ ids: Set<MessageID>, in conversation: ConversationID
        ) async throws(StoreError) -> [Message] { [] }
    }

    @Test func `Another try goes on with the page that failed`() async throws {
        let talk = FailingTalk()
        let writer = RangeWriter(store: KnownPages(talk))
        let range = try range("m-1", "m-5")
        for count in [0, 2, 4] {
            #expect(await writer.copy(range) == .unread(.unavailable("the line is down"), messages: count))
        }
        guard case .copied(let text, 5) = await writer.copy(range) else {
            Issue.record("not copied")
            return
        }
        #expect(text.contains("text 1") && text.contains("text 5") && talk.most == 2)
        // Its two ends are known from the first try.
        #expect(talk.singles.withLock { $0 } == 2)
    }

    @Test func `A file has the format of its ending`() async throws {
        for name in ["a.txt", "a.md", "a.json"] {
            #expect(
                await writer.write(try range("m-1", "m-2"), to: path(name), replaces: false)
                    == .written(2, file: path(name)))
        }
        #expect(try read("a.txt").contains("Ana: text 1"))
        #expect(try read("a.md").contains("**Ana**"))
        let json = try JSONSerialization.jsonObject(with: Data(try read("a.json").utf8)) as? [[String: Any]]
        #expect(json?.map { $0["link"] as? String } == ["general/m-1", "general/m-2"])
    }

    @Test func `A file that exists stays, unless it is to be replaced`() async throws {
        try "mine".write(toFile: path("a.txt"), atomically: false, encoding: .utf8)
        let range = try range("m-1", "m-1")
        #expect(await writer.write(range, to: path("a.txt"), replaces: false) == .exists(range, file: path("a.txt")))
        #expect(try read("a.txt") == "mine")
        #expect(await writer.write(range, to: path("a.txt"), replaces: true) == .written(1, file: path("a.txt")))
        #expect(try read("a.txt").contains("text 1"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.txt"])
    }

    @Test func `A file that cannot be written is told`() async throws {
        let result = await writer.write(try range("m-1", "m-1"), to: path("none/a.txt"), replaces: false)
        #expect(result == .failed("\(path("none/a.txt")) was not written: No such file or directory"))
    }
}
