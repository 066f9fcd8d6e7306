import Messages
import Timeline

/// Whether the user looks at the screen, and the first message that came while he did not.
///
/// Most terminals report their focus once it changes. Of the others only the keys tell that somebody is there: a message
/// that came after the last key may have been seen or not.
struct Attention: Sendable {
    /// Nil as long as the terminal has told nothing.
    var hasFocus: Bool?
    /// Whether the program was stopped, or another one had the terminal, and nothing was typed since.
    private var isInterrupted = false
    /// The first message of another person that came since the user was last known to look.
    private(set) var first: MessageID?
    /// Whether the line of unread messages is to stand above it, as soon as it moves nothing that the user looks at.
    var wantsLine = false

    /// Whether the end of the conversation counts as read when it is on the screen.
    var isLooking: Bool { !isInterrupted && (hasFocus ?? (first == nil)) }

    /// Whether it is certain that nobody looks.
    var isAway: Bool { isInterrupted || hasFocus == false }

    mutating func arrive(_ id: MessageID, wantsLine: Bool) {
        guard first == nil, isInterrupted || hasFocus != true else { return }
        (first, self.wantsLine) = (id, wantsLine)
    }

    /// Another conversation is on the screen.
    mutating func forgetArrivals() { (first, wantsLine) = (nil, false) }

    /// The user has used a key or the mouse.
    mutating func look() {
        isInterrupted = false
        forgetArrivals()
        // The wheel works without the focus. Then reports tell nothing until the next one.
        if hasFocus == false { hasFocus = nil }
    }

    mutating func interrupt() { isInterrupted = true }
}

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
