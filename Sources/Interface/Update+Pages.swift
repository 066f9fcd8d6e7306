import Messages
import Timeline

/// What comes from the store.
extension Model {
    /// Asks for another list. The one there stays until the answer comes.
    mutating func requestList(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving
    ) -> [Effect] {
        if opening == .shown, let pending, pending.destination == destination, pending.conversation == conversation {
            return []
        }
        if opening != .shown { opening = .loading }
        let request = ListRequest(
            conversation: conversation, destination: destination, leaving: leaving, epoch: nextEpoch())
        pending = request
        isSlow = false
        return [load(request)] + (opening == .shown ? [.wait(Model.grace, .pause(epoch: request.epoch))] : [])
    }

    private func load(_ request: ListRequest) -> Effect {
        let limit = Prefetch.standard.limit(height: timeline.viewport.height)
        return .loadList(
            request, PageRequest(conversation: request.conversation.id, position: request.position, limit: limit))
    }

    mutating func receive(_ request: ListRequest, _ result: Result<Page, StoreError>) -> [Effect] {
        guard let pending, request.epoch == pending.epoch else { return [] }
        let request = pending
        switch result {
        case .success(let page): return show(page, for: request)
        case .failure(let error): return fail(request, error)
        }
    }

    private mutating func show(_ page: Page, for request: ListRequest) -> [Effect] {
        let isOther = conversation?.id != request.conversation.id
        let messages = isOther ? page.messages : changes.overrule(page.messages)
        let lastRead = isOther ? lastRead(before: page, of: request.conversation.id) : reading.lastRead
        let entries = Entry.entries(
            messages, after: page.older.neighbour, zone: zone, lastRead: lastRead,
            folds: folds[request.conversation.id] ?? [:])
        let left = place
        let kept = isOther ? keepDraft() : []
        do {
            try timeline.open(
                entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                total: page.place?.total, focus: request.focus(of: page), alignment: request.alignment,
                following: request.position == .latest)
        } catch {
            return fail(request, .unavailable(error.description))
        }
        conversation = request.conversation
        visited[request.conversation.id] = request.conversation
        reading.lastRead = lastRead
        if isOther { changeConversation() }
        opening = .shown
        pending = nil
        settle(page, request)
        note(request.leaving, from: left)
        var effects = kept
        if isOther {
            effects += [.watch(request.conversation.id, since: page.asOf), .stopCollecting] + seeFirst()
            effects += [.askForObstacle(request.conversation.id)] + sendNext(in: request.conversation.id)
        }
        effects += settleChanges(page)
        effects += [.reportProblems] + loads()
        if case .found = request.destination { return effects + searchOn(request.destination) }
        return effects + (isOther ? countAgain() : [])
    }

    /// What belongs to one conversation does not go with one to the next.
    private mutating func changeConversation() {
        target = nil
        newCount = 0
        changes = LateChanges()
        writing.obstacle = nil
        // What they ask is about the conversation that is left.
        switch panel {
        case .composer, .deletion, .reactions, .link: panel = nil
        case .find, .date, .search, .switcher, nil: break
        }
        typing = Typing()
        find?.forgetPlaces()
    }

    /// Puts the screen where the request meant it to be.
    private mutating func settle(_ page: Page, _ request: ListRequest) {
        switch request.destination {
        case .position(.earliest):
            _ = timeline.jumpToBeginning()
        case .position(let position):
            markTarget(page, of: position)
        case .hit(let hit):
            landed(on: hit)
        case .found(let id, _):
            markTarget(page, of: .message(id))
            notice = noticeOfDeletion(of: id) ?? notice
        case .unread(let last):
            if !showUnread(behind: last) { _ = timeline.jumpToEnd() }
        case .place(let place):
            if let anchor = place.anchor, timeline.list.index(of: anchor.id) != nil {
                timeline.restore(anchor, selection: place.selection, following: place.isFollowing)
            }
            target = place.target
        }
    }

    private mutating func markTarget(_ page: Page, of position: PageRequest.Position) {
        switch position {
        case .message(let asked):
            target = page.focus
            if let focus = page.focus, focus != asked {
                tell("\(asked) is a reply in a thread: this is where the thread stands")
            }
        case .date:
            target = page.focus
            if page.focus == nil, !page.messages.isEmpty {
                tell("nothing was said on that day or after it: this is the newest message")
            }
        case .earliest, .latest, .before, .after, .index, .share: break
        }
    }

