import Display
import Messages

/// The list of conversations at the left, and steps from one conversation to the next.
extension Model {
    /// The columns of the list; 0 while it is hidden.
    var sidebarColumns: Int { sidebar.columns(on: size) }

    /// Its rows: those of the day and of the messages.
    private var sidebarRows: Int { rows.day + rows.messages }

    /// The lines of the list; nil while it is hidden.
    var sidebarLines: [Line]? {
        let columns = sidebarColumns
        guard columns > 0 else { return nil }
        let view = SidebarView(
            sidebar: sidebar, current: conversation?.id, drafts: writing.drafts, facts: sidebarFacts, columns: columns,
            height: sidebarRows)
        return view.lines
    }

    private func sidebarFacts(_ id: ConversationID) -> SidebarView.Facts {
        SidebarView.Facts(
            title: switcher.namesakes.title(of: known(id)), unread: reading.shown(unread(in: id), in: id),
            isDim: reading.isDim(known(id)))
    }

    private func unread(in id: ConversationID) -> Unread {
        let elsewhere = reading.elsewhere[id]
        // In the conversation on the screen, only what is below the screen is new, unless the user has marked messages as unread.
        if id == conversation?.id, !reading.isHeld {
            return Unread(count: main.newCount, mentions: elsewhere?.unread.mentions ?? 0)
        }
        return switcher.summary(of: id)?.unread(with: elsewhere) ?? elsewhere?.unread ?? Unread()
    }

    /// Asks for the conversations and what is new in them, once, after the first list of messages was shown.
    mutating func fillSidebar() -> [Effect] {
        guard sidebarColumns > 0, !sidebar.isLoaded, !sidebar.isLoading, main.opening == .shown, panel != .switcher
        else {
            return []
        }
        sidebar.isLoading = true
        return [loadSummaries()]
    }

    mutating func toggleSidebar() {
        guard !main.grid.isPlain else {
            tell(
                "there is no list beside the messages in plain mode; \(keymap.keyName(.switcher)) lists the conversations"
            )
            return
        }
        sidebar.isHidden.toggle()
        if !sidebar.isHidden { sidebar.sort() }
        if size.columns < Sidebar.leastScreen {
            sidebar.isHidden = false
            tell(
                "the list of conversations needs \(Sidebar.leastScreen) columns; \(keymap.keyName(.switcher)) lists them here"
            )
        } else if let id = conversation?.id {
            sidebar.reveal(id, height: sidebarRows)
        }
    }

    // MARK: - Steps

    /// Goes to another conversation of the list, as soon as the list is known.
    mutating func step(_ step: Sidebar.Step) -> [Effect] {
        guard sidebar.order.isEmpty else { return take(step) }
        sidebar.wanted = step
        return sidebar.isLoading ? [] : [.loadConversations(summaries: false, read: ReadStates())]
    }

    /// The list of conversations has come.
    mutating func fillSidebar(with conversations: [Conversation]) -> [Effect] {
        sidebar.take(conversations, switcher.invitations)
        if let id = conversation?.id { sidebar.reveal(id, height: sidebarRows) }
        guard let wanted = sidebar.wanted else { return [] }
        sidebar.wanted = nil
        return take(wanted)
    }

    private mutating func take(_ step: Sidebar.Step) -> [Effect] {
        guard let id = sidebar.target(of: step, from: pending?.conversation.id ?? conversation?.id) else {
            if case .row(let row) = step { tell("there is no conversation \(row + 1)") }
            dropHeld()
            return []
        }
        return visit(known(id))
    }

    // MARK: - Mouse

    /// - Returns: nil if the action is not for the list.
    mutating func useSidebar(_ mouse: Mouse) -> [Effect]? {
        let columns = sidebarColumns
        let (row, column) = (mouse.position.row - rows.title, mouse.position.column)
        switch mouse.action {
        case .drag where sidebar.isDragging:
            sidebar.drag(to: column)
            return []
        case .release where sidebar.isDragging:
            sidebar.isDragging = false
            return []
        case .press:
            guard column < columns, (0..<sidebarRows).contains(row) else { return nil }
            guard column < columns - 1 else {
                sidebar.isDragging = true
                return []
            }
            let visible = sidebar.visible(height: sidebarRows)
            guard row < visible.count else { return [] }
            switch sidebar.items[visible.lowerBound + row] {
            case .conversation(let id): return visit(known(id))
            case .invitation(let invitation):
                ask(InvitationPrompt(invitation))
                return []
            case .heading: return []
            }
        case .wheelUp, .wheelDown:
            guard column < columns else { return nil }
            let step = mouse.action == .wheelUp ? -Context.wheelRows : Context.wheelRows
            sidebar.scroll(by: step, height: sidebarRows)
            return []
        case .drag, .release: return nil
        }
    }
}

extension Switcher {
    /// The user has read a conversation to its end.
    mutating func noteRead(_ id: ConversationID) {
        guard let summary = summary(of: id), !summary.unread.isEmpty else { return }
        take(
            ConversationSummary(
                conversation: summary.conversation, count: summary.count, presence: summary.presence,
                first: summary.first, last: summary.last, newest: summary.newest, spoken: summary.spoken,
                unread: Unread()))
    }
}
