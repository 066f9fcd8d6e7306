import Testing

@testable import Timeline

/// Windows of heavy items.
struct WeightTests {
    /// A thousand notes of one row and of a weight of 100 each, in pages of 50.
    private static func notes(_ range: Range<Int>) -> [Note] { range.map { Note(id: $0, length: 5, weight: 100) } }

    private static func answer(_ outputs: [Pager<Int>.Output], _ timeline: inout Notes) throws -> Int {
        for output in outputs {
            switch output {
            case .onPrepend(let ticket, let first, let limit):
                let range = max(0, first - limit)..<first
                let edge: Pager<Int>.Edge = range.lowerBound > 0 ? .more(range.lowerBound) : .end
                _ = try timeline.receive(notes(range), for: ticket, edge: edge)
            case .onAppend(let ticket, let last, let limit):
                let range = last + 1..<min(1_000, last + 1 + limit)
                let edge: Pager<Int>.Edge = range.upperBound < 1_000 ? .more(range.upperBound - 1) : .end
                _ = try timeline.receive(notes(range), for: ticket, edge: edge)
            }
        }
        return outputs.count
    }

    @Test(arguments: [6, 20])
    func `Heavy items far from the viewport are evicted, and loaded again`(height: Int) throws {
        let most = 12_000
        var timeline = Notes(ruler: NoteRuler(width: 10), height: height, mostBytes: most)
        try timeline.open(
            Self.notes(500..<550), older: .more(500), newer: .more(549), start: 500, total: 1_000, focus: 520,
            alignment: .middle, following: false)
        func check() {
            let weight = timeline.count * 100
            let zone = 3 * height + height + 50
            #expect(weight <= max(most, (2 * zone + height + 50) * 100), "\(timeline.count) notes")
        }
        var loads = 0
        for step in [-height, height] {
            for _ in 0..<(2_000 / height) {
                let top = timeline.screen.first
                loads += try Self.answer(timeline.loads(), &timeline)
                #expect(timeline.screen.first == top)
                check()
                let before = timeline.screen
                timeline.scroll(by: step)
                // Each row follows the one before, without a gap or a repeat.
                let ids = timeline.screen.compactMap { Int($0.prefix { $0 != "." }) }
                #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(before) \(timeline.screen)")
            }
            loads += try Self.answer(timeline.loads(), &timeline)
            #expect(timeline.ids.contains(step < 0 ? 0 : 999))
        }
        // No page is loaded and evicted at once: the walk passes two thousand notes, in pages of fifty.
        #expect(loads < 80, "\(loads) loads")
    }
}
