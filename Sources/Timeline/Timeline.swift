import DequeModule

/// A window on a conversation that never jumps: the list, its layout, the viewport on it and the pager that extends it.
///
///     page ─→ ItemList ─changes→ Layout ─pin(anchor)→ rows under the Viewport ─distances→ Pager ─→ onPrepend, onAppend
///
/// One rule implies the others: the anchored row keeps its row of the screen through every change that the user did not
/// make. What lies above it moves up, what lies below it moves down.
package struct Timeline<R: Ruler>: Sendable {
    package typealias Item = R.Item
    package typealias Cursor = R.Item.Cursor

    package internal(set) var list = ItemList<Item>()
    package internal(set) var layout = Layout()
    /// The measurement of each item at the ruler's width.
    var measures: Deque<R.Measure> = []
    package internal(set) var viewport: Viewport
    package internal(set) var pager: Pager<Cursor>
    package internal(set) var ruler: R
    /// The message under the cursor.
    package internal(set) var selection: Item.ID?
    /// The row of the screen that the cursor keeps while the user scrolls by screens, so that a screen back and forth
    /// selects the same message again.
    var cursorRow: Int?
    /// The edge whose row has the cursor: it has failed, is a gap, or leads elsewhere. Nil when a message has the cursor.
    package internal(set) var selectedEdge: Pager<Cursor>.Side?
    /// The edges at the ends of the conversation whose rows lead elsewhere, so that the cursor can go there.
    package var linkedEdges: Set<Pager<Cursor>.Side> = []
    /// Set by the user's own moves; nil only while the list is empty.
    package internal(set) var anchor: Anchor<Item.ID>?
    /// The index of the first item's message in the whole conversation, and the number of messages there; nil until the
    /// store knows them.
    package internal(set) var windowStart: Int?
    package internal(set) var totalCount: Int?
    /// Rows below the last item, for posts on their way and the people who are typing, as they were set.
    package private(set) var footer = 0
    /// Rows below the viewport that are covered for a while; see `Timeline+Cover.swift`.
    package internal(set) var cover = 0
    /// The items that the cover must not hide.
    var uncovered = Uncovered()
    /// Whether messages came after a window that did not reach the end.
    var hasArrivalsBeyond = false
    /// The height of the tallest screen since the list was opened.
    var tallest: Int
    private let capacity: Int
    private let mostBytes: Int
    /// The number of rows above the first item, and below the last, that show the state of their edge.
    let edgeRows: Int
    let follows: Bool

    /// - Parameters:
    ///   - capacity: the number of items to keep at least, before items far from the viewport are evicted.
    ///   - mostBytes: the weight of items to keep at least, before items far from the viewport are evicted.
    ///   - edgeRows: 1 when the edges have rows that the user can scroll to, else 0.
    ///   - follows: whether a viewport at the end stays at the end.
    package init(
        ruler: R, height: Int, capacity: Int = 1_000, mostBytes: Int = 8 << 20, edgeRows: Int = 1, follows: Bool = true,
        prefetch: Prefetch = .standard
    ) {
        self.ruler = ruler
        self.capacity = capacity
        self.mostBytes = mostBytes
        self.edgeRows = edgeRows
        self.follows = follows
        pager = Pager(prefetch: prefetch)
        viewport = Viewport(height: height)
        tallest = viewport.height
    }
}

extension Timeline {
    package var count: Int { list.count }
    package var hasOlder: Bool { pager.hasMore(.older) }
    package var hasNewer: Bool { pager.hasMore(.newer) }
    /// How many rows of the footer are shown: at most all rows of the viewport but one, which is left for messages.
    package var footerRows: Int { min(footer, viewport.height - 1) }
    package var content: Range<Row> { layout.top..<layout.bottom }
    /// The number of messages that the items stand for.
    package var span: Int { span(of: 0..<count) }

    package func span(of items: Range<Int>) -> Int { items.reduce(0) { $0 + list[$1].span } }

