package import Messages
import Search
import Timeline

/// A request for a list that replaces the current one.
package struct ListRequest: Hashable, Sendable {
    package var conversation: Conversation
    /// The root of the thread of the pane that asks; nil for the main timeline.
    var thread: MessageID?
    let destination: Destination
    /// How the history of jumps takes the place that the user leaves.
    var leaving: Leaving
    package let ticket: PaneTicket
    /// The thread that stood beside the conversation when the user left.
    var beside: ThreadBeside?
    /// The number of failed tries.
    var failures = 0
    /// Whether it waits for another try.
    var isWaiting = false
    /// `next try in 4 s,`
    var wait: String { "next try in \(Pager<Messages.Cursor>.retryDelay(attempts: failures)) s," }

    enum Destination: Hashable, Sendable {
        case position(PageRequest.Position)
        /// A hit of the search in the conversation. For a hit in a thread this is the root.
        case hit(Find.Hit)
        /// A hit of the search everywhere, and its words.
        case found(MessageID, words: String)
        /// A screen from before.
        case place(ScreenPlace)
        /// The first unread message; nil when the store has to find it.
        case unread(MessageID?)
        /// The messages of the current list, as far as they still exist.
        case again(Remains)
        /// A hit in the thread of the pane that asks.
        case reply(Reply)
    }

    /// A hit in a thread, as the search knows it: the search counts replies, and does not know their IDs.
    package struct Reply: Hashable, Sendable {
        package let query: ResolvedQuery
        /// The number of newer hits in the same thread.
        package let newer: Int

        /// Looks for the hit in some replies.
        /// - Parameters:
        ///   - messages: the oldest first.
        ///   - found: the hits after them. Those of the messages are added.
        package func find(in messages: [Message], after found: inout Int) -> MessageID? {
            for message in messages.reversed() where query.accepts(message) {
                found += 1
                if found > newer { return message.id }
            }
            return nil
        }
    }

    /// The hit in the thread that the list is to be loaded at.
    package var reply: Reply? { if case .reply(let reply) = destination { reply } else { nil } }

    enum Leaving: Hashable, Sendable {
        /// It goes into the history: this is a jump.
        case jump
        /// This is a number of steps back or forward in the history.
        case back(Int), forward(Int)
        /// Nothing: this is an opening, or only a look.
        case nothing
        /// Nothing: the messages have changed, so the place cannot stay.
        case reload
    }

    package var position: PageRequest.Position {
        switch destination {
        case .position(let position): position
        case .hit(let hit): .index(hit.place.index)
        case .found(let id, _): .message(id)
        case .place(let place): place.position
        case .again(let remains): remains.position
        case .unread(let first): first.map { .message($0) } ?? .unread
        case .reply: .latest
        }
    }

    /// The line of unread messages of the screen to which it leads back.
    var line: Reading.Line? { if case .place(let place) = destination { place.line } else { nil } }

    /// Whether it loads the list that another request has failed to load.
    func isSameLoad(as other: ListRequest) -> Bool {
        guard conversation.id == other.conversation.id, thread == other.thread, leaving == other.leaving else {
            return false
        }
        return leaving == .reload || destination == other.destination
    }

    /// Whether it only restores a screen from before.
    var isRestoring: Bool {
        if case .place = destination { leaving == .nothing } else { leaving == .reload }
    }

    /// The place on the screen for the requested message.
    var alignment: Alignment {
        if case .earliest = position { .top } else { .middle }
    }
}

extension ListRequest.Destination {
    /// Whether it is the beginning of the conversation or of the thread.
    var isBeginning: Bool { if case .position(.earliest) = self { true } else { false } }
}

/// All known conversations by their IDs.
struct Directory: Sendable {
    let current: Conversation?
    let listed: [ConversationID: ConversationSummary]
    let visited: [ConversationID: Conversation]

    var conversations: [Conversation] { listed.values.map(\.conversation) + [current].compactMap(\.self) }

    /// The members of all known conversations.
    var people: Set<Person> { Set(conversations.flatMap(\.members)) }

    /// A conversation that is not known gets its ID for a title.
    func conversation(_ id: ConversationID) -> Conversation {
        if let current, current.id == id { return current }
        return listed[id]?.conversation ?? visited[id] ?? Conversation(id: id, title: id.rawValue, topic: nil)
    }
}

