import Display
import Messages

/// The list of conversations at the left of a wide screen. Its order never changes while it is shown: what is new is told by
/// badges, so that nothing jumps.
struct Sidebar: Sendable {
    /// A step to another conversation that waits until the list is known.
    enum Step: Hashable, Sendable {
        /// The conversation in this row, counted from 0.
        case row(Int)
        /// The entry that is this number of rows below the current one; above it, for a negative number.
        case by(Int)
    }

    /// The least columns of a screen that has the list.
    static let leastScreen = 120
    /// The columns that are left for messages when the user has not chosen a width.
    private static let leastRest = 100
    private static let leastColumns = 12

    /// Whether the user has hidden it.
    var isHidden = false
    /// The columns that the user has given it; nil if he has not.
    private var chosen: Int?
    /// The rows, from the top.
    var items: [SidebarItem] = [] { didSet { order = items.compactMap(\.conversation) } }
    /// The conversations among them.
    private(set) var order: [ConversationID] = []
    /// What is to be listed, as it was last told.
    var known: [Conversation] = []
    var invited: [Invitation] = []
    var wanted: Step?
    /// Whether the summaries are on their way, and whether they have come.
    var isLoading = false
    var isLoaded = false
    /// Whether its edge is being dragged.
    var isDragging = false
    /// The first visible row.
    private var first = 0

    /// The columns that it takes, its edge included; 0 while it is hidden.
    func columns(on size: Size) -> Int {
        guard !isHidden, size.columns >= Sidebar.leastScreen else { return 0 }
        guard let chosen else { return min(26, size.columns - Sidebar.leastRest) }
        return min(max(Sidebar.leastColumns, chosen), size.columns / 2)
    }

    /// The user drags its edge to a column.
    mutating func drag(to column: Int) { chosen = max(Sidebar.leastColumns, column + 1) }

    /// The conversation that a step leads to.
    func target(of step: Step, from current: ConversationID?) -> ConversationID? {
        switch step {
        case .row(let row): return order.indices.contains(row) ? order[row] : nil
        case .by(let rows):
            guard !order.isEmpty else { return nil }
            guard let index = current.flatMap(order.firstIndex) else { return rows > 0 ? order.first : order.last }
            return order[(index + rows % order.count + order.count) % order.count]
        }
    }

    // MARK: - Scrolling

    /// The rows that a list of this height shows.
    func visible(height: Int) -> Range<Int> {
        let start = max(0, min(first, items.count - height))
        return start..<min(items.count, start + max(0, height))
    }

    mutating func scroll(by rows: Int, height: Int) {
        first = max(0, min(visible(height: height).lowerBound + rows, items.count - height))
    }

    /// Scrolls as little as possible to show a conversation.
    mutating func reveal(_ id: ConversationID, height: Int) {
        guard let index = items.firstIndex(of: .conversation(id)) else { return }
        first = max(0, min(max(first, index - height + 1), index))
    }
}