    /// The index in the whole conversation of an item's first message; nil until the store knows it.
    package func position(of index: Int) -> Int? { windowStart.map { $0 + span(of: 0..<index) } }

    /// The item with the message at this index in the whole conversation, and the index of the message in the item.
    package func item(at position: Int) -> (index: Int, rest: Int)? {
        guard var rest = windowStart.map({ position - $0 }), rest >= 0 else { return nil }
        for index in 0..<count {
            if rest < list[index].span { return (index, rest) }
            rest -= list[index].span
        }
        return nil
    }

    package var selectedIndex: Int? { selection.flatMap(list.index(of:)) }

    /// The largest number of items in the window: about 1,000, and more for a screen so tall that these could not cover
    /// the rows of both edge zones. The tallest screen counts, since the screen may grow again and must then find its
    /// rows.
    package var cap: Int { max(capacity, pager.prefetch.minimumCap(height: tallest)) }

    /// The items on the screen, from the top.
    package var visibleIndices: Range<Int> { layout.indices(in: viewport.rows) }

    /// The row of the screen on which an item begins; negative when it begins above the screen.
    package func screenRow(of index: Int) -> Int { layout.top(of: index) - viewport.top }

    package func isVisible(_ index: Int) -> Bool { visibleIndices.contains(index) }

    /// The items with content on the screen. One of which only the rows above its content are there, as the line of a
    /// day, is not among them: the cursor does not stand on it, and it holds no row.
    package var readableIndices: Range<Int> {
        let visible = visibleIndices
        guard let last = visible.last, contentTop(of: last) >= viewport.bottom else { return visible }
        return visible.lowerBound..<last
    }

    /// The first row of an item's content, below the lines above it.
    func contentTop(of index: Int) -> Row { layout.top(of: index) + measures[index].row(ofPlace: 0) }

    /// The rows of an item that a jump to it shows: without those above its content that would leave no row for it.
    func shownRows(of index: Int) -> Range<Row> {
        max(layout.top(of: index), contentTop(of: index) - (viewport.height - 1))..<layout.bottom(of: index)
    }

    /// The measurement of an item at the ruler's width.
    package func measure(of index: Int) -> R.Measure { measures[index] }
}

// MARK: - Lists that come from the store

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

    /// Takes in a page for one side. Returns false when the page is no longer wanted.
    ///
    /// Its rows lie above the first or below the last message, so that nothing else has to move, not even rows that a
    /// resize has put elsewhere than the anchor says.
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

    /// Messages may have come into the gap on a side of the window.
    package mutating func reopenGap(_ side: Pager<Cursor>.Side) { pager.reopenGap(side) }

    /// The messages that come from now on do not follow those of the window.
    package mutating func noteGapAtEnd() {
        if hasNewer { hasArrivalsBeyond = true } else { lookForNewer() }
        setFollowing(false)
        uncovered.resumesFollowing = false
    }

    /// Sets where the window is in the whole conversation. Items that came after that was counted are in the window.
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

    /// Applies the changes of the list to the layout.
    mutating func followChanges() {
        for change in list.drainChanges() {
            switch change {
            case .replace(let items):
                measures = []
                for item in items { measures.append(ruler.measure(item)) }
                layout.replace(measures.map { $0.height })
            case .prepend(let items):
                let new = items.map(ruler.measure)
                measures.prepend(contentsOf: new)
                layout.prepend(new.map { $0.height })
            case .append(let items):
                let new = items.map(ruler.measure)
                measures.append(contentsOf: new)
                layout.append(new.map { $0.height })
            case .insert(let items, let index):
                let new = items.map(ruler.measure)
                measures.insert(contentsOf: new, at: index)
                layout.insert(new.map { $0.height }, at: index)
            case .update(let item, let index):
                measures[index] = ruler.measure(item)
                layout.setHeight(measures[index].height, of: index)
            case .remove(let range):
                measures.removeSubrange(range)
                layout.remove(range)
            }
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

extension Array where Element: TimelineItem {
    fileprivate var span: Int { reduce(0) { $0 + $1.span } }
}
