import Display
import Messages
import Search
import Timeline

/// Lists that come from the store: for the same conversation, or for another one.
extension Model {
    /// Requests another list in a pane. The current one stays until it comes.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        on number: Int
    ) -> [Effect] {
        inPane(number) { $0.request(destination, in: conversation, leaving: leaving, $1) }
    }

    mutating func receive(_ request: ListRequest, _ result: Result<Page, StoreError>) -> [Effect] {
        guard let pending = reader.panes[request.ticket.pane]?.pending, request.ticket == pending.ticket else {
            return []
        }
        let request = pending
        switch result {
        case .success(let page):
            if case .list(let failed, _)? = notice?.subject, request.isSameLoad(as: failed) { notice = nil }
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

    private mutating func show(
        _ page: Page, inPlaceOf remains: Remains, on number: Int
    ) throws(DuplicateID) -> [Effect] {
        let context = paneContext
        let outcomes = try reader.panes.change(number) { (pane) throws(DuplicateID) in
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
        var left = reader.panes[number]?.place
        if number == main.number { left?.beside = request.beside ?? threadBeside }
        if isOther { left?.line = reading.line }
        let isOpening = left == nil
        let kept = isOther ? inWriting { $0.keepDraft(in: $1) } : []
        let entries = isOther ? entries(of: page, for: request, firstUnread) : nil
        let context = paneContext
        try reader.panes.change(number) { (pane) throws(DuplicateID) in
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
        if isOther { reader.trail.former = conversation?.id }
        reader.conversation = request.conversation
        reader.trail.visited[request.conversation.id] = request.conversation
        if isOther {
            rooms.sidebar.reveal(request.conversation.id, height: rows.day + rows.messages)
            reading.open(request.conversation.id, firstUnread: new, former: former, threads: page.threads)
            changeConversation(on: number)
        }
        reader.panes.change(number) { [zone] pane in
            pane.conversation = request.conversation.id
            if pane.isThread { pane.show(root: page.root, zone: zone) }
            // In a thread without replies the cursor is on the root. It stays there when a reply arrives, until the user moves.
            if pane.isThread, isOpening { pane.selectsRoot = page.messages.isEmpty }
            pane.opening = .shown
            pane.pending = nil
            pane.lost = nil
            pane.note(window: page, zone: zone)
        }
        var effects = carryOut(reader.panes.change(number) { [zone] in $0.settle(page, request, zone) })
        effects += arrive(at: request.destination)
        note(request.leaving, from: left, on: number)
        effects += kept
        if isOther { effects += begin(request.conversation.id, with: page) }
        if isOpening { beginThread(on: number) }
        effects += inPane(number) { $0.settleChanges(page, in: $1) }
        effects += [.ask(.problems)]
        if case .found = request.destination {
            effects += searchOn(request.destination)
        } else if isOther {
            effects += carryOut(finding.countAgain(in: self.context))
        }
        effects += carryOut(reader.panes.change(number) { $0.viewportMoved() })
        return effects + showThread(of: page, request)
    }

    /// The entries of a page of a conversation that is not on the screen yet.
    private func entries(of page: Page, for request: ListRequest, _ firstUnread: MessageID?) -> [Entry] {
        Entry.entries(
            page.messages, after: page.older.neighbour, zone: zone, firstUnread: firstUnread,
            folds: reader.trail.folds[request.conversation.id] ?? [:], whole: page.focus)
    }

    /// Shows another conversation.
    private mutating func begin(_ id: ConversationID, with page: Page) -> [Effect] {
        [.watch(id, since: page.asOf), .stop(.places), .ask(.obstacle(id))]
            + inWriting { writing, _ in writing.sendNext(in: id) + writing.findStrayEdits(in: id) }
    }

    /// Resets the state that belongs to one conversation.
    private mutating func changeConversation(on number: Int) {
        closeThread()
        takeNewBelow(number)
        reader.panes.change(number) { pane in
            pane.target = nil
            pane.mark = nil
            pane.changes = LateChanges()
            pane.knownBefore = KnownBefore()
        }
        writing.obstacle = nil
        writing.members = [:]
        reader.locating = Retries()
        // The panel belongs to the conversation: the composer, or a question about a message.
        if panel == .composer || layers.prompt?.isAboutMessage == true { layers.panel = nil }
        writing.typing.forget()
        reader.readers.forget()
        finding.find?.forgetPlaces()
    }

    /// Shows a reply in its thread, next to the root.
    private mutating func showThread(of page: Page, _ request: ListRequest) -> [Effect] {
        // Showing the thread would leave the text that is being written.
        guard let thread = page.thread, panel != .composer else { return [] }
        let effects: [Effect]
        switch request.destination {
        case .position(.message(let id)), .found(let id, _): effects = showThread(thread, at: .position(.message(id)))
        case .unread(nil):
            let first = page.threads?.open.first?.message
            effects = showThread(thread, at: .position(first.map { .message($0) } ?? .latest))
        case .position, .hit, .place, .unread, .reply, .again: return []
        }
        pane.isFromJump = request.leaving == .jump
        return effects
    }
}

// MARK: - Failures

extension Model {
    /// Retries a failed list, like a failed page. Until a jump succeeds, the screen stays as it was. An error that is not
    /// transient ends the program if there is nothing to show.
    private mutating func fail(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        let number = request.ticket.pane
        // The first unread message may be gone by now.
        if case .unread = request.destination, !error.isTransient {
            return self.request(.position(.latest), in: request.conversation, leaving: request.leaving, on: number)
        }
        if reader.panes[number]?.opening == .shown { return failToGo(request, error) }
        guard error.isTransient else { return giveUp(error, on: number) }
        return carryOut(reader.panes.change(number) { $0.failToOpen(request, error) })
    }

    private mutating func failToGo(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        let number = request.ticket.pane
        if error.isTransient { return retryLater(request, error) }
        reader.panes.change(number) { $0.pending = nil }
        // A message that is not in the thread may be elsewhere in the conversation.
        if request.thread != nil, panel != .composer, case .position(.message(let id)) = request.destination,
            case .noSuchMessage = error
        {
            leaveThread()
            return go(to: .position(.message(id)), on: main.number)
        }
        warn(lostBookmark(of: request, error) ?? "not loaded: \(error)", about: .list(request))
        if request.leaving == .reload { return [] }
        let effects = goOn(without: request, error)
        if reader.panes[number]?.pending == nil { dropHeld() }
        // The user can try again from the list of hits.
        if case .found = request.destination { return openSearch() }
        return effects
    }

    private mutating func retryLater(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        guard let again = reader.panes.change(request.ticket.pane, { $0.retryLater(request) }) else { return [] }
        let canStay = request.leaving == .reload ? "" : ", Esc stays here"
        warn(
            "not loaded: \(error) · next try in \(again.delay) s\(canStay)",
            about: .list(again.request, afterKeys: "next try in \(again.delay) s · not loaded: \(error)"))
        return carryOut([again.outcome])
    }

    private mutating func giveUp(_ error: StoreError, on number: Int) -> [Effect] {
        if number != main.number {
            closeThread()
            warn("not loaded: \(error)")
            dropHeld()
            return []
        }
        guard reader.trail.beganInSwitcher else { return [.quit(.failed(error))] }
        reader.panes.change(number) { pane in
            pane.opening = .nothing
            pane.pending = nil
        }
        warn(error.description)
        dropHeld()
        return openSwitcher()
    }

    /// Forgets a place whose conversation is gone, so that the place blocks neither the history nor the conversation, should that
    /// return. A jump then requests the newest message instead.
    private mutating func goOn(without request: ListRequest, _ error: StoreError) -> [Effect] {
        guard !error.isTransient, case .place(let place) = request.destination else { return [] }
        let number = request.ticket.pane
        reader.panes.change(number) { $0.history.forget(place) }
        reader.trail.leftAt = reader.trail.leftAt.filter { $0.value != place }
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

/// Forwards changes of the store to both panes, and to everything that counts messages.
extension Model {
    /// Applies changes to messages of the open conversation.
    mutating func take(_ changes: [StoreChange]) -> [Effect] {
        guard main.opening == .shown else { return [] }
        let isFilled = changes.contains(.filled)
        var effects = isFilled || changes.contains(.indexed) ? askForPlace(ofMissing: isFilled) : []
        if changes.contains(.indexed) || changes.contains(.passedOver) { effects.append(.ask(.problems)) }
        for case .typing(let people) in changes { effects += writing.typing.show(people, besides: me) }
        for case .readers(let people) in changes { reader.readers.show(people, besides: me) }
        for case .reach(let reach) in changes { note(reach) }
        let unknown = Set(changes.lazy.filter(isUnknown).compactMap(\.message?.id))
        noteUnseen(changes, unknown)
        effects += mentions(in: changes, unknown)
        for case .arrived(let message) in changes { reading.note(message) }
        for case .updated(let message) in changes { writing.reactions.settle(message, by: me) }
        if changes.contains(where: { if case .arrived(let message) = $0 { message.presence != nil } else { false } }) {
            writing.members = [:]
            if panel == .composer { effects += inWriting { $0.askForMembers(in: $1) } }
        }
        reading.forgetDeleted(in: changes)
        effects += inFind { $0.take(changes, in: $1) }
        if let id = conversation?.id {
            effects += inSearch { $0.take(changes.compactMap(\.message), in: id, context: $1) }
        }
        let context = paneContext
        effects += carryOut(reader.panes.changeAll { $0.take(changes, unknown: unknown, in: context) })
        return effects + carryOut(reader.panes.main.countBeyond(changes))
    }

    /// Shows a change of the connection once, even if a helper reports it several times.
    private mutating func note(_ new: StoreReach) {
        switch new {
        case .online: if notice?.subject == .server { notice = nil }
        case .offline(let reason) where new.withoutNumbers != notices.reach?.withoutNumbers:
            warn("offline: \(reason)", about: .server)
        case .offline: break
        }
        notices.reach = new
    }

    private func isUnknown(_ change: StoreChange) -> Bool {
        guard case .arrived(let message) = change else { return false }
        return reader.panes.allSatisfy { !$0.shows(message) && !$0.knownBefore.contains(message) }
    }

    /// Notifies the user of messages that mention or reply to the user, and of replies in his threads.
    private mutating func mentions(in changes: [StoreChange], _ unknown: Set<MessageID>) -> [Effect] {
        guard let own = addressee else { return [] }
        var inOwnThreads: Set<MessageID> = []
        for case .inOwnThreads(let messages) in changes { inOwnThreads.formUnion(messages) }
        var effects: [Effect] = []
        for change in changes {
            guard case .arrived(let message) = change, let sender = message.sender, unknown.contains(message.id),
                own.isMeant(by: message) || inOwnThreads.contains(message.id)
            else { continue }
            note(mention: message)
            let link = conversation.map { Link(conversation: $0.id, message: message.id) }
            effects.append(.notify(from: sender.name, text: message.text.withoutSpoilers, link: link))
        }
        return effects
    }

    /// Performs the reloads that were put off while lists were loading.
    mutating func reloadPutOff() -> [Effect] {
        guard reader.panes.contains(where: { $0.changes.mustReload }) else { return [] }
        let context = paneContext
        return carryOut(reader.panes.changeAll { $0.reloadPutOff(in: context) })
    }

    // MARK: - Late knowledge

    /// Requests the place of the window and quoted messages, since the store knows more than before.
    /// - Parameter isFilled: true if quoted messages that were missing may exist now.
    func askForPlace(ofMissing isFilled: Bool = false) -> [Effect] {
        guard let conversation, let first = main.timeline.list.first else { return [] }
        let shown = reader.panes.flatMap { pane in (0..<pane.timeline.count).map { pane.timeline.list[$0].message } }
        let pending = shown.filter { message in
            guard let quote = message.quote else { return false }
            return quote.content == .pending || isFilled && quote.content == .missing
        }
        return [askForPlace(of: first, and: Set(pending.map(\.id)), in: conversation.id)]
    }

    /// - Parameter first: the first message of the window.
    func askForPlace(of first: Entry, and messages: Set<MessageID>, in id: ConversationID) -> Effect {
        .ask(.place(first.cursor, messages, in: id), .place(id, first.id))
    }

    mutating func receive(
        place result: Result<(Place?, [Message]), StoreError>, of first: MessageID, in id: ConversationID
    ) -> [Effect] {
        guard id == conversation?.id else { return [] }
        let (place, messages): (Place?, [Message])
        switch result {
        case .failure(let error):
            // The place is requested until the store knows it.
            return reader.locating.reason == nil
                ? [reader.locating.fail(error, .place(id, first))].compactMap(\.self) : []
        case .success(let known): (place, messages) = known
        }
        reader.locating = Retries()
        writing.fillQuotes(in: id, messages)
        let effects = carryOut(reader.panes.changeAll { [zone] in $0.learn(place, of: first, messages, zone: zone) })
        // Steps of the search may have waited for the place.
        return effects + carryOut([.find(.goOn)])
    }

    mutating func retryPlace(in id: ConversationID) -> [Effect] {
        guard id == conversation?.id, reader.locating.reason != nil else { return [] }
        reader.locating.begin()
        return askForPlace()
    }
}

extension StoreReach {
    /// The state without numbers in its reason, such as the milliseconds of a try: they do not make it another reason.
    fileprivate var withoutNumbers: StoreReach {
        if case .offline(let reason) = self { .offline(reason: reason.filter { !$0.isNumber }) } else { self }
    }
}
