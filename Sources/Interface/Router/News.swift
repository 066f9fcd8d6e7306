import Display
import Messages
import Timeline

/// Messages that come while the user does not look at the screen.
extension Model {
    mutating func note(focus: Bool) -> [Effect] {
        var effects: [Effect] = []
        if focus {
            reading.attention.look()
        } else if reading.attention.hasFocus == nil, !reading.attention.isAway {
            // Until its first report the terminal had the focus, so the user has seen all messages so far.
            reading.attention.look()
            effects = markRead()
        }
        reading.attention.hasFocus = focus
        return effects
    }

    /// True if a panel or the help covers the messages of all panes.
    private var coversPanes: Bool { layers.help != nil || panel?.coversMessages == true }

    /// The open thread, if the user sees it.
    private var seenThread: Pane? {
        let isSeen = reading.attention.isLooking && split.thread != nil && !coversPanes
        return isSeen ? openThread.flatMap { $0.opening == .shown ? $0 : nil } : nil
    }

    /// Marks the replies in the open thread as seen if the user sees it.
    mutating func seeThread() {
        guard let seen = seenThread, let thread = seen.thread else { return }
        reading.see(thread: thread)
        reader.panes.change(seen.number) { $0.hasUnseen = false }
    }

    /// Records the first message that comes while the user may not look, or while something covers the main timeline.
    mutating func noteUnseen(_ changes: [StoreChange], _ unknown: Set<MessageID>) {
        let context = paneContext
        noteUnseenReplies(changes, unknown, context)
        for case .arrived(let message) in changes
        where message.isMain && unknown.contains(message.id) && context.isNewFromOthers(message) {
            // The line of an earlier absence stays while messages below it are unread.
            let isFree = reading.firstUnread == nil || reading.hasReadSinceLine
            let wantsLine = main.newCount == 0 && !reading.isHeld && isFree
            return reading.attention.arrive(message.id, isCovered: isMainCovered, wantsLine: wantsLine)
        }
    }

    /// Puts the line of the open thread above the first reply that comes while the user certainly does not see the thread.
    private mutating func noteUnseenReplies(
        _ changes: [StoreChange], _ unknown: Set<MessageID>, _ context: PaneContext
    ) {
        guard let thread = openThread, !thread.hasUnseen, thread.newCount == 0,
            reading.attention.isAway || coversPanes || split.thread == nil
        else { return }
        for case .arrived(let message) in changes
        where thread.holds(message) && unknown.contains(message.id) && context.isNewFromOthers(message) {
            reader.panes.change(thread.number) { pane in
                (pane.hasUnseen, pane.threadLine) = (true, message.id)
                pane.moveLine(above: message.id)
            }
            return
        }
    }

    private var isMainCovered: Bool { coversPanes || split.main == nil }

    /// Puts the line of unread messages above the first message that came unseen. If the user may be looking, waits until that
    /// message has left the screen, so that no line appears above each reply.
    mutating func placeUnreadLine() {
        guard reading.attention.wantsLine, let first = reading.attention.first else { return }
        let index = main.timeline.list.index(of: first)
        if !reading.attention.isAway, !isMainCovered {
            guard let index, main.timeline.screenRow(of: index) < 0 else { return }
        }
        reading.attention.wantsLine = false
        reading.placeLine(above: first)
        reader.panes.main.moveLine(above: first)
    }
}

/// New messages of conversations that are not on the screen.
extension Model {
    mutating func receive(_ arrivals: [Arrival]) -> [Effect] {
        var effects: [Effect] = []
        for (id, some) in Dictionary(grouping: arrivals, by: \.conversation) where id != conversation?.id {
            effects += inSearch { $0.take(some.map(\.message), in: id, context: $1) }
        }
        let others = arrivals.filter { $0.isNew && $0.conversation != conversation?.id }
        if others.isEmpty { return effects }
        // A notice may be outdated now. A warning stays until the next key.
        if notice?.isWarning == false { notice = nil }
        let own = addressee
        for arrival in others {
            noteNewBelow(arrival)
            let unread = unread(of: arrival, for: own)
            rooms.switcher.note(arrival, unread)
            guard !unread.isEmpty else { continue }
            reading.elsewhere[arrival.conversation, default: NewElsewhere()].add(arrival.message, unread)
            if unread.mentions > 0, let sender = arrival.message.sender {
                let place = known(arrival.conversation).title
                let link = Link(conversation: arrival.conversation, message: arrival.message.id)
                let text = arrival.message.text.withoutSpoilers
                effects.append(.notify(from: "\(sender.name) in \(place)", text: text, link: link))
            }
        }
        if panel == .switcher { rooms.switcher.show() }
        return effects + askForTitles(of: others)
    }

