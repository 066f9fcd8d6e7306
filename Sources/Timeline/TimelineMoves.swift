/// The user's own moves. Only they move the viewport, start and stop following, and set a new anchor.
extension Timeline {
    /// Scrolls by rows, down when positive, as far as there are items and edge rows. The selection stays as long as it
    /// is visible; then it goes to the nearest visible message.
    package mutating func scroll(by rows: Int) {
        moveViewport(by: rows)
        keepSelectionVisible()
        if let edge = selectedEdge, !viewport.rows.contains(row(of: edge)) { selectedEdge = nil }
        setAnchor()
    }

    /// The row of the virtual space in which an edge shows its state.
    package func row(of edge: Pager<Cursor>.Side) -> Row { edge == .older ? layout.top - 1 : layout.bottom }

    /// Scrolls by a screen or a part of one. The selection keeps its row on the screen; at an end, it goes to the end.
    package mutating func scrollScreen(by rows: Int) {
        selectedEdge = nil
        let top = viewport.top
        let row = min(cursorRow ?? selectedIndex.map { max(0, screenRow(of: $0)) } ?? 0, viewport.height - 1)
        moveViewport(by: rows)
        if viewport.top - top == rows, let index = layout.index(at: viewport.top + row) {
            selection = list[index].id
        } else if !list.isEmpty {
            selection = list[rows < 0 ? 0 : count - 1].id
        }
        keepSelectionVisible()
        setAnchor()
        cursorRow = row
    }

    /// Selects the next message down or, when `step` is negative, up. A message that extends beyond the screen first
    /// scrolls by a row, so that all of it is seen.
    package mutating func moveSelection(by step: Int) {
        guard let index = selectedIndex, step != 0 else { return }
        if leaveEdge(step) { return }
        guard readableIndices.contains(index) else {
            // On a screen of one row that shows an edge, the step back leads to the message next to it; on one that shows only
            // lines above a message, any step leads on.
            let isBack = (step > 0) == (viewport.top < layout.top)
            if readableIndices.isEmpty, isBack || !visibleIndices.isEmpty { moveViewport(by: step > 0 ? 1 : -1) }
            keepSelectionVisible()
            setAnchor()
            return
        }
        if step > 0 { moveDown(from: index) } else { moveUp(from: index) }
        setAnchor()
    }

    /// Selects a message of the window and scrolls it to the alignment. Returns false when the window does not hold it.
    package mutating func jump(to id: Item.ID, aligned alignment: Alignment) -> Bool {
        guard let index = list.index(of: id) else { return false }
        selectedEdge = nil
        selection = id
        viewport.isFollowing = false
        let top = viewport.top(showing: shownRows(of: index), aligned: alignment)
        if top != viewport.top {
            viewport.top = top
            clampTop()
        }
        setAnchor()
        return true
    }

    /// Selects the message on a row of the screen, without scrolling. Returns false when there is none, or only a line
    /// above one whose content is below the screen.
    @discardableResult
    package mutating func select(atScreenRow row: Int) -> Bool {
        guard let index = layout.index(at: viewport.top + row), readableIndices.contains(index) else { return false }
        selectedEdge = nil
        selection = list[index].id
        setAnchor()
        return true
    }

    /// True if the window holds all that the screen would show after a jump to this item.
    package func canJump(to id: Item.ID, aligned alignment: Alignment) -> Bool {
        guard let index = list.index(of: id) else { return false }
        return holdsScreen(at: viewport.top(showing: shownRows(of: index), aligned: alignment))
    }

    /// True if the window holds all that the screen would show with this anchor.
    package func canRestore(_ anchor: Anchor<Item.ID>) -> Bool {
        top(restoring: anchor).map(holdsScreen) ?? false
    }

    /// True if the window holds all that the screen shows.
    package var holdsScreen: Bool { holdsScreen(at: viewport.top) }

    private func holdsScreen(at top: Row) -> Bool {
        (!pager.canLoad(.older) || top >= layout.top)
            && (!pager.canLoad(.newer) || top + viewport.height <= layout.bottom)
    }

    /// Shows again the screen that had this anchor and this selection. Does nothing when the window does not hold the
    /// anchored item.
    package mutating func restore(_ anchor: Anchor<Item.ID>, selection: Item.ID?, following: Bool) {
        guard let top = top(restoring: anchor) else { return }
        selectedEdge = nil
        cursorRow = nil
        viewport.top = top
        setFollowing(following && !hasNewer)
        uncovered.resumesFollowing = false
        self.selection = selection.flatMap(list.index(of:)) == nil ? anchor.id : selection
        self.anchor = anchor
        if viewport.isFollowing {
            viewport.top = followTop
            // Messages that came since have pushed it off the screen.
            if selectedIndex.map(readableIndices.contains) == false { self.selection = list.last?.id }
            setAnchor()
        } else {
            withoutCover { timeline in
                timeline.clampTop(allowingFor: anchor)
                // When there is less content around it than there was, the anchor adopts the row of the screen where it
                // is now.
                if timeline.viewport.top != top, let shown = timeline.shownAnchor { timeline.anchor = shown }
                timeline.noteSeen()
            }
            scrollFromUnderCover()
            if isWhole { viewport.top = followTop }
        }
        _checkInvariants()
    }

