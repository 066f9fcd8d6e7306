import TestSupport

@testable import Timeline

/// Steps of the user, and their checks.
extension Walk {
    /// - Parameter rows: the distance of the move, if it is given in rows.
    mutating func userMove(_ rows: Int?, _ move: (inout Notes) -> Void) throws {
        count("moves")
        let old = before
        let oldAnchor = timeline.anchor
        move(&timeline)
        let moved = timeline.viewport.top - timeline.layout.top - old.rowsAbove
        let isAtEnd = !timeline.hasNewer && timeline.viewport.isAtEnd(of: timeline.content)
        if let rows, !timeline.viewport.isFollowing {
            try require(
                .prepend, rows >= 0 ? (0...rows).contains(moved) : (rows...0).contains(moved), "moved by \(moved)")
        }
        if let rows, rows > 0 {
            try require(.starting, timeline.viewport.isFollowing == isAtEnd, "down to the end, not following")
        }
        if moved < 0 { try require(.starting, !timeline.viewport.isFollowing || isAtEnd, "up, and following") }
        if !old.following, timeline.viewport.isFollowing { try require(.starting, isAtEnd, "following before the end") }
        try checkFollowing()
        try checkCursor()
        // A key without effect is not a move.
        if timeline.anchor != oldAnchor || cells != old.cells { rememberPlace() }
    }

    mutating func click(_ row: Int) throws {
        let old = before
        let isHit = timeline.select(atScreenRow: row)
        try require(.following, cells == old.cells, "a click scrolled")
        let hit = old.cells[row].map { cell in old.cells.contains { $0?.id == cell.id && $0?.isContent == true } }
        try require(.alignment, isHit == (hit ?? false), "a click on a row hits the note that is there")
        if isHit {
            try checkCursor()
            rememberPlace()
        }
    }

    mutating func jump(_ number: Int, _ alignment: Alignment) throws {
        guard timeline.count > 0 else { return }
        let id = timeline.list[abs(number) % timeline.count].id
        let top = timeline.viewport.top - timeline.layout.top
        let isThere = timeline.jump(to: id, aligned: alignment)
        try require(.alignment, isThere, "not jumped to \(id)")
        try require(.starting, !timeline.viewport.isFollowing, "following after a jump")
        try checkAlignment(of: id, alignment, from: top)
        rememberPlace()
    }

    /// Checks that the screen is at the alignment, as far as it can scroll. A note that was visible stays in place,
    /// unless the list is new.
    func checkAlignment(of id: Int, _ alignment: Alignment, from old: Int?) throws {
        let before = old ?? 0
        let rows = Drawing.rows(timeline.notes, width: width)
        let target = rows.indices.filter { rows[$0].id == id }
        guard let top = target.first, let content = target.first(where: { rows[$0].isContent }), let last = target.last
        else { return }
        // Lines above the content that would leave no row for it do not count.
        let first = max(top, content - (height - 1))
        let size = last - first + 1
        let wanted: Int
        switch alignment {
        case .top: wanted = first
        case .middle: wanted = size >= height ? first : first - (height - size) / 2
        case .bottom: wanted = size >= height ? first : last + 1 - height
        case .minimal:
            // The nearest top that shows as much of it as fits.
            func seen(_ top: Int) -> Int { (first...last).count { (top..<top + height).contains($0) } }
            let tops = (min(before, first - height)...max(before, last + height)).filter {
                seen($0) == min(size, height)
            }
            wanted = tops.min { abs($0 - before) < abs($1 - before) } ?? first
        }
        let lowest = -1
        let highest = rows.count + (timeline.hasNewer ? 1 : timeline.footerRows) - height
        let limited = max(min(lowest, highest), min(max(lowest, highest), wanted))
        let expected = wholeScreen ?? Drawing.screen(rows, wanted == old ? wanted : limited, at: 0, height: height)
        try require(.alignment, cells == expected, "\(id) \(alignment): \(text(cells)), not \(text(expected))")
        try checkCursor()
    }

    mutating func home() throws {
        let old = before
        let isThere = timeline.jumpToBeginning()
        try require(.alignment, isThere == (!old.hasOlder && !old.notes.isEmpty), "Home")
        guard isThere, let first = old.notes.first else { return }
        try require(.alignment, cells.contains(Cell(id: first.id, place: 0)), "Home does not show the first message")
        try checkCursor()
        try require(.starting, !timeline.viewport.isFollowing, "following after Home")
        rememberPlace()
    }

    mutating func end() throws {
        let old = before
        let isThere = timeline.jumpToEnd()
        try require(.alignment, isThere == ((!old.hasNewer || old.following) && !old.notes.isEmpty), "End")
        guard isThere else { return }
        try require(.starting, timeline.viewport.isFollowing, "not following after End")
        try checkFollowing()
        rememberPlace()
    }

    mutating func resize(_ newWidth: Int, _ newHeight: Int) throws {
        count("resizes")
        let old = before
        width = newWidth
        timeline.resize(ruler: NoteRuler(width: newWidth), height: newHeight)
        let rows = Drawing.rows(timeline.notes, width: width)
        try require(.resize, timeline.layout.height == rows.count, "the window is not as high as its rows")
        try require(.starting, timeline.viewport.isFollowing == old.following, "a resize changed following")
        if old.following {
            try checkFollowing()
            rememberPlace()
            return
        }
        if let anchor {
            let index = Drawing.index(of: anchor, in: rows)
            try require(.resize, index.map { cells.contains(rows[$0]) } ?? false, "\(anchor) is not on the screen")
        }
        // A list that has been completed meanwhile may be whole now.
        if let trail, trail.width == newWidth, trail.height == newHeight, trail.revision == revision, wholeScreen == nil
        {
            try require(.resize, isKept(trail.cells, cells), "\(text(trail.cells)) came back as \(text(cells))")
            count("sizes come back to")
        }
    }

