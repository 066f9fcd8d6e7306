import Archive
import Foundation
import Messages
import TestSupport
import Testing

struct RandomArchiveTests {
    /// Writes some dozens of records of every type, some of them bad or repeated, into segments of random size.
    static func write(
        _ archive: TemporaryArchive, count: Int, padding: Int, repeats: Bool = true, _ random: inout SeededGenerator
    ) throws {
        let people = ["ana", "ben", "cy", "dan"]
        var ids = ["nobody"]
        var segments = [""]
        var run = 0
        for number in 0..<count {
            func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }
            func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
            let id = chance(25) && repeats ? pick(ids) : "id-\(number)"
            let target = pick(ids)
            var fields = [#""id":"\#(id)""#, #""at":"\#(time(Int.random(in: 0..<40, using: &random)))""#]
            if !chance(8) { fields.append(#""from":"\#(pick(people))""#) }
            run = run > 0 ? run - 1 : chance(10) ? Int.random(in: 1...8, using: &random) : 0
            switch run > 0 ? -1 : Int.random(in: 0..<12, using: &random) {
            case -1:
                let presence = pick(["join", "leave", "nick", "mode", "mode", "other"])
                fields += [#""type":"message""#, #""kind":"system""#, #""presence":"\#(presence)""#]
                fields.append(#""text":"line \#(number)\#(String(repeating: "x", count: chance(9) ? padding : 0))""#)
                if !chance(3) { fields.append(#""name":"ana\#(number)""#) }
                if chance(9) { fields.append(#""thread":"\#(target)""#) }
            case 0: fields += [#""type":"edit""#, #""target":"\#(target)""#, #""text":"edited \#(number)""#]
            case 1:
                fields += [#""type":"delete""#, #""target":"\#(target)""#]
                if chance(3) { fields.append(#""by":"\#(pick(["mod", "bot"]))""#) }
            case 2, 3:
                fields += [
                    #""type":"reaction""#, #""target":"\#(target)""#, #""emoji":"\#(pick(["👍", "🎉"]))""#,
                    #""removed":\#(chance(3))"#,
                ]
            case 4 where chance(2): fields = ["broken"]
            default:
                let text = "text \(number) é\\n" + String(repeating: "x", count: chance(4) ? padding : 0)
                fields += [#""type":"message""#, #""text":"\#(text)""#]
                if chance(4) { fields.append(#""replyTo":"\#(target)""#) }
                if chance(4) { fields.append(#""thread":"\#(target)""#) }
                if chance(4) { fields.append(#""broadcast":\#(chance(2))"#) }
                if chance(6) { fields.append(#""kind":"\#(pick(["action", "system", "other"]))""#) }
                if chance(8) { fields.append(#""edited":\#(!chance(3))"#) }
                if chance(10) { fields.append(#""deleted":\#(!chance(3))"#) }
                if chance(5) {
                    let counts = [#"{"emoji":"👍","count":3,"people":["ben"]}"#, #"{"emoji":"🎉","count":2}"#]
                    fields.append(#""reactions":[\#(counts.shuffled(using: &random).joined(separator: ","))]"#)
                }
                if chance(6) { fields.append(#""attachments":[{"name":"a.png","path":"files/a","bytes":12}]"#) }
            }
            ids.append(id)
            fields.shuffle(using: &random)
            segments[segments.count - 1] += "{" + fields.joined(separator: ",") + "}" + (chance(9) ? "\r\n" : "\n")
            if chance(9) { segments[segments.count - 1] += "\n" }
            if chance(12) { segments.append("") }
        }
        for (index, text) in segments.enumerated() {
            try archive.write("conversations/general/messages-00000\(100 + index).jsonl", text)
        }
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"},{"id":"ben","name":"Ben"},{"id":"cy"}]"#)
    }

    static let seeds: [UInt64] = (0..<12).map { _ in UInt64.random(in: 0...UInt64.max) }

    /// The part of an archive that the index covers.
    enum Coverage: CaseIterable { case none, part, all }

    /// Builds an index that covers this part.
    static func index(
        _ archive: TemporaryArchive, _ coverage: Coverage, of id: String = "general", _ random: inout SeededGenerator
    ) throws {
        let folder = archive.path + "/conversations/" + id
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .sorted()
        guard coverage == .part, !names.isEmpty else {
            if coverage == .all { try archive.makeIndex() }
            return
        }
        // Up to a line of a segment; the rest is appended after the index was built.
        let last = Int.random(in: names.indices, using: &random)
        let whole = try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
        let lines = whole[last].split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines.prefix(Int.random(in: 0...lines.count, using: &random)).map { $0 + "\n" }.joined()
        let kept = String(head.prefix(whole[last].count))
        for name in names[(last + 1)...] { try FileManager.default.removeItem(atPath: folder + "/" + name) }
        try archive.write("conversations/\(id)/" + names[last], kept)
        try archive.makeIndex()
        try archive.append("conversations/\(id)/" + names[last], String(whole[last].dropFirst(kept.count)))
        for (name, text) in zip(names, whole).dropFirst(last + 1) {
            try archive.write("conversations/\(id)/" + name, text)
        }
    }

    @Test(arguments: seeds) func `Without an index every answer is the one that the index gives`(seed: UInt64)
        async throws
    {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        try RandomArchiveTests.write(archive, count: 80, padding: 3_000, &random)
        // A change before its target, and again after it; an ID that two segments have.
        try archive.write(
            "conversations/general/messages-000200.jsonl",
            [
                record("edit", "e", on: "late", more: #","text":"early""#), message("late"),
                record("edit", "e", on: "late", more: #","text":"twice""#), message("id-3", "again"),
                record("reaction", "r", on: "last", more: #","emoji":"👍""#), message("last"),
                record("reaction", "r", on: "last", more: #","emoji":"👍""#),
            ].map { $0 + "\n" }.joined())
        let bare = try archive.open(index: nil)
        let indexed = try archive.open()
        let ids = try await indexed.allIDs()
        #expect(try await bare.allIDs() == ids && Set(ids).count == ids.count)
        for id in ids.map({ MessageID($0) }) {
            #expect(try await bare.message(id, in: general) == indexed.message(id, in: general), "\(id)")
            #expect(try await bare.versions(of: id, in: general) == indexed.versions(of: id, in: general), "\(id)")
            guard try await indexed.message(id, in: general).replyCount > 0 else { continue }
            let thread = PageRequest(conversation: general, thread: id, position: .earliest, limit: 500)
            #expect(try await bare.page(thread).messages == indexed.page(thread).messages, "\(id)")
        }
        let (count, counted) = (try await bare.summary(of: general), try await indexed.summary(of: general))
        #expect(count.count == counted.count && count.first == counted.first && count.last == counted.last)
        #expect(count.presence == counted.presence)
        let problems = (await bare.problems(in: [general]), await indexed.problems(in: [general]))
        #expect(Set(problems.0) == Set(problems.1))
    }

    @Test(arguments: seeds, Coverage.allCases)
    func `Every page of every size at every position equals that of a plain reader`(seed: UInt64, coverage: Coverage)
        async throws
    {
        print("seed \(seed), \(coverage) of it in the index")
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        // Some long texts, so that even a small archive has several blocks.
        try RandomArchiveTests.write(
            archive, count: Int.random(in: 0...60, using: &random), padding: coverage == .part ? 4_000 : 40_000, &random
        )
        let plain = try NaiveConversation(
            folder: archive.path + "/conversations/general", names: ["ana": "Ana Ruiz", "ben": "Ben"])
        // If the uncovered part is large, the positions of its messages are unknown.
        try RandomArchiveTests.index(archive, coverage, &random)
        let store = try archive.open(index: coverage == .none ? nil : archive.index)
        let mains = plain.mains
        // Positions are only known with an index.
        let isPlaced = coverage != .none
        let end = try await store.page(.latest, 1).asOf
        func plainly(_ page: Page) -> Page {
            Page(
                messages: page.messages, older: page.older, newer: page.newer, focus: page.focus,
                place: isPlaced ? page.place : nil, asOf: end)
        }
        for limit in [1, 2, 3, 7, 50, mains.count + 1] {
            let units = NaiveConversation.units(mains[...])
            let size = min(limit, units.count)
            func range(_ some: ArraySlice<Range<Int>>, else place: Int) -> Range<Int> {
                (some.first?.lowerBound ?? place)..<(some.last?.upperBound ?? place)
            }
            let earliest = range(units.prefix(size), else: 0)
            try await #expect(store.page(.earliest, limit) == plainly(plain.page(earliest, of: mains)))
            let latest = plainly(plain.page(range(units.suffix(size), else: mains.count), of: mains))
            try await #expect(store.page(.latest, limit) == latest, "seed \(seed)")
            for (index, message) in mains.enumerated() {
                let unit = units.firstIndex { $0.contains(index) } ?? 0
                let start = max(0, min(unit - size / 2, units.count - size))
                let shown = range(units[start..<start + size], else: index)
                let around = plainly(plain.page(shown, of: mains, focus: message.id))
                try await #expect(store.page(.message(message.id), limit) == around, "seed \(seed)")
                if index > 0 {
                    let wanted = range(NaiveConversation.units(mains[..<index]).suffix(limit), else: index)
                    let before = plainly(plain.page(wanted, of: mains))
                    try await #expect(store.page(.before(message.cursor), limit) == before, "seed \(seed)")
                }
                if index + 1 < mains.count {
                    let wanted = range(NaiveConversation.units(mains[(index + 1)...]).prefix(limit), else: index)
                    let after = plainly(plain.page(wanted, of: mains))
                    try await #expect(store.page(.after(message.cursor), limit) == after, "seed \(seed)")
                }
                try await #expect(
                    store.place(of: message.cursor, in: general)
                        == (isPlaced ? Place(index: index, total: mains.count) : nil), "seed \(seed)")
            }
        }
        try await compareSingly(store, plain, seed)
    }

    private func compareSingly(_ store: JSONArchive, _ plain: NaiveConversation, _ seed: UInt64) async throws {
        let mains = plain.mains
        for message in plain.all {
            try await #expect(store.message(message.id, in: general) == message, "seed \(seed)")
        }
        for minute in 0...41 {
            let moment = try #require(Timestamp(iso8601: time(minute)))
            let expected = mains.first { $0.at >= moment }?.id
            let page = try await store.page(.date(NamedTime(moment)), 5)
            #expect(page.focus == expected, "seed \(seed)")
            if expected == nil { try await #expect(page == store.page(.latest, 5), "seed \(seed)") }
        }
        let summary = try await store.summary(of: general)
        #expect(summary.presence == plain.all.count { $0.presence != nil }, "seed \(seed)")
        #expect(summary.count == plain.all.count && summary.first == plain.all.first?.at, "seed \(seed)")
        #expect(summary.last == plain.all.last?.at, "seed \(seed)")
    }

    @Test func `A copy of a segment beside it is skipped line by line`() async throws {
        var random = SeededGenerator(seed: 7)
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, (0..<2_000).map { message("m\($0)", minute: $0) + "\n" }.joined())
        try archive.write(
            "conversations/general/messages-000001 (copy).jsonl",
            (0..<2_000).shuffled(using: &random).map { message("m\($0)", minute: $0) + "\n" }.joined())
        let store = try archive.open()
        #expect(try await store.summary(of: general).count == 2_000)
        #expect(await store.problems().count == 101)
        #expect(await store.problems().last == "general: 1900 more lines are skipped")
    }
}
