import TestSupport
import Testing

@testable import Timeline

struct TimelineTests {
    /// Lengths that give heights of 1 to 3 rows at width 10.
    private let uneven = Store(count: 10_000) { id in 5 + id * 7 % 25 }

    @Test(arguments: [0, 1, 49, 500, 998, 999])
    func `A conversation opens with the requested message on the screen`(focus: Int) throws {
        let store = Store(count: 1_000)
        for alignment in Alignment.allCases {
            let range = max(0, focus - 25)..<min(1_000, focus + 25)
            let timeline = try store.open(range, focus: focus, alignment: alignment)
            #expect(timeline.screen.contains("\(focus).0"), "\(alignment)")
            #expect(timeline.selection == focus)
        }
    }

    @Test func `The requested message appears in the middle`() throws {
        let timeline = try Store(count: 1_000).open(475..<525, focus: 500, height: 7)
        #expect(timeline.screen == ["497.0", "498.0", "499.0", "500.0", "501.0", "502.0", "503.0"])
    }

    @Test(arguments: [1, 7, 50])
    func `A page before or after moves no row of the screen`(width: Int) throws {
        var timeline = try uneven.open(5_000..<5_050, focus: 5_025, width: width)
        var loads = 0
        for _ in 0..<20 {
            for output in timeline.loads() {
                let screen = timeline.screen
                try uneven.answer(output, to: &timeline)
                #expect(zip(screen, timeline.screen).allSatisfy { $0 == $1 || $0.isEmpty })
                loads += 1
            }
            timeline.scroll(by: -400)
        }
        #expect(loads > 2)
        #expect(timeline.ids == Array(timeline.ids[0]..<timeline.ids[0] + timeline.count))
    }

    @Test func `At the loaded edge one row of it shows, and a page fills it without moving the others`() throws {
        var timeline = try Store(count: 1_000).open(500..<560, focus: 530)
        timeline.scroll(by: -100)
        #expect(timeline.screen == ["", "500.0", "501.0", "502.0", "503.0", "504.0"])
        for load in timeline.loads() { try Store(count: 1_000).answer(load, to: &timeline) }
        #expect(timeline.screen == ["499.0", "500.0", "501.0", "502.0", "503.0", "504.0"])
    }