    /// Resizes through other sizes, and back to that of the user's last move.
    mutating func wobble(_ seed: Int, _ sizes: Int) throws {
        guard let trail, !timeline.viewport.isFollowing || seed % 2 == 0 else { return }
        var random = SeededGenerator(seed: UInt64(abs(seed)))
        let (old, following) = (cells, timeline.viewport.isFollowing)
        for _ in 0..<abs(sizes) {
            try resize(Int.random(in: 1...16, using: &random), Int.random(in: 1...14, using: &random))
            if Bool.random(using: &random) { try settleStep() }
        }
        try resize(trail.width, trail.height)
        if following, old.count == height, wholeScreen == nil {
            try require(.resize, isKept(old, cells), "\(text(old)) came back as \(text(cells))")
        }
    }

    /// Scrolls by screens, with all pages that this loads.
    mutating func travel(_ screens: Int) throws {
        for _ in 0..<abs(screens) {
            try take(.screen(screens.signum()))
            for _ in 0..<20 where !flights.isEmpty { try take(.answer(0, 40)) }
        }
    }

    /// Moves away with responses and arrivals, and back.
    mutating func excursion(_ seed: Int, _ moves: Int) throws {
        var random = SeededGenerator(seed: UInt64(abs(seed)))
        try resize(trail?.width ?? width, trail?.height ?? height)
        let known = memories.count
        remember()
        guard memories.count > known else { return }
        for _ in 0..<abs(moves) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try take(.scroll(Int.random(in: -40...40, using: &random)))
            case 1: try take(.answer(0, 12))
            case 2: try take(.jump(Int.random(in: 0..<100, using: &random), 1))
            case 3: try take(.open(Int.random(in: 0..<100, using: &random), 1))
            default: try take(Bool.random(using: &random) ? .home : .end)
            }
        }
        try comeBack(known)
    }

    /// Opens the conversation again at one of its notes; at its end when the alignment is none.
    mutating func open(_ number: Int, _ alignment: Int) throws {
        let notes = talk.notes
        guard !notes.isEmpty else { return }
        count("openings")
        let limit = timeline.pager.prefetch.limit(height: height)
        let focus = notes[abs(number) % notes.count].id
        let following = abs(alignment) % 5 == 4
        try load(around: following ? nil : focus, limit, aligned: Alignment.allCases[abs(alignment) % 5 % 4])
        if following {
            try require(.following, timeline.viewport.isFollowing, "opened at the end, not following")
            try checkFollowing()
        } else {
            try require(.starting, !timeline.viewport.isFollowing, "opened elsewhere, following")
            try checkAlignment(of: focus, Alignment.allCases[abs(alignment) % 5 % 4], from: nil)
        }
        rememberPlace()
    }

    private mutating func load(around focus: Int?, _ limit: Int, aligned alignment: Alignment) throws {
        let page = talk.answer(talk.lines(around: focus, limit))
        let first = page.notes.first.map { talk.place(of: $0.id) }
        try timeline.open(
            page.notes, older: page.older, newer: page.newer, start: counts ? first ?? 0 : nil,
            total: counts ? talk.count : nil, focus: focus, alignment: alignment, following: focus == nil)
        noteBounds()
    }

    mutating func remember() {
        guard let anchor = timeline.shownAnchor, let trail, trail.revision == revision else { return }
        guard trail.width == width, trail.height == height, self.anchor != nil else { return }
        memories.append(
            Memory(
                anchor: anchor, selection: timeline.selection, following: timeline.viewport.isFollowing,
                trail: Trail(
                    width: width, height: height, cells: cells, revision: revision, footer: timeline.footerRows)))
    }

    /// Jumps back: in the window if it holds the screen, else in one that is loaded around it.
    mutating func comeBack(_ number: Int) throws {
        guard !memories.isEmpty else { return }
        let memory = memories[abs(number) % memories.count]
        guard talk.lines[talk.index(of: memory.anchor.id)].isShown else { return }
        if !timeline.canRestore(memory.anchor) {
            try load(around: memory.anchor.id, timeline.pager.prefetch.limit(height: height), aligned: .middle)
        }
        timeline.restore(memory.anchor, selection: memory.selection, following: memory.following)
        count("jumps back")
        let old = memory.trail
        let isExact = old.revision == revision && old.width == width && old.height == height
        if isExact, timeline.footerRows == old.footer || !memory.following {
            if wholeScreen == nil {
                try require(.alignment, isKept(old.cells, cells), "\(text(old.cells)) came back as \(text(cells))")
            }
            count("exact jumps back")
        }
        if timeline.viewport.isFollowing {
            try require(.alignment, cells.contains { $0?.id == timeline.selection }, "the cursor is not on the screen")
        }
        if !memory.following {
            let cell = Cell(id: memory.anchor.id, place: memory.anchor.place)
            let rows = Drawing.rows(timeline.notes, width: width)
            let index = Drawing.index(of: cell, in: rows)
            try require(.alignment, index.map { cells.contains(rows[$0]) } ?? false, "\(cell) is not on the screen")
        }
        if timeline.viewport.isFollowing { rememberPlace() } else { rememberPlace(as: memory) }
    }

    /// The anchor is the remembered one, not one chosen now.
    private mutating func rememberPlace(as memory: Memory) {
        rememberPlace()
        anchor = Cell(id: memory.anchor.id, place: memory.anchor.place)
        if memory.trail.width != width || memory.trail.height != height { trail = nil }
    }
}
