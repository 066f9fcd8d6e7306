import Messages
import Search
import Timeline

/// Lists that come from the store: for the same conversation, or for another one.
extension OpenConversation {
    mutating func receive(
        _ request: ListRequest, _ result: Result<Page, StoreError>, _ outside: Outside
    ) -> [Outcome] {
        guard let pending = panes[request.ticket.pane]?.pending, request.ticket == pending.ticket else { return [] }
        let request = pending
        switch result {
        case .success(let page):
            var outcomes: [Outcome] = []
            if case .list(let failed, _)? = outside.notice?.subject, request.isSameLoad(as: failed) {
                outcomes = [.notice(nil)]
            }
            do throws(DuplicateID) {
                if case .again(let remains) = request.destination {
                    return try outcomes + show(page, inPlaceOf: remains, on: request.ticket.pane, outside)
                }
                return try outcomes + show(page, for: request, outside)
            } catch {
                return outcomes + fail(request, .unavailable(error.description), outside)
            }
        case .failure(let error): return fail(request, error, outside)
        }
    }

    private mutating func show(
        _ page: Page, inPlaceOf remains: Remains, on number: Int, _ outside: Outside
    ) throws(DuplicateID) -> [Outcome] {
        let context = paneContext(outside)
        let outcomes = try panes.change(number) { (pane) throws(DuplicateID) in
            try pane.show(page, inPlaceOf: remains, in: context)
        }
        return outcomes ?? []
    }

    private mutating func show(
        _ page: Page, for request: ListRequest, _ outside: Outside
    ) throws(DuplicateID) -> [Outcome] {
        let (number, zone) = (request.ticket.pane, outside.zone)
        let isOther = conversation?.id != request.conversation.id
        let new = isOther ? firstUnread(in: page, of: request.conversation.id) : reading.firstUnread
        let former = isOther ? request.line : nil
        let firstUnread = new ?? former?.first
        var left = panes[number]?.place
        if number == main.number { left?.beside = request.beside ?? threadBeside }
        if isOther { left?.line = reading.line }
        let isOpening = left == nil
        let entries = isOther ? entries(of: page, for: request, firstUnread, zone) : nil
        let context = paneContext(outside)
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
        let leftConversation = conversation?.id
        if isOther { putNewBelowAside() }
        if isOther { trail.former = leftConversation }
        conversation = request.conversation
        trail.visited[request.conversation.id] = request.conversation
        var outside = outside
        if isOther {
            // The composer, and a question about a message, belong to the conversation that is left.
            if outside.panel == .composer { outside.panel = nil }
            outside.isAskingAboutMessage = false
            reading.open(request.conversation.id, firstUnread: new, former: former, threads: page.threads)
            changeConversation(on: number)
        }
        panes.change(number) { pane in
            pane.conversation = request.conversation.id
            if pane.isThread { pane.show(root: page.root, zone: zone) }
            // In a thread without replies the cursor is on the root. It stays there when a reply arrives, until the user moves.
            if pane.isThread, isOpening { pane.selectsRoot = page.messages.isEmpty }
            pane.opening = .shown
            pane.pending = nil
            pane.lost = nil
            pane.note(window: page, zone: zone)
        }
        var outcomes = panes.change(number) { $0.settle(page, request, zone) } ?? []
        outcomes += arrive(at: request.destination, outside)
        note(request.leaving, from: left, on: number)
        if isOther {
            outcomes.append(.entered(request.conversation.id, from: leftConversation, since: page.asOf))
        }
        if isOpening { beginThread(on: number, outside) }
        outcomes += inPane(number, outside) { $0.settleChanges(page, in: $1) }
        outcomes += [.effect(.ask(.problems))]
        if case .found = request.destination {
            outcomes += searchOn(request.destination, outside)
        } else if isOther {
            outcomes += inFind(outside) { $0.countAgain(in: $1) }
        }
        outcomes += panes.change(number) { $0.viewportMoved() } ?? []
        return outcomes + showThread(of: page, request, outside)
    }

    /// The entries of a page of a conversation that is not on the screen yet.
    private func entries(
        of page: Page, for request: ListRequest, _ firstUnread: MessageID?, _ zone: Zone
    ) -> [Entry] {
        Entry.entries(
            page.messages, after: page.older.neighbour, zone: zone, firstUnread: firstUnread,
            folds: trail.folds[request.conversation.id] ?? [:], whole: page.focus)
    }

