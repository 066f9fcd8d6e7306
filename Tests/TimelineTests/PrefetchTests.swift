import Synchronization
import Testing

@testable import Timeline

/// The cost of scrolling for the store and the ruler, in a time that is counted and not waited for.
struct PrefetchTests {
    /// The key that a user holds down.
    enum Held: CaseIterable, Sendable {
        case pageUp, pageDown
    }

    /// The rows of each message: messages of one row are the hardest to keep up with.
    private static let shapes: [@Sendable (Int) -> Int] = [{ _ in 1 }, { 1 + $0 * 7 % 25 }]

    @Test(arguments: [1, 6, 27, 57, 97], Held.allCases)
    func `A key held down at 30 a second rarely meets a loading row, and nothing else`(
        height: Int, key: Held
    ) throws {
        for shape in Self.shapes {
            let store = Store(count: 100_000, length: shape)
            let first = Prefetch.standard.limit(height: height)
            let start = key == .pageUp ? 60_000 : 40_000
            var timeline = try store.open(start..<start + first, focus: start + first / 2, height: height)
            let step = max(1, height - 2) * (key == .pageUp ? -1 : 1)
            var flights: [(due: Int, load: Pager<Int>.Output)] = timeline.loads().map { (50, $0) }
            var frames = 0
            var framesWithEdge = 0
            // Milliseconds: a key every 33, a response 50 after its request.
            for now in 0..<20_000 {
                var isChanged = false
                while let next = flights.first, next.due == now {
                    try store.answer(flights.removeFirst().load, to: &timeline)
                    isChanged = true
                }
                if now % 33 == 32 {
                    timeline.scrollScreen(by: step)
                    isChanged = true
                }
                guard isChanged else { continue }
                flights += timeline.loads().map { (now + 50, $0) }
                let empty = timeline.screen.count { $0.isEmpty }
                frames += 1
                if empty > 0 { framesWithEdge += 1 }
                #expect(empty <= 1, "\(height) rows: \(timeline.screen)")
            }
            #expect(timeline.hasOlder && timeline.hasNewer, "the conversation was long enough")
            #expect(framesWithEdge * 100 <= frames, "\(height) rows: \(framesWithEdge) of \(frames)")
        }
    }

    /// Counts its measurements.
    private struct CountingRuler: Ruler {
        final class Counter: Sendable {
            let counts = Mutex<[Note: Int]>([:])
        }

        let width: Int
        let counter = Counter()

        func measure(_ note: Note) -> NoteRows {
            counter.counts.withLock { $0[note, default: 0] += 1 }
            return NoteRows(length: note.length, width: width)
        }

        /// The number of all measurements, and of those of the note that was measured most often.
        var total: (all: Int, most: Int) {
            counter.counts.withLock { ($0.values.reduce(0, +), $0.values.max() ?? 0) }
        }
    }

    @Test func `Each message is measured once for each width`() throws {
        let store = Store(count: 5_000) { 1 + $0 * 31 % 45 }
        let ruler = CountingRuler(width: 10)
        var timeline = Timeline(ruler: ruler, height: 12)
        try timeline.open(
            store.notes(2_000..<2_050), older: .more(2_000), newer: .more(2_049), start: 2_000, total: 5_000,
            focus: 2_025, alignment: .middle, following: false)
        for step in 0..<60 {
            for load in timeline.loads() {
                switch load {
                case .onPrepend(let ticket, let first, let limit):
                    _ = try timeline.receive(
                        store.notes(first - limit..<first), for: ticket, edge: .more(first - limit))
                case .onAppend(let ticket, let last, let limit):
                    _ = try timeline.receive(
                        store.notes(last + 1..<last + 1 + limit), for: ticket, edge: .more(last + limit))
                }
            }
            timeline.scrollScreen(by: step % 3 == 0 ? 10 : -10)
            timeline.moveSelection(by: 1)
            timeline.select(atScreenRow: 3)
            let anchor = try #require(timeline.anchor)
            timeline.restore(anchor, selection: timeline.selection, following: false)
        }
        let all = timeline.count
        #expect(ruler.total == (all, 1), "\(all) messages")
        var notes = (0..<timeline.count).map { timeline.list[$0] }
        notes[3].length += 1
        try timeline.apply(notes, start: nil, total: nil)
        #expect(ruler.total.all == all + 1, "an edited one anew, and no other")
        let wider = CountingRuler(width: 20)
        timeline.resize(ruler: wider, height: 12)
        #expect(wider.total == (all, 1), "all of them at another width")
        timeline.resize(ruler: ruler, height: 20)
        #expect(ruler.total.all == 2 * all + 1, "and at the first one again")
    }
}
