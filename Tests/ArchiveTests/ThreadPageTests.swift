import Foundation
import Messages
import TestSupport
import Testing

@testable import Archive

struct ThreadPageTests {
    static let seeds: [UInt64] = (0..<3).map { _ in UInt64.random(in: 0...UInt64.max) }

    /// Writes some dozens of records, most of them replies in a few threads: to roots before and after them, to other
    /// replies, to missing roots. Some lines are bad or repeated, the last one is incomplete.
    private static func write(
        _ archive: TemporaryArchive, count: Int, repeats: Bool, _ random: inout SeededGenerator
    ) throws {
        var segments = [""]
        let roots = (0..<4).map { _ in "id-\(Int.random(in: 0...count, using: &random))" } + ["nobody"]
        for number in 0..<count {
            func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }
            func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
            let id = chance(15) && repeats ? "id-\(Int.random(in: 0...number, using: &random))" : "id-\(number)"
            let from = pick(["ana", "ben"])
            let minute = Int.random(in: 0..<40, using: &random)
            let text = "text \(number)" + String(repeating: "x", count: chance(6) ? 4_000 : 0)
            var line = "{broken"
            switch Int.random(in: 0..<14, using: &random) {
            case 0: line = record("edit", id, on: pick(roots), from: from, more: #","text":"edited \#(number)""#)
            case 1 where chance(2): line = record("delete", id, on: pick(roots), from: from)
            case 2: line = record("reaction", id, on: pick(roots), from: from, more: #","emoji":"👍""#)
            case 3 where chance(2): break
            case 4, 5: line = message(id, from: from, minute: minute, text)
            case 6: line = message(id, from: from, minute: minute, text, more: #","thread":"\#(id)""#)
            default:
                let broadcast = chance(4) ? #","broadcast":true"# : ""
                let quote = chance(4) ? #","replyTo":"\#(pick(roots))""# : ""
                line = message(
                    id, from: from, minute: minute, text, more: #","thread":"\#(pick(roots))""# + quote + broadcast)
            }
            segments[segments.count - 1] += line + "\n"
            if chance(15) { segments.append("") }
        }
        segments[segments.count - 1] += message("torn", more: #","thread":"\#(roots[0])""#).dropLast(1)
        for (index, text) in segments.enumerated() {
            try archive.write("conversations/general/messages-00000\(100 + index).jsonl", text)
        }
    }

    /// A store of a random archive, the messages that a plain reader finds in it, and the pages of threads that it
    /// computes.
    private struct Threads {
        let store: JSONArchive
        let plain: NaiveConversation
        let isIndexed: Bool
        let end: Cursor?

        init(_ coverage: RandomArchiveTests.Coverage, _ random: inout SeededGenerator) async throws {
            let archive = try TemporaryArchive()
            try ThreadPageTests.write(
                // Repeats are only known with an index.
                archive, count: Int.random(in: 0...60, using: &random), repeats: coverage != .none, &random)
            plain = try NaiveConversation(folder: archive.path + "/conversations/general", names: [:])
            try RandomArchiveTests.index(archive, coverage, &random)
            isIndexed = coverage != .none
            store = try archive.open(index: isIndexed ? archive.index : nil)
            end = try await store.page(.latest, 1).asOf
        }

        var roots: Set<MessageID> { Set(plain.all.compactMap(\.thread) + plain.all.prefix(5).map(\.id) + ["nobody"]) }

        func replies(to root: MessageID) -> [Message] { plain.all.filter { $0.thread == root } }

        func page(_ range: Range<Int>, of root: MessageID, focus: MessageID? = nil) -> Page {
            let replies = replies(to: root)
            let page = plain.page(range, of: replies, focus: focus)
            return Page(
                messages: page.messages, root: plain.all.first { $0.id == root }, older: page.older, newer: page.newer,
                focus: focus, place: isIndexed || range == replies.indices ? page.place : nil, asOf: end)
        }
    }

    @Test(arguments: seeds, RandomArchiveTests.Coverage.allCases)
    func `Every page of every size at every position of a thread is correct`(
        seed: UInt64, coverage: RandomArchiveTests.Coverage
    ) async throws {
        print("seed \(seed), \(coverage) of it in the index")
        var random = SeededGenerator(seed: seed)
        let threads = try await Threads(coverage, &random)
        for message in threads.plain.all {
            try await #expect(threads.store.message(message.id, in: general) == message, "seed \(seed)")
        }
        for root in threads.roots {
            for limit in [1, 2, 7, 50] { try await compare(threads, root, limit, "seed \(seed), thread \(root)") }
        }
    }

    private func compare(_ threads: Threads, _ root: MessageID, _ limit: Int, _ label: String) async throws {
        let replies = threads.replies(to: root)
        let size = min(limit, replies.count)
        func isPage(
            _ range: Range<Int>, at position: PageRequest.Position, focus: MessageID? = nil
        ) async throws {
            let page = try await threads.store.page(position, limit, thread: root)
            #expect(page == threads.page(range, of: root, focus: focus), "\(label), \(position), \(limit)")
        }
        func isPage(around index: Int, at position: PageRequest.Position) async throws {
            let start = max(0, min(index - size / 2, replies.count - size))
            try await isPage(start..<start + size, at: position, focus: replies[index].id)
        }
        try await isPage(0..<size, at: .earliest)
        try await isPage(replies.count - size..<replies.count, at: .latest)
        for (index, message) in replies.enumerated() {
            try await isPage(around: index, at: .message(message.id))
            try await isPage(around: index, at: .index(index))
            if index > 0 { try await isPage(max(0, index - limit)..<index, at: .before(message.cursor)) }
            if index + 1 < replies.count {
                try await isPage(index + 1..<min(replies.count, index + 1 + limit), at: .after(message.cursor))
            }
        }
        for minute in stride(from: 0, through: 41, by: 3) {
            let moment = try #require(Timestamp(iso8601: time(minute)))
            if let index = replies.firstIndex(where: { $0.at >= moment }) {
                try await isPage(around: index, at: .date(NamedTime(moment)))
            } else {
                try await isPage(replies.count - size..<replies.count, at: .date(NamedTime(moment)))
            }
        }
        guard let last = replies.indices.last else { return }
        try await isPage(around: last, at: .index(last + 5))
        for share in [0, 0.3, 0.5, 0.99, 1] {
            let page = try await threads.store.page(.share(share), limit, thread: root)
            let index = try #require(replies.firstIndex { $0.id == page.focus }, "\(label)")
            if threads.isIndexed { #expect(index == min(last, Int(Double(replies.count) * share)), "\(label)") }
            if share == 0 { #expect(index == 0, "\(label)") }
            if share == 1 { #expect(index == last, "\(label)") }
        }
    }

    @Test(
        arguments: seeds,
        RandomArchiveTests.Coverage.allCases)
    func `Paging from any message of a thread to both ends has no gap and no duplicate`(
        seed: UInt64, coverage: RandomArchiveTests.Coverage
    ) async throws {
        print("seed \(seed), \(coverage) of it in the index")
        var random = SeededGenerator(seed: seed)
        let threads = try await Threads(coverage, &random)
        for root in threads.roots {
            let replies = threads.replies(to: root).map(\.id)
            guard let start = replies.randomElement(using: &random) else { continue }
            let limit = Int.random(in: 1...5, using: &random)
            let first = try await threads.store.page(.message(start), limit, thread: root)
            var (ids, older, newer) = (first.messages.map(\.id), first.older, first.newer)
            while case .more(let cursor, let neighbour) = older, ids.count <= replies.count {
                let page = try await threads.store.page(.before(cursor), limit, thread: root)
                #expect(page.messages.last?.id == neighbour.id, "seed \(seed)")
                (ids, older) = (page.messages.map(\.id) + ids, page.older)
            }
            while case .more(let cursor, let neighbour) = newer, ids.count <= replies.count {
                let page = try await threads.store.page(.after(cursor), limit, thread: root)
                #expect(page.messages.first?.id == neighbour.id, "seed \(seed)")
                (ids, newer) = (ids + page.messages.map(\.id), page.newer)
            }
            #expect(ids == replies, "seed \(seed)")
        }
    }

    /// Threads of every kind: the root is deleted, missing, after its reply, or itself a reply.
    private static let lines = [
        message("early", more: #","thread":"late""#), message("m1", "root"), message("m2"),
        message("a", from: "ben", minute: 5, more: #","thread":"m1""#),
        message("nested", minute: 4, more: #","thread":"a""#), message("late", minute: 3),
        message("b", minute: 2, more: #","thread":"m1","broadcast":true"#), record("delete", "d", on: "m1"),
        message("lost", more: #","thread":"nobody""#), message("own", more: #","thread":"own""#),
        record("reaction", "r", on: "a", more: #","emoji":"👍""#),
    ]

    @Test(arguments: [true, false])
    func `A thread has a page even if its root is deleted, missing, a reply or after its replies`(isIndexed: Bool)
        async throws
    {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, ThreadPageTests.lines.map { $0 + "\n" }.joined())
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        func thread(_ root: MessageID) async throws -> (root: Message?, ids: [String]) {
            let page = try await store.page(.latest, thread: root)
            #expect(page.place == Place(index: 0, total: page.messages.count))
            return (page.root, page.messages.map(\.id.rawValue))
        }
        let deleted = try await thread("m1")
        #expect(deleted.ids == ["a", "b"] && deleted.root?.isDeleted == true && deleted.root?.replyCount == 2)
        // The last reply in the order of the log, not of time.
        #expect(deleted.root?.lastReply == Timestamp(iso8601: time(2)))
        let nested = try await thread("a")
        #expect(nested.ids == ["nested"] && nested.root?.reactions.count == 1 && nested.root?.thread == "m1")
        let missing = try await thread("nobody")
        #expect(missing.ids == ["lost"] && missing.root == nil)
        let late = try await thread("late")
        #expect(late.ids == ["early"] && late.root?.id == "late" && late.root?.replyCount == 0)
        #expect(late.root?.lastReply == nil)
        let own = try await thread("own")
        #expect(own.ids == [] && own.root?.id == "own" && own.root?.thread == nil)
        #expect(try await thread("no such message") == (nil, []))
        for id: MessageID in ["m1", "m2", "lost", "nested", "nothing"] {
            await #expect(throws: StoreError.noSuchMessage(id, in: general)) {
                try await store.page(.message(id), thread: "m1")
            }
        }
    }

    @Test func `Two roots with the same hash have separate threads with full pages`() async throws {
        let roots = ["N_e37jYQti0Dy0EJ", "Ved4iIq8REIeWx3-"]
        // They were looked for: after eight bytes of any ID, eight others can be found that lead to the same hash.
        #expect(IDHash(MessageID(roots[0])) == IDHash(MessageID(roots[1])))
        let archive = try TemporaryArchive()
        let replies = (0..<90).map { number in
            message("t\(number)", minute: number, more: #","thread":"\#(roots[number / 10 % 2])""#)
        }
        let lines = roots.map { message($0) } + replies
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = try archive.open()
        for (parity, root) in roots.enumerated() {
            let ids = (0..<90).filter { $0 / 10 % 2 == parity }.map { "t\($0)" }
            let root = MessageID(root)
            for limit in [1, 4, 15, 40] {
                let earliest = try await store.page(.earliest, limit, thread: root)
                #expect(earliest.messages.map(\.id.rawValue) == Array(ids.prefix(limit)))
                let latest = try await store.page(.latest, limit, thread: root)
                #expect(latest.messages.map(\.id.rawValue) == ids.suffix(limit))
            }
            #expect(try await store.page(.index(3), thread: root).focus != nil)
        }
    }

    @Test func `A page around a nested reply shows the outermost root and names the thread of the reply`() async throws
    {
        let archive = try TemporaryArchive()
        var lines = (0..<40).map { message("m\($0)", minute: $0) }
        lines += [
            message("a", more: #","thread":"m5""#), message("b", more: #","thread":"a""#),
            message("lost", more: #","thread":"nobody""#), message("x", more: #","thread":"y""#),
            message("y", more: #","thread":"x""#), message("sent", more: #","thread":"m5","broadcast":true"#),
        ]
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        for store in [try archive.open(index: nil), try archive.open()] {
            func asked(_ id: String) async throws -> [String?] {
                let page = try await store.page(
                    PageRequest(conversation: general, position: .message(MessageID(id)), limit: 5))
                return [page.focus?.rawValue, page.thread?.rawValue]
            }
            #expect(try await asked("a") == ["m5", "m5"])
            #expect(try await asked("b") == ["m5", "a"])
            #expect(try await asked("lost") == ["lost", nil])
            #expect(try await asked("x") == ["x", nil])
            #expect(try await asked("y") == ["x", "x"])
            #expect(try await asked("sent") == ["sent", nil])
            #expect(try await asked("m5") == ["m5", nil])
        }
    }
}

extension JSONArchive {
    fileprivate func page(
        _ position: PageRequest.Position, _ limit: Int = 50, thread: MessageID
    ) throws(StoreError) -> Page {
        try page(PageRequest(conversation: general, thread: thread, position: position, limit: limit))
    }
}