    /// Resets the state that belongs to one conversation.
    private mutating func changeConversation(on number: Int) {
        closeThread()
        takeNewBelow(number)
        panes.change(number) { pane in
            pane.target = nil
            pane.mark = nil
            pane.changes = LateChanges()
            pane.knownBefore = KnownBefore()
        }
        locating = Retries()
        readers.forget()
        finding.find?.forgetPlaces()
    }

    /// Shows a reply in its thread, next to the root.
    private mutating func showThread(of page: Page, _ request: ListRequest, _ outside: Outside) -> [Outcome] {
        // Showing the thread would leave the text that is being written.
        guard let thread = page.thread, outside.panel != .composer else { return [] }
        let place: PageRequest.Position
        switch request.destination {
        case .position(.message(let id)), .found(let id, _): place = .message(id)
        case .unread(nil): place = page.threads?.open.first.map { .message($0.message) } ?? .latest
        case .position, .hit, .place, .unread, .reply, .again: return []
        }
        let outcomes = showThread(thread, at: .position(place), outside)
        pane.isFromJump = request.leaving == .jump
        return outcomes
    }
}

// MARK: - Failures

extension OpenConversation {
    /// Retries a failed list, like a failed page. Until a jump succeeds, the screen stays as it was. An error that is not
    /// transient ends the program if there is nothing to show.
    private mutating func fail(_ request: ListRequest, _ error: StoreError, _ outside: Outside) -> [Outcome] {
        let number = request.ticket.pane
        // The first unread message may be gone by now.
        if case .unread = request.destination, !error.isTransient {
            return self.request(
                .position(.latest), in: request.conversation, leaving: request.leaving, on: number, outside)
        }
        if panes[number]?.opening == .shown { return failToGo(request, error, outside) }
        guard error.isTransient else { return giveUp(error, on: number) }
        return panes.change(number) { $0.failToOpen(request, error) } ?? []
    }

    private mutating func failToGo(_ request: ListRequest, _ error: StoreError, _ outside: Outside) -> [Outcome] {
        let number = request.ticket.pane
        if error.isTransient { return retryLater(request, error) }
        panes.change(number) { $0.pending = nil }
        // A message that is not in the thread may be elsewhere in the conversation.
        if request.thread != nil, outside.panel != .composer, case .position(.message(let id)) = request.destination,
            case .noSuchMessage = error
        {
            leaveThread(outside)
            return go(to: .position(.message(id)), on: main.number, outside)
        }
        let reason = lostBookmark(of: request, error) ?? "not loaded: \(error)"
        var outcomes: [Outcome] = [.warn(reason, about: .list(request))]
        if request.leaving == .reload { return outcomes }
        outcomes += goOn(without: request, error, outside)
        if panes[number]?.pending == nil { outcomes.append(.lost) }
        // The user can try again from the list of hits.
        if case .found = request.destination { outcomes.append(.perform(.searchEverywhere)) }
        return outcomes
    }

    private mutating func retryLater(_ request: ListRequest, _ error: StoreError) -> [Outcome] {
        guard let again = panes.change(request.ticket.pane, { $0.retryLater(request) }) else { return [] }
        let canStay = request.leaving == .reload ? "" : ", Esc stays here"
        let afterKeys = "next try in \(again.delay) s · not loaded: \(error)"
        return [
            .warn(
                "not loaded: \(error) · next try in \(again.delay) s\(canStay)",
                about: .list(again.request, afterKeys: afterKeys)),
            again.outcome,
        ]
    }

    private mutating func giveUp(_ error: StoreError, on number: Int) -> [Outcome] {
        if number != main.number {
            closeThread()
            return [.warn("not loaded: \(error)"), .lost]
        }
        guard trail.beganInSwitcher else { return [.effect(.quit(.failed(error)))] }
        panes.change(number) { pane in
            pane.opening = .nothing
            pane.pending = nil
        }
        return [.warn(error.description), .lost, .perform(.switcher)]
    }

