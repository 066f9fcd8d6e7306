import Display
import Messages

/// Draws the list of conversations.
struct SwitcherView {
    let switcher: Switcher
    /// The conversations with a draft.
    let drafts: Set<ConversationID>
    let reading: Reading
    let hasConversation: Bool
    let screen: ListScreen
    let preview: LinkPreview
    let looks: Looks
    private var layout: PreviewLayout { PreviewLayout.switcher(screen.size, on: screen.grid) }
    private var failure: String? { switcher.retries.reason }

    var frame: Frame {
        let prompt = PromptLine(
            name: "Go to: ", field: switcher.field, answer: standing, isWarning: failure != nil)
        let topic = switcher.selectedConversation?.topic
        return screen.frame(
            prompt, middle,
            selected: topic.map { Span(CleanText("Topic: \($0)").truncated(to: screen.size.columns / 2), .dim) },
            opensNothing: switcher.rows.isEmpty && (switcher.isShown || failure != nil),
            quits: !hasConversation)
    }

    private var standing: String {
        if let failure { return switcher.isEmpty ? "not loaded" : "not reloaded: \(failure)" }
        guard switcher.isShown else { return "" }
        let count = switcher.rows.count { $0.conversation != nil }
        return count == 1 ? "1 conversation" : "\(count) conversations"
    }

    private var middle: [Line] {
        screen.lines(list, isEmpty: switcher.rows.isEmpty, in: layout) { area in
            let id = switcher.isShown ? switcher.selectedConversation?.id : nil
            return preview.lines(of: id.map { Link(conversation: $0, message: nil) }, in: area, looks: looks)
        }
    }

    private var list: [Line] {
        let height = layout.list.rows
        var lines: [Line] = []
        if let failure, switcher.isEmpty {
            let key = screen.keymap.keyName(.activate, in: .typing)
            let advice = CleanText("retrying by itself · \(key) retries now · Esc leaves")
            lines = [
                [Span(screen.grid.margin), Span(CleanText(failure), Style(.warning))],
                [Span(screen.grid.margin), Span(advice, .dim)],
            ]
        } else if !switcher.isShown {
            lines = [[Span(screen.grid.margin), Span("loading…", .dim)]]
        } else if switcher.rows.isEmpty {
            let text = switcher.isEmpty ? "this archive has no conversations yet" : "no match"
            let key = screen.keymap.keyName(.makeConversation, in: .typing)
            let advice =
                switcher.obstacleToMaking ?? switcher.newTitle.map { "\(key) makes the conversation \"\($0)\"" }
                ?? "a title and \(key) make one"
            lines = [CleanText(text), CleanText(advice)].map { [Span(screen.grid.margin), Span($0, .dim)] }
        } else {
            lines = switcher.visible(height: height).map(line)
        }
        return Array((lines + Array(repeating: .empty, count: height)).prefix(height))
    }

    private func line(_ index: Int) -> Line {
        switch switcher.lines[index] {
        case .heading(let title): return heading(title)
        case .row(let index):
            let row = switcher.rows[index]
            let isSelected = index == switcher.selected
            switch row.content {
            case .conversation(let summary): return line(row, summary, isSelected)
            case .invitation(let invitation):
                let sender = invitation.sender.map { " from \($0.name)" } ?? ""
                let text = "invitation\(invitation.isToSpace ? " to a space" : "")\(sender)"
                return line(title(of: row, invitation), Span(CleanText(text), Style(.accent)), isSelected)
            case .address(let address):
                let text = "is no conversation here; \(screen.keymap.keyName(.activate, in: .typing)) joins it"
                return line([Span(CleanText(address), Style(.accent))], Span(CleanText(text), .dim), isSelected)
            }
        }
    }

    /// `── Kedge ─────────`
    private func heading(_ title: String) -> Line {
        let mark = screen.mark(isSelected: false)
        guard !screen.grid.isPlain else { return [mark, Span(CleanText("space: \(title)"))] }
        let columns = layout.list.columns - mark.text.columns - screen.grid.margin.columns
        let name = CleanText(" \(title) ").truncated(to: max(1, columns - 4))
        return [
            mark, Span(.dashes(2), .dim), Span(name, .dim), Span(.dashes(max(0, columns - 2 - name.columns)), .dim),
        ]
    }

