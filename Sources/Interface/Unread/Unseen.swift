import Display
import Messages
import Timeline

/// Messages that come while the user does not look at the screen.
extension OpenConversation {
    /// True if a panel or the help covers the messages of all panes.
    private func coversPanes(_ outside: Outside) -> Bool { outside.hasHelp || outside.panel?.coversMessages == true }

    private func isMainCovered(_ outside: Outside) -> Bool { coversPanes(outside) || split(outside).main == nil }

    /// The open thread, if the user sees it.
    private func seenThread(_ outside: Outside) -> Pane? {
        let isSeen = reading.attention.isLooking && split(outside).thread != nil && !coversPanes(outside)
        return isSeen ? openThread.flatMap { $0.opening == .shown ? $0 : nil } : nil
    }

    /// Marks the replies in the open thread as seen if the user sees it.
    mutating func seeThread(_ outside: Outside) {
        guard let seen = seenThread(outside), let thread = seen.thread else { return }
        reading.see(thread: thread)
        panes.change(seen.number) { $0.hasUnseen = false }
    }

    /// Records the first message that comes while the user may not look, or while something covers the main timeline.
    mutating func noteUnseen(_ changes: [StoreChange], _ unknown: Set<MessageID>, _ outside: Outside) {
        let context = paneContext(outside)
        noteUnseenReplies(changes, unknown, context, outside)
        for case .arrived(let message) in changes
        where message.isMain && unknown.contains(message.id) && context.isNewFromOthers(message) {
            // The line of an earlier absence stays while messages below it are unread.
            let isFree = reading.firstUnread == nil || reading.hasReadSinceLine
            let wantsLine = main.newCount == 0 && !reading.isHeld && isFree
            return reading.attention.arrive(message.id, isCovered: isMainCovered(outside), wantsLine: wantsLine)
        }
    }

    /// Puts the line of the open thread above the first reply that comes while the user certainly does not see the thread. A line
    /// that is on the screen stays, as in `placeUnreadLine`.
    private mutating func noteUnseenReplies(
        _ changes: [StoreChange], _ unknown: Set<MessageID>, _ context: PaneContext, _ outside: Outside
    ) {
        guard let thread = openThread, !thread.hasUnseen, thread.newCount == 0,
            reading.attention.isAway || coversPanes(outside) || split(outside).thread == nil
        else { return }
        let movesLine = reading.attention.isAway || !thread.holdsLine
        for case .arrived(let message) in changes
        where thread.holds(message) && unknown.contains(message.id) && context.isNewFromOthers(message) {
            panes.change(thread.number) { pane in
                pane.hasUnseen = true
                guard movesLine else { return }
                pane.threadLine = message.id
                pane.moveLine(above: message.id)
            }
            return
        }
    }

    /// Puts the line of unread messages above the first message that came unseen. If the user may be looking, waits until that
    /// message has left the screen, so that no line appears above each reply. Behind a panel, a line that is on the screen stays
    /// there: without it, rows would have moved when the panel is closed.
    mutating func placeUnreadLine(_ outside: Outside) {
        guard reading.attention.wantsLine, let first = reading.attention.first else { return }
        let hasLeft = main.timeline.list.index(of: first).map { main.timeline.screenRow(of: $0) < 0 } ?? false
        let canMove = isMainCovered(outside) ? !main.holdsLine : hasLeft
        guard canMove || reading.attention.isAway else { return }
        reading.attention.wantsLine = false
        reading.placeLine(above: first)
        panes.main.moveLine(above: first)
    }

    // MARK: - For the user