/// Lists that come from the store: for the same conversation, or for another one.
extension Model {
    /// Asks for another list in a pane. The current one stays until it comes.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        on number: Int
    ) -> [Effect] {
        let context = paneContext
        return carryOut(panes.change(number) { $0.request(destination, in: conversation, leaving: leaving, context) })
    }

    mutating func receive(_ request: ListRequest, _ result: Result<Page, StoreError>) -> [Effect] {
        guard let pending = panes[request.ticket.pane]?.pending, request.ticket == pending.ticket else { return [] }
        let request = pending
        switch result {
        case .success(let page):
            if let failed = notice?.failedList, request.isSameLoad(as: failed) { notice = nil }
            do throws(DuplicateID) {
                if case .again(let remains) = request.destination {
                    return try show(page, inPlaceOf: remains, on: request.ticket.pane)
                }
                return try show(page, for: request)
            } catch {
                return fail(request, .unavailable(error.description))
            }
        case .failure(let error): return fail(request, error)
        }
    }

    mutating func retry(_ request: ListRequest) -> [Effect] {
        let context = paneContext
        return carryOut(panes.change(request.ticket.pane) { $0.retry(request, in: context) })
    }

    private mutating func show(
        _ page: Page, inPlaceOf remains: Remains, on number: Int
    ) throws(DuplicateID) -> [Effect] {
        let context = paneContext
        let outcomes = try panes.change(number) { (pane) throws(DuplicateID) in
            try pane.show(page, inPlaceOf: remains, in: context)
        }
        return carryOut(outcomes)
    }

    private mutating func show(_ page: Page, for request: ListRequest) throws(DuplicateID) -> [Effect] {
        let number = request.ticket.pane
        let isOther = conversation?.id != request.conversation.id
        let new = isOther ? firstUnread(in: page, of: request.conversation.id) : reading.firstUnread
        let former = isOther ? request.line : nil
        let firstUnread = new ?? former?.first
        var left = panes[number]?.place
        if number == main.number { left?.beside = request.beside ?? threadBeside }
        if isOther { left?.line = reading.line }
        let isOpening = left == nil
        let kept = isOther ? keepDraft() : []
        let entries = isOther ? entries(of: page, for: request, firstUnread) : nil
        let context = paneContext
        try panes.change(number) { (pane) throws(DuplicateID) in
            let isWhole = page.older == .end && page.newer == .end
            if let entries { pane.makeRoom(forNamesIn: entries, of: request.conversation, isWhole: isWhole) }
            let entries = entries ?? pane.entries(of: page, in: context)
            try pane.timeline.open(
                entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                total: page.place?.total, focus: request.focus(of: page).map { entries.item(holding: $0) },
                alignment: request.alignment,
                following: request.position == .latest && (request.reply == nil || page.focus == nil))
        }
        if isOther { putNewBelowAside() }
        if isOther { trail.former = conversation?.id }
        conversation = request.conversation
        trail.visited[request.conversation.id] = request.conversation
        if isOther {
            sidebar.reveal(request.conversation.id, height: rows.day + rows.messages)
            reading.open(request.conversation.id, firstUnread: new, former: former, threads: page.threads)
            changeConversation(on: number)
            if page.threads != nil { tellOfThreads() }
        }
        panes.change(number) { [zone] pane in
            pane.conversation = request.conversation.id
            if pane.isThread { pane.show(root: page.root, zone: zone) }
            // A thread that begins with the user keeps the cursor on its root until the user moves.
            if pane.isThread, isOpening { pane.selectsRoot = page.messages.isEmpty }
            pane.opening = .shown
            pane.pending = nil
            pane.lost = nil
            pane.note(window: page, zone: zone)
        }
        var effects = carryOut(panes.change(number) { [zone] in $0.settle(page, request, zone) })
        effects += arrive(at: request.destination)
        note(request.leaving, from: left, on: number)
        effects += kept
        if isOther { effects += begin(request.conversation.id, with: page) }
        if isOpening { beginThread(on: number) }
        let now = paneContext
        effects += carryOut(panes.change(number) { $0.settleChanges(page, in: now) })
        effects += [.reportProblems]
        if case .found = request.destination {
            effects += searchOn(request.destination)
        } else if isOther {
            effects += carryOut(finding.countAgain(in: self.context))
        }
        effects += carryOut(panes.change(number) { $0.viewportMoved() })
        return effects + showThread(of: page, request)
    }

    /// The messages of a conversation that is not on the screen yet.
    private func entries(of page: Page, for request: ListRequest, _ firstUnread: MessageID?) -> [Entry] {
        Entry.entries(
            page.messages, after: page.older.neighbour, zone: zone, firstUnread: firstUnread,
            folds: trail.folds[request.conversation.id] ?? [:])
    }

    /// Another conversation is on the screen.
    private mutating func begin(_ id: ConversationID, with page: Page) -> [Effect] {
        [.watch(id, since: page.asOf), .stopCollecting, .askForObstacle(id)] + sendNext(in: id) + findStrayEdits(in: id)
    }

    /// The state of one conversation is not taken along to the next.
    private mutating func changeConversation(on number: Int) {
        closeThread()
        if let conversation { see(conversation.id) { $0.see() } }
        takeNewBelow(number)
        panes.change(number) { pane in
            pane.target = nil
            pane.mark = nil
            pane.changes = LateChanges()
            pane.knownBefore = KnownBefore()
        }
        writing.obstacle = nil
        locating = Retries()
        closePanelOfConversation()
        typing.forget()
        readers.forget()
        finding.find?.forgetPlaces()
    }

    /// Shows a reply in its thread, beside the root.
    private mutating func showThread(of page: Page, _ request: ListRequest) -> [Effect] {
        // It would leave the text that is being written.
        guard let thread = page.thread, panel != .composer else { return [] }
        switch request.destination {
        case .position(.message(let id)), .found(let id, _): return showThread(thread, at: .position(.message(id)))
        case .unread(nil):
            let first = page.threads?.open.first?.message
            return showThread(thread, at: .position(first.map { .message($0) } ?? .latest))
        case .position, .hit, .place, .unread, .reply, .again: return []
        }
    }
}

