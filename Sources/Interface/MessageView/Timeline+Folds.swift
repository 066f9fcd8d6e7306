import Messages
import Search
import Timeline

extension Timeline<MessageRuler> {
    /// Folds or unfolds a message of the window. The anchored row keeps its place.
    mutating func setFold(_ isFolded: Bool?, of id: MessageID) {
        guard let index = list.index(of: id) else { return }
        var entry = list[index]
        entry.fold = isFolded
        update(entry)
    }

    /// Brings a hit of the selected message onto the screen if none is there: the hit may be folded away, or the message may
    /// be taller than the screen.
    /// - Returns: whether the message was unfolded for this.
    mutating func revealHit(of query: ResolvedQuery) -> Bool {
        guard let index = selectedIndex else { return false }
        let entry = list[index]
        // A message that is visible as a whole hides no hit.
        guard hidesText(of: index) else { return false }
        // Of a long text only the part on the screen is searched.
        let near = entry.hitPlaces(query, in: visibleText(of: index))
        if near.contains(where: { isOnScreen($0, of: index) }) { return false }
        return entry.match(of: query, .newer, from: -1).map { show($0.place, of: index) } ?? false
    }

    /// Brings a place of the selected message onto the screen.
    /// - Returns: whether the message was unfolded for this.
    mutating func showSelected(_ place: Int) -> Bool { selectedIndex.map { show(place, of: $0) } ?? false }

    private mutating func show(_ place: Int, of index: Int) -> Bool {
        let id = list[index].id
        let isHidden = measure(of: index).foldedFrom.map { place >= $0 } ?? false
        if isHidden { setFold(false, of: id) }
        if !isOnScreen(place, of: index) {
            let anchor = Anchor(id: id, place: place, screenRow: viewport.height / 2)
            restore(anchor, selection: id, following: false)
        }
        return isHidden
    }

    /// Whether a part of a message's text is folded away, or has no room on the screen.
    private func hidesText(of index: Int) -> Bool {
        measure(of: index).foldedFrom != nil || layout.height(of: index) > viewport.height
    }

    /// The places of a message's text that are on the screen.
    private func visibleText(of index: Int) -> Range<Int> {
        let rows = measure(of: index)
        let visible = (0..<rows.height).clamped(
            to: max(0, -screenRow(of: index))..<max(0, viewport.height - screenRow(of: index)))
        return rows.text(within: visible)
    }

    // MARK: - Matches of a long message

    /// The next match in another row of the selected message; nil when there is none, or when all of its text is on the screen.
    /// - Parameter last: the match before. When the user has scrolled away from it, the next one on the screen is wanted.
    func match(
        _ direction: Find.Direction, of query: ResolvedQuery, after last: Find.Hit.Inner?
    ) -> Find.Hit.Inner? {
        guard let index = selectedIndex, hidesText(of: index), !isRun(index) else { return nil }
        let entry = list[index]
        guard let last, isOnScreen(last.place, of: index) else {
            let shown = visibleText(of: index)
            let start = direction == .newer ? shown.lowerBound - 1 : shown.upperBound
            return entry.match(of: query, direction, from: start).map {
                Find.Hit.Inner(place: $0.place, number: entry.number(ofMatch: $0.place, of: query))
            }
        }
        let rows = measure(of: index)
        let hidden = rows.foldedFrom ?? .max
        let row = rows.row(ofPlace: last.place)
        let next = entry.match(of: query, direction, from: last.place) { $0 >= hidden || rows.row(ofPlace: $0) != row }
        let step = direction == .newer ? 1 : -1
        return next.map { Find.Hit.Inner(place: $0.place, number: last.number + step * ($0.passed + 1)) }
    }

    /// The match of a long message at which a step arrives: the one at its near end, or the first one on the screen.
    func arrival(_ direction: Find.Direction, of query: ResolvedQuery) -> Find.Hit.Inner? {
        guard let index = selectedIndex, hidesText(of: index), !isRun(index) else { return nil }
        let entry = list[index]
        let start = direction == .newer ? visibleText(of: index).lowerBound - 1 : entry.body.end
        return entry.match(of: query, direction, from: start).map {
            Find.Hit.Inner(place: $0.place, number: entry.number(ofMatch: $0.place, of: query))
        }
    }

    /// Whether these are presence lines, each of which is a hit of its own.
    private func isRun(_ index: Int) -> Bool { list[index].message.presence != nil }

    /// Whether a place of the message's text is on the screen.
    private func isOnScreen(_ place: Int, of index: Int) -> Bool {
        let rows = measure(of: index)
        if let folded = rows.foldedFrom, place >= folded { return false }
        return viewport.rows.contains(layout.top(of: index) + rows.row(ofPlace: place))
    }
}
