import Messages
import Timeline

/// The read marks of the user: set by what the screen shows, or by the user; and the way to unread messages.
extension OpenConversation {
    /// The message below the line of unread messages, when a conversation is opened with this page.
    func firstUnread(in page: Page, of id: ConversationID) -> MessageID? {
        // Until the baseline is known, only messages of this session count as unread.
        reading.states[id] == .unknown ? reading.elsewhere[id]?.first : page.firstUnread
    }

    // MARK: - New messages

    /// u: goes to the first unread message of the open thread, then to that of the main timeline. Once the user has seen those,
    /// opens the thread with the first waiting reply.
    mutating func goToFirstUnread(_ outside: Outside) -> [Outcome] {
        if let line = pane.threadLine, !isOnScreen(line, in: pane) {
            return go(to: .position(.message(line)), outside)
        }
        // Once the earlier unread messages were read, messages that came since count.
        let isRead = reading.hasReadSinceLine
        if let first = main.newBelow.first, isRead || reading.firstUnread == nil {
            leaveThread(outside)
            return go(to: .position(.message(first)), outside)
        }
        let hasSeenLine = reading.firstUnread.map { isRead && isOnScreen($0, in: main) } ?? true
        if hasSeenLine, let new = conversation.flatMap({ reading.elsewhere[$0.id]?.threads.first }) {
            return showThread(new.thread, at: .position(.message(new.first)), outside)
        }
        guard let first = reading.firstUnread else { return [.tell("nothing new here")] }
        leaveThread(outside)
        return go(to: .unread(first), outside)
    }

    private func isOnScreen(_ id: MessageID, in pane: Pane) -> Bool {
        pane.timeline.list.index(of: id).map(pane.timeline.isVisible) ?? false
    }

    /// Goes to the unread conversation that was sought, when all summaries have come.
    /// - Parameter counted: the first conversation of the list with unread messages.
    mutating func goToUnread(_ counted: Conversation?, _ outside: Outside) -> [Outcome] {
        trail.seeksUnread = false
        // The store counts nothing before the baseline is known, and never counts waiting replies in threads.
        let uncounted = reading.elsewhere.filter { !reading.shown($1.unread, in: $0).isEmpty }.keys
            .min { $0.rawValue < $1.rawValue }
        guard let found = counted ?? uncounted.map({ known($0, outside) }) else {
            return [.tell("nothing new in other conversations"), .lost]
        }
        let new = reading.elsewhere[found.id]
        leaveThread(outside)
        if counted == nil, new?.first == nil, let reply = new?.threads.first?.first {
            return go(to: .position(.message(reply)), in: found, outside)
        }
        return go(to: .unread(reading.states[found.id] == .unknown ? new?.first : nil), in: found, outside)
    }

    /// Applies the read positions of another process of the user: new messages of these conversations are counted again. The line
    /// of unread messages on the screen stays.
    mutating func take(
        readElsewhere positions: [ConversationID: ReadPosition], _ outside: Outside
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (id, position) in positions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let known = reading.states.positions[id]
            guard known != position else { continue }
            if id == conversation?.id {
                // Messages that this screen has shown are read, even if the other process has not shown them.
                if let here = known?.index, let there = position.index, there < here { continue }
                let open = position.threads?.open ?? []
                reading.forget(waiting: (known?.threads?.open ?? []).filter { !open.contains($0) })
            }
            reading.states.positions[id] = position
            reading.elsewhere[id] = nil
            outcomes.append(count(id, outside))
        }
        return outcomes
    }

    /// Requests the number of unread messages.
    private func count(_ id: ConversationID, _ outside: Outside) -> Outcome {
        .effect(.ask(.summary(known(id, outside), reading.states)))
    }

    // MARK: - What the user sees

    /// Marks messages as read when the user sees the end: not without attention, behind a panel, or while an earlier screen is
    /// being restored.
    mutating func markRead(_ outside: Outside) -> [Outcome] {
        seeThread(outside)
        let kept = keepThreads()
        guard split(outside).main != nil else { return kept }
        return kept + markMain(outside)
    }

    private mutating func markMain(_ outside: Outside) -> [Outcome] {
        let timeline = main.timeline
        guard main.opening == .shown, !timeline.hasNewer, !reading.isHeld, reading.attention.isLooking else {
            return []
        }
        let lastRow = timeline.row(of: .newer) - 1
        let isBehind = outside.panel?.isBesideMessages == false || outside.hasHelp || main.pending?.isRestoring == true
        guard !isBehind, timeline.viewport.rows.contains(lastRow) else { return [] }
        return markLast(of: timeline)
    }

    private mutating func markLast(of timeline: Timeline<MessageRuler>) -> [Outcome] {
        guard let id = conversation?.id, let last = timeline.list.last else { return [] }
        let index = timeline.windowStart.map { $0 + timeline.span - 1 }
        let read = reading.states.positions[id]
        // While a log is being rewritten, it may end before the last message that was read.
        let isBefore = index.flatMap { index in read?.index.map { index < $0 } } ?? false
        guard read?.message != last.last.id, !(isBefore && main.knownBefore.contains(last.message)) else { return [] }
        return keep(ReadPosition(message: last.last.id, index: index, threads: reading.threads), of: id)
    }

    /// Saves waiting replies separately, since opening a thread does not move the read position of the main timeline. The last
    /// message up to which all threads were checked is saved when that position changes.
    private mutating func keepThreads() -> [Outcome] {
        guard let id = conversation?.id, let threads = reading.threads, case .upTo(let last) = reading.states[id],
            reading.hasSeenReply || threads.open != reading.states.threads(of: id)?.open ?? []
        else { return [] }
        return keep(ReadPosition(message: last, index: reading.states.positions[id]?.index, threads: threads), of: id)
    }

    private mutating func keep(_ position: ReadPosition, of id: ConversationID) -> [Outcome] {
        reading.hasSeenReply = false
        reading.states.positions[id] = position
        return [.list(.noteRead(id)), .effect(.markRead(id, position))]
    }

    /// Records that the terminal has got the focus, or lost it.
    mutating func note(focus: Bool, _ outside: Outside) -> [Outcome] {
        var outcomes: [Outcome] = []
        if focus {
            reading.attention.look()
        } else if reading.attention.hasFocus == nil, !reading.attention.isAway {
            // Until its first report the terminal had the focus, so the user has seen all messages so far.
            reading.attention.look()
            outcomes = markRead(outside)
        }
        reading.attention.hasFocus = focus
        return outcomes
    }
}

