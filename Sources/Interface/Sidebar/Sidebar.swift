import Display
import Messages

/// The list of conversations at the left of a wide screen. Its order never changes while it is shown, so that nothing jumps:
/// badges mark new messages.
struct Sidebar: Sendable {
    /// A step to another conversation that waits until the list is known.
    enum Step: Hashable, Sendable {
        /// The conversation in this row, counted from 0.
        case row(Int)
        /// The entry this number of rows below the current one; above it for a negative number.
        case by(Int)

        /// The step that a key stands for; nil if it stands for none.
        init?(_ action: Action?, _ key: Key, _ keymap: Keymap) {
            switch action {
            case .previousConversation: self = .by(-1)
            case .nextConversation: self = .by(1)
            case .conversationByNumber:
                guard let row = keymap.number(of: key) else { return nil }
                self = .row(row)
            default: return nil
            }
        }
    }

    /// The least columns of a screen that has the list.
    static let leastScreen = 120
    /// The columns that are left for messages when the user has not chosen a width.
    private static let leastRest = 100
    private static let leastColumns = 12

    /// True if the user has hidden the list.
    var isHidden = false
    /// The columns that the user has set; nil if not set.
    private var chosen: Int?
    /// The rows, from the top.
    var items: [SidebarItem] = [] { didSet { order = items.compactMap(\.conversation) } }
    /// The conversations in the rows.
    private(set) var order: [ConversationID] = []
    /// The conversations to list, as last reported.
    var known: [Conversation] = []
    var invited: [Invitation] = []
    var wanted: Step?
    /// True if the summaries are loading.
    var isLoading = false
    var isLoaded = false
    /// True if the edge of the list is being dragged.
    var isDragging = false
    /// The first visible row.
    private var first = 0

    /// The columns of the list, including its edge; 0 while it is hidden.
    func columns(on size: Size) -> Int {
        guard !isHidden, size.columns >= Sidebar.leastScreen else { return 0 }
        guard let chosen else { return min(26, size.columns - Sidebar.leastRest) }
        return min(max(Sidebar.leastColumns, chosen), size.columns / 2)
    }

    /// Drags the edge of the list to a column.
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

/// The rows of the list, and their order.
///
///     invitations; conversations outside of all spaces; each space: its title, and its conversations by title
///
/// Conversations that arrive while the list is shown are below all these, under a separate title if there are spaces. The row of
/// an accepted invitation becomes the row of its conversation.
extension Sidebar {
    private static let newHeading = "New"

    mutating func take(_ conversations: [Conversation], _ invitations: [Invitation] = []) {
        (known, invited) = (conversations, invitations)
        if items.isEmpty { return sort() }
        let ids = Set(conversations.map(\.id))
        let listed = Set(order)
        let invitations = Dictionary(invitations.map { ($0.id, $0) }) { first, _ in first }
        var new = conversations.filter { !listed.contains($0.id) }
        items = items.compactMap { item in
            switch item {
            case .heading: return item
            case .conversation(let id): return ids.contains(id) ? item : nil
            case .invitation(let invitation):
                if let same = invitations[invitation.id] { return .invitation(same) }
                guard let place = new.firstIndex(where: { $0.isRoom(of: invitation) }) else { return nil }
                return .conversation(new.remove(at: place).id)
            }
        }
        let shown = Set(items.compactMap { if case .invitation(let invitation) = $0 { invitation.id } else { nil } })
        append(invited.filter { !shown.contains($0.id) }.map { .invitation($0) } + Sidebar.sorted(new))
        dropEmptyHeadings()
    }

    /// Sorts all rows again.
    mutating func sort() {
        let spaces = Dictionary(grouping: known.filter { $0.space != nil }) { $0.space }
        items = invited.map { .invitation($0) } + Sidebar.sorted(known.filter { $0.space == nil })
        for (space, conversations) in spaces.sorted(by: { ($0.key?.place ?? 0) < ($1.key?.place ?? 0) }) {
            items += [.heading(space?.title ?? "")] + Sidebar.sorted(conversations)
        }
    }

    private static func sorted(_ conversations: [Conversation]) -> [SidebarItem] {
        conversations.map { (title: TitleOrder($0.title), id: $0.id) }
            .sorted { ($0.title, $0.id.rawValue) < ($1.title, $1.id.rawValue) }
            .map { .conversation($0.id) }
    }

    private mutating func append(_ new: [SidebarItem]) {
        guard !new.isEmpty else { return }
        let last = items.last(where: \.isHeading)
        if let last, last != .heading(Sidebar.newHeading) { items.append(.heading(Sidebar.newHeading)) }
        items += new
    }

