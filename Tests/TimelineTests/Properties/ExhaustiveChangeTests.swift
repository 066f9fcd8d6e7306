import Testing

@testable import Timeline

/// All changes between all small lists, at all places of the viewport: what is seen afterwards is what is drawn around the
/// anchored row.
@Suite(.timeLimit(.minutes(10)))
struct ExhaustiveChangeTests {
    /// What becomes of a note.
    private enum Fate: CaseIterable {
        case absent, same, longer, shorter
    }

    private static let lengths = [2, 1, 3, 1, 2]

    /// Rows to a note: a width of 1 makes lengths heights.
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

    @Test(arguments: [1, 2, 4])
    func `Every change between lists of up to five notes moves only what it must`(height: Int) throws {
        let olds = Self.all([.absent, .same]).map(Self.notes).filter { !$0.isEmpty }
        let news = Self.all(Fate.allCases).map(Self.notes)
        var cases = 0
        for old in olds {
            let screens = try Self.screens(old, height: height)
            for new in news {
                for screen in screens {
                    var timeline = screen
                    try timeline.apply(new, start: 0, total: new.count)
                    let expected = Self.expected(screen, new)
                    cases += 1
                    guard timeline.notes == new, expected.map({ $0 == timeline.cells }) ?? true else {
                        let story = "\(old.map(\.id)) → \(new.map { "\($0.id)×\($0.length)" }), height \(height)"
                        let cells = "\(text(screen.cells)) → \(text(timeline.cells)), not \(text(expected ?? []))"
                        Issue.record("\(story), selected \(screen.selection ?? -1): \(cells)")
                        return
                    }
                }
            }
        }
        print("\(cases) changes at height \(height)")
    }

    /// The timeline scrolled to everywhere, with the first and the last visible note selected; and followed.
    private static func screens(_ notes: [Note], height: Int) throws -> [Notes] {
        var timeline = Notes(ruler: NoteRuler(width: 1), height: height, prefetch: Prefetch(pageSize: 1, rows: 1, screens: 0))
        try timeline.open(
            notes, older: .end, newer: .end, start: 0, total: notes.count, focus: notes[0].id, alignment: .top,
            following: false)
        var screens = [timeline]
        var followed = timeline
        _ = followed.jumpToEnd()
        screens.append(followed)
        for top in timeline.layout.top.value..<timeline.layout.bottom.value where height < notes.reduce(0, { $0 + $1.length }) {
            for index in notes.indices {
                var moved = timeline
                moved.viewport.top = Row(top)
                guard moved.isVisible(index), index == moved.visibleIndices.first || index + 1 == moved.visibleIndices.upperBound
                else { continue }
                moved.selection = notes[index].id
                moved.setAnchor()
                screens.append(moved)
            }
        }
        return screens
    }

    /// What must be seen: nil when nothing is left to see.
    private static func expected(_ old: Notes, _ new: [Note]) -> Cells? {
        guard !new.isEmpty else { return Array(repeating: nil, count: old.viewport.height) }
        let rows = Drawing.rows(new, width: 1)
        let height = old.viewport.height
        if old.viewport.isFollowing {
            let top = Drawing.screen(rows, 0, at: 1, height: height)
            let bottom = Drawing.screen(rows, rows.count - 1, at: height - 1, height: height)
            return rows.count < height && old.cells[0] == nil ? top : bottom
        }
        let cells = old.cells
        guard let anchor = cells.compactMap({ $0 }).first(where: { $0.id == old.selection }),
            let row = cells.firstIndex(of: anchor)
        else { return nil }
        let ids = old.notes.map(\.id)
        let left = new.map(\.id)
        let index = ids.firstIndex(of: anchor.id) ?? 0
        // Nearest first, the later one of two.
        let nearest = ids.indices.filter { left.contains(ids[$0]) }.min {
            let (a, b) = (abs($0 - index), abs($1 - index))
            return a == b ? $0 > $1 : a < b
        }
        guard let nearest else { return nil }
        let place = nearest == index ? anchor.place : 0
        let kept = Drawing.index(of: Cell(id: ids[nearest], place: place), in: rows) ?? 0
        return Drawing.screen(rows, kept, at: row, height: height)
    }

    @Test func `Every resize of every small list and back gives the first screen, with the anchor on it at every size`()
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
                        #expect(timeline.layout.height == rows.count)
                        let row = try #require(Drawing.index(of: Cell(id: anchor.id, place: anchor.place), in: rows))
                        if !screen.viewport.isFollowing { #expect(timeline.cells.contains(rows[row])) }
                        timeline.resize(ruler: NoteRuler(width: 1), height: 3)
                        #expect(timeline.cells == screen.cells, "\(notes.map(\.length)) \(width)x\(height)")
                        cases += 1
                    }
                }
            }
        }
        print("\(cases) resizes")
    }

    @Test func `Scrolling to show a range is the least that shows most of it, whatever their sizes`() {
        for height in 1...5 {
            for top in -6...6 {
                for start in -6...6 {
                    for size in 1...7 {
                        let rows = Row(start)..<Row(start + size)
                        func seen(_ top: Int) -> Int { (top..<top + height).count { (start..<start + size).contains($0) } }
                        let viewport = Viewport(top: Row(top), height: height)
                        let found = viewport.top(showing: rows, aligned: .minimal).value
                        let best = (-20...20).filter { seen($0) == min(size, height) }.min { abs($0 - top) < abs($1 - top) }
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
