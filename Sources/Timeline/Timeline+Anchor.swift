import DequeModule

// What keeps the place.
extension Timeline {
    /// The row of the virtual space on which the anchored row lies now.
    var anchoredRow: Row? { anchor.flatMap(row(of:)) }

    /// The row of the virtual space that an anchor holds; nil when its item is not in the window.
    func row(of anchor: Anchor<Item.ID>) -> Row? {
        list.index(of: anchor.id).map { layout.top(of: $0) + measures[$0].row(ofPlace: anchor.place) }
    }

    /// The anchor as it gives this very screen again: with the row of the screen that it has now where an end of the
    /// content has kept it from its own. (A screen that is only too low for it may grow again.)
    package var shownAnchor: Anchor<Item.ID>? {
        guard var shown = anchor, let row = anchoredRow, viewport.rows.contains(row) else { return anchor }
        if isCoveredOnly { return anchor }
        let distances = viewport.distances(to: content)
        if row - viewport.top != min(shown.screenRow, viewport.height - 1) { shown.screenRow = row - viewport.top }
        (shown.blankAbove, shown.blankBelow) = (max(0, -distances.above), max(0, -distances.below))
        return shown
    }

    /// Whether nothing but what covers the screen keeps the anchored row from its own.
    private var isCoveredOnly: Bool {
        guard cover > 0, !viewport.isFollowing, let anchor, let row = anchoredRow else { return false }
        var other = self
        other.viewport.top = row - min(anchor.screenRow, viewport.height + cover - 1)
        other.withoutCover { $0.clampTop(allowingFor: anchor) }
        other.scrollFromUnderCover()
        return other.viewport.top == viewport.top
    }

    /// Lays the anchored row where it was: everything else moves around it.
    mutating func pin(at row: Row?) {
        guard let row, let anchor, let index = list.index(of: anchor.id) else { return setAnchor() }
        layout.pin(index, offset: measures[index].row(ofPlace: anchor.place), at: row)
    }

    /// The last row at the bottom, from whatever the list has become.
    mutating func follow() {
        let top = viewport.top
        keepBottom()
        stopAtKept(from: top)
        setAnchor()
    }

    mutating func setFollowing(_ isFollowing: Bool) { viewport.isFollowing = isFollowing && follows }

    /// The last row at the bottom. There it stays from now on, also when there is less to show.
    mutating func keepBottom() {
        noteFilling()
        viewport.top = followTop
    }

    /// To be called before the list changes, which may leave too little to tell from, and after.
    mutating func noteFilling() {
        // A list that only what covers the screen leaves no room for does not lie at the bottom without that.
        let isFull = !startsAtTop && bottomTop - cover > layout.top - edgeRows
        if viewport.isFollowing, !list.isEmpty, isFull || hasOlder { fillsFromBottom = !startsAtTop }
    }

    /// The top with the last row on the lowest row of the screen.
    private var bottomTop: Row { layout.bottom + footerRows - viewport.height }

    /// The top while following; a whole list that is shorter than the screen begins at its top instead.
    var followTop: Row { hasOlder || fillsFromBottom ? bottomTop : max(bottomTop, layout.top - edgeRows) }

    /// Remembers the row that is to stay: the selected item's first visible one, else the first visible one of all.
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
        // With nothing but an edge on the screen, the row next to it, as if it were there.
        let screenRow = min(max(0, layout.top(of: index) + offset - viewport.top), viewport.height - 1)
        anchor = Anchor(id: list[index].id, place: measures[index].place(ofRow: offset), screenRow: screenRow)
        noteSeen()
        noteBlanks()
    }

    /// The anchor stays the user's as long as it is on the screen. It is not where only an edge was there when it was set.
    mutating func keepAnchor() {
        if let row = anchoredRow, viewport.rows.contains(row) { noteBlanks() } else { setAnchor() }
    }

    /// Lets the anchor know of the empty rows that the screen shows. What it knew from another size stays allowed.
    mutating func noteBlanks() {
        noteSeenAfterChange()
        guard let known = anchor else { return }
        let distances = viewport.distances(to: content)
        anchor?.blankAbove = max(known.blankAbove, -distances.above)
        anchor?.blankBelow = max(known.blankBelow, -distances.below)
    }

    /// Where the user can scroll to: the row of an edge is shown as long as there is something to say in it. Who follows
    /// is at the end, also while more is looked for.
    var scrollLimits: ClosedRange<Row> {
        let below = hasNewer && !viewport.isFollowing ? edgeRows : footerRows
        if startsAtTop, !hasOlder, layout.height + edgeRows + below <= viewport.height {
            return layout.top - edgeRows...layout.top - edgeRows
        }
        return Viewport.tops(content: content, above: edgeRows, below: below, height: viewport.height)
    }

    /// A list that turns out to be shorter than the screen begins at the top of it.
    mutating func settleAtTop() {
        if viewport.isFollowing { return follow() }
        let limits = scrollLimits
        guard limits.lowerBound == limits.upperBound else { return }
        clampTop()
        setAnchor()
    }

    /// Shows no more than the row of its edge beyond either end. For what the user does, since it moves rows.
    mutating func clampTop() { viewport.top = viewport.top.clamped(to: scrollLimits) }

    /// The same, but for the empty rows that were there when the anchor was set.
    mutating func clampTop(allowingFor anchor: Anchor<Item.ID>) {
        let limits = scrollLimits
        if startsAtTop, limits.lowerBound == limits.upperBound { return clampTop() }
        let lowest = min(limits.lowerBound, layout.top - anchor.blankAbove)
        let highest = max(limits.upperBound, layout.bottom + anchor.blankBelow - viewport.height)
        viewport.top = viewport.top.clamped(to: lowest...highest)
    }
}