    private func top(restoring anchor: Anchor<Item.ID>) -> Row? {
        row(of: anchor).map { $0 - min(anchor.screenRow, viewport.height + cover - 1) }
    }

    /// Selects the first message of the conversation and shows the edge row above it. Returns false when the window
    /// does not hold it: a page must be loaded.
    package mutating func jumpToBeginning() -> Bool {
        !hasOlder && showFirst()
    }

    /// Selects the first message of the window, and shows the row of the edge above it. Returns false for an empty list.
    package mutating func showFirst() -> Bool {
        guard let first = list.first else { return false }
        selectedEdge = nil
        selection = first.id
        viewport.isFollowing = false
        // Shows the edge row above it, if there is room for that and for the beginning of its content.
        let highest = scrollLimits.lowerBound
        viewport.top = contentTop(of: 0) - highest < viewport.height ? highest : shownRows(of: 0).lowerBound
        setAnchor()
        return true
    }

    /// Selects the last message of the conversation and follows from now on. Returns false when the window does not
    /// hold it: a page must be loaded.
    package mutating func jumpToEnd() -> Bool {
        guard !hasNewer || viewport.isFollowing, let last = list.last else { return false }
        selectedEdge = nil
        selection = last.id
        setFollowing(true)
        uncovered.showsKept = false
        follow()
        return true
    }
}

extension Timeline {
    /// True if a scroll by these rows, down when positive, leads beyond the window, where a page is on its way.
    /// - Parameter orRetry: true to include a page whose load has failed, since it will be requested again.
    package func awaitsPage(scrollingBy rows: Int, orRetry: Bool = false) -> Bool {
        guard rows != 0, isComing(rows < 0 ? .older : .newer, orRetry) else { return false }
        return rows < 0 ? viewport.top + rows < layout.top : viewport.bottom + rows > layout.bottom
    }

    /// True if the next message on this side is beyond the window, where a page is on its way.
    /// - Parameter orRetry: true to include a page whose load has failed, since it will be requested again.
    package func awaitsPage(steppingTo side: Pager<Cursor>.Side, orRetry: Bool = false) -> Bool {
        guard isComing(side, orRetry), let index = selectedIndex, isVisible(index) else { return false }
        return side == .older
            ? index == 0 && layout.top(of: index) >= viewport.top
            : index == count - 1 && layout.bottom(of: index) <= viewport.bottom
    }

    /// The screen and the cursor, so that a step can be repeated from where it began.
    package struct Stance: Sendable {
        fileprivate let anchor: Anchor<Item.ID>
        fileprivate let selection: Item.ID?
        fileprivate let isFollowing: Bool
        fileprivate let cursorRow: Int?
    }

    /// Nil while the list is empty.
    package var stance: Stance? {
        shownAnchor.map {
            Stance(anchor: $0, selection: selection, isFollowing: viewport.isFollowing, cursorRow: cursorRow)
        }
    }

    /// Shows again the screen that had this stance.
    package mutating func resume(_ stance: Stance) {
        restore(stance.anchor, selection: stance.selection, following: stance.isFollowing)
        cursorRow = stance.cursorRow
    }

    private func isComing(_ side: Pager<Cursor>.Side, _ orRetry: Bool) -> Bool {
        switch pager.state(of: side) {
        case .idle, .loading: true
        case .failed: orRetry
        case .exhausted, .gap: false
        }
    }

    private mutating func moveViewport(by rows: Int) {
        let limits = scrollLimits
        let old = viewport.top
        // A screen that shows more than the limits allow (after a removal) is not pulled back against the key.
        viewport.top = (old + rows).clamped(to: min(limits.lowerBound, old)...max(limits.upperBound, old))
        // Nothing but the row of a gap can be scrolled to from a list that is shorter than the screen.
        let isComplete = rows < 0 ? !hasOlder : pager.state(of: .newer) != .gap
        if content.upperBound - content.lowerBound < viewport.height, isComplete { viewport.top = old }
        if rows < 0, viewport.top < old { viewport.isFollowing = false }
        if rows > 0 { startFollowingAtEnd() }
    }

