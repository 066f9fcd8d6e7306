import DequeModule

/// Something lies over the lowest rows of the screen for a while: a composer. The viewport is lower by these rows, and what
/// must not be hidden by them is scrolled up, no farther than that takes:
/// - the row that the anchor holds,
/// - what was on the screen of the last item, as an arrival scrolls it,
/// - above all, what was on the screen of one more item, that somebody replies to.
///
/// The anchor stays what it was, so that the screen from before is there again when the cover is gone.
extension Timeline {
    /// What the cover must not hide.
    struct Uncovered: Sendable {
        /// The item that somebody replies to.
        var kept: Item.ID?
        /// Whether it was on the screen, and with its last row.
        var showsKept = false
        var keptIsWhole = false
        /// The last item, when it was on the screen, and whether with its last row.
        var last: Item.ID?
        var lastIsWhole = false
        /// Whether the last row was followed before that would have hidden the kept item; it is again without the cover.
        var resumesFollowing = false
    }

    /// The item that is not to be hidden.
    package var kept: Item.ID? { uncovered.kept }

    /// Another size: everything is measured again, and the anchored row keeps its row on the screen, as far as the screen
    /// reaches. The anchor stays what it was, so that going back to the old size gives the old screen.
    /// - Parameters: as of `setHeight`.
    package mutating func resize(ruler: R, height: Int, cover: Int = 0, keeping kept: Item.ID? = nil) {
        keep(kept, cover: cover)
        self.ruler = ruler
        measures = Deque(list.items.map(ruler.measure))
        layout.replace(measures.map(\.height))
        fit(height: height, cover: cover)
    }

    /// Another height of the same width.
    /// - Parameters:
    ///   - height: rows of the screen that are left to the items.
    ///   - cover: rows below them that are taken away for a while.
    ///   - kept: the item that is not to be hidden by the cover, if it is on the screen.
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
        }
        if self.cover == 0 { noteSeen() }
        evict()
        _checkInvariants()
    }

    /// The last row at the bottom, unless that hid the kept item: then it is not followed as long as the cover is there.
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

    /// Stops following when that hid the kept item.
    /// - Parameter top: of the viewport before.
    mutating func stopAtKept(from top: Row) {
        guard viewport.isFollowing, let highest = highestTop(from: top), followTop > highest else { return }
        viewport.isFollowing = false
        viewport.top = highest
    }

    /// Does something as if nothing were covered.
    mutating func withoutCover(_ body: (inout Timeline) -> Void) {
        let (height, cover) = (viewport.height, self.cover)
        (viewport.height, self.cover) = (height + cover, 0)
        body(&self)
        (viewport.height, self.cover) = (height, cover)
    }

    /// The viewport stands as it would without the cover: what that hides is scrolled up.
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

    /// The row below what the screen would show of these rows from a top without the cover; at least the first one counts,
    /// and all of them when all were seen.
    private func shownEnd(of rows: Range<Row>, from top: Row, isWhole: Bool) -> Row {
        isWhole ? rows.upperBound : min(rows.upperBound, max(top + viewport.height + cover, rows.lowerBound + 1))
    }

    /// The top up to which the cover hides nothing of the kept item, where it would begin at `top`; nil without one.
    private func highestTop(from top: Row) -> Row? {
        guard cover > 0, uncovered.showsKept, let index = uncovered.kept.flatMap(list.index(of:)) else { return nil }
        let rows = layout.rows(of: index)
        return max(
            top, rows.lowerBound, shownEnd(of: rows, from: top, isWhole: uncovered.keptIsWhole) - viewport.height)
    }

    /// Remembers what is on the screen, which a cover is not to hide: after each move of the user, and as long as nothing is
    /// covered.
    mutating func noteSeen() {
        let visible = visibleIndices
        let last = visible.upperBound == count ? visible.last.map { list[$0].id } : nil
        // That more is looked for does not mean that there is more.
        uncovered.last = hasNewer && last != uncovered.last ? nil : last
        uncovered.lastIsWhole = viewport.isAtEnd(of: content)
        noteKept()
    }

    /// The list has changed: what it has pushed under the cover stays what is not to be hidden by that.
    mutating func noteSeenAfterChange() {
        guard cover > 0 else { return noteSeen() }
        let visible = visibleIndices
        if visible.upperBound == count, !hasNewer, let last = visible.last {
            uncovered.last = list[last].id
            uncovered.lastIsWhole = viewport.isAtEnd(of: content)
        }
    }
}
