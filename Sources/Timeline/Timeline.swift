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
    var measures: [R.Measure] = []
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
    /// Rows wanted below the last item, for posts on their way and the people who are typing. See `footerRows`.
    package internal(set) var footer = 0
    /// Rows below the viewport that are covered for a while; see `TimelineAnchor.swift`.
    package internal(set) var cover = 0
    /// The items that the cover must not hide.
    var uncovered = Uncovered()
    /// True if messages have arrived at the end of the conversation, beyond the window.
    var hasArrivalsBeyond = false
    /// The height of the tallest screen since the list was opened.
    var tallest: Int
    let capacity: Int
    let mostBytes: Int
    /// The number of rows above the first item, and below the last, that show the state of their edge.
    let edgeRows: Int
    let follows: Bool

    /// - Parameters:
    ///   - capacity: the number of items to keep at least, before items far from the viewport are evicted.
    ///   - mostBytes: the weight of items to keep at least, before items far from the viewport are evicted.
    ///   - edgeRows: 1 when the edges have rows that the user can scroll to, else 0.
    ///   - follows: true if a viewport at the end stays at the end.
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
    /// The number of visible rows of the footer: at least one row of the viewport is left for messages.
    package var footerRows: Int { min(footer, viewport.height - 1) }
    /// The rows of all items.
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

    /// The items with content on the screen. An item with only rows above its content there, such as the line of a day,
    /// is not among them: the cursor does not stand on it, and it holds no row.
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

extension Timeline {
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
                measures.insert(contentsOf: new, at: 0)
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

    /// The items that the cover must not hide.
    struct Uncovered: Sendable {
        /// The item to which the user replies.
        var kept: Item.ID?
        /// True if that item was on the screen.
        var showsKept = false
        var keptIsWhole = false
        /// The last item, if it was on the screen.
        var last: Item.ID?
        var lastIsWhole = false
        /// True if following has stopped because it would have hidden the kept item; it resumes without the cover.
        var resumesFollowing = false
    }
}
