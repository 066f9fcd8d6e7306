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
        viewport.top = followTop
        stopAtKept(from: top)
        setAnchor()
    }

    mutating func setFollowing(_ isFollowing: Bool) { viewport.isFollowing = isFollowing && follows }

    /// The top of the viewport while following: the last row is at the bottom of the screen. A list that is shorter than
    /// the screen begins at the top of it instead, as soon as its beginning is known.
    var followTop: Row {
        let bottom = layout.bottom + footerRows - viewport.height
        return hasOlder ? bottom : max(bottom, layout.top - edgeRows)
    }

    /// Whether the list begins with the conversation and fits on the screen. It then has one place there, `followTop`,
    /// whatever was asked for: no move scrolls it, and what comes to its end is shown. (Previews, whose edges have no
    /// rows, show their message in the middle.)
    package var isWhole: Bool { isWhole(height: viewport.height) }

    func isWhole(height: Int) -> Bool {
        guard edgeRows > 0, !hasOlder else { return false }
        // The row above the first message gives way to messages, unless the cursor can go there.
        let below = hasNewer && !viewport.isFollowing ? edgeRows : 0
        let above = below > 0 || linkedEdges.contains(.older) ? edgeRows : 0
        return above + layout.height + max(below, min(footer, height - 1)) <= height
    }

    /// Anchors the row that is to stay: the first visible row of the selected item's content, else the first visible row
    /// of any. It is never a line above the content, as that of a day, which goes when an older message of the day comes.
    mutating func setAnchor() {
        cursorRow = nil
        uncovered.resumesFollowing = false
        guard !list.isEmpty else {
            anchor = nil
            return
        }
        let (visible, readable) = (visibleIndices, readableIndices)
        let selected = selectedIndex.flatMap { readable.contains($0) ? $0 : nil }
        let index = selected ?? readable.first ?? visible.first ?? (viewport.top < layout.top ? 0 : count - 1)
        // On a screen of a few rows there may be no content.
        let lead = readable.contains(index) ? measures[index].row(ofPlace: 0) : 0
        let offset = min(max(lead, viewport.top - layout.top(of: index)), layout.height(of: index) - 1)
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
        if isWhole { return followTop...followTop }
        return Viewport.tops(content: content, above: edgeRows, below: below, height: viewport.height)
    }

    /// Shows no more than one edge row beyond either end. Only for moves of the user, since it moves rows.
    mutating func clampTop() { viewport.top = viewport.top.clamped(to: scrollLimits) }

    /// The same, but allows the empty rows that were there when the anchor was set.
    mutating func clampTop(allowingFor anchor: Anchor<Item.ID>) {
        let limits = scrollLimits
        if isWhole { return clampTop() }
        let lowest = min(limits.lowerBound, layout.top - anchor.blankAbove)
        let highest = max(limits.upperBound, layout.bottom + anchor.blankBelow - viewport.height)
        viewport.top = viewport.top.clamped(to: lowest...highest)
    }
}
