/// Lists that come from the store.
extension Timeline {
    /// Shows another list, and forgets the loads of the old one.
    /// - Parameter focus: the item to select and to align; the last one when nil.
    package mutating func open(
        _ items: [Item], older: Pager<Cursor>.Edge, newer: Pager<Cursor>.Edge, start: Int?, total: Int?,
        focus: Item.ID?, alignment: Alignment, following: Bool
    ) throws(DuplicateID) {
        try list.replace(with: items)
        pager.replace(older: older, newer: newer)
        selectedEdge = nil
        (windowStart, totalCount) = (start, total)
        layout = Layout()
        hasArrivalsBeyond = false
        tallest = viewport.height
        followChanges()
        selection = focus.flatMap(list.index(of:)) == nil ? list.last?.id : focus
        setFollowing(following && !hasNewer)
        place(aligned: alignment)
        evict()
        _checkInvariants()
    }

    /// Positions a list that has nothing on the screen yet.
    mutating func place(aligned alignment: Alignment) {
        guard !viewport.isFollowing else { return follow() }
        viewport.top = layout.top
        if let index = selectedIndex { viewport.top = viewport.top(showing: shownRows(of: index), aligned: alignment) }
        clampTop()
        setAnchor()
    }

    /// Handles a page for one side. Returns false when the page is no longer wanted.
    ///
    /// Its rows lie above the first or below the last message, so that nothing else moves, not even rows that a resize
    /// has put elsewhere than the anchor says.
    /// - Parameters start, total: the index of the page's first item and the number of all items, when the store knows
    ///   them.
    /// - Throws: when the window already holds an item of the page; the caller must then call `fail`.
    package mutating func receive(
        _ items: [Item], for ticket: Pager<Cursor>.Ticket, edge: Pager<Cursor>.Edge, start: Int? = nil,
        total: Int? = nil
    ) throws(DuplicateID) -> Bool {
        guard pager.expects(ticket) else { return false }
        let wasEmpty = list.isEmpty
        let selectedLast = selectedIndex == count - 1
        if ticket.side == .newer, !items.isEmpty { uncovered.resumesFollowing = false }
        if ticket.side == .older { try list.prepend(items) } else { try list.append(items) }
        guard pager.received(ticket, count: items.count, edge: edge) else { return false }
        if let start {
            windowStart = max(0, ticket.side == .older ? start : start + items.span - span)
        } else if ticket.side == .older {
            windowStart = windowStart.map { $0 - items.span }
        }
        totalCount = total ?? totalCount
        noticeGrowth(after: items.isEmpty && ticket.side == .newer)
        if selectedEdge == ticket.side, !items.isEmpty || pager.state(of: ticket.side) != .gap { selectedEdge = nil }
        if pager.state(of: .newer) == .gap { setFollowing(false) }
        followChanges()
        if wasEmpty {
            selection = list.last?.id
            place(aligned: .middle)
        } else if viewport.isFollowing, ticket.side == .newer, !items.isEmpty {
            if selectedLast { selection = list.last?.id }
            follow()
        } else {
            keepAnchor()
            // Now that its beginning is known, a list that fits begins at the top.
            if isWhole { follow() }
        }
        evict()
        _checkInvariants()
        return true
    }

    /// Reopens the end of the window when the store has counted more items, or when messages came in that the last page
    /// cannot contain. A count alone is not enough when the store has just reported that there is nothing newer.
    private mutating func noticeGrowth(after isDenied: Bool) {
        guard !hasNewer else { return }
        let isShort = windowStart.flatMap { start in totalCount.map { start + span < $0 } } ?? false
        if isShort && !isDenied || hasArrivalsBeyond { lookForNewer() }
        hasArrivalsBeyond = false
    }

    /// Asks the store again for items after the last one; there may be none.
    package mutating func lookForNewer() {
        guard let last = list.last, pager.state(of: .newer) == .exhausted else { return }
        pager.reopen(.newer, at: last.endCursor)
    }

    /// Call this when messages may have come into the gap on this side of the window.
    package mutating func reopenGap(_ side: Pager<Cursor>.Side) { pager.reopenGap(side) }

    /// Call this when the messages that arrive from now on do not directly follow those of the window.
    package mutating func noteGapAtEnd() {
        if hasNewer { hasArrivalsBeyond = true } else { lookForNewer() }
        setFollowing(false)
        uncovered.resumesFollowing = false
    }

    /// Sets where the window is in the whole conversation. Items that arrived after `total` was counted are in the window.
    package mutating func locate(start: Int, total: Int) {
        windowStart = max(0, start)
        totalCount = max(total, max(0, start) + span)
    }

    /// Notes that items came after a window that does not reach the end: the page that reaches it may have been read
    /// before them.
    package mutating func noteArrivalsBeyond(_ count: Int) {
        totalCount = totalCount.map { $0 + count }
        if hasNewer { hasArrivalsBeyond = true }
    }

    /// Notes that a load failed. Returns the number of failures in a row of that side; nil when the load is no longer
    /// wanted.
    package mutating func fail(_ ticket: Pager<Cursor>.Ticket, reason: String) -> Int? {
        pager.failed(ticket, reason: reason)
    }

    /// Reserves rows below the last message of the conversation, for posts on their way and the people who are typing. While
    /// following, they are shown at the bottom; otherwise nothing moves.
    package mutating func setFooter(rows: Int) {
        footer = max(0, rows)
        if viewport.isFollowing || isWhole, !list.isEmpty { follow() }
        _checkInvariants()
    }

    /// The pages to fetch now. Call this after every change of the list or the viewport.
    package mutating func loads() -> [Pager<Cursor>.Output] {
        let distances = viewport.distances(to: content)
        return pager.viewportMoved(above: distances.above, below: distances.below, height: viewport.height)
    }

    /// Retries a failed side, because the user wants it.
    package mutating func retry(_ side: Pager<Cursor>.Side) -> Pager<Cursor>.Output? {
        pager.retry(side, height: viewport.height)
    }

    /// Retries a failed load after its pause, unless it has been retried since.
    package mutating func retry(_ ticket: Pager<Cursor>.Ticket) -> Pager<Cursor>.Output? {
        pager.retry(ticket, height: viewport.height)
    }
}

extension Array where Element: TimelineItem {
    fileprivate var span: Int { reduce(0) { $0 + $1.span } }
}
