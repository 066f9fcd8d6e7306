import Files
import Messages
import Search
import TestSupport
import Testing

@testable import Archive

struct LogSearchTests {
    /// The results of a search of "general", and how much it read.
    private struct Found {
        var hits: [String] = []
        var texts: [String] = []
        var blocks = 0
        var reads = 0
        var lookups = 0
    }

    /// - Parameter capacity: how many bytes of edits may be pending.
    private func find(_ typed: String, in store: JSONArchive, capacity: Int) async throws -> Found {
        let segments = try await store.segments(of: general)
        let repeats = store.searchIndex()?.counted(general, segments)?.repeats ?? []
        let (blocks, lookups) = (BlockReader(), BlockReader())
        let search = LogSearch(
            PlainLog(segments: segments, repeats: repeats),
            HitCriteria(SearchRequest(Query(typed)), people: People(path: "nowhere")), blocks: blocks,
            lookups: lookups, budget: EditBudget(capacity))
        var found = Found()
        while !search.isOver {
            let remaining = search.remaining
            for hit in try search.next() {
                #expect(hit.message.place >= search.place)
                found.hits.append(hit.message.id.rawValue)
                found.texts.append(hit.text)
            }
            #expect(search.remaining < remaining || remaining == 0)
            found.blocks += 1
        }
        #expect(search.remaining == 0)
        (found.reads, found.lookups) = (blocks.loads, lookups.loads)
        return found
    }

