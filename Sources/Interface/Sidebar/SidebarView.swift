import Display
import Messages

/// Draws the list of conversations at the left.
struct SidebarView {
    let sidebar: Sidebar
    let current: ConversationID?
    let drafts: Set<ConversationID>
    let facts: (ConversationID) -> Facts
    /// The number of each conversation that has a key, counted from 0.
    private let numbers: [ConversationID: Int]
    let columns: Int
    let height: Int

    init(
        sidebar: Sidebar, current: ConversationID?, drafts: Set<ConversationID>,
        facts: @escaping (ConversationID) -> Facts, columns: Int, height: Int
    ) {
        (self.sidebar, self.current, self.drafts, self.facts) = (sidebar, current, drafts, facts)
        (self.columns, self.height) = (columns, height)
        numbers = Dictionary(sidebar.order.prefix(9).enumerated().map { ($1, $0) }) { first, _ in first }
    }

    struct Facts {
        let title: String
        /// The part of the unread messages that a badge shows.
        let unread: Unread
        let isDim: Bool
    }

    private let dim = Style(.standard, .dim)

    /// The rows, with the edge at their right.
    var lines: [Line] {
        let rows = sidebar.visible(height: height).map(row)
        let blank = Array(repeating: Line.empty, count: max(0, height - rows.count))
        return (rows + blank).map { $0.truncated(to: columns - 1).padded(to: columns - 1) + [Span("│", dim)] }
    }

    private func row(_ index: Int) -> Line {
        switch sidebar.items[index] {
        case .conversation(let id): row(of: id)
        case .heading(let title): [Span(" "), Span(CleanText(title), dim)]
        case .invitation(let invitation): [Span(" "), Span("+ ", dim), Span(invitation.label, Style(.accent))]
        }
    }

    /// `1 Development      ✎ @1 3`: the key's number, the title, a draft, mentions before other unread messages.
    private func row(of id: ConversationID) -> Line {
        let facts = facts(id)
        let unread = facts.unread
        let isCurrent = id == current
        var left: Line = [
            Span(isCurrent ? "▌" : " ", Style(.accent)),
            Span(numbers[id].map { CleanText("\($0 + 1) ") } ?? "  ", dim),
        ]
        var right = Line.empty
        if drafts.contains(id) { right.append(Span(draftMark: " ✎")) }
        if unread.mentions > 0 { right.append(Span(CleanText(" @\(unread.mentions.grouped)"), unread.style)) }
        if unread.count > 0 { right.append(Span(CleanText(" \(unread.count.grouped)"), Style(.unread))) }
        right.append(Span(" "))
        let isBold = isCurrent || !unread.isEmpty
        left.append(Span(CleanText(facts.title), Style(.standard, isBold ? .bold : facts.isDim ? .dim : [])))
        let line = left.truncated(to: max(0, columns - 1 - right.columns)).justified(with: right, columns: columns - 1)
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
