import Messages
import Timeline

/// Lists and pages that come from the store.
extension Model {
    /// Asks for another list. The one there stays until the answer comes.
    mutating func requestList(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving
    ) -> [Effect] {
        if opening == .shown, let pending, pending.destination == destination, pending.conversation == conversation {
            return pending.isWaiting ? retry(pending) : []
        }
        if opening != .shown { pane.opening = .loading }
        if leaving != .reload { putOffReload() }
        pane.forgetOverruled()
        let request = ListRequest(
            conversation: conversation, thread: pane.thread, destination: destination, leaving: leaving,
            epoch: nextEpoch())
        pane.pending = request
        pane.isSlow = false
        return [load(request)] + (opening == .shown ? [.wait(Model.grace, .pause(.list(request.epoch)))] : [])
    }

    private func load(_ request: ListRequest) -> Effect {
        var limit = Prefetch.standard.limit(height: timeline.viewport.height)
        if case .again = request.destination { limit = max(limit, timeline.roomyCount) }
        var thread = request.thread
        if case .thread(let root, _) = request.destination { thread = root }
        return .loadList(
            request,
            PageRequest(
                conversation: request.conversation.id, thread: thread, position: request.position, limit: limit,
                since: since(request), threads: reading.threads(of: request.conversation.id)))
    }

    /// The line is placed once an opening, by how far one had read then.
    private func since(_ request: ListRequest) -> ReadState {
        let id = request.conversation.id
        return id == conversation?.id ? reading.opened : reading.states[id]
    }

    mutating func receive(_ request: ListRequest, _ result: Result<Page, StoreError>) -> [Effect] {
        guard let pending, request.epoch == pending.epoch else { return [] }
        let request = pending
        switch result {
        case .success(let page):
            if let failed = notice?.failedList, request.isSameLoad(as: failed) { notice = nil }
            do throws(DuplicateID) {
                switch request.destination {
                case .thread(let root, let reply): return try show(page, ofThread: root, at: reply)
                case .again(let remains): return try show(page, inPlaceOf: remains)
                case .position, .hit, .found, .place, .unread: return show(page, for: request)
                }
            } catch {
                return fail(request, .unavailable(error.description))
            }
        case .failure(let error): return fail(request, error)
        }
    }

    private mutating func show(_ page: Page, for request: ListRequest) -> [Effect] {
        let isOther = conversation?.id != request.conversation.id
        let firstUnread = isOther ? firstUnread(in: page, of: request.conversation.id) : reading.firstUnread
        let entries =
            isOther
            ? Entry.entries(
                page.messages, after: page.older.neighbour, zone: zone, firstUnread: firstUnread,
                folds: folds[request.conversation.id] ?? [:]) : entries(of: page)
        let left = place
        let kept = isOther ? keepDraft() : []
        do {
            try pane.timeline.open(
                entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                total: page.place?.total, focus: request.focus(of: page), alignment: request.alignment,
                following: request.position == .latest)
        } catch {
            return fail(request, .unavailable(error.description))
        }
        if isOther { putNewBelowAside() }
        conversation = request.conversation
        pane.conversation = request.conversation.id
        trail.visited[request.conversation.id] = request.conversation
        if isOther {
            reading.open(request.conversation.id, firstUnread: firstUnread, threads: page.threads)
            changeConversation()
            if page.threads != nil { tellOfThreads() }
        }
        if isInThread { pane.root = page.root.map { Entry(root: $0.asRoot, zone: zone) } }
        pane.opening = .shown
        pane.pending = nil
        pane.lost = nil
        settle(page, request)
        note(request.leaving, from: left)
        var effects = kept
        if isOther {
            effects += [.watch(request.conversation.id, since: page.asOf), .stopCollecting]
            effects += [.askForObstacle(request.conversation.id)] + sendNext(in: request.conversation.id)
            effects += findStrayEdits(in: request.conversation.id)
        }
        effects += settleChanges(page)
        effects += [.reportProblems]
        if case .found = request.destination {
            effects += searchOn(request.destination)
        } else if isOther {
            effects += countAgain()
        }
        return effects + pane.viewportMoved() + showThread(of: page, request)
    }

