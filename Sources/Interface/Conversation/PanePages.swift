import Dates
import Display
package import Messages
import Timeline

/// The only code that requests pages: after a move of the viewport or of the messages, and for a retry of a failed load.
extension Pane {
    private typealias Output = Pager<Messages.Cursor>.Output

    /// Requests messages that may have come at the end meanwhile.
    mutating func lookForNewer() -> [Outcome] {
        timeline.lookForNewer()
        return viewportMoved()
    }

    /// Call this at the end of every function that moves the viewport, or the messages under it. Messages on the screen
    /// are not new any more, edges that have come near request pages, and the selected message its whole text.
    mutating func viewportMoved() -> [Outcome] {
        guard opening == .shown else { return [] }
        seeNewBelow()
        return keepSelectedText() + load { $0.loads() }
    }

    /// Retries a failed load for the user.
    mutating func retry(_ side: Side) -> [Outcome] { load { [$0.retry(side)].compactMap(\.self) } }

    /// Retries a failed load after its pause.
    mutating func retry(_ ticket: Ticket) -> [Outcome] { load { [$0.retry(ticket)].compactMap(\.self) } }

    /// True if a page, a list or a text is loading: the store may have read it before a change that comes now.
    var isLoading: Bool {
        pending != nil || selectedText.asked != nil
            || Side.allCases.contains { if case .loading = timeline.pager.state(of: $0) { true } else { false } }
    }

    /// Forgets changes when nothing is loading: a later page holds all changes up to now.
    mutating func forgetOverruled() { if !isLoading { changes.forget() } }

    private mutating func load(_ begin: (inout Timeline<MessageRuler>) -> [Output]) -> [Outcome] {
        forgetOverruled()
        return begin(&timeline).compactMap(outcome)
    }

    private func outcome(of output: Output) -> Outcome? {
        guard let conversation else { return nil }
        let (load, position, limit): (_, PageRequest.Position, _) =
            switch output {
            case .onPrepend(let load, let cursor, let limit): (load, .before(cursor), limit)
            case .onAppend(let load, let cursor, let limit): (load, .after(cursor), limit)
            }
        let request = PageRequest(conversation: conversation, thread: thread, position: position, limit: limit)
        return .effect(.ask(.page(request), .page(PageTicket(pane: number, load: load))))
    }

    private mutating func seeNewBelow() {
        if timeline.viewport.isFollowing { newBelow = NewBelow() }
        guard newBelow.first != nil, let last = timeline.visibleIndices.last else { return }
        for index in (0...last).reversed() {
            if newBelow.see(upTo: timeline.list[index].id) { return }
        }
    }
}

// MARK: - Their results

extension Pane {
    mutating func receive(
        _ ticket: Ticket, _ result: Result<Page, StoreError>, in context: PaneContext
    ) -> [Outcome] {
        switch result {
        case .success(let page): return receive(ticket, page, in: context)
        case .failure(let error): return fail(ticket, reason: error.description)
        }
    }

    private mutating func receive(_ ticket: Ticket, _ page: Page, in context: PaneContext) -> [Outcome] {
        do {
            let first = ticket.side == .older ? timeline.list.first?.id : nil
            let edge = ticket.side == .older ? page.older.edge : page.newer.edge
            // Lines may have joined the run at the end of the window since the window was loaded.
            let known =
                ticket.side == .newer && timeline.pager.expects(ticket)
                ? extendLastRun(by: changes.overrule(page.messages), zone: context.zone) : 0
            // The store may not know yet that lines of a long log repeat an ID. The message on the screen stays.
            let entries = entries(of: page, from: known, in: context).filter { timeline.list.index(of: $0.id) == nil }
            let isWanted = try timeline.receive(
                entries, for: ticket, edge: edge,
                start: page.place.map { $0.index + known }, total: page.place?.total)
            guard isWanted else { return [] }
            if let first { joinDay(at: first) }
            gaps[ticket.side] = GapEdge(page, ticket.side, zone: context.zone)
            isPartial = page.place?.isPartial ?? isPartial
            if staleLoads.remove(ticket) != nil { timeline.reopenGap(ticket.side) }
        } catch {
            return fail(ticket, reason: error.description)
        }
        // A page that leads no further counts as failed.
        if case .failed(_, let attempts) = timeline.pager.state(of: ticket.side) {
            return [retryLater(ticket, attempts: attempts)] + viewportMoved()
        }
        return [.effect(.ask(.problems))] + viewportMoved()
    }