    private mutating func startFollowingAtEnd() {
        guard !hasNewer, viewport.isAtEnd(of: content) else { return }
        setFollowing(true)
        if viewport.isFollowing { viewport.top = followTop }
    }

    private mutating func keepSelectionVisible() {
        let visible = readableIndices.isEmpty ? visibleIndices : readableIndices
        guard let index = selectedIndex, let first = visible.first, let last = visible.last else { return }
        if index < first { selection = list[first].id }
        if index > last { selection = list[last].id }
    }

    /// Moves the cursor from the row of an edge back to the messages.
    package mutating func leaveEdge() { selectedEdge = nil }

    /// Moves the cursor from the row of an edge back to the messages, if the step leads there. Returns true if it
    /// was on such a row.
    private mutating func leaveEdge(_ step: Int) -> Bool {
        guard let edge = selectedEdge else { return false }
        if edge == .older ? step > 0 : step < 0 { selectedEdge = nil }
        return true
    }

    private mutating func enterEdge(_ side: Pager<Cursor>.Side) {
        switch pager.state(of: side) {
        case .failed, .gap: selectedEdge = side
        case .exhausted where linkedEdges.contains(side): selectedEdge = side
        case .idle, .loading, .exhausted: break
        }
    }

    private mutating func moveDown(from index: Int) {
        guard layout.bottom(of: index) <= viewport.bottom else { return moveViewport(by: 1) }
        guard index + 1 < count else {
            moveViewport(by: 1)
            return enterEdge(.newer)
        }
        selection = list[index + 1].id
        let rows = layout.rows(of: index + 1)
        let hidden = rows.upperBound - viewport.bottom
        if rows.upperBound - rows.lowerBound <= viewport.height {
            if hidden > 0 { moveViewport(by: hidden) }
        } else if hidden > 0 {
            moveViewport(by: max(1, contentTop(of: index + 1) - viewport.bottom + 1))
        }
        if index + 2 == count { startFollowingAtEnd() }
    }

    private mutating func moveUp(from index: Int) {
        viewport.isFollowing = false
        guard shownRows(of: index).lowerBound >= viewport.top else { return moveViewport(by: -1) }
        guard index > 0 else {
            moveViewport(by: -1)
            return enterEdge(.older)
        }
        selection = list[index - 1].id
        let rows = layout.rows(of: index - 1)
        let hidden = viewport.top - rows.lowerBound
        if rows.upperBound - rows.lowerBound <= viewport.height {
            if hidden > 0 { moveViewport(by: -hidden) }
        } else if hidden > 0 {
            moveViewport(by: -max(1, viewport.top - rows.upperBound + 1))
        }
    }
}

/// Changes of the window's items: the anchored row stays, and everything else moves around it.
extension Timeline {
    /// Changes the items of the window: edits, removals, arrivals. `new` may hold any items in any order.
    package mutating func apply(_ new: [Item], start: Int?, total: Int?) throws(DuplicateID) {
        try change(keeping: survivors(in: new, else: nil), start: start, total: total, followsWhenFull: true) {
            (list) throws(DuplicateID) in try list.apply(new)
        }
    }

    /// Replaces the window by what the store now reads, after any message may have changed or gone: it may begin and
    /// end elsewhere than before. Forgets the loads of the old window.
    /// - Parameter substitute: takes the place of the anchored item when no item of the old window is in the new one.
    package mutating func apply(
        _ new: [Item], older: Pager<Cursor>.Edge, newer: Pager<Cursor>.Edge, start: Int?, total: Int?,
        substitute: Item.ID?
    ) throws(DuplicateID) {
        let survivors = survivors(in: new, else: substitute)
        let former = pager
        pager.replace(older: older, newer: newer)
        do throws(DuplicateID) {
            try change(keeping: survivors, start: start, total: total) { (list) throws(DuplicateID) in
                try list.apply(new)
            }
        } catch {
            pager = former
            throw error
        }
        selectedEdge = nil
        hasArrivalsBeyond = false
    }

    /// Replaces the item with this ID. Does nothing when the window does not hold it.
    package mutating func update(_ item: Item) {
        let more = list.index(of: item.id).map { item.span - list[$0].span } ?? 0
        let least = (windowStart ?? 0) + span + more
        change(keeping: here, start: windowStart, total: totalCount.map { max($0, least) }) { $0.update(item) }
    }