    /// Notifies the user of messages that mention or reply to the user, and of replies in his threads.
    mutating func mentions(
        in changes: [StoreChange], _ unknown: Set<MessageID>, _ outside: Outside
    ) -> [Outcome] {
        guard let own = addressee(outside) else { return [] }
        var inOwnThreads: Set<MessageID> = []
        for case .inOwnThreads(let messages) in changes { inOwnThreads.formUnion(messages) }
        var outcomes: [Outcome] = []
        for change in changes {
            guard case .arrived(let message) = change, let sender = message.sender, unknown.contains(message.id),
                own.isMeant(by: message) || inOwnThreads.contains(message.id)
            else { continue }
            note(mention: message, outside)
            let link = conversation.map { Link(conversation: $0.id, message: message.id) }
            outcomes.append(.effect(.notify(from: sender.name, text: message.text.withoutSpoilers, link: link)))
        }
        return outcomes
    }

    /// Records a reply for the user in a thread of this conversation: as seen if the thread is on the screen, else as new.
    private mutating func note(mention message: Message, _ outside: Outside) {
        guard let id = conversation?.id, !message.isMain else { return }
        if seenThread(outside)?.holds(message) == true {
            return reading.hasSeenReply = true
        }
        reading.elsewhere[id, default: NewElsewhere()].add(message, Unread(mentions: 1))
        if let thread = message.thread { reading.note(waiting: ThreadReply(thread: thread, message: message.id)) }
    }
}

/// New messages of conversations that are not on the screen.
extension OpenConversation {
    mutating func receive(_ arrivals: [Arrival], _ outside: Outside) -> [Outcome] {
        let own = addressee(outside)
        // No context: its copy of `reading` would make each change copy all new messages.
        var outcomes: [Outcome] = []
        for arrival in arrivals {
            let (id, message) = (arrival.conversation, arrival.message)
            // The user may come back to the conversation.
            if message.isMain, message.isNew(to: outside.me) {
                reading.newBelow[WritingPlace(conversation: id), default: NewBelow()].add(message.id)
            }
            let unread = unread(of: arrival, for: own, outside.me)
            outcomes.append(.list(.arrived(arrival, unread)))
            guard !unread.isEmpty else { continue }
            reading.elsewhere[id, default: NewElsewhere()].add(message, unread)
            if unread.mentions > 0, let sender = message.sender {
                let name = "\(sender.name) in \(known(id, outside).title)"
                let link = Link(conversation: id, message: message.id)
                outcomes.append(.effect(.notify(from: name, text: message.text.withoutSpoilers, link: link)))
            }
        }
        return outcomes + [.list(.show)] + askForTitles(of: arrivals, outside)
    }

    /// Requests the titles of conversations that were never listed.
    private mutating func askForTitles(of arrivals: [Arrival], _ outside: Outside) -> [Outcome] {
        let isUnknown = arrivals.contains { outside.listed[$0.conversation] == nil }
        // The list is being loaded, or was loaded before.
        guard isUnknown, outside.panel != .switcher, !trail.seeksUnread, !trail.hasAskedForTitles else { return [] }
        trail.hasAskedForTitles = true
        return [.list(.loadTitles)]
    }

    /// The unread messages and mentions that a message adds.
    private func unread(of arrival: Arrival, for own: Addressee?, _ me: PersonID?) -> Unread {
        let message = arrival.message
        guard message.sender?.id != me, message.presence == nil else { return Unread() }
        let isForUser = arrival.isInOwnThread || own?.isMeant(by: message) == true
        return Unread(count: message.isMain ? 1 : 0, mentions: isForUser ? 1 : 0)
    }

    /// `Dev: 1 new, 1 for you`, `4 conversations: 12 new`; nil for none.
    /// - Parameter text: the text for a number; `label` for a line with less room: `Dev: @1 1 new`.
    func newElsewhere(_ outside: Outside, _ text: (Unread) -> String = { $0.phrase }) -> Span? {
        let shown = reading.elsewhere.map { ($0, reading.shown($1.unread, in: $0)) }.filter { !$1.isEmpty }
        guard let first = shown.first?.0 else { return nil }
        let sum = shown.reduce(into: Unread()) { $0 += $1.1 }
        let place = shown.count == 1 ? known(first, outside).title : "\(shown.count) conversations"
        return Span(CleanText("\(place): \(text(sum))"), sum.style)
    }
}
