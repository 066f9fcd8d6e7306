@testable import Archive
import Messages
import Search
import Synchronization
import Testing

struct SummariesTests {
    private static let count = 300

    private static func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        for number in 0..<count {
            let lines = (0..<3).map { message("m\($0)", from: "p\(number)", minute: number + $0, "hi \(number) \($0)") }
            let edit = record("edit", "e", on: "m2", from: "p\(number)", more: ",\"text\":\"edited \(number)\"")
            try archive.write(
                "conversations/c\(number)/messages-000001.jsonl", (lines + [edit]).map { $0 + "\n" }.joined())
        }
        return archive
    }

    @Test(arguments: [true, false])
    func `Many summaries at once equal single ones`(indexed: Bool) async throws {
        let archive = try Self.archive()
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        let all = Array(try await store.conversations().prefix(indexed ? Self.count : 20))
        let read = Dictionary(
            uniqueKeysWithValues: all.map { ($0.id, ReadPosition(message: MessageID("m0"), index: 0)) })
        let together = await store.summaries(of: all, since: ReadStates(positions: read), for: nil, withNewest: true)
        #expect(together.count == all.count)
        for (conversation, result) in zip(all, together) {
            let summary = try result.get()
            let own = try await store.summary(of: conversation.id)
            #expect(summary.conversation == conversation && summary.count == 3 && summary.unread == Unread(count: 2))
            #expect((summary.first, summary.last) == (own.first, own.last))
            #expect(summary.newest?.text == "edited " + conversation.id.rawValue.dropFirst())
            #expect(summary.newest?.sender?.id.rawValue == "p" + conversation.id.rawValue.dropFirst())
        }
    }

    @Test func `Many summaries read the index once, and a missing conversation does not affect the others`()
        async throws
    {
        let archive = try Self.archive()
        let store = try archive.open()
        var all = try await store.conversations()
        all.insert(Conversation(id: ConversationID("gone"), title: "gone", topic: nil), at: 7)
        let before = await store.indexReadings
        let results = await store.summaries(of: all, since: ReadStates(), for: nil, withNewest: true)
        #expect(await store.indexReadings - before <= 4)
        #expect(results.filter { (try? $0.get()) == nil }.count == 1)
        #expect((try? results[7].get()) == nil)
    }

    @Test func `An outdated index is updated before summaries are read from it`() async throws {
        let archive = try Self.archive()
        let store = try archive.open()
        let all = try await store.conversations()
        for number in [3, 250] {
            let padding = String(repeating: "x", count: 400_000)
            try archive.append(
                "conversations/c\(number)/messages-000001.jsonl", message("new", minute: 999, padding) + "\n")
        }
        let results = await store.summaries(of: all, since: ReadStates(), for: nil, withNewest: false)
        let counts = try results.map { try $0.get().count }
        #expect(counts.filter { $0 == 4 }.count == 2 && counts.filter { $0 == 3 }.count == Self.count - 2)
        let newest = await store.summaries(of: all, since: ReadStates(), for: nil, withNewest: true)
        #expect(try newest.compactMap { try $0.get().newest?.text.utf8.count }.max() == Quote.longestText)
    }

    @Test func `Small conversations are indexed together, and an unreadable one does not affect the others`()
        async throws
    {
        let archive = try Self.archive()
        let steps = Mutex<[Int64]>([])
        let control = IndexControl(observer: { progress in steps.withLock { $0.append(progress.records) } })
        let builder = IndexBuilder(catalogue: Catalogue(archive: archive.path), folder: archive.index, control: control)
        #expect(try builder.run().isEmpty)
        #expect(Set(steps.withLock { $0 }).count == 2, "none, and all")
        // Lines that are appended later are counted too, in many conversations.
        for number in 0..<50 {
            try archive.append(
                "conversations/c\(number)/messages-000001.jsonl", message("n", minute: 900, "word") + "\n")
        }
        try archive.makeIndex()
        let store = try archive.open(index: archive.index)
        let results = await store.summaries(
            of: try await store.conversations(), since: ReadStates(), for: nil, withNewest: false)
        #expect(try results.reduce(0) { $0 + (try $1.get().count) } == 3 * Self.count + 50)
        var hits = 0
        for await batch in store.search(SearchRequest(Query("word"))) { hits += try batch.get().hits.count }
        #expect(hits == 50)
        var edited = 0
        for await batch in store.search(SearchRequest(Query("edited"))) { edited += try batch.get().hits.count }
        #expect(edited == Self.count)
    }
}