    /// The state of one conversation does not go along to the next.
    private mutating func changeConversation() {
        closeThread()
        if let conversation { see(conversation.id) { $0.see() } }
        pane.target = nil
        takeNewBelow()
        pane.changes = LateChanges()
        pane.knownBefore = KnownBefore()
        writing.obstacle = nil
        // Their question is about the conversation that is left.
        if panel == .composer || prompt?.isAboutMessage == true { panel = nil }
        typing = Typing()
        find?.forgetPlaces()
    }

    /// Puts the screen where the request meant it to be.
    private mutating func settle(_ page: Page, _ request: ListRequest) {
        switch request.destination {
        case .position(.earliest):
            _ = pane.timeline.jumpToBeginning()
        case .position(let position):
            markTarget(page, of: position)
        case .hit(let hit):
            landed(on: hit)
        case .found(let id, _):
            markTarget(page, of: .message(id))
            notice = noticeOfDeletion(of: id) ?? notice
        case .thread, .again: break
        case .unread:
            if page.focus == nil { _ = pane.timeline.jumpToEnd() }
        case .place(let place):
            if let anchor = place.anchor, timeline.list.index(of: anchor.id) != nil {
                pane.timeline.restore(anchor, selection: place.selection, following: place.isFollowing)
            } else if !place.isFollowing, let focus = page.focus, let anchor = place.anchor(substituting: focus) {
                pane.timeline.restore(anchor, selection: place.selection, following: false)
            }
            pane.target = place.target
        }
    }

    private mutating func markTarget(_ page: Page, of position: PageRequest.Position) {
        switch position {
        case .message:
            pane.target = page.thread == nil ? page.focus : nil
        case .date:
            pane.target = page.focus
            if page.focus == nil, !page.messages.isEmpty {
                tell("nothing was said on that day or after it: this is the newest message")
            }
        case .earliest, .latest, .unread, .before, .after, .index, .share, .survivor: break
        }
    }

    /// A reply in a thread is shown there, beside where the thread stands.
    private mutating func showThread(of page: Page, _ request: ListRequest) -> [Effect] {
        // The text that is being written would be left.
        guard let thread = page.thread, panel != .composer else { return [] }
        switch request.destination {
        case .position(.message(let id)), .found(let id, _): return showThread(thread, at: id)
        case .unread(nil): return showThread(thread, at: page.threads?.open.first?.message)
        case .position, .hit, .place, .unread, .thread, .again: return []
        }
    }

    private static let reloadPause = Duration.seconds(2)

    /// A failed opening is tried again, like a failed page; a failed jump leaves everything as it was. An error that
    /// can never succeed ends the program while there is nothing to show.
    private mutating func fail(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        // The new messages may be gone by now.
        if case .unread = request.destination, !error.isTransient {
            return requestList(.position(.latest), in: request.conversation, leaving: request.leaving)
        }
        guard opening != .shown else {
            pane.pending = nil
            // The keys that were typed for a thread are for nothing else.
            inputState.typedAhead = []
            // It is not in the thread: then it is elsewhere in the conversation.
            if isInThread, panel != .composer, case .position(.message(let id)) = request.destination,
                case .noSuchMessage = error
            {
                leaveThread()
                return onMain { $0.go(to: .position(.message(id))) }
            }
            if request.destination == .position(.latest), request.leaving != .reload,
                request.conversation.id == conversation?.id, error.isTransient
            {
                return retryLater(request, error)
            }
            warn("not loaded: \(error)")
            notice?.failedList = request
            // The screen does not show the messages of the store: they are read again until it does.
            if request.leaving == .reload, error.isTransient {
                pane.pending = request
                return [.wait(Model.reloadPause, .retryList(request))]
            }
            // The list that it was chosen from is where it is tried again.
            if case .found = request.destination { return openSearch() }
            return goOn(without: request, error)
        }
        guard error.isTransient else { return giveUp(error) }
        var attempts = 1
        if case .failed(_, let before) = opening { attempts = before + 1 }
        pane.opening = .failed(reason: error.description, attempts: attempts)
        let delay = Duration.seconds(Pager<Messages.Cursor>.retryDelay(attempts: attempts))
        return [.wait(delay, .retryList(request))]
    }

