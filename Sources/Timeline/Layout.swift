/// The places of items in the virtual space: their heights in rows, one below the other without gaps, and the row of
/// the first. After a change of heights, the caller says with `pin` which row stays where it was.
package struct Layout: Equatable, Sendable {
    /// The first row of the first item.
    package private(set) var top = Row(0)
    /// `ends[i]`: rows from `top` to the end of item i. Running sums, so that bisection finds a row.
    private var ends: [Int] = []

    package init() {}

    package init(heights: [Int], top: Row = Row(0)) {
        self.top = top
        setHeights(heights)
    }
}

extension Layout {
    package var count: Int { ends.count }
    /// Rows of all items: the sum of their heights.
    package var height: Int { ends.last ?? 0 }
    /// The row below the last item.
    package var bottom: Row { top + height }

    package func height(of index: Int) -> Int { ends[index] - offset(of: index) }

    package func top(of index: Int) -> Row { top + offset(of: index) }

    package func bottom(of index: Int) -> Row { top + ends[index] }

    package func rows(of index: Int) -> Range<Row> { top(of: index)..<bottom(of: index) }

    /// The item that covers a row; nil above the first and below the last.
    package func index(at row: Row) -> Int? {
        guard row >= top, row < bottom else { return nil }
        let offset = row - top
        return ends.partitioningIndex { $0 > offset }
    }

    /// The items with at least one row within `rows`.
    package func indices(in rows: Range<Row>) -> Range<Int> {
        let first = max(rows.lowerBound, top)
        let last = min(rows.upperBound, bottom)
        guard first < last, let start = index(at: first), let end = index(at: last - 1) else { return 0..<0 }
        return start..<(end + 1)
    }

    private func offset(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }
}

extension Layout {
    package mutating func replace(_ heights: [Int]) { setHeights(heights) }

    /// Existing items keep their rows; the new ones lie above them.
    package mutating func prepend(_ heights: [Int]) {
        let added = heights.reduce(0, +)
        setHeights(heights + allHeights)
        top = top - added
    }

    /// Existing items keep their rows.
    package mutating func append(_ heights: [Int]) {
        for height in heights { ends.append(self.height + height) }
    }

    /// The items from this index on move down.
    package mutating func insert(_ heights: [Int], at index: Int) {
        var all = allHeights
        all.insert(contentsOf: heights, at: index)
        setHeights(all)
    }

    /// The items after the range move up, except when the first items go: then the others keep their rows.
    package mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var all = allHeights
        let removed = all[range].reduce(0, +)
        all.removeSubrange(range)
        setHeights(all)
        if range.lowerBound == 0 { top = top + removed }
    }

    /// The items below move.
    package mutating func setHeight(_ height: Int, of index: Int) {
        let change = height - self.height(of: index)
        for later in index..<count { ends[later] += change }
    }

    /// Moves everything so that row `offset` of the item lies at `row`.
    package mutating func pin(_ index: Int, offset: Int, at row: Row) {
        top = row - offset - self.offset(of: index)
    }

    private var allHeights: [Int] { (0..<count).map(height(of:)) }

    private mutating func setHeights(_ heights: [Int]) {
        assert(heights.allSatisfy { $0 > 0 }, "an item takes at least one row")
        var sum = 0
        ends = heights.map { height in
            sum += height
            return sum
        }
    }
}

/// A row of the virtual space: 0 is where the first list was placed, rows above it are negative. It has a type of its
/// own, so that it cannot be mistaken for a row of the screen or the index of an item.
package struct Row: Hashable, Comparable, Sendable {
    package let value: Int

    package init(_ value: Int) { self.value = value }

    package static func < (a: Row, b: Row) -> Bool { a.value < b.value }
    package static func + (row: Row, rows: Int) -> Row { Row(row.value + rows) }
    package static func - (row: Row, rows: Int) -> Row { Row(row.value - rows) }
    /// The number of rows from `b` down to `a`.
    package static func - (a: Row, b: Row) -> Int { a.value - b.value }
}

/// An item of a timeline: its ID, and the cursor from which the store continues before it.
package protocol TimelineItem: Identifiable, Equatable, Sendable where ID: Sendable {
    associatedtype Cursor: Hashable & Sendable
    var cursor: Cursor { get }
    /// The cursor from which the store continues after the item.
    var endCursor: Cursor { get }
    /// The number of messages of the conversation that it stands for, at least 1.
    var span: Int { get }
    /// Its approximate size in memory, in bytes.
    var weight: Int { get }
    /// True if this item shows a part of what `other` showed, and so can take its place.
    func succeeds(_ other: Self) -> Bool
}

extension TimelineItem {
    package var weight: Int { 0 }
    package var endCursor: Cursor { cursor }
    package var span: Int { 1 }
    package func succeeds(_ other: Self) -> Bool { id == other.id }
}

