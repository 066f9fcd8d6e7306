import TestSupport

@testable import Timeline

/// Steps of the store.
extension Walk {
    /// One of the open loads.
    private mutating func takeFlight(_ number: Int) -> Pager<Int>.Output? {
        flights.isEmpty ? nil : flights.remove(at: abs(number) % flights.count)
    }

    private func deliver(_ output: Pager<Int>.Output, reading: Int, to timeline: inout Notes) throws -> Bool {
        let answer = talk.answer(talk.lines(for: output, reading: max(1, reading)))
        let start = answer.notes.first.map { talk.place(of: $0.id) }
        return try timeline.receive(
            answer.notes, for: output.ticket, edge: output.ticket.side == .older ? answer.older : answer.newer,
            start: counts ? start : nil, total: counts ? talk.count : nil)
    }

    mutating func answer(_ number: Int, _ reading: Int) throws {
        guard let output = takeFlight(number) else { return }
        count("pages")
        let old = before
        let isWanted = try deliver(output, reading: reading, to: &timeline)
        try require(.loads, isWanted, "an answer to an open load was dropped")
        try checkPage(old, output.ticket.side)
    }

    private mutating func checkPage(_ old: Before, _ side: Pager<Int>.Side) throws {
        try require(.starting, timeline.viewport.isFollowing == old.following, "a page changed following")
        try checkEviction(old)
        guard !old.notes.isEmpty else {
            try require(.prepend, timeline.count == 0 || cells.contains { $0 != nil }, "nothing on the screen")
            rememberPlace()
            return
        }
        if wholeScreen != nil { return rememberPlace() }
        if old.following {
            try checkFollowing()
            if side == .older { try require(.prepend, isKept(old.cells, cells), moved(old)) }
            rememberPlace()
        } else {
            try require(side == .older ? .prepend : .following, isKept(old.cells, cells), moved(old))
            if screenRow(of: anchor, before) == nil { chooseAnchor() }
        }
    }

    /// Responds for both sides, in both orders: the result is the same.
    mutating func answerBoth(_ first: Int, _ second: Int) throws {
        guard flights.count == 2 else { return try answer(first, second) }
        let reading: [Pager<Int>.Side: Int] = [.older: first, .newer: second]
        var ends: [Notes] = []
        // A list that fits until the other page comes goes to the top until then.
        var fitsBetween = false
        for order in [flights, flights.reversed()] {
            var copy = timeline
            for output in order {
                fitsBetween = fitsBetween || copy.isWhole
                _ = try deliver(output, reading: reading[output.ticket.side] ?? 1, to: &copy)
            }
            ends.append(copy)
        }
        let old = before
        let isRoomy = ends[0].count < timeline.cap
        let parity = first % 2
        flights = []
        timeline = ends[parity]
        count("both orders")
        if isRoomy {
            let isSame = ends[0].notes == ends[1].notes && (fitsBetween || ends[0].cells == ends[1].cells)
            try require(.loads, isSame, "the order counts")
            let edges = ends.map { [$0.hasOlder, $0.hasNewer, $0.viewport.isFollowing] }
            try require(.loads, edges[0] == edges[1], "the order counts at the edges")
            try require(.loads, ends[0].windowStart == ends[1].windowStart, "the order counts in the position")
        }
        try checkPage(old, .newer)
    }

    mutating func fail(_ number: Int) throws {
        guard let output = takeFlight(number) else { return }
        count("failures")
        let old = before
        let failures = timeline.fail(output.ticket, reason: "away")
        try require(.loads, (failures ?? 0) > 0, "a failure was not counted")
        try checkUntouched(old)
        guard case .failed = timeline.pager.state(of: output.ticket.side) else {
            throw Violation(property: .loads, text: "not failed")
        }
    }

    mutating func retry(_ number: Int) throws {
        let side: Pager<Int>.Side = number % 2 == 0 ? .older : .newer
        let isFailed: Bool
        if case .failed = timeline.pager.state(of: side) { isFailed = true } else { isFailed = false }
        let old = before
        let output = timeline.retry(side)
        try require(.loads, (output != nil) == isFailed, "a retry of what did not fail, or none")
        if let output { flights.append(output) }
        try checkUntouched(old)
    }

    /// A response that is no longer wanted changes nothing.
    mutating func late(_ number: Int) throws {
        guard !stale.isEmpty else { return }
        count("late answers")
        let old = before
        let isWanted = try deliver(stale[abs(number) % stale.count], reading: 5, to: &timeline)
        try require(.loads, !isWanted, "a late answer was taken")
        let failures = timeline.fail(stale[abs(number) % stale.count].ticket, reason: "late")
        try require(.loads, failures == nil, "a late failure was counted")
        try checkUntouched(old)
    }

