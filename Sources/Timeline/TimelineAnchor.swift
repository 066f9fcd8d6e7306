// Keeps the anchored row in its place.
extension Timeline {
    /// The row of the virtual space where the anchored row lies now.
    var anchoredRow: Row? { anchor.flatMap(row(of:)) }

    /// The row of the virtual space that an anchor holds; nil when its item is not in the window.
    func row(of anchor: Anchor<Item.ID>) -> Row? {
        list.index(of: anchor.id).map { layout.top(of: $0) + measures[$0].row(ofPlace: anchor.place) }
    }

    /// The anchor that restores the present screen. If an end of the content keeps the anchored row from its row of the screen,
    /// this anchor has the row where it is now; if the screen is only too short, it keeps its row, since the screen may grow again.
    package var shownAnchor: Anchor<Item.ID>? {
        guard var shown = anchor, let row = anchoredRow, viewport.rows.contains(row) else { return anchor }
        if isCoveredOnly { return anchor }
        let distances = viewport.distances(to: content)
        if row - viewport.top != min(shown.screenRow, viewport.height - 1) { shown.screenRow = row - viewport.top }
        (shown.blankAbove, shown.blankBelow) = (max(0, -distances.above), max(0, -distances.below))
        return shown
    }

    /// True if only the cover keeps the anchored row from its own row of the screen.
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

    /// True if the list begins with the conversation and fits on the screen. It then has one place there, `followTop`,
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

    /// Keeps the user's anchor as long as it is on the screen. (An anchor that was set while only an edge was visible is not.)
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

    /// The limits of scrolling: the row of an edge is shown as long as it has something to say. While following,
    /// the viewport is at the end even while newer messages are looked for.
    var scrollLimits: ClosedRange<Row> {
        let below = hasNewer && !viewport.isFollowing ? edgeRows : footerRows
        if isWhole { return followTop...followTop }
        return Viewport.tops(content: content, above: edgeRows, below: below, height: viewport.height)
    }

    /// Shows no more than one edge row beyond either end. Only for moves of the user, since it moves rows.
    mutating func clampTop() { viewport.top = viewport.top.clamped(to: scrollLimits) }

    /// Like `clampTop`, but allows the empty rows that were there when the anchor was set.
    mutating func clampTop(allowingFor anchor: Anchor<Item.ID>) {
        let limits = scrollLimits
        if isWhole { return clampTop() }
        let lowest = min(limits.lowerBound, layout.top - anchor.blankAbove)
        let highest = max(limits.upperBound, layout.bottom + anchor.blankBelow - viewport.height)
        viewport.top = viewport.top.clamped(to: lowest...highest)
    }

    /// In debug builds: checks that list and layout agree, that the window keeps its limits, and that a list that is
    /// followed, or fits on the screen, is in its place.
    func _checkInvariants() {
        assert(list.count == layout.count && list.count == measures.count, "a measure and a height an item")
        assert(measures.indices.allSatisfy { measures[$0].height == layout.height(of: $0) }, "each height as measured")
        assert(count <= cap, "the window keeps to its cap")
        assert(list.isEmpty == (anchor == nil), "an anchor as soon as there are items")
        assert(list.isEmpty == (selection == nil), "a selection as soon as there are items")
        assert(anchor.map { list.index(of: $0.id) != nil } ?? true, "the anchor is in the list")
        assert(
            !viewport.isFollowing && !isWhole || list.isEmpty || viewport.top == followTop,
            "what is followed is at the bottom, and what fits is at the top")
    }
}

/// A cover, such as a composer, lies over the lowest rows of the screen for a while. The viewport is shorter by these
/// rows. The rows that the cover must not hide are scrolled up, no farther than necessary:
/// - the row that the anchor holds,
/// - the visible part of the last item, as an arrival scrolls it,
/// - above all, the visible part of one more item, to which the user replies.
///
/// The anchor stays what it was, so that the previous screen returns when the cover goes.
extension Timeline {
    /// The item that the cover must not hide.
    package var kept: Item.ID? { uncovered.kept }