    private func title(of row: SwitcherRow, _ invitation: Invitation) -> Line {
        let style = Style(.accent)
        if let match = row.match, match.part == .title { return marked(match, style) }
        return [Span(CleanText(invitation.name), style)]
    }

    private var titleColumns: Int {
        let columns = layout.list.columns
        return min(30, max(8, columns < 60 ? columns / 2 : columns / 4))
    }

    /// A row that is not a conversation.
    private func line(_ title: Line, _ text: Span, _ isSelected: Bool) -> Line {
        let columns = layout.list.columns
        let title = title.truncated(to: titleColumns).padded(to: titleColumns + 2)
        let line = ([screen.mark(isSelected: isSelected)] + title + [text]).truncated(to: columns)
        return isSelected ? line.padded(to: columns).on(.selection) : line
    }

    /// Title, newest message or matched text, and time.
    private func line(_ row: SwitcherRow, _ summary: ConversationSummary, _ isSelected: Bool) -> Line {
        let columns = layout.list.columns
        let mark = screen.mark(isSelected: isSelected)
        let time = (summary.spoken ?? summary.last).map(screen.time) ?? ""
        let badge = badges(of: summary.conversation) + badge(unread(in: summary))
        let right = badge + [Span(time + screen.grid.margin, .dim)]
        let title = titleLine(row, summary, isSelected).truncated(to: titleColumns).padded(to: titleColumns + 2)
        let end = columns < 50 ? badge : right
        let reserved = columns < 50 ? end.columns : max(screen.timeColumns + 3, end.columns + 1)
        let rest = columns - mark.text.columns - title.columns - reserved
        let line = [mark] + title + aside(row, summary).truncated(to: max(0, rest))
        let whole = end.columns == 0 ? line : line.justified(with: end, columns: columns)
        return isSelected ? whole.padded(to: columns).on(.selection) : whole
    }

    private func badges(of conversation: Conversation) -> Line {
        Line(
            [
                drafts.contains(conversation.id) ? Span(draftMark: " draft ") : nil,
                conversation.isEncrypted ? Span(" encrypted ", .dim) : nil,
                conversation.hasLeft ? Span(" left ", .dim) : nil,
                reading.muted.contains(conversation.id) ? Span(" muted ", .dim) : nil,
            ].compactMap(\.self))
    }

    /// The number of unread messages.
    private func badge(_ unread: Unread) -> Line {
        !unread.isEmpty ? [Span(CleanText(" \(unread.label) "), unread.style)] : .empty
    }

    private func unread(in summary: ConversationSummary) -> Unread {
        let id = summary.conversation.id
        return reading.shown(summary.unread(with: reading.elsewhere[id]), in: id)
    }

    private func titleLine(_ row: SwitcherRow, _ summary: ConversationSummary, _ isSelected: Bool) -> Line {
        let conversation = summary.conversation
        let isBold = isSelected || !unread(in: summary).isEmpty
        let style = Style(.standard, isBold ? .bold : reading.isDim(conversation) ? .dim : [])
        let mark = switcher.namesakes[conversation.id].map { Span(CleanText(" (\($0))"), .dim) }
        guard let match = row.match, match.part == .title else {
            return Line([Span(CleanText(conversation.title), style)] + [mark].compactMap(\.self))
        }
        return marked(match, style) + Line([mark].compactMap(\.self))
    }

    private func aside(_ row: SwitcherRow, _ summary: ConversationSummary) -> Line {
        if let match = row.match, match.part != .title { return marked(match, .dim) }
        guard let message = summary.newest else {
            return summary.conversation.topic.map { [Span(CleanText($0), .dim)] } ?? .empty
        }
        let text = message.isDeleted ? "message deleted" : String(message.text.withoutSpoilers.prefix(300))
        // The text of a system line names the person already.
        let sender = message.kind == .system ? nil : message.sender
        let name = sender.map { Span(CleanText($0.name), looks.name(of: $0.id)) }
        return Line((name.map { [$0, Span("  ")] } ?? []) + [Span(CleanText(text), .dim)])
    }

    /// The text around the matched letters, with marks on them.
    private func marked(_ match: SwitcherRow.Match, _ style: Style) -> Line {
        let snippet = Snippet(
            match.text, hits: match.ranges, style: style, hitStyle: Style(.accent, [.bold, .underline]))
        return snippet.line(columns: match.part == .title ? 200 : max(10, layout.list.columns / 2))
    }
}