    /// Removes the line of a day above the first message after a gap when messages of that day have come before it.
    private mutating func joinDay(at id: MessageID) {
        guard let index = timeline.list.index(of: id), index > 0, timeline.list[index].startsDay,
            timeline.list[index - 1].date == timeline.list[index].date
        else { return }
        timeline.update(timeline.list[index].withoutDay())
    }

    private mutating func fail(_ ticket: Ticket, reason: String) -> [Outcome] {
        timeline.fail(ticket, reason: reason).map { [retryLater(ticket, attempts: $0)] } ?? []
    }

    private func retryLater(_ ticket: Ticket, attempts: Int) -> Outcome {
        .effect(.retry(.page(PageTicket(pane: number, load: ticket)), afterFailures: attempts))
    }

    /// The messages of a page, in their newest form.
    /// - Parameter first: leaves out the messages before this index.
    func entries(of page: Page, from first: Int = 0, in context: PaneContext) -> [Entry] {
        let before = first > 0 ? Neighbour(page.messages[first - 1]) : page.older.neighbour
        return Entry.entries(
            Array(changes.overrule(page.messages).dropFirst(first)), after: before ?? beginning, zone: context.zone,
            firstUnread: lineAbove(in: context), folds: context.folds, whole: page.focus, shortens: !isThread)
    }

    /// The message below the line of unread messages.
    func lineAbove(in context: PaneContext) -> MessageID? { isThread ? threadLine : context.reading.firstUnread }

    /// True if the line of unread messages is on the screen, so that the rows below it would move up without it. Where the screen
    /// follows the end, they move anyway when a message comes, unless all messages fit on the screen.
    var holdsLine: Bool {
        guard !timeline.viewport.isFollowing || timeline.isWhole else { return false }
        return timeline.visibleIndices.contains { index in
            guard timeline.list[index].startsUnread else { return false }
            let row = timeline.measure(of: index).row(ofPlace: MessageRows.unreadPlace)
            return 0..<timeline.viewport.height ~= timeline.screenRow(of: index) + row
        }
    }

    /// Moves the line of unread messages above a message.
    mutating func moveLine(above id: MessageID) {
        for index in 0..<timeline.count where timeline.list[index].startsUnread {
            timeline.update(timeline.list[index].below(line: false))
        }
        if let index = timeline.list.index(of: id) { timeline.update(timeline.list[index].below(line: true)) }
    }
}

extension Pane {
    /// Requests gaps again after messages have come into them, even if a page is loading that was read before.
    mutating func reopenGaps() {
        for side in Side.allCases {
            timeline.reopenGap(side)
            if case .loading(let ticket) = timeline.pager.state(of: side) { staleLoads.insert(ticket) }
        }
    }

    /// Records the gaps next to a page that has become the window, and if the conversation is partial.
    mutating func note(window page: Page, zone: Zone) {
        for side in Side.allCases { gaps[side] = GapEdge(page, side, zone: zone) }
        staleLoads = []
        isPartial = page.place?.isPartial ?? isPartial
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
        case .gap(let cursor, let gap): gap.isFillable ? .more(cursor) : .gap(cursor)
        }
    }
}

/// Requests for a list that takes the place of the one in the pane.
extension Pane {
    /// The status line names a loading list only after this time.
    private static let grace = Duration.milliseconds(150)