    @Test(arguments: [EditBudget.usual, 100])
    func `Are read once, unless they are too many to wait for their messages`(capacity: Int) async throws {
        let count = 6_000
        var random = SeededGenerator(seed: 5)
        let padding = String(repeating: "x", count: 300)
        let archive = try TemporaryArchive()
        let messages = (0..<count).map { message("m\($0)", minute: $0, "needle \(padding)") + "\n" }
        let edits = (0..<count).shuffled(using: &random).map {
            record("edit", "e\($0)", on: "m\($0)", more: #","text":"needle \#($0) \#(padding)""#) + "\n"
        }
        try archive.write(firstSegment, messages.joined() + edits.joined())
        let found = try await find("needle", in: archive.open(), capacity: capacity)
        #expect(found.hits == (0..<count).reversed().map { "m\($0)" })
        // Compared outside of `#expect`, which would print the long texts.
        let isFolded = found.texts == (0..<count).reversed().map { "needle \($0) \(padding)" }
        #expect(isFolded)
        let usual = try await find("needle", in: archive.open(), capacity: EditBudget.usual)
        #expect(usual.blocks > 60 && usual.reads == usual.blocks && found.reads == usual.reads)
        #expect((found.lookups == 0) == (capacity > 100))
    }

    @Test(arguments: SearchTests.seeds)
    func `A search applies edits as a page does, however many are pending`(seed: UInt64) async throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
        func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }
        let count = Int.random(in: 1...60, using: &random)
        let words = ["red", "green", "blue"]
        var lines: [String] = []
        for number in 0..<count {
            let padding = chance(3) ? " " + String(repeating: "x", count: 40_000) : ""
            let id = "m\(chance(9) ? Int.random(in: 0...number, using: &random) : number)"
            lines.append(message(id, from: pick(["ana", "ben"]), minute: number, pick(words) + padding))
        }
        var edits: [String] = []
        for number in 0..<Int.random(in: 0...120, using: &random) {
            let padding = chance(4) ? " " + String(repeating: "y", count: 40_000) : ""
            let target = "m\(Int.random(in: 0...count, using: &random))"
            let isEdit = !chance(5)
            edits.append(
                record(
                    isEdit ? "edit" : "delete", "e\(chance(9) ? 0 : number)", on: target, from: pick(["ana", "ben"]),
                    more: isEdit ? #","text":"\#(pick(words))\#(padding)""# : ""))
        }
        let archive = try TemporaryArchive()
        let all = lines + edits.shuffled(using: &random)
        let cut = Int.random(in: 0...all.count, using: &random)
        try archive.write(firstSegment, all[..<cut].map { $0 + "\n" }.joined())
        try archive.write("conversations/general/messages-000002.jsonl", all[cut...].map { $0 + "\n" }.joined())
        let plain = try NaiveConversation(folder: archive.path + "/conversations/general", names: [:])
        try archive.makeIndex()
        let store = try archive.open()
        for word in words {
            let expected = plain.all.filter { !$0.isDeleted && $0.text.hasPrefix(word) }.reversed()
            for capacity in [0, 200, 1_000, 50_000, EditBudget.usual] {
                let found = try await find(word, in: store, capacity: capacity)
                #expect(found.hits == expected.map(\.id.rawValue), "seed \(seed): \(word), \(capacity)")
                let isFolded = found.texts == expected.map(\.text)
                #expect(isFolded, "seed \(seed): \(word), \(capacity)")
            }
        }
    }

    @Test func `Messages are counted in many steps that reduce the remaining bytes`() throws {
        let archive = try TemporaryArchive()
        let text = String(repeating: "t", count: 1_000)
        try archive.write(firstSegment, (0..<2_000).map { message("m\($0)", text) + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let count = LogCount(segments, blocks: BlockReader())
        var rest = [count.remaining]
        while !count.isComplete {
            try count.step()
            rest.append(count.remaining)
        }
        #expect(count.totals.messages == 2_000 && rest.first == segments.first?.stamp.size && rest.last == 0)
        #expect(rest.count >= 6 && Set(rest).count == rest.count && rest == rest.sorted(by: >))
    }

    @Test func `A deletion reaches its message, however its keys are written`() async throws {
        let deletion = record("delete", "d", on: "m1")
        for line in [
            deletion, deletion.replacing("\"target\"", with: #""\u0074arget""#),
            deletion.replacing("\"target\":", with: "\"target\"\r:"),
            deletion.replacing("\"delete\"", with: #""\u0064elete""#),
        ] {
            let archive = try TemporaryArchive(
                message("m1", "tide one"), message("m2", "tide two"), line)
            let hits = try await archive.open(index: nil).hits(SearchRequest(Query("tide")))
            #expect(hits.map(\.text) == ["tide two"], "\(line)")
            let escaped = try TemporaryArchive(
                message("m1", "tide").replacing("\"id\"", with: #""\u0069d""#), line)
            try await #expect(escaped.open(index: nil).hits(SearchRequest(Query("tide"))).isEmpty, "\(line)")
        }
    }

    @Test
    func `Of the edits of a message by a person the last one waits, and they count against the budget with their IDs`()
    {
        let budget = EditBudget(10_000)
        var edits: PendingEdits? = PendingEdits(budget)
        func edit(_ target: String, _ offset: Int64, _ text: String) -> Amendment {
            Amendment(
                target: MessageID(target), sender: "ana", action: .edit(text),
                place: LinePlace(segment: 0, offset: offset))
        }
        for offset in (0..<1_000).reversed() { edits?.add(edit("m", Int64(offset), "text \(offset)")) }
        #expect(edits?.isOverfull == false && budget.left > 9_000)
        #expect(edits?.take("m")?.map(\.action) == [.edit("text 999")] && edits?.take("m") == nil)
        #expect(budget.left == 10_000)
        edits?.add(edit("n", 0, "x"))
        edits?.add(edit(String(repeating: "i", count: 10_000), 0, "x"))
        #expect(edits?.isOverfull == true && edits?.isEmpty == true && budget.left == 10_000)
        edits = PendingEdits(budget)
        edits?.add(edit("n", 0, "x"))
        #expect(budget.left < 10_000)
        edits = nil
        #expect(budget.left == 10_000)
    }

    @Test func `An edit that repeats an ID is none, however much follows the index`() async throws {
        let archive = try TemporaryArchive(message("m0", "sea"), message("m1", "tide"))
        try archive.makeIndex()
        let rest = [
            message("m2", String(repeating: "x", count: 300_000)),
            record("edit", "m0", on: "m1", more: #","text":"harbour""#),
        ]
        try archive.append(firstSegment, rest.map { $0 + "\n" }.joined())
        try await #expect(archive.open().hits(SearchRequest(Query("tide"))).map(\.message) == ["m1"])
    }

    @Test
    func `Replies whose roots are nowhere, or far before them, are counted as the index counts them`() async throws {
        let text = String(repeating: "x", count: 1_000)
        let archive = try TemporaryArchive()
        let lines = (0..<2_000).map { number in
            let root = number % 10 == 5 ? "none-\(number)" : number % 10 == 7 ? "m\(number % 100 - 7)" : ""
            return message("m\(number)", "tide \(text)", more: root.isEmpty ? "" : #","thread":"\#(root)""#) + "\n"
        }
        try archive.write(firstSegment, lines.joined())
        let places = try await archive.open(index: nil).places("tide", in: "general")
        try archive.makeIndex()
        let isSame = try await archive.open().places("tide", in: "general") == places
        #expect(isSame && places.count == 2_000 && places.first?.order == 1_799)
    }
}
