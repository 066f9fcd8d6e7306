import TestSupport
import Testing

@testable import Timeline

/// Returning to a screen, jumping only where the window holds the screen, and lists that are not conversations.
struct RestoreTests {
    private let store = Store(count: 5_000) { id in 1 + id * 31 % 45 }

    @Test(arguments: [UInt64](1...8))
    func `An anchor restores its screen, in the same window and in one loaded around it`(seed: UInt64)
        throws
    {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let start = Int.random(in: 0..<4_950, using: &random)
            var timeline = try store.open(start..<(start + 50), focus: start + 25, height: 12)
            try answerAll(&timeline)
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                timeline.scroll(by: Int.random(in: -30...30, using: &random))
                timeline.moveSelection(by: Bool.random(using: &random) ? 1 : -1)
                try answerAll(&timeline)
            }
            let anchor = try #require(timeline.anchor)
            let (screen, selection) = (timeline.screen, timeline.selection)
            let following = timeline.viewport.isFollowing

            var same = timeline
            same.scroll(by: Int.random(in: -60...60, using: &random))
            try answerAll(&same)
            if same.canRestore(anchor) {
                same.restore(anchor, selection: selection, following: following)
                #expect(same.screen == screen)
                #expect(same.selection == selection)
            }

            let first = max(0, min(anchor.id - 25, 4_950))
            var other = try store.open(first..<(first + 50), focus: anchor.id, height: 12)
            #expect(other.canRestore(anchor))
            other.restore(anchor, selection: selection, following: following)
            #expect(other.screen == screen, "anchor \(anchor)")
            #expect(other.selection == selection)
            #expect(other.viewport.isFollowing == following)
        }
    }

    @Test func `An anchor keeps its place in the text at another width, and its row at the old width`() throws {
        var timeline = try store.open(2_000..<2_050, focus: 2_025, height: 12)
        timeline.scroll(by: 3)
        let anchor = try #require(timeline.anchor)
        let screen = timeline.screen
        var other = try store.open(2_000..<2_050, focus: 2_001, width: 25, height: 6)
        other.restore(anchor, selection: timeline.selection, following: false)
        #expect(other.screen.contains { $0.hasPrefix("\(anchor.id).") })
        other.resize(ruler: NoteRuler(width: 10), height: 12)
        #expect(other.screen == screen)
    }

    @Test func `A window that does not hold the whole screen neither restores it nor jumps`() throws {
        var timeline = try store.open(2_000..<2_050, focus: 2_025, height: 12)
        let before = timeline
        #expect(!timeline.canRestore(Anchor(id: 2_000, place: 0, screenRow: 5)))
        #expect(!timeline.canRestore(Anchor(id: 7, place: 0, screenRow: 5)))
        #expect(timeline.canRestore(Anchor(id: 2_000, place: 0, screenRow: 0)))
        #expect(!timeline.canJump(to: 2_000, aligned: .middle))
        #expect(timeline.canJump(to: 2_000, aligned: .top))
        #expect(!timeline.canJump(to: 2_049, aligned: .middle))
        timeline.restore(Anchor(id: 7, place: 0, screenRow: 5), selection: 7, following: false)
        #expect(timeline.screen == before.screen)
        // At the true ends there is nothing more to load.
        let start = try store.open(0..<50, focus: 25, height: 12)
        #expect(start.canJump(to: 0, aligned: .middle))
    }

    @Test func `A click selects the message under it and moves nothing`() throws {
        var timeline = try store.open(2_000..<2_050, focus: 2_025, height: 12)
        let screen = timeline.screen
        for row in 0..<12 {
            let isHit = timeline.select(atScreenRow: row)
            #expect(isHit)
            #expect(screen[row].hasPrefix("\(timeline.selection ?? -1)."))
            #expect(timeline.screen == screen)
        }
        var short = try Store(count: 3).open(0..<3, height: 12)
        let outside = short.select(atScreenRow: 11)
        #expect(!outside)
    }

    @Test func `A list without edges and without following stops at its ends and stays where it is`() throws {
        var list = Notes(ruler: NoteRuler(width: 10), height: 6, capacity: .max, edgeRows: 0, follows: false)
        let small = Store(count: 2_000)
        try list.open(
            small.notes(0..<10), older: .end, newer: .end, start: 0, total: 10, focus: 0, alignment: .top,
            following: false)
        list.moveSelection(by: -1)
        #expect(list.screen.first == "0.0")
        for _ in 0..<20 { list.moveSelection(by: 1) }
        #expect(list.screen.last == "9.0")
        try list.apply(small.notes(0..<2_000), start: 0, total: 2_000)
        #expect(list.count == 2_000)
        #expect(list.screen.last == "9.0")
        #expect(list.selection == 9)
    }

    private func answerAll(_ timeline: inout Notes) throws {
        for load in timeline.loads() { try store.answer(load, to: &timeline) }
    }
}
