import Messages
import Search
import TestSupport
import Testing

@testable import Archive

@Suite("Edits that stand far behind their messages")
struct RewriteTests {
    /// What a source finds in "general", and what it read for it.
    private struct Found {
        var hits: [String] = []
        var texts: [String] = []
        var blocks = 0
        var lookups = 0
        /// The most that one step has read.
        var largestStep = 0
    }

    private func find(_ typed: String, in store: JSONArchive, remembered: Int) async throws -> Found {
        let opening = try await store.surveyed(general)
        let (blocks, lookups) = (BlockReader(), BlockReader())
        let source = HitSource(
            general, opening, HitCriteria(ResolvedQuery(Query(typed)), people: People(path: "nowhere")), blocks: blocks,
            lookups: lookups,
            remembered: remembered)
        var found = Found(blocks: opening.survey?.blocks.count ?? 0)
        while !source.isOver {
            let before = blocks.loads + lookups.loads
            let time = source.time
            #expect(try !source.step())
            found.largestStep = max(found.largestStep, blocks.loads + lookups.loads - before)
            for hit in source.takeAll() {
                #expect(hit.message.at <= time)
                found.hits.append(hit.message.id.rawValue)
                found.texts.append(hit.text)
            }
        }
        found.lookups = lookups.loads
        return found
    }

    @Test("are read a few times, not once for each block of messages", arguments: [Rewrites.usualCapacity, 100])
    func far(remembered: Int) async throws {
        let count = 6_000
        var random = SeededGenerator(seed: 5)
        let padding = String(repeating: "x", count: 300)
        let archive = try TemporaryArchive()
        let messages = (0..<count).map { message("m\($0)", minute: $0, "needle \(padding)") + "\n" }
        let edits = (0..<count).shuffled(using: &random).map {
            record("edit", "e\($0)", on: "m\($0)", more: #","text":"needle \#($0) \#(padding)""#) + "\n"
        }
        try archive.write(firstSegment, messages.joined() + edits.joined())
        let found = try await find("needle", in: archive.open(), remembered: remembered)
        #expect(found.hits == (0..<count).reversed().map { "m\($0)" })
        // Long texts, which a failure must not print.
        let isFolded = found.texts == (0..<count).reversed().map { "needle \($0) \(padding)" }
        #expect(isFolded)
        // A pass for each block of messages would read each of some 35 blocks of edits some 35 times.
        #expect(found.blocks > 60 && found.lookups < found.blocks * 4, "\(found.lookups) of \(found.blocks)")
        #expect(found.largestStep <= RewritePass.blocksAtOnce + 1)
    }

    @Test("fold as they do elsewhere, however many are remembered", arguments: SearchTests.seeds)
    func random(seed: UInt64) async throws {
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
        var rewrites: [String] = []
        for number in 0..<Int.random(in: 0...120, using: &random) {
            let padding = chance(4) ? " " + String(repeating: "y", count: 40_000) : ""
            let target = "m\(Int.random(in: 0...count, using: &random))"
            let isEdit = !chance(5)
            rewrites.append(
                record(
                    isEdit ? "edit" : "delete", "e\(chance(9) ? 0 : number)", on: target, from: pick(["ana", "ben"]),
                    more: isEdit ? #","text":"\#(pick(words))\#(padding)""# : ""))
        }
        let archive = try TemporaryArchive()
        let all = lines + rewrites.shuffled(using: &random)
        let cut = Int.random(in: 0...all.count, using: &random)
        try archive.write(firstSegment, all[..<cut].map { $0 + "\n" }.joined())
        try archive.write("conversations/general/messages-000002.jsonl", all[cut...].map { $0 + "\n" }.joined())
        let plain = try NaiveConversation(folder: archive.path + "/conversations/general", names: [:])
        let store = try archive.open()
        for word in words {
            let expected = plain.all.filter { !$0.isDeleted && $0.text.hasPrefix(word) }.reversed()
            for remembered in [1, 2, 7, 30, Rewrites.usualCapacity] {
                let found = try await find(word, in: store, remembered: remembered)
                #expect(found.hits == expected.map(\.id.rawValue), "seed \(seed): \(word), \(remembered)")
                let isFolded = found.texts == expected.map(\.text)
                #expect(isFolded, "seed \(seed): \(word), \(remembered)")
                #expect(found.largestStep <= RewritePass.blocksAtOnce + 1)
            }
        }
    }

    @Test("a survey is made in many steps, and its progress goes on")
    func surveySteps() throws {
        let archive = try TemporaryArchive()
        let text = String(repeating: "t", count: 1_000)
        try archive.write(firstSegment, (0..<2_000).map { message("m\($0)", text) + "\n" }.joined())
        var strays = ProblemList()
        let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
        let surveying = Surveying(segments, BlockReader())
        var progress: [Int64] = []
        var survey: Survey?
        while survey == nil {
            survey = try surveying.next()
            progress.append(surveying.progress)
        }
        #expect(survey?.messages == 2_000 && progress.last == segments.first?.stamp.size)
        #expect(progress.count >= 6 && Set(progress).count == progress.count && progress == progress.sorted())
    }
}
