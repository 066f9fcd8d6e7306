internal import Algorithms

/// Where items lie in the virtual space: their heights in rows, one below the other without gaps, and the row of the
/// first. After a change of heights, the caller says with `pin` which row stays where it was.
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
