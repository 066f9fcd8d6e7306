import TestSupport
import Testing

@testable import Timeline

/// A user who scrolls in a long conversation, over a store that responds at any time.
struct RandomWalkTests {
    @Test(arguments: [UInt64](1...24))
    func `The window stays a slice of the store, within its cap, and pages move nothing`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = Store(count: 6_000) { id in 1 + id * 31 % 45 }
        let start = Int.random(in: 0..<5_950, using: &random)
        var timeline = try store.open(start..<(start + 50), focus: start + 25, height: 12)
        var inFlight: [Pager<Int>.Output] = []
        for step in 0..<600 {
            inFlight += timeline.loads()
            #expect(inFlight.count <= 4, "seed \(seed), step \(step)")
            if !inFlight.isEmpty, Bool.random(using: &random) {
                let screen = timeline.screen
                try store.answer(inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random)), to: &timeline)
                let covered = zip(screen, timeline.screen).allSatisfy { $0 == $1 || $0.isEmpty }
                #expect(covered, "seed \(seed), step \(step): \(screen) → \(timeline.screen)")
            }
            move(&timeline, using: &random)
            try checkWindow(timeline, of: store, "seed \(seed), step \(step)")
        }
    }

    @Test func `A thousand screens up and down again end on the first screen`() throws {
        let store = Store(count: 30_000) { id in 1 + id * 31 % 45 }
        var timeline = try store.open(25_000..<25_050, focus: 25_025, height: 12)
        settle(&timeline, store)
        let before = timeline.screen
        for direction in [-1, 1] {
            for _ in 0..<1_000 {
                timeline.scroll(by: direction * 10)
                settle(&timeline, store)
                #expect(timeline.count <= timeline.cap)
            }
        }
        #expect(timeline.screen == before)
    }

    private func settle(_ timeline: inout Notes, _ store: Store) {
        while true {
            let loads = timeline.loads()
            guard !loads.isEmpty else { return }
            for load in loads {
                do { try store.answer(load, to: &timeline) } catch { Issue.record(error) }
            }
        }
    }

    private func move(_ timeline: inout Notes, using random: inout SeededGenerator) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: timeline.scroll(by: Int.random(in: -40...40, using: &random))
        case 1, 2: timeline.scrollScreen(by: -timeline.viewport.height + 2)
        case 3, 4: timeline.scrollScreen(by: timeline.viewport.height - 2)
        case 5: for _ in 0..<5 { timeline.moveSelection(by: Bool.random(using: &random) ? 1 : -1) }
        default:
            timeline.resize(
                ruler: NoteRuler(width: Int.random(in: 5...20, using: &random)),
                height: Int.random(in: 3...30, using: &random))
        }
    }

    private func checkWindow(_ timeline: Notes, of store: Store, _ context: String) throws {
        let ids = timeline.ids
        let first = try #require(ids.first)
        #expect(ids == Array(first..<first + ids.count), "\(context)")
        #expect(timeline.count <= timeline.cap, "\(context)")
        #expect(timeline.windowStart == first, "\(context)")
        #expect(timeline.hasOlder == (first > 0), "\(context)")
        #expect(timeline.hasNewer == (first + ids.count < store.count), "\(context)")
        let heights = ids.map { timeline.ruler.measure(Note(id: $0, length: store.length($0))).height }
        #expect(timeline.layout.height == heights.reduce(0, +), "\(context)")
        let selected = try #require(timeline.selectedIndex)
        #expect(timeline.isVisible(selected), "\(context)")
    }
}
