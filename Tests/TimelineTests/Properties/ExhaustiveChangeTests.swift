import Testing

@testable import Timeline

/// All changes between small lists whose notes keep their order (`ItemListTests` tries every order), at all positions
/// of the viewport within the content: the screen afterwards is the one that is drawn around the anchored row.
struct ExhaustiveChangeTests {
    /// The change of a note.
    private enum Fate {
        case absent, same, longer, shorter
    }

    private static let lengths = [2, 1, 3, 1, 2]

    /// Rows for each note: at a width of 1, lengths are heights.
    private static func notes(_ fates: [Fate]) -> [Note] {
        zip(fates, lengths.indices).compactMap { fate, id in
            switch fate {
            case .absent: nil
            case .same: Note(id: id, length: lengths[id])
            case .longer: Note(id: id, length: lengths[id] + 2, version: 1)
            case .shorter: Note(id: id, length: 1, version: 1)
            }
        }
    }

    private static func all(_ fates: [Fate]) -> [[Fate]] {
        lengths.indices.reduce([[]]) { lists, _ in lists.flatMap { list in fates.map { list + [$0] } } }
    }

    /// A list, and facts about it that are computed once.
    private struct Target {
        let notes: [Note]
        let rows: [Cell]
        let ids: Set<Int>

        init(_ notes: [Note]) {
            self.notes = notes
            rows = Drawing.rows(notes, width: 1)
            ids = Set(notes.map(\.id))
        }
    }

    @Test(arguments: [1, 2, 4])
    func `Every change between lists of up to five notes moves only the rows that it must`(height: Int) throws {
        let targets = [Fate.longer, .shorter].flatMap { Self.all([.absent, .same, $0]) }.map { Target(Self.notes($0)) }
        var cases = 0
        for old in Self.all([.absent, .same]).map(Self.notes) where !old.isEmpty {
            for screen in try Self.screens(old, height: height) {
                let seen = Seen(screen)
                for target in targets {
                    var timeline = screen
                    try timeline.apply(target.notes, start: 0, total: target.notes.count)
                    let expected = seen.after(target)
                    cases += 1
                    if timeline.notes == target.notes, expected.map({ $0 == timeline.cells }) ?? true { continue }
                    let story =
                        "\(old.map(\.id)) → \(target.rows), height \(height), selected \(screen.selection ?? -1)"
                    Issue.record("\(story): \(text(seen.cells)) → \(text(timeline.cells)), not \(text(expected ?? []))")
                    return
                }
            }
        }
        print("\(cases) changes at height \(height)")
    }

    /// The timeline at every position, with the first and the last visible note selected; and following.
    private static func screens(_ notes: [Note], height: Int) throws -> [Notes] {
        var timeline = Notes(
            ruler: NoteRuler(width: 1), height: height, prefetch: Prefetch(pageSize: 1, rows: 1, screens: 0))
        try timeline.open(
            notes, older: .end, newer: .end, start: 0, total: notes.count, focus: notes[0].id, alignment: .top,
            following: false)
        var screens = [timeline]
        var followed = timeline
        _ = followed.jumpToEnd()
        screens.append(followed)
        for top in timeline.layout.top.value..<timeline.layout.bottom.value
        where height < notes.reduce(0, { $0 + $1.length }) {
            for index in notes.indices {
                var moved = timeline
                moved.viewport.top = Row(top)
                guard moved.isVisible(index),
                    index == moved.visibleIndices.first || index + 1 == moved.visibleIndices.upperBound
                else { continue }
                moved.selection = notes[index].id
                moved.setAnchor()
                screens.append(moved)
            }
        }
        return screens
    }

    /// The contents of the screen, and the part that stays.
    private struct Seen {
        let cells: Cells
        let isFollowing: Bool
        /// The anchored cell and its row on the screen.
        let anchor: (cell: Cell, row: Int)?
        /// The notes from the anchored one outwards, the later one of two first.
        let nearest: [Int]
        /// The last note of a list that fits on the screen; nil for other lists.
        private let lastOfWhole: Int?

