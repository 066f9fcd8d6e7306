import Messages
import Timeline

/// How far one has read, and how far one had at the opening.
struct Reading: Sendable {
    /// Nothing of a conversation that has not been seen yet.
    var positions: [ConversationID: ReadPosition]
    /// The line stands below this message, until another conversation is opened. Nil when nothing was new at the opening.
    var lastRead: MessageID?
}

extension Model {
    /// The message below which the line will stand when a conversation is opened with this page.
    func lastRead(before page: Page, of id: ConversationID) -> MessageID? {
        guard let position = reading.positions[id] else {
            // What was told to be new is so also where one has never been.
            let first = page.messages.firstIndex { $0.id == elsewhere[id]?.first }
            return first.flatMap { $0 > 0 ? page.messages[$0 - 1].id : page.older.neighbour?.id }
        }
        // With everything read, what comes later comes while one looks. A page that reaches the end tells by itself.
        if case .more = page.newer, let index = position.index, index + 1 == page.place?.total { return nil }
        return position.message
    }

    /// At the first sight of a conversation everything counts as read, wherever it is opened.
    mutating func seeFirst() -> [Effect] {
        guard let id = conversation?.id, reading.positions[id] == nil else { return [] }
        guard timeline.hasNewer else { return markLast() }
        return askForNewest(PageRequest(conversation: id, position: .latest, limit: 1), attempt: 1)
    }

    func askForNewest(_ request: PageRequest, attempt: Int) -> [Effect] {
        reading.positions[request.conversation] == nil ? [.loadNewest(request, attempt: attempt)] : []
    }

    mutating func receiveNewest(
        _ request: PageRequest, attempt: Int, _ result: Result<Page, StoreError>
    ) -> [Effect] {
        guard reading.positions[request.conversation] == nil else { return [] }
        switch result {
        case .success(let page):
            guard let last = page.messages.last else { return [] }
            let index = page.place.map { $0.index + page.messages.count - 1 }
            return advance(request.conversation, to: ReadPosition(message: last.id, index: index))
        case .failure(let error):
            guard error.isTransient else { return [] }
            let delay = Duration.seconds(Pager<Messages.Cursor>.retryDelay(attempts: attempt))
            return [.wait(delay, .retryNewest(request, attempt: attempt + 1))]
        }
    }

    // MARK: - What is new

    /// u
    mutating func goToFirstUnread() -> [Effect] {
        // What has come in below since counts for itself once what was new before has been read.
        let isRead = conversation.map { reading.positions[$0.id]?.message != reading.lastRead } ?? false
        if let first = main.newBelow.first, isRead || reading.lastRead == nil {
            leaveThread()
            return go(to: .position(.message(first)))
        }
        guard let last = reading.lastRead else {
            tell("nothing was new here")
            return []
        }
        leaveThread()
        return go(to: .unread(last))
    }

    /// Shows the message behind one. False when the window does not hold it.
    mutating func showUnread(behind last: MessageID) -> Bool {
        guard let index = timeline.list.index(of: last), index + 1 < timeline.count else { return false }
        return pane.timeline.jump(to: timeline.list[index + 1].id, aligned: .middle)
    }

    /// Alt-a: what is new elsewhere has to be counted first.
    mutating func seekUnread() -> [Effect] {
        seeksUnread = true
        return [loadSummaries()]
    }

    /// All summaries are there.
    mutating func goToUnread() -> [Effect] {
        seeksUnread = false
        let counted = switcher.firstUnread(besides: conversation?.id)
        // Of one that was never looked at nothing counts as unread, nor do replies in threads.
        let unseen = elsewhere.keys.min { $0.rawValue < $1.rawValue }
        guard let found = counted ?? unseen.map(known) else {
            tell("nothing is new in the other conversations")
            return []
        }
        let new = elsewhere[found.id]
        let place = (new?.first ?? new?.threads.first?.first).map { ListRequest.Destination.position(.message($0)) }
        let last = counted == nil && new?.first == nil ? nil : reading.positions[found.id]?.message
        leaveThread()
        return go(to: last.map { .unread($0) } ?? place ?? .position(.latest), in: found)
    }

    /// Whoever sees the end has read to the end. What is looked at from a panel is only looked at, also while the screen
    /// from before is on its way back.
    mutating func markRead() -> [Effect] {
        guard split.main != nil else { return [] }
        return onMain { $0.markReadInPane() }
    }

    private mutating func markReadInPane() -> [Effect] {
        guard opening == .shown, !timeline.hasNewer, let last = timeline.list.last else { return [] }
        // What comes from now on comes while one looks.
        if last.id == reading.lastRead { reading.lastRead = nil }
        let lastRow = timeline.row(of: .newer) - 1
        let isLooking = panel != nil && panel != .composer || help != nil || pending?.isRestoring == true
        guard !isLooking, timeline.viewport.rows.contains(lastRow) else { return [] }
        return markLast()
    }

    private mutating func markLast() -> [Effect] {
        guard let id = conversation?.id, let last = timeline.list.last else { return [] }
        let index = timeline.windowStart.map { $0 + timeline.count - 1 }
        return advance(id, to: ReadPosition(message: last.id, index: index))
    }

    private mutating func advance(_ id: ConversationID, to position: ReadPosition) -> [Effect] {
        guard reading.positions[id]?.message != position.message else { return [] }
        reading.positions[id] = position
        return [.markRead(id, position)]
    }
}
