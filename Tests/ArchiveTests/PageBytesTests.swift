@testable import Archive
import Messages
import Search
import TestSupport
import Testing

struct PageBytesTests {
    /// Forty messages, many of hundreds of kilobytes, one larger than a page; an edit makes one of them large.
    private static func archive() throws -> (TemporaryArchive, [String]) {
        var random = SeededGenerator(seed: 25)
        var lines: [String] = []
        let sizes = (0..<40).map { $0 == 17 ? 1_500_000 : Bool.random(using: &random) ? 300_000 : 10 }
        for (number, size) in sizes.enumerated() {
            lines.append(message("m\(number)", minute: number, String(repeating: "x", count: size)))
        }
        let heavy = String(repeating: "y", count: 900_000)
        lines.append(record("edit", "e", on: "m30", more: ",\"text\":\"\(heavy)\""))
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        return (archive, (0..<40).map { "m\($0)" })
    }

    private static func isWithinBounds(_ page: Page) -> Bool {
        page.messages.count == 1 || page.messages.reduce(0) { $0 + $1.weight } <= PageBuilder.mostBytes
    }

    @Test(arguments: [true, false])
    func `A page has at least one message, stays below the size limit and leaves no gap`(indexed: Bool) async throws {
        let (archive, ids) = try Self.archive()
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        for limit in [1, 3, 50] {
            var page = try await store.page(.latest, limit)
            var found = page.messages.map(\.id.rawValue)
            while case .more(let cursor, let neighbour) = page.older {
                page = try await store.page(.before(cursor), limit)
                #expect(!page.messages.isEmpty && page.messages.count <= limit && Self.isWithinBounds(page))
                #expect(page.messages.last?.id == neighbour.id)
                found = page.messages.map(\.id.rawValue) + found
            }
            #expect(found == ids)
            page = try await store.page(.earliest, limit)
            found = page.messages.map(\.id.rawValue)
            while case .more(let cursor, let neighbour) = page.newer {
                page = try await store.page(.after(cursor), limit)
                #expect(!page.messages.isEmpty && page.messages.count <= limit && Self.isWithinBounds(page))
                #expect(page.messages.first?.id == neighbour.id)
                found += page.messages.map(\.id.rawValue)
            }
            #expect(found == ids)
        }
    }

    @Test(arguments: [true, false]) func `Long IDs count as long texts do`(indexed: Bool) async throws {
        let archive = try TemporaryArchive()
        let ids = (0..<20).map { String(repeating: "i", count: 200_000) + "\($0)" }
        try archive.write(firstSegment, ids.map { message($0) + "\n" }.joined())
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        let page = try await store.page(.latest, 20)
        #expect((1...6).contains(page.messages.count) && Self.isWithinBounds(page))
        #expect(page.messages.map(\.id.rawValue) == ids.suffix(page.messages.count))
        withExtendedLifetime(archive) {}
    }

    @Test(arguments: [true, false])
    func `A page of large messages surrounds its focus and knows its neighbours`(indexed: Bool) async throws {
        let (archive, ids) = try Self.archive()
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        for (place, id) in ids.enumerated() {
            let page = try await store.page(.message(MessageID(id)), 20)
            #expect(page.focus?.rawValue == id && Self.isWithinBounds(page))
            let shown = page.messages.map(\.id.rawValue)
            let start = try #require(ids.firstIndex(of: shown[0]))
            #expect(Array(ids[start..<start + shown.count]) == shown && shown.contains(ids[place]))
            if case .more(_, let neighbour) = page.older {
                #expect(neighbour.id.rawValue == ids[start - 1])
            } else {
                #expect(start == 0)
            }
            let end = start + shown.count
            if case .more(_, let neighbour) = page.newer {
                #expect(neighbour.id.rawValue == ids[end])
            } else {
                #expect(end == 40)
            }
        }
    }