/// Measures items at one width.
package protocol Ruler: Sendable {
    associatedtype Item: TimelineItem
    associatedtype Measure: Measurement

    /// Called once for an item and a width; the result is kept until either changes.
    func measure(_ item: Item) -> Measure
}

/// The rows of an item at one width. A place is a position in the content of the item, and does not depend on the
/// width: rows begin at rising places, so that a row of one wrapping can be found again in another.
package protocol Measurement: Sendable {
    /// The number of rows, at least 1. The content itself begins at place 0.
    var height: Int { get }

    /// The place at which a row begins. The row is within the height.
    func place(ofRow row: Int) -> Int

    /// The row that shows a place; the nearest row when none does.
    func row(ofPlace place: Int) -> Int
}

/// A row that stays where it is on the screen: a place in an item, and the row of the screen that shows it.
package struct Anchor<ID: Hashable & Sendable>: Hashable, Sendable {
    package let id: ID
    package let place: Int
    /// Rows below the top of the screen. It may exceed a screen that has shrunk, which may grow again.
    package internal(set) var screenRow: Int
    /// Empty rows that the screen shows above and below the content. They stay until the user moves, even where the
    /// user could not scroll to them (any more): so a resize back and forth, or a jump back, gives the same screen.
    var blankAbove = 0
    var blankBelow = 0

    package init(id: ID, place: Int, screenRow: Int) {
        self.id = id
        self.place = place
        self.screenRow = screenRow
    }

    // Empty rows do not count: two anchors that hold the same row are equal.

    package static func == (a: Anchor, b: Anchor) -> Bool {
        a.id == b.id && a.place == b.place && a.screenRow == b.screenRow
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(place)
        hasher.combine(screenRow)
    }
}

/// The part of the virtual space that the screen shows.
package struct Viewport: Equatable, Sendable {
    /// The row of the virtual space at the top of the screen.
    package var top: Row
    /// Rows of the screen, at least 1.
    package var height: Int
    /// True if the last row stays at the bottom when messages arrive.
    package var isFollowing = false

    package init(top: Row = Row(0), height: Int) {
        self.top = top
        self.height = max(1, height)
    }

    package var rows: Range<Row> { top..<bottom }
    /// The row below the last visible one.
    package var bottom: Row { top + height }
}

/// The place on the screen for the message of a jump.
package enum Alignment: CaseIterable, Sendable {
    case top
    case middle
    case bottom
    /// The place with the least scrolling; a message that is on the screen already does not move.
    case minimal
}

extension Viewport {
    /// The top of the viewport that shows `rows` at the alignment. Rows that exceed the screen show their beginning;
    /// but `minimal` stays where they already fill the screen.
    package func top(showing rows: Range<Row>, aligned alignment: Alignment) -> Row {
        let size = rows.upperBound - rows.lowerBound
        switch alignment {
        case .top: return rows.lowerBound
        case .middle: return size >= height ? rows.lowerBound : rows.lowerBound - (height - size) / 2
        case .bottom: return size >= height ? rows.lowerBound : rows.upperBound - height
        case .minimal:
            let highest = min(rows.lowerBound, rows.upperBound - height)
            let lowest = max(rows.lowerBound, rows.upperBound - height)
            return min(max(top, highest), lowest)
        }
    }

    /// The tops that the content allows, with `above` and `below` rows for its edges. Content that is shorter than the
    /// screen may lie anywhere on it.
    package static func tops(
        content: Range<Row>, above: Int, below: Int, height: Int
    ) -> ClosedRange<Row> {
        let first = content.lowerBound - above
        let last = content.upperBound + below - height
        return min(first, last)...max(first, last)
    }

    /// Rows between the viewport and the two ends of the content; negative where the screen extends beyond an end.
    package func distances(to content: Range<Row>) -> (above: Int, below: Int) {
        (top - content.lowerBound, content.upperBound - bottom)
    }

    /// True if the last row of the content is on the screen. An empty or short list is at its end.
    package func isAtEnd(of content: Range<Row>) -> Bool { bottom >= content.upperBound }
}

extension Comparable {
    func clamped(to limits: ClosedRange<Self>) -> Self { min(max(self, limits.lowerBound), limits.upperBound) }
}

extension [Int] {
    /// Finds the first number that satisfies a condition, by bisection. The module has its own, because it imports none of Kedge's.
    /// - Parameter isFound: every number after one that satisfies the condition must satisfy it too.
    /// - Returns: the index of the number; `endIndex` if there is none.
    func partitioningIndex(where isFound: (Int) -> Bool) -> Int {
        var (first, end) = (startIndex, endIndex)
        while first < end {
            let middle = first + (end - first) / 2
            if isFound(self[middle]) { end = middle } else { first = middle + 1 }
        }
        return first
    }
}