// MARK: - Failures

extension Model {
    /// A failed list is tried again, like a failed page. Meanwhile a failed jump leaves the screen as it was. An error that is not
    /// transient ends the program if there is nothing to show.
    private mutating func fail(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        let number = request.ticket.pane
        // The unread messages may be gone by now.
        if case .unread = request.destination, !error.isTransient {
            return self.request(.position(.latest), in: request.conversation, leaving: request.leaving, on: number)
        }
        if panes[number]?.opening == .shown { return failToGo(request, error) }
        guard error.isTransient else { return giveUp(error, on: number) }
        return carryOut(panes.change(number) { $0.failToOpen(request, error) })
    }

    private mutating func failToGo(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        let number = request.ticket.pane
        if error.isTransient { return retryLater(request, error) }
        panes.change(number) { $0.pending = nil }
        // A message that is not in the thread may be elsewhere in the conversation.
        if request.thread != nil, panel != .composer, case .position(.message(let id)) = request.destination,
            case .noSuchMessage = error
        {
            leaveThread()
            return go(to: .position(.message(id)), on: main.number)
        }
        warn(lostBookmark(of: request, error) ?? "not loaded: \(error)")
        notice?.failedList = request
        if request.leaving == .reload { return [] }
        let effects = goOn(without: request, error)
        if panes[number]?.pending == nil { dropHeld() }
        // The user can try again from the list of hits.
        if case .found = request.destination { return openSearch() }
        return effects
    }

    private mutating func retryLater(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        guard let again = panes.change(request.ticket.pane, { $0.retryLater(request) }) else { return [] }
        let canStay = request.leaving == .reload ? "" : ", Esc stays here"
        warn("not loaded: \(error) · next try in \(again.delay) s\(canStay)")
        notice?.failedList = again.request
        return carryOut([again.outcome])
    }

    private mutating func giveUp(_ error: StoreError, on number: Int) -> [Effect] {
        if number != main.number {
            closeThread()
            warn("not loaded: \(error)")
            dropHeld()
            return []
        }
        guard trail.beganInSwitcher else { return [.quit(.failed(error))] }
        panes.change(number) { pane in
            pane.opening = .nothing
            pane.pending = nil
        }
        warn(error.description)
        dropHeld()
        return openSwitcher()
    }

    /// Forgets a place that is gone with its conversation, so that it does not block the history, nor the conversation when
    /// that comes back. The conversation is then opened at its newest message.
    private mutating func goOn(without request: ListRequest, _ error: StoreError) -> [Effect] {
        guard !error.isTransient, case .place(let place) = request.destination else { return [] }
        let number = request.ticket.pane
        panes.change(number) { $0.history.forget(place) }
        trail.leftAt = trail.leftAt.filter { $0.value != place }
        guard request.leaving == .jump else { return [] }
        return self.request(.position(.latest), in: request.conversation, leaving: request.leaving, on: number)
    }
}

extension ListRequest {
    fileprivate func focus(of page: Page) -> MessageID? {
        if reply != nil, let hit = page.focus { return hit }
        return switch position {
        case .earliest: page.messages.first?.id
        case .latest: page.messages.last?.id
        case .message, .unread, .date, .index, .share, .before, .after, .survivor: page.focus
        }
    }
}