        init(_ timeline: Notes) {
            let cells = timeline.cells
            self.cells = cells
            isFollowing = timeline.viewport.isFollowing
            lastOfWhole =
                Drawing.rows(timeline.notes, width: 1).count <= cells.count ? timeline.notes.last?.id : nil
            let cell = cells.compactMap { $0 }.first { $0.id == timeline.selection }
            anchor = cell.flatMap { cell in cells.firstIndex(of: cell).map { (cell, $0) } }
            let ids = timeline.ids
            let index = ids.firstIndex(of: cell?.id ?? -1) ?? 0
            let outwards: [Int] =
                [index] + (1...5).flatMap { distance -> [Int] in [index + distance, index - distance] }
            nearest = outwards.filter(ids.indices.contains).map { ids[$0] }
        }

        /// The expected screen of the new list; nil when nothing of the old one is left.
        func after(_ new: Target) -> Cells? {
            let height = cells.count
            if new.rows.isEmpty { return Array(repeating: nil, count: height) }
            if new.rows.count <= height {
                return Drawing.screen(new.rows, 0, at: min(1, height - new.rows.count), height: height)
            }
            if isFollowing || lastOfWhole.map({ $0 != new.notes.last?.id }) ?? false {
                return Drawing.screen(new.rows, new.rows.count - 1, at: height - 1, height: height)
            }
            guard let anchor, let kept = nearest.first(where: new.ids.contains) else { return nil }
            let place = kept == anchor.cell.id ? anchor.cell.place : 0
            let index = Drawing.index(of: Cell(id: kept, place: place), in: new.rows) ?? 0
            return Drawing.screen(new.rows, index, at: anchor.row, height: height)
        }
    }

    @Test
    func `Every resize of every small list and back gives the first screen, with the anchor on each screen between`()
        throws
    {
        var cases = 0
        for notes in Self.all([.absent, .same, .longer]).map(Self.notes) where !notes.isEmpty {
            for screen in try Self.screens(notes, height: 3) {
                let anchor = try #require(screen.anchor)
                for width in 1...4 {
                    for height in 1...6 {
                        var timeline = screen
                        timeline.resize(ruler: NoteRuler(width: width), height: height)
                        let rows = Drawing.rows(notes, width: width)
                        let row = Drawing.index(of: Cell(id: anchor.id, place: anchor.place), in: rows) ?? 0
                        let isKept = screen.viewport.isFollowing || timeline.cells.contains(rows[row])
                        let isMeasured = timeline.layout.height == rows.count
                        timeline.resize(ruler: NoteRuler(width: 1), height: 3)
                        cases += 1
                        if isKept, isMeasured, timeline.cells == screen.cells { continue }
                        Issue.record("\(notes.map(\.length)) \(width)x\(height): \(text(screen.cells)), \(isKept)")
                        return
                    }
                }
            }
        }
        print("\(cases) resizes")
    }

    @Test func `Minimal scrolling shows most of a range with the least movement, for all sizes`() {
        for height in 1...5 {
            for top in -6...6 {
                for start in -6...6 {
                    for size in 1...7 {
                        let rows = Row(start)..<Row(start + size)
                        func seen(_ top: Int) -> Int {
                            (top..<top + height).count { (start..<start + size).contains($0) }
                        }
                        let viewport = Viewport(top: Row(top), height: height)
                        let found = viewport.top(showing: rows, aligned: .minimal).value
                        let best = (-20...20).filter { seen($0) == min(size, height) }.min {
                            abs($0 - top) < abs($1 - top)
                        }
                        #expect(found == best, "\(top)+\(height), \(start)+\(size)")
                        for alignment in Alignment.allCases {
                            let top = viewport.top(showing: rows, aligned: alignment).value
                            #expect(seen(top) == min(size, height))
                        }
                    }
                }
            }
        }
    }
}