/// The user marks messages as read or unread, and mutes conversations.
extension OpenConversation {
    /// The number of messages at the end to search for one of another person.
    private static let lastMessages = 50

    /// The task that marks a whole conversation, as soon as the page at its end has come.
    func task(toMark mark: ReadMark, _ id: ConversationID) -> UserTask {
        let limit = mark == .read ? 1 : OpenConversation.lastMessages
        return .mark(
            mark,
            PageRequest(
                conversation: id, position: .latest, limit: limit, since: reading.states[id],
                threads: reading.threads(of: id)))
    }

    /// Marks a whole conversation, by the page at its end.
    mutating func mark(_ mark: ReadMark, by page: Page, _ id: ConversationID, _ outside: Outside) -> [Outcome] {
        mark == .read ? markRead(to: page, of: id, outside) : markUnread(in: page, of: id, outside)
    }

    // MARK: - Read

    private mutating func markRead(to page: Page, of id: ConversationID, _ outside: Outside) -> [Outcome] {
        var outcomes: [Outcome] = [.tell("\(known(id, outside).title) is marked as read")]
        guard let last = page.messages.last else { return outcomes }
        let threads = page.threads.map { ThreadMarks(upTo: $0.upTo) }
        reading.elsewhere[id] = nil
        for place in reading.newBelow.keys where place.conversation == id { reading.newBelow[place] = nil }
        if id == conversation?.id {
            reading.release(threads)
            panes.updateAll { $0.newBelow = NewBelow() }
            outcomes += moveUnreadLine(outside)
        }
        var position = ReadPosition(
            message: last.id, index: page.place.map { $0.index + page.messages.count - 1 }, threads: threads)
        position.isChosen = true
        return outcomes + keep(position, of: id) + [.list(.show)]
    }

    // MARK: - Unread

    /// Marks the messages from the selected one on as unread while the conversation is on the screen.
    mutating func markUnreadFromSelected(_ outside: Outside) -> [Outcome] {
        guard !isInThread else {
            return [.tell("messages can be marked as unread in the conversation, not in a thread")]
        }
        let timeline = pane.timeline
        guard let id = conversation?.id, let index = timeline.selectedIndex else { return [] }
        let context = paneContext(outside)
        let others = (index..<timeline.count).first { context.isNewFromOthers(timeline.list[$0].message) }
        guard let others else { return [.tell("no message of others here to mark as unread")] }
        guard others > 0 || !timeline.hasOlder else {
            return [.tell("the message before this one is still being loaded")]
        }
        let first = timeline.list[others].id
        let read = others > 0 ? timeline.list[others - 1].last.id : nil
        let place = read == nil ? nil : timeline.position(of: others).map { $0 - 1 }
        reading.hold(from: first)
        return [.tell("unread from here on, until you come back")]
            + markUnread(after: read, index: place, in: id, outside) + moveUnreadLine(outside)
    }

    private mutating func markUnread(in page: Page, of id: ConversationID, _ outside: Outside) -> [Outcome] {
        let title = known(id, outside).title
        guard let index = page.messages.lastIndex(where: paneContext(outside).isNewFromOthers) else {
            return [.tell("no message of others at the end of \(title)")]
        }
        let read = index > 0 ? page.messages[index - 1].id : page.older.neighbour?.id
        let place = read == nil ? nil : page.place.map { $0.index + index - 1 }
        var outcomes: [Outcome] = [.tell("\(title) is marked as unread")]
        if id == conversation?.id {
            reading.hold(from: page.messages[index].id)
            outcomes += moveUnreadLine(outside)
        }
        return outcomes + markUnread(after: read, index: place, in: id, outside)
    }

    /// - Parameters:
    ///   - read: the last message that is read; nil when none is.
    ///   - index: the index of that message in the conversation.
    private mutating func markUnread(
        after read: MessageID?, index: Int?, in id: ConversationID, _ outside: Outside
    ) -> [Outcome] {
        var position = ReadPosition(message: read, index: index, threads: reading.threads(of: id))
        position.isChosen = true
        return keep(position, of: id) + [count(id, outside)]
    }

    /// Reads the window again to move the line of unread messages.
    private mutating func moveUnreadLine(_ outside: Outside) -> [Outcome] {
        inPane(main.number, outside) { $0.reload(in: $1) }
    }

    // MARK: - Muting

    mutating func toggleMute(_ id: ConversationID, _ outside: Outside) -> [Outcome] {
        let isMuted = !reading.muted.contains(id)
        if isMuted { reading.muted.insert(id) } else { reading.muted.remove(id) }
        let title = known(id, outside).title
        return [
            .tell(isMuted ? "\(title) is muted: only mentions count" : "\(title) is not muted any more"),
            .effect(.setMuted(id, isMuted)),
        ]
    }
}
