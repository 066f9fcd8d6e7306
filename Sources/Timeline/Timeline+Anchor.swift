import DequeModule

// Keeps the anchored row in its place.
extension Timeline {
    /// The row of the virtual space where the anchored row lies now.
    var anchoredRow: Row? { anchor.flatMap(row(of:)) }

    /// The row of the virtual space that an anchor holds; nil when its item is not in the window.
    func row(of anchor: Anchor<Item.ID>) -> Row? {
        list.index(of: anchor.id).map { layout.top(of: $0) + measures[$0].row(ofPlace: anchor.place) }
    }

    /// The anchor that gives this very screen again. When an end of the content keeps the anchored row from its own row
    /// of the screen, it names the row where it is now. (A screen that is only too short may grow again.)
    package var shownAnchor: Anchor<Item.ID>? {
        guard var shown = anchor, let row = anchoredRow, viewport.rows.contains(row) else { return anchor }
        if isCoveredOnly { return anchor }
        let distances = viewport.distances(to: content)
        if row - viewport.top != min(shown.screenRow, viewport.height - 1) { shown.screenRow = row - viewport.top }
        (shown.blankAbove, shown.blankBelow) = (max(0, -distances.above), max(0, -distances.below))
        return shown
    }

    /// Whether only the cover keeps the anchored row from its own row of the screen.
    private var isCoveredOnly: Bool {
        guard cover > 0, !viewport.isFollowing, let anchor, let row = anchoredRow else { return false }
        var other = self
        other.viewport.top = row - min(anchor.screenRow, viewport.height + cover - 1)
        other.withoutCover { $0.clampTop(allowingFor: anchor) }
        other.scrollFromUnderCover()
        return other.viewport.top == viewport.top
    }

    /// Puts the anchored row back to this row: everything else moves around it.
    mutating func pin(at row: Row?) {
        guard let row, let anchor, let index = list.index(of: anchor.id) else { return setAnchor() }
        layout.pin(index, offset: measures[index].row(ofPlace: anchor.place), at: row)
    }

    /// Puts the last row at the bottom, however the list has changed.
    mutating func follow() {
        let top = viewport.top
        keepBottom()
        stopAtKept(from: top)
        setAnchor()
    }

    mutating func setFollowing(_ isFollowing: Bool) { viewport.isFollowing = isFollowing && follows }

    /// Puts the last row at the bottom, where it then stays even when the list shrinks.
    mutating func keepBottom() {
        noteFilling()
        viewport.top = followTop
    }

    /// Notes whether the list fills the screen from the bottom. Call this before a change of the list, after which it
    /// may be too short to tell, and again after it.
    mutating func noteFilling() {
        // A list does not fill the screen when it exceeds only the part that is not covered.
        let isFull = !startsAtTop && bottomTop - cover > layout.top - edgeRows
        if viewport.isFollowing, !list.isEmpty, isFull || hasOlder { fillsFromBottom = !startsAtTop }
    }

    /// The top of the viewport when the last row is at the bottom of the screen.
    private var bottomTop: Row { layout.bottom + footerRows - viewport.height }

    /// The top of the viewport while following. A complete list that is shorter than the screen begins at the top of it
    /// instead.
    var followTop: Row { hasOlder || fillsFromBottom ? bottomTop : max(bottomTop, layout.top - edgeRows) }

    /// Anchors the row that is to stay: the first visible row of the selected item, else the first visible row of all.
    mutating func setAnchor() {
        cursorRow = nil
        uncovered.resumesFollowing = false
        let visible = visibleIndices
        guard !list.isEmpty else {
            anchor = nil
            return
        }
        let selected = selectedIndex.flatMap { visible.contains($0) ? $0 : nil }
        let index = selected ?? visible.first ?? (viewport.top < layout.top ? 0 : count - 1)
        let offset = min(max(0, viewport.top - layout.top(of: index)), layout.height(of: index) - 1)
        // When only an edge is on the screen, anchors the row next to it, as if that were visible.
        let screenRow = min(max(0, layout.top(of: index) + offset - viewport.top), viewport.height - 1)
        anchor = Anchor(id: list[index].id, place: measures[index].place(ofRow: offset), screenRow: screenRow)
        noteSeen()
        noteBlanks()
    }

    /// Keeps the user's anchor as long as it is on the screen. It is not when it was set while only an edge was
    /// visible.
    mutating func keepAnchor() {
        if let row = anchoredRow, viewport.rows.contains(row) { noteBlanks() } else { setAnchor() }
    }

    /// Lets the anchor remember the empty rows that the screen shows. Those that it remembers from another size stay
    /// allowed.
    mutating func noteBlanks() {
        noteSeenAfterChange()
        guard let known = anchor else { return }
        let distances = viewport.distances(to: content)
        anchor?.blankAbove = max(known.blankAbove, -distances.above)
        anchor?.blankBelow = max(known.blankBelow, -distances.below)
    }

    /// Where the user can scroll to: the row of an edge is shown as long as it has something to say. While following,
    /// the viewport is at the end even while newer messages are looked for.
    var scrollLimits: ClosedRange<Row> {
        let below = hasNewer && !viewport.isFollowing ? edgeRows : footerRows
        if startsAtTop, !hasOlder, layout.height + edgeRows + below <= viewport.height {
            return layout.top - edgeRows...layout.top - edgeRows
        }
        return Viewport.tops(content: content, above: edgeRows, below: below, height: viewport.height)
    }

    /// The top of the viewport for a complete list that fits on the screen with its edges: the list begins at the top then, whatever
    /// message is asked for. Nil for other lists, and for previews, whose edges have no rows.
    var wholeTop: Row? {
        let fits = edgeRows > 0 && !hasOlder && !hasNewer && layout.height + edgeRows + footerRows <= viewport.height
        return fits ? layout.top - edgeRows : nil
    }

    /// Moves a list that turns out to be shorter than the screen to the top of it.
    mutating func settleAtTop() {
        if viewport.isFollowing { return follow() }
        let limits = scrollLimits
        guard limits.lowerBound == limits.upperBound else { return }
        clampTop()
        setAnchor()
    }

    /// Shows no more than one edge row beyond either end. Only for moves of the user, since it moves rows.
    mutating func clampTop() { viewport.top = viewport.top.clamped(to: scrollLimits) }

    /// The same, but allows the empty rows that were there when the anchor was set.
    mutating func clampTop(allowingFor anchor: Anchor<Item.ID>) {
        let limits = scrollLimits
        if startsAtTop, limits.lowerBound == limits.upperBound { return clampTop() }
        let lowest = min(limits.lowerBound, layout.top - anchor.blankAbove)
        let highest = max(limits.upperBound, layout.bottom + anchor.blankBelow - viewport.height)
        viewport.top = viewport.top.clamped(to: lowest...highest)
    }
}
