import Messages
import Timeline

extension Model {
    /// True if the archive is open for the first time, so the last message of each conversation still has to be recorded.
    package var isFirstOpening: Bool { reading.states.baseline == nil }

    /// The message below the line of unread messages, when a conversation is opened with this page.
    func firstUnread(in page: Page, of id: ConversationID) -> MessageID? {
        // Until the baseline is known, only messages of this session count as unread.
        reading.states[id] == .unknown ? reading.elsewhere[id]?.first : page.firstUnread
    }

    // MARK: - New messages

    /// u: goes to the first unread message of the open thread, then to that of the main timeline. Once the user has seen those,
    /// opens the thread with the first waiting reply.
    mutating func goToFirstUnread() -> [Effect] {
        if let line = pane.threadLine, !isOnScreen(line, in: pane) { return go(to: .position(.message(line))) }
        // Once the earlier unread messages were read, messages that came since count.
        let isRead = reading.hasReadSinceLine
        if let first = main.newBelow.first, isRead || reading.firstUnread == nil {
            leaveThread()
            return go(to: .position(.message(first)))
        }
        let hasSeenLine = reading.firstUnread.map { isRead && isOnScreen($0, in: main) } ?? true
        if hasSeenLine, let new = conversation.flatMap({ reading.elsewhere[$0.id]?.threads.first }) {
            return showThread(new.thread, at: .position(.message(new.first)))
        }
        guard let first = reading.firstUnread else {
            tell("nothing new here")
            return []
        }
        leaveThread()
        return go(to: .unread(first))
    }

    private func isOnScreen(_ id: MessageID, in pane: Pane) -> Bool {
        pane.timeline.list.index(of: id).map(pane.timeline.isVisible) ?? false
    }

    /// Alt-a: goes to a conversation with unread messages, once these are counted.
    mutating func seekUnread() -> [Effect] {
        reader.trail.seeksUnread = true
        return [loadSummaries()]
    }

    /// Goes to the unread conversation that was sought, when all summaries have come.
    mutating func goToUnread() -> [Effect] {
        reader.trail.seeksUnread = false
        let counted = rooms.switcher.firstUnread(besides: conversation?.id) { reading.shown($1, in: $0) }
        // The store counts nothing before the baseline is known, and never counts waiting replies in threads.
        let uncounted = reading.elsewhere.filter { !reading.shown($1.unread, in: $0).isEmpty }.keys
            .min { $0.rawValue < $1.rawValue }
        guard let found = counted ?? uncounted.map(known) else {
            tell("nothing new in other conversations")
            dropHeld()
            return []
        }
        let new = reading.elsewhere[found.id]
        leaveThread()
        if counted == nil, new?.first == nil, let reply = new?.threads.first?.first {
            return go(to: .position(.message(reply)), in: found)
        }
        return go(to: .unread(reading.states[found.id] == .unknown ? new?.first : nil), in: found)
    }

    /// Applies the read positions of another process of the user: new messages of these conversations are counted again. The line
    /// of unread messages on the screen stays.
    mutating func take(readElsewhere positions: [ConversationID: ReadPosition]) -> [Effect] {
        var effects: [Effect] = []
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
            effects.append(count(self.known(id)))
        }
        return effects
    }

    /// Marks messages as read when the user sees the end: not without attention, behind a panel, or while an earlier screen is
    /// being restored.
    mutating func markRead() -> [Effect] {
        seeThread()
        let kept = keepThreads()
        guard split.main != nil else { return kept }
        return kept + markMain()
    }

    private mutating func markMain() -> [Effect] {
        let timeline = main.timeline
        guard main.opening == .shown, !timeline.hasNewer, !reading.isHeld, reading.attention.isLooking else {
            return []
        }
        let lastRow = timeline.row(of: .newer) - 1
        let isLooking = panel?.isBesideMessages == false || layers.help != nil || main.pending?.isRestoring == true
        guard !isLooking, timeline.viewport.rows.contains(lastRow) else { return [] }
        return markLast(of: timeline)
    }

    private mutating func markLast(of timeline: Timeline<MessageRuler>) -> [Effect] {
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
    private mutating func keepThreads() -> [Effect] {
        guard let id = conversation?.id, let threads = reading.threads, case .upTo(let last) = reading.states[id],
            reading.hasSeenReply || threads.open != reading.states.threads(of: id)?.open ?? []
        else { return [] }
        return keep(ReadPosition(message: last, index: reading.states.positions[id]?.index, threads: threads), of: id)
    }

    mutating func keep(_ position: ReadPosition, of id: ConversationID) -> [Effect] {
        reading.hasSeenReply = false
        reading.states.positions[id] = position
        rooms.switcher.noteRead(id)
        return [.markRead(id, position)]
    }
}

