import TestSupport
import Testing

@testable import Timeline

/// A composer lies over the lowest rows of the screen: the message that the user replies to stays visible, and nothing
/// else moves.
struct CoverTests {
    /// The items that the screen shows, in whole or in part.
    private func shown(_ timeline: Notes) -> Set<Int> { Set(timeline.visibleIndices.map { timeline.list[$0].id }) }

    @Test func `At the end the last item stays visible, even without following`() throws {
        for up in 0...3 {
            var timeline = try Store(count: 100).open(40..<100, height: 10, following: true)
            for _ in 0..<up { timeline.moveSelection(by: -1) }
            let before = timeline.screen
            for cover in [1, 2, 5, 9, 4] {
                timeline.setHeight(10 - cover, cover: cover)
                #expect(timeline.screen == Array(before.dropFirst(cover)), "\(up) up, \(cover) rows")
            }
            timeline.setHeight(10)
            #expect(timeline.screen == before)
            #expect(timeline.viewport.isFollowing == (up == 0))
        }
    }

    @Test func `Elsewhere no more moves than the kept item needs`() throws {
        for cover in 1...9 {
            for row in 0..<10 {
                var timeline = try Store(count: 100).open(20..<70, focus: 40, height: 10)
                timeline.select(atScreenRow: row)
                let before = timeline.screen
                timeline.setHeight(10 - cover, cover: cover, keeping: timeline.selection)
                let moved = max(0, row - (9 - cover))
                #expect(
                    timeline.screen == Array(before.dropFirst(moved).prefix(10 - cover)), "\(cover) rows, row \(row)")
                timeline.setHeight(10)
                #expect(timeline.screen == before)
            }
        }
    }

    @Test func `The kept item counts more than the last one, and following resumes when the cover goes`() throws {
        var timeline = try Store(count: 100).open(40..<100, height: 10, following: true)
        timeline.select(atScreenRow: 1)
        let before = timeline.screen
        timeline.setHeight(6, cover: 4, keeping: 91)
        #expect(timeline.screen == Array(before[1..<7]))
        #expect(!timeline.viewport.isFollowing)
        timeline.setHeight(9, cover: 1, keeping: 91)
        #expect(timeline.screen == Array(before[1...]))
        timeline.setHeight(10)
        #expect(timeline.screen == before)
        #expect(timeline.viewport.isFollowing)
    }

    @Test func `Arrivals while the kept item is held are not followed and move nothing`() throws {
        var timeline = try Store(count: 100).open(40..<100, height: 10, following: true)
        timeline.select(atScreenRow: 1)
        let before = timeline.screen
        timeline.setHeight(6, cover: 4, keeping: 91)
        let covered = timeline.screen
        try timeline.append([Note(id: 100, length: 10)])
        #expect(timeline.screen == covered)
        timeline.setHeight(5, cover: 5, keeping: 91)
        #expect(timeline.screen == Array(before[1..<6]))
        timeline.setHeight(10)
        #expect(timeline.screen == before)
        #expect(!timeline.viewport.isFollowing)
    }

    @Test func `Arrivals that are followed stop where they would hide the kept item`() throws {
        var timeline = try Store(count: 100).open(40..<100, height: 10, following: true)
        timeline.setHeight(6, cover: 4, keeping: 99)
        for id in 100..<120 {
            try timeline.append([Note(id: id, length: 10)])
            #expect(shown(timeline).contains(99))
        }
        #expect(timeline.screen.first == "99.0")
        #expect(!timeline.viewport.isFollowing)
        _ = timeline.jumpToEnd()
        #expect(timeline.screen.last == "119.0" && timeline.viewport.isFollowing)
    }

    @Test func `An arrival under the cover does not move the screen back down`() throws {
        var timeline = try Store(count: 100).open(40..<100, height: 10, following: true)
        timeline.moveSelection(by: -1)
        timeline.setHeight(8, cover: 2)
        let covered = timeline.screen
        #expect(covered.last == "99.0")
        try timeline.append([Note(id: 100, length: 10)])
        #expect(timeline.screen == covered)
        timeline.setHeight(7, cover: 3)
        #expect(timeline.screen == Array(covered.dropFirst()))
    }

    @Test func `A list shorter than the screen is where it was when the cover goes`() throws {
        var timeline = try Store(count: 8).open(0..<8, height: 10, following: true)
        let before = timeline.screen
        timeline.setHeight(5, cover: 5)
        #expect(timeline.screen.last == "7.0")
        try timeline.append([Note(id: 8, length: 10)])
        #expect(timeline.screen.last == "8.0")
        timeline.setHeight(10)
        #expect(timeline.screen == Array(before.dropLast() + ["8.0"]))
    }

    @Test func `A jump back under a cover restores the screen from before the cover`() throws {
        var timeline = try Store(count: 100).open(0..<100, focus: 50, height: 10)
        timeline.select(atScreenRow: 9)
        let (before, selection) = (timeline.screen, timeline.selection)
        timeline.setHeight(6, cover: 4, keeping: selection)
        let covered = timeline.screen
        let anchor = try #require(timeline.shownAnchor)
        timeline.restore(anchor, selection: selection, following: false)
        #expect(timeline.screen == covered)
        timeline.setHeight(10)
        #expect(timeline.screen == before)
    }

    /// Heights, places, covers and sizes at random.
    @Test(arguments: 0..<300)
    func `Under any cover the kept item stays, and the screen is the same again without the cover`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let height = Int.random(in: 2...20, using: &random)
            let isAtEnd = Bool.random(using: &random)
            let lengths = (0..<60).map { _ in Int.random(in: 1...60, using: &random) }
            let store = Store(count: isAtEnd ? 40 : 60) { lengths[$0] }
            var timeline = try store.open(
                0..<40, focus: Int.random(in: 0..<40, using: &random), height: height,
                following: isAtEnd && Bool.random(using: &random))
            timeline.scroll(by: Int.random(in: -12...12, using: &random))
            timeline.select(atScreenRow: Int.random(in: 0..<height, using: &random))
            let before = timeline.screen
            let following = timeline.viewport.isFollowing
            let ids = shown(timeline)
            let kept = Bool.random(using: &random) ? ids.randomElement(using: &random) : nil
            for _ in 0..<4 {
                let cover = Int.random(in: 1..<height, using: &random)
                timeline.setHeight(height - cover, cover: cover, keeping: kept)
                let comment = "seed \(seed), \(cover) of \(height), kept \(kept ?? -1): \(before) → \(timeline.screen)"
                let rows = timeline.screen
                let moved = before.indices.first { Array(before.dropFirst($0).prefix(rows.count)) == rows }
                #expect(moved.map { $0 <= cover } == true, Comment(rawValue: comment))
                if let kept {
                    let shownBefore = before.filter { $0.hasPrefix("\(kept).") }
                    let shownNow = rows.filter { $0.hasPrefix("\(kept).") }
                    #expect(shownNow.count == min(shownBefore.count, rows.count), Comment(rawValue: comment))
                } else if isAtEnd, let last = before.last(where: { !$0.isEmpty }), last.hasPrefix("\(store.count - 1).")
                {
                    let isTall = before.allSatisfy { $0.hasPrefix("\(store.count - 1).") }
                    #expect(rows.contains { $0.hasPrefix("\(store.count - 1).") } || isTall, Comment(rawValue: comment))
                } else if let index = timeline.anchor.flatMap({ timeline.list.index(of: $0.id) }) {
                    #expect(timeline.isVisible(index), Comment(rawValue: comment))
                }
            }
            timeline.setHeight(height)
            #expect(timeline.screen == before, "seed \(seed)")
            #expect(timeline.viewport.isFollowing == following, "seed \(seed)")
        }
    }
}
