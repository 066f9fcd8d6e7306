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

    /// - Parameters:
    ///   - left: the columns before them, which are the list of conversations.
    ///   - allowsBoth: whether both may be shown side by side.
    init(columns: Int, after left: Int = 0, hasThread: Bool, isInThread: Bool, allowsBoth: Bool = true) {
        let all = left..<max(left, columns)
        guard hasThread else {
            (main, thread) = (all, nil)
            return
        }
        guard allowsBoth, all.count >= Split.wide else {
            (main, thread) = isInThread ? (nil, all) : (all, nil)
            return
        }
        let edge = left + max(Split.least, all.count * 3 / 5)
        (main, thread) = (left..<edge, edge..<columns)
    }
}
