import Display
import Messages
import Timeline

/// The actions of keys on the conversation.
extension OpenConversation {
    mutating func act(_ action: Action, _ outside: Outside) -> [Outcome] {
        switch action {
        case .find: return openFind(towards: .newer, outside)
        case .findBackward: return openFind(towards: .older, outside)
        case .findNext: return inFind(outside) { $0.step(again: true, in: $1) }
        case .findPrevious: return inFind(outside) { $0.step(again: false, in: $1) }
        case .back: return goBack(outside)
        case .forward: return walk(by: 1, outside)
        case .date:
            dropPending()
            return [.prompt(.date)]
        case .firstUnread: return goToFirstUnread(outside)
        case .thread: return toggleThread(outside)
        case .markRead: return conversation.map { [.list(.mark(.read, $0.id))] } ?? []
        case .markUnread: return markUnreadFromSelected(outside)
        case .mute: return conversation.map { [.list(.mute($0.id))] } ?? []
        case .leftPane: panes.focus(main.number)
        case .rightPane: if let thread = openThread { panes.focus(thread.number) }
        default: return actInPane(action, outside)
        }
        return []
    }

    mutating func actInPane(_ action: Action, _ outside: Outside) -> [Outcome] {
        inPane(pane.number, outside) { $0.handle(.action(action), in: $1) }
    }
}

/// The actions of the mouse on the panes.
extension OpenConversation {
    /// The number of the pane that takes an action of the mouse; nil for a press that only gives the keys to a pane, or does not even do
    /// that. The wheel scrolls the pane under the mouse. A press gives that pane the keys. A drag stays with the pane where it
    /// began.
    mutating func pane(taking mouse: Mouse, _ outside: Outside) -> Int? {
        let isOnThread = split(outside).thread?.contains(mouse.position.column) == true
        let under = isOnThread ? openThread?.number ?? main.number : main.number
        switch mouse.action {
        case .wheelUp, .wheelDown: return under
        case .press:
            // A text that is being written belongs to the pane that has the keys.
            if outside.panel == nil { panes.focus(under) }
            return pane.number == under ? under : nil
        case .drag, .release: return pane.number
        }
    }

    /// - Parameter rows: of the screen.
    mutating func use(_ mouse: Mouse, in number: Int, _ rows: Rows, _ outside: Outside) -> [Outcome] {
        guard let pane = panes[number] else { return [] }
        let position = ScreenPosition(
            row: mouse.position.row - rows.title - rows.day - pane.headRows(in: rows),
            column: mouse.position.column - columns(of: pane, outside).lowerBound)
        return inPane(number, outside) { $0.handle(.mouse(Mouse(mouse.action, at: position)), in: $1) }
    }
}

/// The room of the panes.
extension OpenConversation {
    /// Gives each pane its columns and its rows, without those of the composer, and makes room for posts on their way below
    /// the last message.
    /// - Parameters:
    ///   - target: the message that the composer edits or replies to.
    ///   - outgoing: the posts on their way, as messages.
    ///   - hasLinkBelow: true if a row below the last message leads to another room.
    mutating func fit(
        _ rows: Rows, keeping target: MessageID?, outgoing: [Message], typing: Typing, hasLinkBelow: Bool,
        _ outside: Outside
    ) -> [Outcome] {
        // The composer belongs to the pane that has the keys: each pane has a draft of its own.
        let (writer, kept) = (pane.number, rows.composer > 0 ? target : nil)
        var fits: [Int: PaneFit] = [:]
        for pane in panes {
            fits[pane.number] = PaneFit(
                columns: columns(of: pane, outside), rows: rows.messages,
                rowsWithoutComposer: Rows(rows: outside.size.rows).messages, kept: pane.number == writer ? kept : nil,
                outgoing: outgoing, hasTyping: typing.line(in: pane) != nil,
                linkedEdges: pane.isThread ? [] : conversation?.moves ?? [],
                hasLinkBelow: !pane.isThread && hasLinkBelow)
        }
        return panes.changeAll { pane in fits[pane.number].map { pane.fit($0, zone: outside.zone) } ?? [] }
    }
}

extension Pane {
    /// The rows above the replies; 0 in the main timeline.
    func headRows(in rows: Rows) -> Int { isThread ? ThreadHead.height(of: self, height: rows.messages) : 0 }
}