    /// Requests another list. The current one stays until it arrives.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        _ context: PaneContext
    ) -> [Outcome] {
        if opening == .shown, let pending, pending.destination == destination, pending.conversation == conversation {
            return pending.isWaiting ? retry(pending, in: context) : []
        }
        if opening != .shown {
            opening = .loading
            // The columns of the names are counted while the store reads the first page.
            _ = nameRoom.columns(for: conversation.members)
        }
        if leaving != .reload { putOffReload() }
        forgetOverruled()
        let request = ListRequest(
            conversation: conversation, thread: thread, destination: destination, leaving: leaving,
            ticket: nextTicket())
        pending = request
        isSlow = false
        let pause = Outcome.effect(.wait(Pane.grace, .pause(.list(request.ticket))))
        return [load(request, in: context)] + (opening == .shown || isThread ? [pause] : [])
    }

    private func load(_ request: ListRequest, in context: PaneContext) -> Outcome {
        let id = request.conversation.id
        var limit = Prefetch.standard.limit(height: timeline.viewport.height)
        if case .again = request.destination { limit = max(limit, timeline.roomyCount) }
        // The line of unread messages is placed once for each opening, by the read position at that time.
        let since = id == context.conversation?.id ? context.reading.opened : context.reading.states[id]
        let page = PageRequest(
            conversation: id, thread: request.thread, position: request.position, limit: limit, since: since,
            threads: context.reading.threads(of: id))
        return .effect(.ask(.page(page), .list(request)))
    }

    /// Loads a failed list again, with a new ticket, so that a pause and a press of Enter do not load it twice.
    mutating func retry(_ request: ListRequest, in context: PaneContext) -> [Outcome] {
        guard request.ticket == pending?.ticket else { return [] }
        switch opening {
        case .failed: break
        case .shown where request.leaving == .reload || request.isWaiting: break
        default: return []
        }
        var destination = request.destination
        if case .again = destination { destination = .again(remains(at: context.now)) }
        var again = ListRequest(
            conversation: request.conversation, thread: request.thread, destination: destination,
            leaving: request.leaving, ticket: nextTicket())
        again.beside = request.beside
        again.failures = request.failures
        pending = again
        return [load(again, in: context)]
    }

    /// Retries for the user, without a longer pause afterwards.
    mutating func retryOpening(in context: PaneContext) -> [Outcome] {
        guard case .failed(let reason, let attempts) = opening, let pending else { return [] }
        opening = .failed(reason: reason, attempts: attempts - 1)
        return retry(pending, in: context)
    }

    /// With more senders than this, the first messages may not show all names.
    private static let fewPeople = 4
    /// The columns that fit nearly all names of such a conversation.
    private static let usualNameColumns = 13

    /// Gives the names of another conversation as many columns as the longest name needs: that of a member, if members
    /// are known, else that of a person who wrote the first messages.
    /// - Parameter isWhole: true if no more messages, perhaps of other people, follow.
    mutating func makeRoom(forNamesIn entries: [Entry], of conversation: Conversation, isWhole: Bool) {
        let longestOfMembers = nameRoom.columns(for: conversation.members)
        let senders = Dictionary(entries.map { ($0.message.sender?.id, $0.sender?.columns ?? 0) }) { $1 }
        let longest = senders.values.max()
        let mayBeLonger = !isWhole && senders.count > Pane.fewPeople
        nameColumns = longestOfMembers ?? longest.map { mayBeLonger ? max($0, Pane.usualNameColumns) : $0 }
        let wanted = grid.with(columns: grid.columns, names: nameColumns)
        if grid != wanted { timeline.resize(ruler: MessageRuler(grid: wanted), height: timeline.viewport.height) }
    }

    // MARK: - Failures

    /// Records that the first list could not be loaded, and retries it.
    mutating func failToOpen(_ request: ListRequest, _ error: StoreError) -> [Outcome] {
        var attempts = 1
        if case .failed(_, let before) = opening { attempts = before + 1 }
        opening = .failed(reason: error.description, attempts: attempts)
        return [.effect(.retry(.list(request), afterFailures: attempts))]
    }

    /// Loads a list again until it comes, or until the user moves on.
    /// - Returns: the waiting request, and its pause in seconds.
    mutating func retryLater(_ request: ListRequest) -> (request: ListRequest, delay: Int, outcome: Outcome) {
        var again = request
        again.failures += 1
        again.isWaiting = true
        isSlow = true
        pending = again
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: again.failures)
        return (again, delay, .effect(.retry(.list(again), afterFailures: again.failures)))
    }

    // MARK: - Giving up

    /// Cancels a loading list, since the user moves on.
    mutating func dropPending() {
        putOffReload()
        pending = nil
    }

    /// Cancels a loading list. A reload, which the user did not request, is done later.
    mutating func putOffReload() {
        if pending?.leaving == .reload { changes.mustReload = true }
    }
}