    /// Appends new items to a window that ends with the conversation. The store may have counted them already.
    /// - Parameters:
    ///   - keepsSelection: true if a selected last item stays selected while the screen follows: the user is about to do
    ///     something with it.
    ///   - followsWhenFull: true if a list that fitted on the screen is followed as soon as these items fill it.
    package mutating func append(
        _ items: [Item], keepsSelection: Bool = false, followsWhenFull: Bool = true
    ) throws(DuplicateID) {
        let least = (windowStart ?? 0) + span + items.reduce(0) { $0 + $1.span }
        try change(
            keeping: here, start: windowStart, total: totalCount.map { max($0, least) }, keepsSelection: keepsSelection,
            followsWhenFull: followsWhenFull
        ) {
            (list) throws(DuplicateID) in try list.append(items)
        }
    }

    /// - Parameters:
    ///   - survivors: the anchor with its current row, and the selection, as they will be after the change.
    ///   - keepsSelection, followsWhenFull: as for `append`. When the window is read again, the end is not followed: the
    ///     items at it are not new.
    private mutating func change<Failure: Error>(
        keeping survivors: Survivors, start: Int?, total: Int?, keepsSelection: Bool = false,
        followsWhenFull: Bool = false,
        _ change: (inout ItemList<Item>) throws(Failure) -> Void
    ) throws(Failure) {
        let selected = selectedIndex
        let selectedLast = selected == count - 1
        let last = list.last?.id
        let wasWhole = isWhole(height: viewport.height + cover)
        try change(&list)
        (windowStart, totalCount) = (start, total)
        followChanges()
        if list.last?.id != last {
            uncovered.resumesFollowing = false
            if followsWhenFull, wasWhole, last != nil, !isWhole, !hasNewer { setFollowing(true) }
        }
        anchor = survivors.anchor
        if viewport.isFollowing, selectedLast, !keepsSelection {
            selection = list.last?.id
        } else if selectedIndex == nil {
            let index = list.isEmpty ? nil : min(selected ?? count - 1, count - 1)
            selection = survivors.selection ?? index.map { list[$0].id }
        }
        if anchor == nil {
            place(aligned: .middle)
        } else if viewport.isFollowing || isWhole {
            follow()
        } else {
            pin(at: survivors.row)
            keepAnchor()
        }
        evict()
        _checkInvariants()
    }
}

extension Timeline {
    typealias Survivors = (anchor: Anchor<Item.ID>?, row: Row?, selection: Item.ID?)

    /// The survivors when nothing is removed.
    private var here: Survivors { (anchor, anchoredRow, selection) }

    /// The anchor and the selection as they will be among `new`. When the anchored item goes, its successor or its nearest
    /// survivor takes its row.
    /// - Parameter substitute: takes the row when there is no survivor.
    private func survivors(in new: [Item], else substitute: Item.ID?) -> Survivors {
        let ids = Set(new.map(\.id))
        func replacement(of index: Int) -> Item.ID? {
            if ids.contains(list[index].id) { return list[index].id }
            return new.first { $0.succeeds(list[index]) }?.id
                ?? nearest(to: index, where: ids.contains).map { list[$0].id }
        }
        let selected = selectedIndex.flatMap(replacement)
        guard let anchor, let index = list.index(of: anchor.id), !ids.contains(anchor.id) else {
            return (anchor, anchoredRow, selected)
        }
        let other = substitute.flatMap { ids.contains($0) ? $0 : nil }
        guard let survivor = replacement(of: index) ?? other else { return (nil, nil, nil) }
        let successor = Anchor(id: survivor, place: 0, screenRow: anchor.screenRow)
        return (successor, anchoredRow, selected ?? survivor)
    }

    private func nearest(to index: Int, where isWanted: (Item.ID) -> Bool) -> Int? {
        indices(outwardsFrom: index).first { isWanted(list[$0].id) }
    }

    /// All indices, the nearest to `index` first; of two at the same distance, the later one.
    private func indices(outwardsFrom index: Int) -> some Sequence<Int> {
        (0..<max(count, 1)).lazy.flatMap { distance -> [Int] in
            distance == 0 ? [index] : [index + distance, index - distance]
        }.filter { [count] in (0..<count).contains($0) }
    }

    /// The number of items that fill a screen and the zones next to it, so that nothing has to be loaded at once.
    package var roomyCount: Int { pager.prefetch.minimumCap(height: viewport.height) }

    /// The IDs of all items, in the order in which they would replace the anchored item if it went.
    package var successors: [Item.ID] { anchor.map { successors(of: $0.id) } ?? [] }

    /// The IDs of all items, in the order in which they would replace one item if it went; that item comes first.
    /// - Parameter limit: the largest number of IDs; nil for all.
    package func successors(of id: Item.ID, limit: Int? = nil) -> [Item.ID] {
        list.index(of: id).map { indices(outwardsFrom: $0).prefix(limit ?? count).map { list[$0].id } } ?? []
    }
}