    @Test(arguments: [-1, 0, 1, 2, 3])
    func `A changed height moves only rows on its far side from the selection`(changed: Int) throws {
        var timeline = try Store(count: 1_000).open(480..<520, focus: 500, height: 7)
        let before = timeline.screen
        var notes = (0..<timeline.count).map { timeline.list[$0] }
        notes[20 + changed].length = 30
        try timeline.apply(notes, start: 480, total: 1_000)
        let row = try #require(before.firstIndex(of: "500.0"))
        #expect(timeline.screen[row] == "500.0")
        if changed < 0 { #expect(Array(timeline.screen[row...]) == Array(before[row...])) }
        if changed > 0 { #expect(timeline.screen.prefix(row + changed) == before.prefix(row + changed)) }
    }

    @Test func `A change outside the screen moves nothing on it`() throws {
        var timeline = try uneven.open(480..<580, focus: 530)
        let before = timeline.screen
        var notes = (0..<timeline.count).map { timeline.list[$0] }
        notes[3].length = 300
        notes.remove(at: 10)
        notes.insert(Note(id: -1, length: 40), at: 20)
        notes[90].length = 300
        notes.removeLast(2)
        try timeline.apply(notes, start: 480, total: 1_000)
        #expect(timeline.screen == before)
    }

    @Test func `When the anchored message goes, its nearest survivor takes its row`() throws {
        var timeline = try Store(count: 1_000).open(480..<520, focus: 500, height: 7)
        var notes = (0..<timeline.count).map { timeline.list[$0] }
        notes.removeAll { $0.id == 500 || $0.id == 501 }
        try timeline.apply(notes, start: 480, total: 998)
        #expect(timeline.screen == ["496.0", "497.0", "498.0", "499.0", "502.0", "503.0", "504.0"])
    }

    @Test(arguments: 0..<30)
    func `Any series of sizes and back gives the first screen again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var timeline = try uneven.open(5_000..<5_100, focus: 5_050, width: 10, height: 9)
        timeline.scroll(by: Int.random(in: -30...30, using: &random))
        let before = timeline.screen
        let anchor = try #require(timeline.anchor)
        for _ in 0..<10 {
            timeline.resize(
                ruler: NoteRuler(width: Int.random(in: 1...60, using: &random)),
                height: Int.random(in: 1...60, using: &random))
            let anchored = Note(id: anchor.id, length: uneven.length(anchor.id))
            let row = timeline.ruler.measure(anchored).row(ofPlace: anchor.place)
            #expect(timeline.screen.contains("\(anchor.id).\(row)"), "seed \(seed)")
        }
        timeline.resize(ruler: NoteRuler(width: 10), height: 9)
        #expect(timeline.screen == before, "seed \(seed)")
    }

    @Test func `Following keeps the last row at the bottom; without it, an arrival moves nothing`() throws {
        var timeline = try Store(count: 100).open(40..<100, following: true)
        #expect(timeline.viewport.isFollowing)
        #expect(timeline.screen.last == "99.0")
        try arrive(100, in: &timeline)
        #expect(timeline.screen.last == "100.0")
        #expect(timeline.selection == 100)
        timeline.scroll(by: -1)
        #expect(!timeline.viewport.isFollowing)
        let before = timeline.screen
        try arrive(101, in: &timeline)
        #expect(timeline.screen == before)
        timeline.scroll(by: 2)
        #expect(timeline.viewport.isFollowing)
    }

    @Test func `The last page does not start following, and the user's own scroll to its end does`() throws {
        let store = Store(count: 100)
        var timeline = try store.open(30..<70, focus: 68)
        timeline.scroll(by: 100)
        for output in timeline.loads() { try store.answer(output, to: &timeline) }
        #expect(!timeline.hasNewer)
        #expect(!timeline.viewport.isFollowing)
        timeline.scroll(by: 1_000)
        #expect(timeline.viewport.isFollowing)
    }

    @Test func `A short conversation begins at the top, below its edge row`() throws {
        let timeline = try Store(count: 2).open(0..<2, following: true)
        #expect(timeline.screen == ["", "0.0", "1.0", "", "", ""])
    }

    @Test func `A message taller than the screen is seen row by row, both ways`() throws {
        let store = Store(count: 3) { $0 == 1 ? 200 : 10 }
        var timeline = try store.open(0..<3, focus: 0, height: 5, alignment: .top)
        var seen: Set<String> = []
        for _ in 0..<40 {
            seen.formUnion(timeline.screen)
            timeline.moveSelection(by: 1)
        }
        #expect(timeline.selection == 2)
        #expect(seen.isSuperset(of: (0..<20).map { "1.\($0)" }))
        seen = []
        for _ in 0..<40 {
            seen.formUnion(timeline.screen)
            timeline.moveSelection(by: -1)
        }
        #expect(timeline.selection == 0)
        #expect(seen.isSuperset(of: (0..<20).map { "1.\($0)" }))
    }

    @Test func `A failed edge can be selected and retried`() throws {
        var timeline = try Store(count: 1_000).open(500..<540, focus: 502)
        let ticket = try olderTicket(&timeline)
        let before = timeline.screen
        let failures = timeline.fail(ticket, reason: "away")
        #expect(failures == 1)
        #expect(timeline.screen == before)
        for _ in 0..<5 { timeline.moveSelection(by: -1) }
        #expect(timeline.selectedEdge == .older)
        #expect(timeline.screen.first?.isEmpty == true)
        timeline.moveSelection(by: 1)
        #expect(timeline.selectedEdge == nil)
        let retried = timeline.retry(.older)
        #expect(retried != nil)
    }

    @Test func `A page that repeats a message is refused and counts as failed`() throws {
        var timeline = try Store(count: 1_000).open(500..<540, focus: 502)
        let ticket = try olderTicket(&timeline)
        let before = timeline.ids
        #expect(throws: DuplicateID(id: "510")) {
            _ = try timeline.receive([Note(id: 510, length: 1)], for: ticket, edge: .end)
        }
        let failures = timeline.fail(ticket, reason: "twice")
        #expect(failures == 1)
        #expect(timeline.ids == before)
    }

    @Test func `A page that arrives after a resize moves nothing`() throws {
        let store = Store(count: 1_000) { _ in 30 }
        var timeline = try store.open(500..<560, focus: 530, height: 12)
        timeline.scroll(by: -1_000)
        for _ in 0..<3 { timeline.moveSelection(by: 1) }
        timeline.resize(ruler: NoteRuler(width: 30), height: 12)
        let before = timeline.screen
        for load in timeline.loads() { try store.answer(load, to: &timeline) }
        #expect(zip(before, timeline.screen).allSatisfy { $0 == $1 || $0.isEmpty }, "\(before) → \(timeline.screen)")
        #expect(timeline.hasOlder)
    }

    @Test func `A message that shrinks near the beginning moves no row below it`() throws {
        let store = Store(count: 40) { $0 == 0 ? 80 : 10 }
        var timeline = try store.open(0..<40, focus: 4, height: 8, alignment: .bottom)
        timeline.scroll(by: -3)
        let before = timeline.screen
        var notes = (0..<timeline.count).map { timeline.list[$0] }
        notes[0].length = 1
        try timeline.apply(notes, start: 0, total: 40)
        let row = try #require(before.firstIndex(of: "\(timeline.selection ?? 0).0"))
        #expect(Array(timeline.screen[row...]) == Array(before[row...]))
    }