/// Requests for long texts.
extension Pane {
    /// Asks for the whole text of the selected message. The text of the message that was selected before is shortened, unless
    /// the user has unfolded it.
    mutating func keepSelectedText() -> [Outcome] {
        // The list of a thread holds whole texts.
        if isThread { return [] }
        let selected = timeline.selection.flatMap(timeline.list.index(of:)).map { timeline.list[$0] }
        if let former = selectedText.whole, former != selected?.id, let index = timeline.list.index(of: former),
            timeline.list[index].fold != false
        {
            let entry = timeline.list[index]
            timeline.update(Entry(entry.message.shortened, replacing: entry))
        }
        selectedText.whole = selected?.isWhole == true ? selected?.id : nil
        guard let selected, selected.isShortened else {
            selectedText.asked = nil
            return []
        }
        return selectedText.asked?.id == selected.id ? [] : askForText(of: selected.id, Retries())
    }

    private mutating func askForText(of id: MessageID, _ retries: Retries) -> [Outcome] {
        guard let conversation else { return [] }
        let ticket = nextTicket()
        selectedText = SelectedText(asked: (id, ticket), retries: retries)
        selectedText.retries.begin()
        return [.effect(.ask(.messages([conversation: [id]]), .text(ticket)))]
    }

    /// Shows a text that was requested, unless the cursor has moved on.
    mutating func receive(text ticket: PaneTicket, _ result: Result<[Message], StoreError>) -> [Outcome] {
        guard let asked = selectedText.asked, asked.ticket == ticket, let conversation else { return [] }
        var failure = StoreError.noSuchMessage(asked.id, in: conversation)
        switch result {
        case .success(let messages):
            guard let message = changes.overrule(messages).first(where: { $0.id == asked.id }) else { break }
            selectedText = SelectedText()
            guard let index = timeline.list.index(of: asked.id) else { return [] }
            timeline.update(Entry(message, replacing: timeline.list[index]))
            return viewportMoved()
        case .failure(let error): failure = error
        }
        let isFirst = selectedText.retries.count == 0
        let again = selectedText.retries.fail(failure, .text(ticket))
        if let again { return [.effect(again)] }
        let told: [Outcome] = isFirst ? [.warn(failure.description)] : []
        return told + [.lost, .effect(.retry(.text(ticket), afterFailures: selectedText.retries.count))]
    }

    mutating func retry(text ticket: PaneTicket) -> [Outcome] {
        guard let asked = selectedText.asked, asked.ticket == ticket else { return [] }
        return askForText(of: asked.id, selectedText.retries)
    }
}

extension PageRequest {
    /// The request that `Model.start` makes, for as many messages as fill the screen. It can be made before the model, which
    /// takes some time.
    /// - Parameters:
    ///   - rows: the rows of the screen.
    ///   - read: the read positions.
    package static func first(
        in conversation: ConversationID, at position: Position, rows: Int, read: ReadStates
    ) -> PageRequest {
        PageRequest(
            conversation: conversation, position: position, limit: rows, since: read[conversation],
            threads: read.threads(of: conversation))
    }
}