/// The user marks messages as read or unread, and mutes conversations.
extension Model {
    /// The number of messages at the end to search for one of another person.
    private static let lastMessages = 50

    /// Marks a whole conversation, as soon as the page at its end has come.
    mutating func mark(_ mark: ReadMark, _ id: ConversationID) -> [Effect] {
        let request = PageRequest(
            conversation: id, position: .latest, limit: mark == .read ? 1 : Model.lastMessages,
            since: reading.states[id], threads: reading.threads(of: id))
        return begin(.mark(mark, request))
    }

    mutating func receive(
        end result: Result<Page, StoreError>, of request: PageRequest, toMark mark: ReadMark
    ) -> [Effect] {
        let (task, id) = (UserTask.mark(mark, request), request.conversation)
        switch result {
        case .failure(let error):
            if let again = tasks.fail(task, error) { return [again] }
            if tasks.end(task) != nil { warn("not marked: \(error)") }
            return []
        case .success(let page):
            guard tasks.end(task) != nil else { return [] }
            return mark == .read ? markRead(to: page, of: id) : markUnread(in: page, of: id)
        }
    }

    // MARK: - Read

    private mutating func markRead(to page: Page, of id: ConversationID) -> [Effect] {
        tell("\(known(id).title) is marked as read")
        guard let last = page.messages.last else { return [] }
        let threads = page.threads.map { ThreadMarks(upTo: $0.upTo) }
        reading.elsewhere[id] = nil
        for place in reading.newBelow.keys where place.conversation == id { reading.newBelow[place] = nil }
        var effects: [Effect] = []
        if id == conversation?.id {
            reading.release(threads)
            reader.panes.updateAll { $0.newBelow = NewBelow() }
            effects = moveUnreadLine()
        }
        var position = ReadPosition(
            message: last.id, index: page.place.map { $0.index + page.messages.count - 1 }, threads: threads)
        position.isChosen = true
        effects += keep(position, of: id)
        if panel == .switcher { rooms.switcher.show() }
        return effects
    }

    // MARK: - Unread

    /// Marks the messages from the selected one on as unread while the conversation is on the screen.
    mutating func markUnreadFromSelected() -> [Effect] {
        guard !isInThread else {
            tell("messages can be marked as unread in the conversation, not in a thread")
            return []
        }
        guard let id = conversation?.id, let index = timeline.selectedIndex else { return [] }
        let others = (index..<timeline.count).first { paneContext.isNewFromOthers(timeline.list[$0].message) }
        guard let others else {
            tell("no message of others here to mark as unread")
            return []
        }
        guard others > 0 || !timeline.hasOlder else {
            tell("the message before this one is still being loaded")
            return []
        }
        let first = timeline.list[others].id
        let read = others > 0 ? timeline.list[others - 1].last.id : nil
        let place = read == nil ? nil : timeline.position(of: others).map { $0 - 1 }
        reading.hold(from: first)
        tell("unread from here on, until you come back")
        return markUnread(after: read, index: place, in: id) + moveUnreadLine()
    }

    private mutating func markUnread(in page: Page, of id: ConversationID) -> [Effect] {
        guard let index = page.messages.lastIndex(where: paneContext.isNewFromOthers) else {
            tell("no message of others at the end of \(known(id).title)")
            return []
        }
        tell("\(known(id).title) is marked as unread")
        let read = index > 0 ? page.messages[index - 1].id : page.older.neighbour?.id
        let place = read == nil ? nil : page.place.map { $0.index + index - 1 }
        var effects: [Effect] = []
        if id == conversation?.id {
            reading.hold(from: page.messages[index].id)
            effects = moveUnreadLine()
        }
        return effects + markUnread(after: read, index: place, in: id)
    }

    /// - Parameters:
    ///   - read: the last message that is read; nil when none is.
    ///   - index: the index of that message in the conversation.
    private mutating func markUnread(after read: MessageID?, index: Int?, in id: ConversationID) -> [Effect] {
        var position = ReadPosition(message: read, index: index, threads: reading.threads(of: id))
        position.isChosen = true
        return keep(position, of: id) + [count(known(id))]
    }

    /// Reads the window again to move the line of unread messages.
    private mutating func moveUnreadLine() -> [Effect] {
        inPane(main.number) { $0.reload(in: $1) }
    }

    // MARK: - Muting

    mutating func toggleMute(_ id: ConversationID) -> [Effect] {
        let isMuted = !reading.muted.contains(id)
        if isMuted { reading.muted.insert(id) } else { reading.muted.remove(id) }
        let title = known(id).title
        tell(isMuted ? "\(title) is muted: only mentions count" : "\(title) is not muted any more")
        return [.setMuted(id, isMuted)]
    }
}