    private mutating func dropEmptyHeadings() {
        let all = items
        items = all.indices.filter { !all[$0].isHeading || $0 + 1 < all.count && !all[$0 + 1].isHeading }.map {
            all[$0]
        }
    }
}

extension Conversation {
    /// True if an invitation is to this conversation.
    fileprivate func isRoom(of invitation: Invitation) -> Bool {
        address?.hasSuffix("/" + invitation.id) == true
    }
}

/// A row of the list of conversations at the left.
enum SidebarItem: Hashable, Sendable {
    case conversation(ConversationID)
    case invitation(Invitation)
    /// The title of the conversations below it.
    case heading(String)

    var conversation: ConversationID? { if case .conversation(let id) = self { id } else { nil } }
    var isHeading: Bool { if case .heading = self { true } else { false } }
}

/// Draws the list of conversations at the left.
struct SidebarView {
    let sidebar: Sidebar
    let current: ConversationID?
    let drafts: Set<ConversationID>
    let facts: (ConversationID) -> Facts
    let columns: Int
    let height: Int

    struct Facts {
        let title: String
        /// The unread messages that the badge shows.
        let unread: Unread
        let isDim: Bool
    }

    /// The rows, with the edge at their right.
    var lines: [Line] {
        let rows = sidebar.visible(height: height).map(row)
        let blank = Array(repeating: Line.empty, count: max(0, height - rows.count))
        return (rows + blank).map { $0.padded(to: columns - 1) + [Span("│", .dim)] }
    }

    private func row(_ index: Int) -> Line {
        switch sidebar.items[index] {
        case .conversation(let id): row(of: id)
        case .heading(let title): [Span(" "), Span(CleanText(title), .dim)]
        case .invitation(let invitation): [Span(" "), Span("+ ", .dim), Span(invitation.label, Style(.accent))]
        }
    }

    /// `1 Development      ✎ @1 3`: the number of the key, the title, the mark of a draft, the mentions, and the other unread
    /// messages.
    private func row(of id: ConversationID) -> Line {
        let facts = facts(id)
        let unread = facts.unread
        let isCurrent = id == current
        // The first nine have a key.
        let number = sidebar.order.prefix(9).firstIndex(of: id)
        var left: Line = [
            Span(isCurrent ? "▌" : " ", Style(.accent)),
            Span(number.map { CleanText("\($0 + 1) ") } ?? "  ", .dim),
        ]
        var right = Line.empty
        if drafts.contains(id) { right.append(Span(draftMark: " ✎")) }
        if unread.mentions > 0 { right.append(Span(CleanText(" @\(unread.mentions.grouped)"), unread.style)) }
        if unread.count > 0 { right.append(Span(CleanText(" \(unread.count.grouped)"), Style(.unread))) }
        right.append(Span(" "))
        let isBold = isCurrent || !unread.isEmpty
        left.append(Span(CleanText(facts.title), Style(.standard, isBold ? .bold : facts.isDim ? .dim : [])))
        let line = left.justified(with: right, columns: columns - 1)
        return isCurrent ? line.on(.selection) : line
    }
}

extension Invitation {
    /// `Harbour (Ana)`
    var label: CleanText {
        guard let title else { return CleanText(name) }
        return CleanText(sender.map { "\(title) (\($0.name))" } ?? title)
    }
}

/// The order of titles in a list: letters without regard to their case, numbers by their value ("45" before "449").
struct TitleOrder: Comparable, Sendable {
    private enum Piece: Hashable, Sendable {
        /// Digits without leading zeros. As text, a number may have any length.
        case number(String)
        case text(String)
    }

    private let pieces: [Piece]

    init(_ title: String) {
        var pieces: [Piece] = []
        var rest = title.lowercased()[...]
        while let first = rest.first {
            let isNumber = TitleOrder.isDigit(first)
            let run = rest.prefix { TitleOrder.isDigit($0) == isNumber }
            pieces.append(isNumber ? .number(String(run.drop { $0 == "0" })) : .text(String(run)))
            rest = rest[run.endIndex...]
        }
        self.pieces = pieces
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    static func < (a: TitleOrder, b: TitleOrder) -> Bool {
        a.pieces.lexicographicallyPrecedes(b.pieces) { a, b in
            switch (a, b) {
            case (.number(let a), .number(let b)): (a.utf8.count, a) < (b.utf8.count, b)
            case (.text(let a), .text(let b)): a < b
            case (.number, .text): true
            case (.text, .number): false
            }
        }
    }
}
