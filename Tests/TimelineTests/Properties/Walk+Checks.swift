@testable import Timeline

/// The checks after every step.
extension Walk {
    /// Requests the wanted pages, as the model does after every event, and checks the properties that hold at all
    /// times.
    mutating func settleStep() throws {
        let old = before
        let open = Set(flights.map(\.ticket).filter(timeline.pager.expects).map(\.side))
        let outputs = timeline.loads()
        for output in outputs {
            let rows = rowsBeside(output.ticket.side)
            try require(
                .requests, rows < timeline.pager.prefetch.threshold(height: height), "asked with \(rows) rows left")
            try require(.requests, !open.contains(output.ticket.side), "asked twice for one side")
        }
        flights += outputs
        stale += flights.filter { !timeline.pager.expects($0.ticket) }
        flights.removeAll { !timeline.pager.expects($0.ticket) }
        if stale.count > 8 { stale.removeFirst(stale.count - 8) }
        try require(.requests, timeline.loads().isEmpty, "asks again at once")
        for side in Pager<Int>.Side.allCases {
            try require(.loads, flights.count { $0.ticket.side == side } <= 1, "two loads of one side")
            let isShort = rowsBeside(side) < timeline.pager.prefetch.threshold(height: height)
            try require(
                .requests, !isShort || timeline.pager.state(of: side) != .idle, "stranded with \(rowsBeside(side)) rows"
            )
        }
        try checkUntouched(old)
        noteBounds()
        try checkWindow()
        count("checks")
    }

    /// Rows between the viewport and an end of the window.
    func rowsBeside(_ side: Pager<Int>.Side) -> Int {
        let rows = Drawing.rows(timeline.notes, width: width).count
        let top = timeline.viewport.top - timeline.layout.top
        return side == .older ? top : rows - top - height
    }

    /// Checks that the window is a slice of the conversation, within bounds.
    mutating func checkWindow() throws {
        let expected = talk.lines[windowLines].filter(\.isShown).map(\.note)
        try require(.slice, timeline.notes == expected, "\(timeline.ids), not \(expected.map(\.id))")
        try require(.cap, timeline.count <= timeline.cap, "\(timeline.count) of \(timeline.cap)")
        try require(
            .resize, timeline.layout.height == Drawing.rows(timeline.notes, width: width).count, "the window's height")
        if !timeline.hasOlder, let first = timeline.ids.first {
            try require(.slice, first == talk.notes.first?.id, "more before the beginning")
        }
        if counts, let first = timeline.ids.first {
            try require(
                .slice, timeline.windowStart == talk.place(of: first), "starts at \(timeline.windowStart ?? -1)")
            try require(.slice, timeline.totalCount == talk.count, "\(timeline.totalCount ?? -1) of \(talk.count)")
        }
        if let whole = wholeScreen {
            try require(.whole, cells == whole, "\(text(cells)), not \(text(whole))")
            count("whole lists")
        }
        if let selection = timeline.selection {
            try require(.slice, timeline.ids.contains(selection), "selected and gone")
        }
    }

    /// Checks that an evicted end is outside the zone that would load it again, and is known to exist.
    mutating func checkEviction(_ old: Before) throws {
        let ids = Set(timeline.ids)
        func isEvicted(_ note: Note?) -> Bool {
            note.map { !ids.contains($0.id) && talk.lines[talk.index(of: $0.id)].isShown } ?? false
        }
        let threshold = timeline.pager.prefetch.threshold(height: height)
        if isEvicted(old.notes.first) || isEvicted(old.notes.last) { count("evictions") }
        if isEvicted(old.notes.first) {
            try require(.cap, timeline.hasOlder, "evicted, and nothing older")
            try require(.cap, rowsBeside(.older) >= threshold, "evicted from the older zone")
        }
        if isEvicted(old.notes.last) {
            try require(.cap, timeline.hasNewer, "evicted, and nothing newer")
            try require(.cap, rowsBeside(.newer) >= threshold, "evicted from the newer zone")
        }
    }

    /// The screen of a list that begins with the conversation and fits; nil for any other list. The row above the first
    /// note is shown if there is room for it. (A row that says that there may be more needs both rows.)
    var wholeScreen: Cells? {
        guard !timeline.hasOlder else { return nil }
        let rows = Drawing.rows(timeline.notes, width: width)
        let footer = timeline.footerRows
        let below = timeline.hasNewer && !timeline.viewport.isFollowing ? 1 : 0
        guard below + rows.count + max(below, footer) <= height else { return nil }
        return Drawing.screen(rows, 0, at: min(1, height - rows.count - footer), height: height)
    }

