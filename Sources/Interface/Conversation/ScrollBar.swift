/// The scroll bar: a column whose thumb stands for the screen as a part of the conversation. The thumb touches an end of
/// the column only at that end of the conversation.
struct ScrollBar: Hashable {
    let thumb: Range<Int>
    private let height: Int
    private let visible: Int
    private let total: Int

    enum Target: Hashable {
        case beginning, end
        /// The message to show in the middle of the screen.
        case index(Int)
    }

    /// Nil when everything is visible.
    /// - Parameters: rows of the column, the first visible message, how many are visible, and how many there are.
    init?(height: Int, first: Int, visible: Int, total: Int) {
        guard visible > 0, total > visible else { return nil }
        (self.height, self.visible, self.total) = (height, visible, total)
        let size = min(height, max(1, height * visible / total))
        let last = total - visible
        let lowest = height - size
        if first <= 0 {
            thumb = 0..<size
        } else if first >= last {
            thumb = lowest..<height
        } else {
            let top = max(min(1, lowest), min(lowest * first / last, lowest - 1))
            thumb = top..<(top + size)
        }
    }

    /// The place to show so that the thumb stands at a row.
    func target(ofThumbAt row: Int) -> Target {
        let lowest = height - thumb.count
        let top = min(max(0, row - thumb.count / 2), lowest)
        if top <= 0 { return .beginning }
        if top >= lowest { return .end }
        // The middle one of the messages for which the thumb is drawn there.
        let last = total - visible
        let first = (2 * top + 1) * last / (2 * lowest)
        return .index(min(total - 1, first + visible / 2))
    }
}

extension ScrollBar {
    /// The row for one message: the middle of the thumb of a screen that shows only this message. It does not depend on the
    /// real screen, so that marks stay where they are while the user scrolls.
    static func row(of index: Int, height: Int, total: Int) -> Int {
        guard let thumb = ScrollBar(height: height, first: index, visible: 1, total: total)?.thumb else { return 0 }
        return thumb.lowerBound + thumb.count / 2
    }
}
