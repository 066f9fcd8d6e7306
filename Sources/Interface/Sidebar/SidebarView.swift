import Display
import Messages

/// Draws the list of conversations at the left.
struct SidebarView {
    let sidebar: Sidebar
    let current: ConversationID?
    let drafts: Set<ConversationID>
    /// The title and the unread messages of each conversation.
    let facts: (ConversationID) -> (title: String, unread: Unread)
    let columns: Int
    let height: Int

    private let dim = Style(.standard, .dim)

    /// The rows, with the edge at their right.
    var lines: [Line] {
        let rows = sidebar.visible(height: height).map(row)
        let blank = Array(repeating: Line.empty, count: max(0, height - rows.count))
        return (rows + blank).map { $0.truncated(to: columns - 1).padded(to: columns - 1) + [Span("│", dim)] }
    }

    /// `1 Development      ✎ @1 3`: the key's number, the title, a draft, mentions before other unread messages.
    private func row(_ index: Int) -> Line {
        let id = sidebar.order[index]
        let (title, unread) = facts(id)
        let isCurrent = id == current
        var left: Line = [
            Span(isCurrent ? "▌" : " ", Style(.accent)),
            Span(index < 9 ? CleanText("\(index + 1) ") : "  ", dim),
        ]
        var right = Line.empty
        if drafts.contains(id) { right.append(Span(draftMark: " ✎")) }
        if unread.mentions > 0 { right.append(Span(CleanText(" @\(unread.mentions.grouped)"), unread.style)) }
        if unread.count > 0 { right.append(Span(CleanText(" \(unread.count.grouped)"), Style(.unread))) }
        right.append(Span(" "))
        left.append(Span(CleanText(title), Style(.standard, isCurrent || !unread.isEmpty ? .bold : [])))
        let line = left.truncated(to: max(0, columns - 1 - right.columns)).justified(with: right, columns: columns - 1)
        return isCurrent ? line.on(.selection) : line
    }
}