    func checkUntouched(_ old: Before) throws {
        let isSame = cells == old.cells && timeline.notes == old.notes && timeline.viewport.isFollowing == old.following
        try require(
            .loads, isSame && timeline.hasOlder == old.hasOlder && timeline.hasNewer == old.hasNewer, "not as it was")
    }

    func moved(_ old: Before) -> String { "\(text(old.cells)) became \(text(cells))" }

    // MARK: - Changes of the notes

    mutating func edit(_ number: Int, length: Int) throws {
        let notes = talk.notes
        guard !notes.isEmpty else { return }
        let id = notes[abs(number) % notes.count].id
        try change { $0.talk.edit(id, length: length) }
    }

    mutating func remove(_ number: Int) throws {
        let notes = talk.notes
        guard !notes.isEmpty else { return }
        let id = notes[abs(number) % notes.count].id
        try change { $0.talk.remove(id) }
    }

    mutating func insert(_ number: Int, length: Int) throws {
        guard let index = placeToInsert(number) else { return }
        try change { $0.talk.insert(length: length, at: index) }
    }

    /// Not between the window and the first message beside it: that message could count as inside or outside.
    private func placeToInsert(_ number: Int) -> Int? {
        let window = windowLines
        let outside = talk.lines[..<window.lowerBound].lastIndex { $0.isShown }
        let inside = timeline.hasOlder ? window.lowerBound + 1 : 0
        let end = timeline.hasNewer ? window.upperBound - 1 : talk.lines.count
        let places = Array(0..<(outside ?? 0)) + (inside <= end ? Array(inside...end) : [])
        return places.isEmpty ? nil : places[abs(number) % places.count]
    }

    /// Several changes at once.
    mutating func sync(_ seed: Int, _ changes: Int) throws {
        var random = SeededGenerator(seed: UInt64(abs(seed)))
        try change { walk in
            for _ in 0..<abs(changes) {
                let notes = walk.talk.notes
                let length = Int.random(in: 1...40, using: &random)
                let number = Int.random(in: 0..<1_000, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: walk.talk.append(length: length)
                case 1: if !notes.isEmpty { walk.talk.edit(notes[number % notes.count].id, length: length) }
                case 2: if !notes.isEmpty { walk.talk.remove(notes[number % notes.count].id) }
                default:
                    if let index = walk.placeToInsert(number) { walk.talk.insert(length: length, at: index) }
                }
            }
        }
    }

    /// The lines of the window, including removed ones.
    var windowLines: Range<Int> {
        let first = timeline.hasOlder ? talk.index(of: bounds.first) : 0
        let last = timeline.hasNewer ? talk.index(of: bounds.last) : talk.lines.count - 1
        return first..<max(first, last + 1)
    }

    mutating func noteBounds() {
        guard let first = timeline.list.first, let last = timeline.list.last else { return }
        bounds = (first.id, last.id)
    }

    /// Changes the conversation, and reports the change to the timeline as a store would.
    mutating func change(_ change: (inout Walk) -> Void) throws {
        count("changes")
        let old = before
        let arrivals = talk.lines.count
        change(&self)
        revision += 1
        let new = talk.lines[windowLines].filter(\.isShown).map(\.note)
        let start = new.first.map { talk.place(of: $0.id) } ?? timeline.windowStart ?? 0
        if timeline.hasNewer { timeline.noteArrivalsBeyond(max(0, talk.lines.count - arrivals)) }
        try timeline.apply(new, start: counts ? start : nil, total: counts ? talk.count : nil)
        noteBounds()
        let isFilled =
            old.isWhole && wholeScreen == nil && !timeline.hasNewer && timeline.ids.last != old.notes.last?.id
            && !old.notes.isEmpty
        if isFilled { count("lists filled") }
        try require(
            .starting, timeline.viewport.isFollowing == (old.following || isFilled),
            "a change started or ended following")
        try checkEviction(old)
        try checkChange(old)
    }

    mutating func typing(_ rows: Int) throws {
        let old = before
        timeline.setFooter(rows: rows)
        try require(.starting, timeline.viewport.isFollowing == old.following, "typing changed following")
        if old.following || wholeScreen != nil {
            try checkFollowing()
            rememberPlace()
        } else {
            try require(.following, cells == old.cells, moved(old))
        }
    }
}