    /// Records a reply for the user in a thread of this conversation: as seen if the thread is on the screen, else as new.
    mutating func note(mention message: Message) {
        guard let id = conversation?.id, !message.isMain else { return }
        if seenThread?.holds(message) == true {
            return reading.hasSeenReply = true
        }
        reading.elsewhere[id, default: NewElsewhere()].add(message, Unread(mentions: 1))
        if let thread = message.thread { reading.note(waiting: ThreadReply(thread: thread, message: message.id)) }
    }

    /// Requests the titles of conversations that were never listed.
    private mutating func askForTitles(of arrivals: [Arrival]) -> [Effect] {
        let isUnknown = arrivals.contains { rooms.switcher.summary(of: $0.conversation) == nil }
        // The list is being loaded, or was loaded before.
        guard isUnknown, panel != .switcher, !reader.trail.seeksUnread, !reader.trail.hasAskedForTitles else {
            return []
        }
        reader.trail.hasAskedForTitles = true
        return [listConversations()]
    }

    /// The unread messages and mentions that a message adds.
    private func unread(of arrival: Arrival, for own: Addressee?) -> Unread {
        let message = arrival.message
        guard message.sender?.id != me, message.presence == nil else { return Unread() }
        let isForUser = arrival.isInOwnThread || own?.isMeant(by: message) == true
        return Unread(count: message.isMain ? 1 : 0, mentions: isForUser ? 1 : 0)
    }

    /// The user, with the words that count as mentions.
    var addressee: Addressee? {
        me.map { Addressee(pane.person($0, in: conversation), highlight: preferences.highlight) }
    }

    /// `Dev: 1 new, 1 for you`, `4 conversations: 12 new`; nil for none.
    var newElsewhere: Span? { newElsewhere { $0.phrase } }

    /// Like `newElsewhere`, for a line with less room: `Dev: @1 1 new`.
    var newElsewhereInShort: Span? { newElsewhere { $0.label } }

    private func newElsewhere(_ text: (Unread) -> String) -> Span? {
        let shown = reading.elsewhere.map { ($0, reading.shown($1.unread, in: $0)) }.filter { !$1.isEmpty }
        guard let first = shown.first?.0 else { return nil }
        let sum = shown.reduce(into: Unread()) { $0 += $1.1 }
        let place = shown.count == 1 ? known(first).title : "\(shown.count) conversations"
        return Span(CleanText("\(place): \(text(sum))"), sum.style)
    }
}

extension Model {
    /// Records a new message of a conversation that the user may come back to.
    mutating func noteNewBelow(_ arrival: Arrival) {
        guard arrival.message.isMain, paneContext.isNewFromOthers(arrival.message) else { return }
        reading.newBelow[WritingPlace(conversation: arrival.conversation), default: NewBelow()].add(arrival.message.id)
    }

    /// Keeps the numbers of new messages of all panes until the user comes back to the conversation.
    mutating func putNewBelowAside() {
        guard let conversation else { return }
        for pane in reader.panes where pane.newCount > 0 {
            reading.newBelow[WritingPlace(conversation: conversation.id, thread: pane.thread)] = pane.newBelow
        }
        reader.panes.updateAll { $0.newBelow = NewBelow() }
    }

    /// Restores the number for a pane that shows its conversation or thread again.
    mutating func takeNewBelow(_ number: Int) {
        guard let conversation, let pane = reader.panes[number] else { return }
        let place = WritingPlace(conversation: conversation.id, thread: pane.thread)
        let newBelow = reading.newBelow.removeValue(forKey: place) ?? NewBelow()
        reader.panes.change(number) { $0.newBelow = newBelow }
    }

    /// `↓ 3 new`, for the pane that has the keys and for the other one. It is in the status line, where it covers no
    /// message.
    var newBelowBadge: Line {
        var badge = Line.empty
        for other in reader.panes where other.newCount > 0 {
            let place =
                other.number == pane.number ? "" : other.thread == nil ? " in the conversation" : " in the thread"
            badge.append(Span("   "))
            let text = CleanText(" ↓ \(other.newCount.grouped) new\(place) ")
            badge.append(Span(text, Style(.unread, .reverse)))
        }
        return badge
    }
}