    /// At the end stands the user's message that was just sent: it is tried until it is there, or until the user moves on.
    private mutating func retryLater(_ request: ListRequest, _ error: StoreError) -> [Effect] {
        var again = request
        again.failures += 1
        again.isWaiting = true
        pane.pending = again
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: again.failures)
        warn("not loaded: \(error) · next try in \(delay) s, Esc stays here")
        notice?.failedList = again
        return [.wait(.seconds(delay), .retryList(again))]
    }

    private mutating func giveUp(_ error: StoreError) -> [Effect] {
        guard trail.beganInSwitcher else { return [.quit(.failed(error))] }
        pane.opening = .nothing
        pane.pending = nil
        warn(error.description)
        return openSwitcher()
    }

    /// A place that is gone with its conversation must not stand in the way: neither of those after it in the history, nor
    /// of the conversation when that is back, which is then opened at its newest message.
    private mutating func goOn(without request: ListRequest, _ error: StoreError) -> [Effect] {
        guard !error.isTransient, case .place(let place) = request.destination else { return [] }
        pane.history.forget(place)
        trail.leftAt = trail.leftAt.filter { $0.value != place }
        guard request.leaving == .jump else { return [] }
        return requestList(.position(.latest), in: request.conversation, leaving: request.leaving)
    }

    /// Loads a failed opening again under a name of its own, so that its timer and Enter cannot both count.
    mutating func retry(_ request: ListRequest) -> [Effect] {
        guard request.epoch == pending?.epoch else { return [] }
        switch opening {
        case .failed: break
        case .shown where request.leaving == .reload || request.isWaiting: break
        default: return []
        }
        var destination = request.destination
        if case .again = destination { destination = .again(remains) }
        var again = ListRequest(
            conversation: request.conversation, thread: request.thread, destination: destination,
            leaving: request.leaving, epoch: nextEpoch())
        again.failures = request.failures
        pane.pending = again
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
        do {
            let edge = ticket.side == .older ? page.older.edge : page.newer.edge
            let isWanted = try pane.timeline.receive(
                entries(of: page), for: ticket, edge: edge, start: page.place?.index, total: page.place?.total)
            guard isWanted else { return [] }
        } catch {
            return fail(ticket, reason: error.description)
        }
        // An answer that led nowhere counts as failed.
        if case .failed(_, let attempts) = timeline.pager.state(of: ticket.side) {
            return [retryLater(ticket, attempts: attempts)] + pane.viewportMoved()
        }
        return [.reportProblems] + pane.viewportMoved()
    }

    private mutating func fail(_ ticket: Pager<Messages.Cursor>.Ticket, reason: String) -> [Effect] {
        pane.timeline.fail(ticket, reason: reason).map { [retryLater(ticket, attempts: $0)] } ?? []
    }

    private func retryLater(_ ticket: Pager<Messages.Cursor>.Ticket, attempts: Int) -> Effect {
        .wait(
            .seconds(Pager<Messages.Cursor>.retryDelay(attempts: attempts)),
            .retryPage(PageTicket(pane: pane.number, load: ticket)))
    }

    mutating func report(_ problems: [String]) {
        let known = notice?.earlierProblems ?? knownProblems
        knownProblems = problems.count
        let new = problems.dropFirst(known)
        guard let first = new.first, notice == nil || notice?.earlierProblems != nil else { return }
        warn(new.count > 1 ? "\(new.count) problems, all in the log: \(first)" : first)
        notice?.earlierProblems = known
    }
}

extension ListRequest {
    fileprivate func focus(of page: Page) -> MessageID? {
        switch position {
        case .earliest: page.messages.first?.id
        case .latest: page.messages.last?.id
        case .message, .unread, .date, .index, .share, .before, .after, .survivor: page.focus
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