    @Test(arguments: [true, false])
    func `Thousands of reactions are counted, a page names some people and the reader, a message names all`(
        indexed: Bool
    ) async throws {
        let archive = try TemporaryArchive()
        var lines = [message("m1")]
        for number in 0..<3_000 {
            let who = number == 2_500 ? "ana" : "p\(number)"
            lines.append(record("reaction", "r\(number)", on: "m1", from: who, more: ",\"emoji\":\"👍\""))
        }
        lines.append(record("reaction", "x", on: "m1", from: "p7", more: ",\"emoji\":\"👍\",\"removed\":true"))
        for number in 0..<2_000 {
            lines.append(record("edit", "e\(number)", on: "m1", more: ",\"text\":\"version \(number)\""))
        }
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        let shown = try #require(try await store.first())
        #expect(shown.text == "version 1999" && shown.reactions.map(\.count) == [2_999])
        #expect(shown.reactions[0].people.count == 101 && shown.reactions[0].people.last?.id.rawValue == "ana")
        let whole = try await store.message(MessageID("m1"), in: general)
        #expect(whole.reactions[0].people.count == 2_999 && whole.reactions[0].count == 2_999)
    }

    /// Thirty short messages, each with two edits of 150,000 bytes.
    @Test(arguments: [true, false])
    func `Edits that have no room together are not in memory together, and a page has them whole`(
        indexed: Bool
    ) async throws {
        let text = { (number: Int, letter: String) in String(repeating: letter, count: 150_000) + "\(number)" }
        let edits = (0..<30).flatMap { number in
            ["x", "y"].map { letter in
                record("edit", "e\(letter)\(number)", on: "m\(number)", more: ",\"text\":\"\(text(number, letter))\"")
            }
        }
        let archive = try TemporaryArchive()
        let lines = (0..<30).map { message("m\($0)", minute: $0) } + edits
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        let reader = try ConversationReader(try await store.segments(of: general), blocks: BlockReader(), index: nil)
        let stored = try reader.messages(Set((0..<30).map { MessageID("m\($0)") })).values
        let folds = try reader.folded(stored, bytes: 500_000).values
        #expect(folds.count == 30 && folds.count { $0.omitted == 0 } == 3)
        let kept = folds.reduce(0) { $0 + $1.text.utf8.count }
        #expect(kept < 500_000 + 30 * Quote.longestText)
        #expect(folds.allSatisfy { $0.text.utf8.count + $0.omitted > 150_000 })
        var (page, found) = (try await store.page(.earliest, 50), [String]())
        while true {
            #expect(Self.isWithinBounds(page))
            found += page.messages.map(\.text)
            guard case .more(let cursor, _) = page.newer else { break }
            page = try await store.page(.after(cursor), 50)
        }
        let isWhole = found == (0..<30).map { text($0, "y") }
        #expect(isWhole)
    }

    @Test(arguments: [true, false])
    func `A search keeps no more texts of hits in memory than a limit, and finds all of them`(
        indexed: Bool
    ) async throws {
        let text = { (number: Int) in String(repeating: "needle ", count: 60_000) + "\(number)" }
        let archive = try TemporaryArchive()
        let edits = (0..<6).map { record("edit", "e\($0)", on: "m\($0)", more: ",\"text\":\"\(text($0))\"") }
        let whole = (6..<12).map { message("m\($0)", text($0)) }
        let lines = (0..<6).map { message("m\($0)") } + edits + whole
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = indexed ? try archive.open() : try archive.open(index: nil)
        let request = SearchRequest(Query("needle"))
        let source = HitSource(
            general, try await store.segments(of: general), HitCriteria(request, people: People(path: "nowhere")),
            blocks: BlockReader(), lookups: BlockReader(), index: indexed ? SearchIndex(archive.index) : nil,
            budget: EditBudget(100))
        var found: [String] = []
        while !source.isOver {
            try source.step()
            let hits = source.takeAll()
            #expect(hits.dropLast().reduce(0) { $0 + $1.text.utf8.count } <= 2 << 20)
            #expect(hits.allSatisfy { $0.message.text.isEmpty })
            found += hits.map(\.text)
        }
        let isAll = found == (0..<12).reversed().map(text)
        #expect(isAll)
        var batches: [Int] = []
        var count = 0
        for await batch in store.search(request) {
            let hits = try batch.get().hits
            count += hits.count
            batches.append(hits.dropLast().reduce(0) { $0 + $1.text.utf8.count })
        }
        #expect(count == 12 && batches.allSatisfy { $0 < SearchRun.batchBytes }, "\(batches)")
    }
}
