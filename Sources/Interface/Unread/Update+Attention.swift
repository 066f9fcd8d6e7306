import Messages
import Timeline

/// What comes while the user does not look at the screen.
extension Model {
    mutating func note(focus: Bool) -> [Effect] {
        var effects: [Effect] = []
        if focus {
            look()
        } else if reading.attention.hasFocus == nil, !reading.attention.isAway {
            // Before its first report the terminal had the focus, so that the user has seen what came.
            look()
            effects = markRead()
        }
        reading.attention.hasFocus = focus
        return effects
    }

    /// Another program had the terminal, or this one was stopped.
    mutating func interrupt() { reading.attention.interrupt() }

    /// The user looks at the screen again: he sees the replies in the open thread.
    mutating func look() {
        reading.attention.look()
        if let id = conversation?.id, let thread = openThread?.thread {
            see(id) { $0.see(thread: thread) }
            reading.see(thread: thread)
        }
    }

    /// Notes the first message that comes while the user may not look.
    mutating func noteUnseen(_ changes: [StoreChange], _ unknown: Set<MessageID>) {
        let context = paneContext
        for case .arrived(let message) in changes
        where message.isMain && unknown.contains(message.id) && context.isNewFromOthers(message) {
            // The line of an earlier absence stays while messages below it are unread.
            let isRead = conversation.map { reading.states[$0.id] != reading.opened } ?? false
            let wantsLine = main.newCount == 0 && !reading.isHeld && (reading.firstUnread == nil || isRead)
            return reading.attention.arrive(message.id, wantsLine: wantsLine)
        }
    }

    /// Puts the line of unread messages above the first one that nobody saw come. Where somebody may be looking, only when
    /// it has left the screen, so that no line appears above each reply.
    mutating func placeUnreadLine() {
        guard reading.attention.wantsLine, let first = reading.attention.first else { return }
        let index = main.timeline.list.index(of: first)
        if !reading.attention.isAway {
            guard let index, main.timeline.screenRow(of: index) < 0 else { return }
        }
        reading.attention.wantsLine = false
        reading.firstUnread = first
        panes.change(main.number) { pane in
            for index in 0..<pane.timeline.count where pane.timeline.list[index].startsUnread {
                pane.timeline.update(pane.timeline.list[index].below(line: false))
            }
            if let index { pane.timeline.update(pane.timeline.list[index].below(line: true)) }
        }
    }
}