    /// Takes another size: measures everything again, and keeps the anchored row on its row of the screen, as far as
    /// the screen reaches. The anchor stays what it was, so that going back to the old size gives the old screen.
    /// - Parameters: as in `setHeight`.
    package mutating func resize(ruler: R, height: Int, cover: Int = 0, keeping kept: Item.ID? = nil) {
        keep(kept, cover: cover)
        self.ruler = ruler
        measures = list.items.map(ruler.measure)
        // A key path would be made by the runtime at the first frame.
        layout.replace(measures.map { $0.height })
        fit(height: height, cover: cover)
    }

    /// Takes another height at the same width.
    /// - Parameters:
    ///   - height: rows of the screen that the items have.
    ///   - cover: rows below them that are covered for a while.
    ///   - kept: the item that the cover must not hide, if it is on the screen.
    package mutating func setHeight(_ height: Int, cover: Int = 0, keeping kept: Item.ID? = nil) {
        keep(kept, cover: cover)
        fit(height: height, cover: cover)
    }

    private mutating func keep(_ kept: Item.ID?, cover: Int) {
        guard kept != uncovered.kept || self.cover == 0 else { return }
        uncovered.kept = kept
        noteKept()
    }

    private mutating func noteKept() {
        let index = uncovered.kept.flatMap(list.index(of:))
        uncovered.showsKept = index.map(isVisible) ?? false
        uncovered.keptIsWhole = index.map { layout.bottom(of: $0) <= viewport.bottom } ?? false
    }

    private mutating func fit(height: Int, cover: Int) {
        viewport.height = max(1, height)
        self.cover = max(0, cover)
        tallest = max(tallest, viewport.height)
        if viewport.isFollowing || uncovered.resumesFollowing {
            fitFollowing()
        } else if let anchor {
            withoutCover { timeline in
                timeline.pin(at: timeline.viewport.top + min(anchor.screenRow, timeline.viewport.height - 1))
                timeline.clampTop(allowingFor: anchor)
            }
            scrollFromUnderCover()
            if isWhole { viewport.top = followTop }
        }
        if self.cover == 0 { noteSeen() }
        evict()
        _checkInvariants()
    }

    /// Puts the last row at the bottom. When that would hide the kept item, following stops until the cover goes.
    private mutating func fitFollowing() {
        setFollowing(true)
        var top = followTop
        withoutCover { top = $0.followTop }
        guard let highest = highestTop(from: top), followTop > highest else {
            viewport.top = followTop
            return setAnchor()
        }
        viewport.isFollowing = false
        uncovered.resumesFollowing = true
        viewport.top = highest
    }

    /// Stops following when that would hide the kept item.
    /// - Parameter top: the top of the viewport before.
    mutating func stopAtKept(from top: Row) {
        guard viewport.isFollowing, let highest = highestTop(from: top), followTop > highest else { return }
        viewport.isFollowing = false
        viewport.top = highest
    }

    /// Runs `body` with the full height of the screen, as if there were no cover.
    mutating func withoutCover(_ body: (inout Timeline) -> Void) {
        let (height, cover) = (viewport.height, self.cover)
        (viewport.height, self.cover) = (height + cover, 0)
        body(&self)
        (viewport.height, self.cover) = (height, cover)
    }

    /// Scrolls the rows that the cover must not hide up above it. The viewport must be where it would be without the cover.
    mutating func scrollFromUnderCover() {
        guard cover > 0 else { return }
        let top = viewport.top
        var new = top
        if let row = anchoredRow { new = max(new, row - (viewport.height - 1)) }
        if let index = uncovered.last.flatMap(list.index(of:)) {
            let isLast = index == count - 1
            var rows = layout.rows(of: index)
            if isLast { rows = rows.lowerBound..<rows.upperBound + footerRows }
            let end = shownEnd(of: rows, from: top, isWhole: false)
            new = max(
                new,
                uncovered.lastIsWhole
                    ? max(end, layout.bottom(of: index)) - viewport.height : min(end - viewport.height, rows.lowerBound)
            )
        }
        if uncovered.showsKept, let index = uncovered.kept.flatMap(list.index(of:)) {
            let rows = layout.rows(of: index)
            let end = shownEnd(of: rows, from: top, isWhole: uncovered.keptIsWhole)
            new = max(new, min(end - viewport.height, rows.lowerBound))
        }
        viewport.top = min(new, highestTop(from: top) ?? new)
    }

