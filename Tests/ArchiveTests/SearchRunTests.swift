import Foundation
import Glibc
import Messages
import Search
import Synchronization
import Threads
import Testing

@testable import Archive

struct SearchRunTests {
    /// An archive of many blocks, each with a hit.
    private func bigArchive(_ conversations: [String] = ["general"], lines: Int = 3_000) throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        let text = String(repeating: "t", count: 300)
        for (index, id) in conversations.enumerated() {
            try archive.write(
                "conversations/\(id)/messages-000001.jsonl",
                (0..<lines).map {
                    message("\(id)-\($0)", minute: $0 * conversations.count + index, "needle \(text)") + "\n"
                }
                .joined())
        }
        return archive
    }

    @Test func `Hits of several conversations are merged by time, and a limit keeps the newest`() async throws {
        let store = try bigArchive(["a", "b", "c"], lines: 400).open()
        let hits = try await store.hits(SearchRequest(Query("needle")))
        #expect(hits.count == 1_200)
        #expect(hits.map(\.at) == hits.map(\.at).sorted(by: >))
        let newest = try await store.hits(SearchRequest(Query("needle"), limit: 7))
        #expect(newest == Array(hits.prefix(7)))
    }

    @Test func `Hits come from the end of the log, block by block`() async throws {
        let store = try bigArchive().open()
        let (segments, blocks) = (try await store.segments(of: general), BlockReader())
        let source = HitSource(
            general, segments, HitCriteria(SearchRequest(Query("needle")), people: People(path: "nowhere")),
            blocks: blocks, lookups: BlockReader())
        try source.step()
        #expect(!source.hasFound && !source.isOver)
        var steps = 0
        while !source.isOver {
            try source.step()
            steps += 1
            #expect(!source.takeAll().isEmpty && blocks.loads == steps)
        }
        #expect(steps > 10)
        var hits = 0
        for await batch in store.search(SearchRequest(Query("needle"), limit: 10)) {
            hits += try batch.get().hits.count
        }
        #expect(hits == 10)
    }

    @Test func `A search reads nothing before its first batch is requested`() async throws {
        let archive = try bigArchive()
        let store = try archive.open()
        let batches = store.search(SearchRequest(Query("needle")))
        try FileManager.default.removeItem(atPath: archive.path + "/conversations/general")
        try archive.write(firstSegment, message("m", "needle") + "\n")
        var hits: [String] = []
        for await batch in batches { hits += try batch.get().hits.map(\.message.rawValue) }
        #expect(hits == ["m"])
    }

    @Test func `A cancelled search ends`() async throws {
        let store = try bigArchive(["a", "b"], lines: 2_000).open()
        let task = Task {
            var batches = 0
            for await _ in store.search(SearchRequest(Query("needle"))) {
                batches += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return batches
        }
        #expect(await task.value == 1)
        try await #expect(store.hits(SearchRequest(Query("needle"))).count == 4_000)
    }

    @Test
    func `A page does not wait for a search`() async throws {
        let store = try bigArchive().open()
        // Blocks the search thread until the page is complete.
        let gate = Gate(executor: store.searches)
        async let held: Void = gate.hold()
        async let hits = store.hits(SearchRequest(Query("needle")))
        #expect(try await store.page(.latest, 50).messages.count == 50)
        gate.open()
        await held
        #expect(try await hits.count == 3_000)
    }

    @Test
    func `A page does not wait for the summary of another conversation`() async throws {
        let archive = try bigArchive(["general", "other"], lines: 500)
        let store = try archive.open(index: nil)
        let gate = Gate(executor: store.searches)
        async let held: Void = gate.hold()
        let isDone = Mutex(false)
        async let summary = {
            let summary = try await store.summary(of: "other")
            isDone.withLock { $0 = true }
            return summary
        }()
        // By the last of these pages at the latest, the summary has requested its conversation.
        for _ in 0..<50 {
            try await #expect(store.page(.latest, 50).messages.count == 50)
            await Task.yield()
        }
        #expect(!isDone.withLock { $0 })
        gate.open()
        await held
        #expect(try await summary.count == 500)
        try await #expect(store.summary(of: "other") == archive.open(index: nil).summary(of: "other"))
    }

    private actor Gate {
        nonisolated let executor: SerialThread
        nonisolated let isOpen = Mutex(false)
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(executor: SerialThread) { self.executor = executor }

        nonisolated func open() { isOpen.withLock { $0 = true } }

        func hold() { while !isOpen.withLock({ $0 }) { sched_yield() } }
    }

    @Test(arguments: [false, true])
    func `A small conversation without further hits keeps its hits and releases the index`(isIndexed: Bool) async throws
    {
        let archive = try bigArchive(["a"], lines: 10)
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        let source = HitSource(
            "a", try await store.segments(of: "a"),
            HitCriteria(SearchRequest(Query("needle")), people: People(path: "nowhere")),
            blocks: BlockReader(), lookups: BlockReader(), index: store.searchIndex())
        while !source.hasFound { try source.step() }
        #expect(source.coverage == nil && !source.isOver)
        #expect(source.takeAll().count == 10 && source.isOver && source.done == source.work)
    }

    @Test func `An unreadable conversation is a failure, and the others are still searched`() async throws {
        let archive = try bigArchive(["a", "b"], lines: 10)
        let store = try archive.open()
        let path = archive.path + "/conversations/b/messages-000001.jsonl"
        let search = SearchRun(store, SearchRequest(Query("needle")))
        // The file is replaced between listing and reading.
        let segments = try await store.segments(of: "b")
        try FileManager.default.removeItem(atPath: path)
        try archive.write("conversations/b/messages-000001.jsonl", message("x", "needle") + "\n")
        let source = HitSource(
            "b", segments, HitCriteria(SearchRequest(Query("needle")), people: People(path: "nowhere")),
            blocks: BlockReader(), lookups: BlockReader())
        try source.step()
        #expect(throws: StoreError.unavailable("\(path): changed while it was read; try again")) { try source.step() }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        var (hits, failures) = (0, 0)
        while let batch = await search.next() {
            switch batch {
            case .success(let batch): hits += batch.hits.count
            case .failure: failures += 1
            }
        }
        #expect(hits == 10 && failures == 1)
    }

    @Test func `A file that grows during a search is no error`() async throws {
        let archive = try bigArchive()
        let store = try archive.open()
        let run = SearchRun(store, SearchRequest(Query("needle")))
        var hits = try #require(await run.next()).get().hits.count
        try archive.append(firstSegment, message("later", "needle") + "\n")
        while let batch = await run.next() { hits += try batch.get().hits.count }
        #expect(hits == 3_000)
        try await #expect(store.hits(SearchRequest(Query("needle"))).count == 3_001)
    }

    @Test func `An unknown conversation is a failure and ends the search`() async throws {
        let store = try bigArchive(lines: 1).open()
        let wanted = StoreError.noSuchConversation("genral", nearest: ["general"])
        var failures: [StoreError] = []
        for await batch in store.search(SearchRequest(Query("needle"), in: "genral")) {
            if case .failure(let error) = batch { failures.append(error) }
        }
        for await batch in store.places(of: ResolvedQuery(Query("needle")), in: "genral") {
            if case .failure(let error) = batch { failures.append(error) }
        }
        #expect(failures == [wanted, wanted])
    }

    @Test func `A query without words finds nothing and ends at full progress`() async throws {
        let store = try bigArchive(lines: 1).open()
        for typed in ["", "...", "\""] {
            try await #expect(store.hits(SearchRequest(Query(typed))).isEmpty)
            try await #expect(store.places(typed, in: "general").isEmpty)
        }
    }

    @Test func `Thousands of matching edits of missing messages have no effect`() async throws {
        let archive = try TemporaryArchive()
        let edits = (0..<6_000).map {
            record("edit", "e\($0)", on: $0 == 5_999 ? "m1" : "none-\($0)", more: #","text":"needle""#) + "\n"
        }
        try archive.write(
            firstSegment,
            message("m0", "needle") + "\n" + message("m1", "hay") + "\n" + message("m2", "hay") + "\n" + edits.joined())
        try await #expect(archive.open().hits(SearchRequest(Query("needle"))).map(\.message) == ["m1", "m0"])
    }

    @Test(arguments: [
        ("ana", true), ("RUIZ", true), ("Ana Ruiz", true), ("Ruiz Ana", false), ("an", false), ("u-7", false),
        ("zoe", true), ("|odd|", true), ("nobody", false), ("", false),
    ])
    func `A person is known by ID, by name or by words of the name`(sender: String, isKnown: Bool) async throws {
        let archive = try TemporaryArchive(message("m1", from: "zoe", "x"), message("m2", from: "|odd|", "x"))
        try archive.write("people.json", #"[{"id":"u-1","name":"Ana Ruiz"},{"id":"u 7 b","name":"Bob"}]"#)
        #expect(try await archive.open().knows(sender: sender) == isKnown)
    }

    @Test func `The ID of a person with a name does not count as a name`() async throws {
        let archive = try TemporaryArchive(
            message("m1", from: "ana-b", "x"), message("m2", from: "ana", "x"), message("m3", from: "q", "x"),
            message("m4", from: "ana-c", "x"))
        try archive.write(
            "people.json", #"[{"id":"ana-b","name":"Bob"},{"id":"ana","name":"Carl"},{"id":"q","name":"Ana"}]"#)
        let hits = try await archive.open().hits(SearchRequest(Query("x"), from: QueryName("Ana")))
        #expect(hits.map(\.message) == ["m4", "m3"])
        let own = try await archive.open().hits(SearchRequest(Query("x"), from: QueryName("ana")))
        #expect(own.map(\.message) == ["m4", "m3", "m2"])
        let sent = try await archive.open().hits(SearchRequest(Query("x"), from: QueryName(id: "ana")))
        #expect(sent.map(\.message) == ["m2"])
    }

    @Test func `A conversation has members with names and a newest message`() async throws {
        let archive = try TemporaryArchive(
            message("m1", "one"), message("m2", "two"), message("r", "reply", more: #","thread":"m1""#),
            record("edit", "e", on: "m2", more: #","text":"two, edited""#))
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"}]"#)
        try archive.write(
            "conversations/general/conversation.json", #"{"title":"General","members":["ana","b\"n",7,"",null]}"#)
        let store = try archive.open()
        let people = [Person(id: "ana", name: "Ana Ruiz"), Person(id: "b\"n", name: "b\"n")]
        #expect(try await store.conversation(general).members == people)
        #expect(try await store.conversations().map(\.members) == [people])
        let newest = try #require(try await store.summary(of: general).newest)
        #expect(newest == (try await store.page(.latest).messages.last) && newest.text == "two, edited")
    }
}