    @Test(arguments: [1, 2])
    func `With only an edge row on a tiny screen, eviction spares the end next to it`(height: Int) throws {
        let store = Store(count: 5_000)
        var timeline = try store.open(1_000..<1_990, focus: 1_989, height: height)
        timeline.scroll(by: 10)
        let ids = timeline.ids
        let answer = store.notes(950..<1_000)
        timeline.scroll(by: -2_000)
        let ticket = try olderTicket(&timeline)
        timeline.scroll(by: 2_000)
        _ = try timeline.receive(answer, for: ticket, edge: .more(950), start: 950, total: 5_000)
        #expect(timeline.ids.last == ids.last)
        #expect(timeline.count == timeline.cap)
        #expect(timeline.windowStart == timeline.ids.first)
    }

    @Test func `The cap is that of the tallest screen since the list was opened`() throws {
        let store = Store(count: 5_000)
        var timeline = try store.open(1_000..<2_600, focus: 1_700, height: 150)
        #expect(timeline.count == 1_500)
        let before = timeline.screen
        timeline.resize(ruler: NoteRuler(width: 10), height: 24)
        #expect(timeline.screen.contains("1700.0"))
        timeline.resize(ruler: NoteRuler(width: 10), height: 150)
        #expect(timeline.screen == before)
        let low = try store.open(1_000..<2_600, focus: 1_700, height: 24)
        #expect(low.count == 1_000)
        #expect(low.screen.contains("1700.0"))
    }

    @Test func `A short list with older messages lies at the bottom at once when following`() throws {
        var timeline = try Store(count: 100).open(95..<100, height: 20, following: true)
        #expect(timeline.screen.last == "99.0")
        for load in timeline.loads() { try Store(count: 100).answer(load, to: &timeline) }
        #expect(timeline.screen.last == "99.0")
    }

    @Test func `On a screen of one row the user can return from the row of an edge`() throws {
        var timeline = try Store(count: 3).open(0..<3, focus: 0, height: 1)
        timeline.moveSelection(by: -1)
        #expect(timeline.screen == [""])
        timeline.moveSelection(by: -1)
        #expect(timeline.screen == [""])
        timeline.moveSelection(by: 1)
        #expect(timeline.screen == ["0.0"])
        timeline.moveSelection(by: 1)
        #expect(timeline.screen == ["1.0"])
    }

    @Test func `The cursor does not stay on the row of an edge that scrolled away`() throws {
        var timeline = try Store(count: 1_000).open(500..<560, focus: 502)
        let ticket = try olderTicket(&timeline)
        _ = timeline.fail(ticket, reason: "away")
        for _ in 0..<5 { timeline.moveSelection(by: -1) }
        #expect(timeline.selectedEdge == .older)
        timeline.scroll(by: 20)
        #expect(timeline.selectedEdge == nil)
    }

    @Test func `When the store has counted more, the end is loaded again`() throws {
        let store = Store(count: 200)
        var timeline = try store.open(150..<200, focus: 190)
        #expect(!timeline.hasNewer)
        timeline.scroll(by: -100)
        let ticket = try olderTicket(&timeline)
        _ = try timeline.receive(store.notes(100..<150), for: ticket, edge: .more(100), start: 100, total: 203)
        #expect(timeline.hasNewer)
    }

    @Test func `While following, newer messages are followed and the cursor goes with them`() throws {
        var store = Store(count: 100)
        var timeline = try store.open(40..<100, following: true)
        store.count = 103
        timeline.lookForNewer()
        for load in timeline.loads() { try store.answer(load, to: &timeline) }
        #expect(timeline.screen.last == "102.0")
        #expect(timeline.selection == 102)
        #expect(timeline.viewport.isFollowing)
    }

    @Test
    func `Looking for newer messages when there are none moves nothing, wherever the user has scrolled meanwhile`()
        throws
    {
        let store = Store(count: 100)
        var timeline = try store.open(40..<100, following: true)
        timeline.lookForNewer()
        let loads = timeline.loads()
        let isAtEnd = timeline.jumpToEnd()
        #expect(isAtEnd, "a second End needs no other list")
        timeline.scroll(by: 5)
        let before = timeline.screen
        for load in loads { try store.answer(load, to: &timeline) }
        #expect(timeline.screen == before)
    }

    @Test func `A conversation that turns out to be shorter than the screen begins at the top of it`() throws {
        let store = Store(count: 60)
        for following in [false, true] {
            var timeline = try store.open(20..<60, focus: 40, height: 100, following: following)
            for load in timeline.loads() { try store.answer(load, to: &timeline) }
            #expect(!timeline.hasOlder)
            #expect(timeline.screen == [""] + (0..<60).map { "\($0).0" } + Array(repeating: "", count: 39))
        }
    }

    /// The ticket of the current load of older messages.
    private func olderTicket(_ timeline: inout Notes) throws -> Pager<Int>.Ticket {
        for case .onPrepend(let ticket, _, _) in timeline.loads() { return ticket }
        throw NothingWanted()
    }

    private struct NothingWanted: Error {}

    private func arrive(_ id: Int, in timeline: inout Notes) throws {
        let notes = (0..<timeline.count).map { timeline.list[$0] } + [Note(id: id, length: 10)]
        try timeline.apply(notes, start: timeline.windowStart, total: timeline.totalCount.map { $0 + 1 })
    }
}