    /// The row below the part of these rows that the screen would show from `top` without the cover. At least the first
    /// row counts, and all of them when all were visible.
    private func shownEnd(of rows: Range<Row>, from top: Row, isWhole: Bool) -> Row {
        isWhole ? rows.upperBound : min(rows.upperBound, max(top + viewport.height + cover, rows.lowerBound + 1))
    }

    /// The highest top at which the cover hides nothing of the kept item, when the screen would begin at `top`; nil
    /// when there is no such item.
    private func highestTop(from top: Row) -> Row? {
        guard cover > 0, uncovered.showsKept, let index = uncovered.kept.flatMap(list.index(of:)) else { return nil }
        let rows = layout.rows(of: index)
        return max(
            top, rows.lowerBound, shownEnd(of: rows, from: top, isWhole: uncovered.keptIsWhole) - viewport.height)
    }

    /// Remembers the visible items that a cover must not hide: after each move of the user, and as long as there is no
    /// cover.
    mutating func noteSeen() {
        let visible = visibleIndices
        let last = visible.upperBound == count ? visible.last.map { list[$0].id } : nil
        // A search for newer messages does not mean that there are any.
        uncovered.last = hasNewer && last != uncovered.last ? nil : last
        uncovered.lastIsWhole = viewport.isAtEnd(of: content)
        noteKept()
    }

    /// After a change of the list: remembers the last item when the change pushed it under the cover, which must not
    /// hide it.
    mutating func noteSeenAfterChange() {
        guard cover > 0 else { return noteSeen() }
        let visible = visibleIndices
        if visible.upperBound == count, !hasNewer, let last = visible.last {
            uncovered.last = list[last].id
            uncovered.lastIsWhole = viewport.isAtEnd(of: content)
        }
    }
}

// MARK: - Eviction

extension Timeline {
    /// Drops items beyond the cap from the end that is farther away, counted in items. When `minimumCap` items are
    /// left, that end still has more rows than the zone that would load them again.
    mutating func evict() {
        let (older, newer) = excess
        if older + newer == 0 { return }
        if newer > 0 {
            list.remove((count - newer)..<count)
            if let last = list.last { pager.reopen(.newer, at: last.endCursor) }
        }
        if older > 0 {
            let gone = span(of: 0..<older)
            list.remove(0..<older)
            windowStart = windowStart.map { $0 + gone }
            if let first = list.first { pager.reopen(.older, at: first.cursor) }
        }
        followChanges()
        if selectedIndex == nil {
            selection =
                list[readableIndices.last ?? visibleIndices.last ?? (viewport.top < layout.top ? 0 : count - 1)].id
        }
        if anchor.flatMap({ list.index(of: $0.id) }) == nil { setAnchor() }
    }

    /// The number of items to drop at either end, because they are too many or weigh too much.
    private var excess: (older: Int, newer: Int) {
        let visible = visibleIndices
        // When only an edge row is on the screen, the end next to it counts as visible.
        let shown = visible.isEmpty ? (viewport.top < layout.top ? 0..<0 : count..<count) : visible
        var older = 0
        var newer = 0
        while count - older - newer > cap {
            let above = shown.lowerBound - older
            let below = count - newer - shown.upperBound
            if above > below { older += 1 } else { newer += 1 }
        }
        var weight = 0
        for index in older..<count - newer { weight += list[index].weight }
        // An evicted item must not lie in the zone that would load it again.
        let zone = pager.prefetch.threshold(height: tallest) + tallest
        while weight > mostBytes, older + newer < count {
            let (first, last) = (older, count - newer - 1)
            let above = viewport.top - layout.bottom(of: first)
            let below = layout.top(of: last) - viewport.bottom
            guard max(above, below) >= zone else { break }
            weight -= list[above > below ? first : last].weight
            if above > below { older += 1 } else { newer += 1 }
        }
        return (older, newer)
    }
}
