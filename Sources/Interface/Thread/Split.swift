/// The columns of the panes: side by side where there is room, else the one that has the keys alone.
struct Split: Equatable, Sendable {
    /// Nil while it is not shown.
    let main: Range<Int>?
    let thread: Range<Int>?

    /// From here on both are shown.
    static let wide = 100
    /// The columns that the main timeline keeps, so that time and sender stay beside its texts.
    private static let least = 62

    init(columns: Int, hasThread: Bool, isInThread: Bool) {
        guard hasThread else {
            (main, thread) = (0..<columns, nil)
            return
        }
        guard columns >= Split.wide else {
            (main, thread) = isInThread ? (nil, 0..<columns) : (0..<columns, nil)
            return
        }
        let edge = max(Split.least, columns * 3 / 5)
        (main, thread) = (0..<edge, edge..<columns)
    }
}
