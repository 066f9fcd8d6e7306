/// The columns of the panes: both side by side if there is room, else only the pane that has the keys.
struct Split: Equatable, Sendable {
    /// The columns of the main timeline; nil while it is hidden.
    let main: Range<Int>?
    /// The columns of the thread; nil while it is hidden or none is open.
    let thread: Range<Int>?

    /// The least columns of a screen that shows both.
    static let wide = 100
    /// The least columns of the main timeline: time and sender stay beside its texts.
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