    /// Checks that a followed list has its last row at the bottom; one that fits is at the top.
    func checkFollowing() throws {
        guard timeline.viewport.isFollowing, timeline.count > 0 else { return }
        let rows = Drawing.rows(timeline.notes, width: width)
        let bottom = Drawing.screen(rows, rows.count - 1, at: height - 1 - timeline.footerRows, height: height)
        let expected = wholeScreen ?? bottom
        try require(.following, cells == expected, "\(text(cells)), not \(text(expected))")
    }

    /// Checks that the cursor is on content, if there is any on the screen.
    func checkCursor() throws {
        let ids = Set(cells.compactMap { $0 }.filter(\.isContent).map(\.id))
        guard timeline.selectedEdge == nil, let selection = timeline.selection, !ids.isEmpty else { return }
        try require(.cursor, ids.contains(selection), "\(selection) is selected, of \(text(cells))")
    }

    /// Checks that the screen after a change is the one that is drawn around the anchored row in its place.
    mutating func checkChange(_ old: Before) throws {
        guard timeline.count > 0 else {
            anchor = nil
            trail = nil
            return
        }
        if timeline.viewport.isFollowing || wholeScreen != nil {
            try checkFollowing()
            return rememberPlace()
        }
        let survivor = survivingAnchor(old)
        guard let survivor, let row = screenRow(of: anchor, old) else {
            let hadRows = old.cells.contains { $0 != nil }
            try require(
                .removal, survivor != nil || !hadRows || cells.contains { $0 != nil }, "nothing left on the screen")
            return chooseAnchor()
        }
        let rows = Drawing.rows(timeline.notes, width: width)
        let expected = Drawing.screen(rows, Drawing.index(of: survivor, in: rows) ?? 0, at: row, height: height)
        let property: Property = survivor.id != anchor?.id ? .removal : isSpanning(old) ? .spanning : .beside
        try require(property, cells == expected, "\(moved(old)), not \(text(expected)), around \(survivor)")
        try checkWhollyBeside(old)
        let isHome = trail.map { $0.width == width && $0.height == height } ?? false
        anchor = survivor
        trail = isHome ? Trail(width: width, height: height, cells: cells, revision: revision) : nil
    }

    /// When only an edge was on the screen, nothing says which row must stay.
    mutating func chooseAnchor() {
        rememberPlace()
        anchor = timeline.anchor.map { Cell(id: $0.id, place: $0.place) }
        trail = nil
    }

    private func isSpanning(_ old: Before) -> Bool {
        guard let first = old.cells.first ?? nil else { return false }
        return first.place > 0
    }

    /// The row of the screen that showed the anchored place.
    func screenRow(of anchor: Cell?, _ old: Before) -> Int? {
        guard let anchor else { return nil }
        let rows = Drawing.rows(old.notes, width: width)
        guard let index = Drawing.index(of: anchor, in: rows) else { return nil }
        return old.cells.firstIndex(of: rows[index])
    }

    /// The anchor, or the beginning of the nearest note that is left, the later one of two.
    private func survivingAnchor(_ old: Before) -> Cell? {
        guard let anchor, let index = old.notes.firstIndex(where: { $0.id == anchor.id }) else { return anchor }
        let left = Set(timeline.ids)
        if left.contains(anchor.id) { return anchor }
        for distance in 1..<max(2, old.notes.count) {
            for neighbour in [index + distance, index - distance] where old.notes.indices.contains(neighbour) {
                if left.contains(old.notes[neighbour].id) { return Cell(id: old.notes[neighbour].id, place: 0) }
            }
        }
        return nil
    }

    /// Checks that no row moves when nothing changed among the notes on the screen.
    private func checkWhollyBeside(_ old: Before) throws {
        let visible = Set(old.cells.compactMap { $0?.id })
        guard let first = old.notes.firstIndex(where: { visible.contains($0.id) }),
            let last = old.notes.lastIndex(where: { visible.contains($0.id) })
        else { return }
        let shown = old.notes[first...last].map(\.id)
        let now = timeline.notes
        guard let start = now.firstIndex(where: { $0.id == shown[0] }), start + shown.count <= now.count else { return }
        guard now[start..<start + shown.count].map(\.id) == shown,
            zip(now[start...], old.notes[first...last]).allSatisfy({ $0.length == $1.length && $0.lead == $1.lead })
        else { return }
        try require(.beside, isKept(old.cells, cells), "beside the screen: \(moved(old))")
    }
}
