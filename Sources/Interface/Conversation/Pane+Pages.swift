import Messages
import Timeline

/// Pages are asked for here and nowhere else: after a move of the viewport or of the messages, and for another try of a failed
/// load.
extension Pane {
    private typealias Output = Pager<Messages.Cursor>.Output

    /// To be called at the end of every function that moves the viewport, or the messages under it. Messages on the screen are
    /// not new any more, and edges that have come near ask for pages.
    mutating func viewportMoved() -> [Outcome] {
        guard opening == .shown else { return [] }
        seeNewBelow()
        return load { $0.loads() }
    }

    /// The user tries a failed load again.
    mutating func retry(_ edge: Edge) -> [Outcome] { load { [$0.retry(edge)].compactMap(\.self) } }

    /// The pause after a failed load is over.
    mutating func retry(_ ticket: Ticket) -> [Outcome] { load { [$0.retry(ticket)].compactMap(\.self) } }

    /// Whether an edge would ask for a page now. If so, a function has moved the viewport and not called `viewportMoved`.
    var wantsPages: Bool {
        var timeline = timeline
        return opening == .shown && !timeline.loads().isEmpty
    }

    /// Whether a page or a list is on its way, which the store may have read before a change that comes now.
    var isLoading: Bool {
        pending != nil
            || Edge.allCases.contains { if case .loading = timeline.pager.state(of: $0) { true } else { false } }
    }

    /// When nothing is on its way, a later page holds all changes up to now.
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
        return .effect(.loadPage(PageTicket(pane: number, load: load), request))
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
            // Lines may have come to the run at the end of the window since that was loaded.
            let known =
                ticket.side == .newer && timeline.pager.expects(ticket)
                ? extendLastRun(by: changes.overrule(page.messages), zone: context.zone) : 0
            // The store may not know yet which lines of a long log repeat an ID: the one that is shown stays.
            let entries = entries(of: page, from: known, in: context).filter { timeline.list.index(of: $0.id) == nil }
            let isWanted = try timeline.receive(
                entries, for: ticket, edge: edge,
                start: page.place.map { $0.index + known }, total: page.place?.total)
            guard isWanted else { return [] }
            if let first { joinDay(at: first) }
            gaps.note(page, ticket.side, zone: context.zone)
            isPartial = page.place?.isPartial ?? isPartial
            if staleLoads.remove(ticket) != nil { timeline.reopenGap(ticket.side) }
        } catch {
            return fail(ticket, reason: error.description)
        }
        // A page that leads no further counts as failed.
        if case .failed(_, let attempts) = timeline.pager.state(of: ticket.side) {
            return [retryLater(ticket, attempts: attempts)] + viewportMoved()
        }
        return [.effect(.reportProblems)] + viewportMoved()
    }

    /// The line of a day above the first message after a gap goes when messages of that day have come before it.
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
        .effect(Loadable.page(PageTicket(pane: number, load: ticket)).retried(afterFailures: attempts))
    }

    /// The messages of a page, in their newest form.
    /// - Parameter first: leaves out the messages before this index.
    func entries(of page: Page, from first: Int = 0, in context: PaneContext) -> [Entry] {
        let before = first > 0 ? Neighbour(page.messages[first - 1]) : page.older.neighbour
        return Entry.entries(
            Array(changes.overrule(page.messages).dropFirst(first)), after: before ?? beginning, zone: context.zone,
            firstUnread: lineAbove(in: context), folds: context.folds)
    }

    /// The message below the line of unread messages. A thread has no such line.
    func lineAbove(in context: PaneContext) -> MessageID? { isThread ? nil : context.reading.firstUnread }
}

extension Pane {
    /// Messages have come into a gap. Its edge asks again, even if a page is on its way that was read before.
    mutating func reopenGaps() {
        for side in Edge.allCases {
            timeline.reopenGap(side)
            if case .loading(let ticket) = timeline.pager.state(of: side) { staleLoads.insert(ticket) }
        }
    }

    /// Notes what is known about the conversation beyond a window that a page has become.
    mutating func note(window page: Page, zone: Zone) {
        for side in Edge.allCases { gaps.note(page, side, zone: zone) }
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