    /// A failed opening is tried again, like a failed page; a failed jump leaves everything as it was. What can never
    /// succeed ends the program while there is nothing to show.
    private mutating func fail(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        // What was read last may be gone by now.
        if case .unread = request.destination, !error.isTransient {
            return requestList(.position(.latest), in: request.conversation, leaving: request.leaving)
        }
        guard opening != .shown else {
            pending = nil
            warn("not loaded: \(error)")
            // The list that it was chosen from is where it is tried again.
            if case .found = request.destination { return openSearch() }
            return goOn(without: request, error)
        }
        guard error.isTransient else { return giveUp(error) }
        var attempts = 1
        if case .failed(_, let before) = opening { attempts = before + 1 }
        opening = .failed(reason: error.description, attempts: attempts)
        let delay = Duration.seconds(Pager<Messages.Cursor>.retryDelay(attempts: attempts))
        return [.wait(delay, .retryList(request))]
    }

    private mutating func giveUp(_ error: StoreError) -> [Effect] {
        guard beganInSwitcher else { return [.quit(.failed(error))] }
        opening = .nothing
        pending = nil
        warn(error.description)
        return openSwitcher()
    }

    /// A place whose message is gone must not stand in the way: neither of those behind it in the history, nor of its
    /// conversation, which is then opened at its newest message.
    private mutating func goOn(without request: ListRequest, _ error: StoreError) -> [Effect] {
        guard !error.isTransient, case .place(let place) = request.destination else { return [] }
        history.forget(place)
        leftAt = leftAt.filter { $0.value != place }
        guard request.leaving == .jump || request.leaving == .reload else { return [] }
        return requestList(.position(.latest), in: request.conversation, leaving: request.leaving)
    }

    /// Loads a failed opening again under a name of its own, so that its timer and Enter cannot both count.
    mutating func retry(_ request: ListRequest) -> [Effect] {
        guard request.epoch == pending?.epoch, case .failed = opening else { return [] }
        let again = ListRequest(
            conversation: request.conversation, destination: request.destination, leaving: request.leaving,
            epoch: nextEpoch())
        pending = again
        return [load(again)]
    }

    mutating func receive(
        _ ticket: Pager<Messages.Cursor>.Ticket, _ result: Result<Page, StoreError>
    ) -> [Effect] {
        switch result {
        case .success(let page): return receive(ticket, page)
        case .failure(let error): return fail(ticket, reason: error.description)
        }
    }

    private mutating func receive(_ ticket: Pager<Messages.Cursor>.Ticket, _ page: Page) -> [Effect] {
        let messages = changes.overrule(page.messages)
        let entries = Entry.entries(
            messages, after: page.older.neighbour, zone: zone, lastRead: reading.lastRead, folds: currentFolds)
        do {
            let edge = ticket.side == .older ? page.older.edge : page.newer.edge
            let isWanted = try timeline.receive(
                entries, for: ticket, edge: edge, start: page.place?.index, total: page.place?.total)
            guard isWanted else { return [] }
        } catch {
            return fail(ticket, reason: error.description)
        }
        // An answer that led nowhere counts as failed.
        if case .failed(_, let attempts) = timeline.pager.state(of: ticket.side) {
            return [retryLater(ticket, attempts: attempts)]
        }
        return [.reportProblems]
    }

    private mutating func fail(_ ticket: Pager<Messages.Cursor>.Ticket, reason: String) -> [Effect] {
        timeline.fail(ticket, reason: reason).map { [retryLater(ticket, attempts: $0)] } ?? []
    }

    private func retryLater(_ ticket: Pager<Messages.Cursor>.Ticket, attempts: Int) -> Effect {
        .wait(.seconds(Pager<Messages.Cursor>.retryDelay(attempts: attempts)), .retryPage(ticket))
    }

    mutating func retry(_ ticket: Pager<Messages.Cursor>.Ticket) -> [Effect] {
        timeline.retry(ticket).flatMap(effect).map { [$0] } ?? []
    }

    mutating func report(_ problems: [String]) {
        defer { knownProblems = problems.count }
        let new = problems.dropFirst(knownProblems)
        guard let first = new.first, notice == nil else { return }
        let others = new.count > 1 ? " (and \(new.count - 1) more in the log)" : ""
        warn(first + others)
    }
}

extension ListRequest {
    fileprivate func focus(of page: Page) -> MessageID? {
        switch position {
        case .earliest: page.messages.first?.id
        case .latest: page.messages.last?.id
        case .message, .date, .index, .share, .before, .after: page.focus
        }
    }
}

extension Page.Edge {
    var neighbour: Neighbour? {
        if case .more(_, let neighbour) = self { neighbour } else { nil }
    }

    var edge: Pager<Messages.Cursor>.Edge {
        switch self {
        case .end: .end
        case .more(let cursor, _): .more(cursor)
        }
    }
}