    /// Forgets a place whose conversation is gone, so that the place blocks neither the history nor the conversation, should that
    /// return. A jump then requests the newest message instead.
    private mutating func goOn(without request: ListRequest, _ error: StoreError, _ outside: Outside) -> [Outcome] {
        guard !error.isTransient, case .place(let place) = request.destination else { return [] }
        let number = request.ticket.pane
        panes.change(number) { $0.history.forget(place) }
        trail.leftAt = trail.leftAt.filter { $0.value != place }
        guard request.leaving == .jump else { return [] }
        return self.request(
            .position(.latest), in: request.conversation, leaving: request.leaving, on: number, outside)
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

/// Changes of the store, for the panes and for everything that counts messages.
extension OpenConversation {
    /// The messages among the changes that the conversation did not have before.
    func unknown(in changes: [StoreChange]) -> Set<MessageID> {
        Set(changes.lazy.filter(isUnknown).compactMap(\.message?.id))
    }

    private func isUnknown(_ change: StoreChange) -> Bool {
        guard case .arrived(let message) = change else { return false }
        return panes.allSatisfy { !$0.shows(message) && !$0.knownBefore.contains(message) }
    }

    /// Requests the place and the problems of the store that the changes may have brought. Call this first.
    mutating func askAfter(_ changes: [StoreChange], _ outside: Outside) -> [Outcome] {
        for case .readers(let people) in changes { readers.show(people, besides: outside.me) }
        let isFilled = changes.contains(.filled)
        let outcomes = isFilled || changes.contains(.indexed) ? askForPlace(ofMissing: isFilled) : []
        let hasProblems = changes.contains(.indexed) || changes.contains(.passedOver)
        return outcomes + (hasProblems ? [.effect(.ask(.problems))] : [])
    }

    /// Records new messages for the read marks, and returns notifications.
    /// - Parameter unknown: the new messages among the changes.
    mutating func note(_ changes: [StoreChange], unknown: Set<MessageID>, _ outside: Outside) -> [Outcome] {
        noteUnseen(changes, unknown, outside)
        let outcomes = mentions(in: changes, unknown, outside)
        for case .arrived(let message) in changes { reading.note(message) }
        reading.forgetDeleted(in: changes)
        return outcomes
    }

    /// Applies the changes to the messages in the panes.
    mutating func apply(_ changes: [StoreChange], unknown: Set<MessageID>, _ outside: Outside) -> [Outcome] {
        let context = paneContext(outside)
        let outcomes = panes.changeAll { $0.take(changes, unknown: unknown, in: context) }
        return outcomes + panes.main.countBeyond(changes)
    }

    /// Performs the reloads that were put off while lists were loading.
    private mutating func reloadPutOff(_ outside: Outside) -> [Outcome] {
        guard panes.contains(where: { $0.changes.mustReload }) else { return [] }
        let context = paneContext(outside)
        return panes.changeAll { $0.reloadPutOff(in: context) }
    }

    /// Performs put-off reloads, places the line of unread messages, and marks what the user has seen as read.
    mutating func noteWhatIsShown(_ outside: Outside) -> [Outcome] {
        let reload = reloadPutOff(outside)
        placeUnreadLine(outside)
        return reload + markRead(outside)
    }

    /// Handles a change in a pane.
    mutating func take(_ news: PaneNews, _ outside: Outside) -> [Outcome] {
        switch news {
        case .folded(let message, let isFolded):
            currentFolds[message] = isFolded
            return []
        case .moved: return askForPlace()
        case .written:
            pane.mark = nil
            return []
        case .reread(let firstUnread, let hasMoved):
            reading.firstUnread = firstUnread
            return inFind(outside) { $0.lookAgain(hasMoved: hasMoved, in: $1) }
        }
    }

    // MARK: - Late knowledge

    /// Requests the place of the window and quoted messages, since the store knows more than before.
    /// - Parameter isFilled: true if quoted messages that were missing may exist now.
    private func askForPlace(ofMissing isFilled: Bool = false) -> [Outcome] {
        let shown = panes.flatMap { pane in (0..<pane.timeline.count).map { pane.timeline.list[$0].message } }
        let pending = shown.filter { message in
            guard let quote = message.quote else { return false }
            return quote.content == .pending || isFilled && quote.content == .missing
        }
        return main.askForPlace(and: Set(pending.map(\.id)))
    }

    mutating func receive(
        place result: Result<(Place?, [Message]), StoreError>, of first: MessageID, in id: ConversationID,
        _ outside: Outside
    ) -> [Outcome] {
        guard id == conversation?.id else { return [] }
        switch result {
        case .failure(let error):
            // The place is requested until the store knows it.
            guard locating.reason == nil, let again = locating.fail(error, .place(id, first)) else { return [] }
            return [.effect(again)]
        case .success((let place, let messages)):
            locating = Retries()
            let outcomes = panes.changeAll { $0.learn(place, of: first, messages, zone: outside.zone) }
            // Steps of the search may have waited for the place.
            return outcomes + [.search(.goOn)]
        }
    }

    mutating func retryPlace(in id: ConversationID) -> [Outcome] {
        guard id == conversation?.id, locating.reason != nil else { return [] }
        locating.begin()
        return askForPlace()
    }
}
