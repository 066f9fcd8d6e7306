import TestSupport
import Testing

@testable import Timeline

/// `update` and `append` are shortcuts for `apply` with a whole list.
struct OneChangeTests {
    @Test(arguments: [UInt64](1...200))
    func `One edit or arrival has the same effect as a whole list that contains it`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var timeline = try open(using: &random)
        for step in 0..<20 {
            timeline.scroll(by: Int.random(in: -9...9, using: &random))
            var whole = timeline
            try change(&timeline, &whole, step, using: &random)
            #expect(isSame(timeline, whole), "seed \(seed), step \(step)")
        }
    }

    @Test func `An edit of a missing message, and an arrival of a known one, change nothing`() throws {
        var timeline = try Store(count: 20).open(0..<20)
        let before = timeline
        timeline.update(Note(id: 20, length: 99))
        #expect(throws: DuplicateID(id: "7")) { try timeline.append([Note(id: 7, length: 99)]) }
        #expect(isSame(timeline, before))
    }

    private func open(using random: inout SeededGenerator) throws -> Notes {
        let count = Int.random(in: 0...40, using: &random)
        let start = Int.random(in: 0...count, using: &random)
        let store = Store(count: count)
        var timeline = Notes(
            ruler: NoteRuler(width: 4), height: Int.random(in: 1...8, using: &random), capacity: 30,
            prefetch: Prefetch(pageSize: 5, rows: 1, screens: 0))
        try timeline.open(
            store.notes(start..<count), older: store.older(start), newer: .end, start: start, total: count,
            focus: Bool.random(using: &random) ? nil : start, alignment: .middle,
            following: Bool.random(using: &random))
        return timeline
    }

    private func change(
        _ timeline: inout Notes, _ whole: inout Notes, _ step: Int, using random: inout SeededGenerator
    ) throws {
        var notes = Array(timeline.list.items)
        var total = timeline.totalCount
        let length = Int.random(in: 1...40, using: &random)
        if notes.isEmpty || !timeline.hasNewer && Bool.random(using: &random) {
            notes.append(Note(id: 1_000 + step, length: length))
            total = total.map { $0 + 1 }
            try timeline.append([Note(id: 1_000 + step, length: length)])
        } else if let index = notes.indices.randomElement(using: &random) {
            notes[index].length = length
            timeline.update(notes[index])
        }
        try whole.apply(notes, start: whole.windowStart, total: total)
    }

    private func isSame(_ one: Notes, _ other: Notes) -> Bool {
        one.list.items == other.list.items && one.layout == other.layout && one.viewport == other.viewport
            && one.pager == other.pager && one.selection == other.selection && one.anchor == other.anchor
            && one.windowStart == other.windowStart && one.totalCount == other.totalCount
    }
}
