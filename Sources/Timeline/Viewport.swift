/// The part of the virtual space that the screen shows.
package struct Viewport: Equatable, Sendable {
    /// The row of the virtual space at the top of the screen.
    package var top: Row
    /// Rows of the screen, at least 1.
    package var height: Int
    /// Whether the last row stays at the bottom when messages arrive.
    package var isFollowing = false

    package init(top: Row = Row(0), height: Int) {
        self.top = top
        self.height = max(1, height)
    }

    package var rows: Range<Row> { top..<bottom }
    /// The row below the last visible one.
    package var bottom: Row { top + height }
}

/// Where a jump shows its message.
package enum Alignment: CaseIterable, Sendable {
    case top
    case middle
    case bottom
    /// Where it takes the least scrolling; a message that is on the screen already does not move.
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

    /// Whether the last row of the content is on the screen. An empty or short list is at its end.
    package func isAtEnd(of content: Range<Row>) -> Bool { bottom >= content.upperBound }
}

extension Comparable {
    func clamped(to limits: ClosedRange<Self>) -> Self { min(max(self, limits.lowerBound), limits.upperBound) }
}
