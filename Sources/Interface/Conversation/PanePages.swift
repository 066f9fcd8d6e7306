import Dates
import Display
package import Messages
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

/// Requests for a list that takes the place of the one in the pane.
extension Pane {
    /// A list that arrives earlier is not announced.
    private static let grace = Duration.milliseconds(150)

    /// Asks for another list. The current one stays until it arrives.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        _ context: PaneContext
    ) -> [Outcome] {
        if opening == .shown, let pending, pending.destination == destination, pending.conversation == conversation {
            return pending.isWaiting ? retry(pending, in: context) : []
        }
        if opening != .shown {
            opening = .loading
            // While the store reads the first page.
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
        // The line of unread messages is placed once for each opening, by how far the user had read then.
        let since = id == context.conversation?.id ? context.reading.opened : context.reading.states[id]
        return .effect(
            .loadList(
                request,
                PageRequest(
                    conversation: id, thread: request.thread, position: request.position, limit: limit, since: since,
                    threads: context.reading.threads(of: id))))
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

    /// A try by the user does not make the next pause longer.
    mutating func retryOpening(in context: PaneContext) -> [Outcome] {
        guard case .failed(let reason, let attempts) = opening, let pending else { return [] }
        opening = .failed(reason: reason, attempts: attempts - 1)
        return retry(pending, in: context)
    }

    /// Where more people than these write, others have written messages that are not loaded yet.
    private static let fewPeople = 4
    /// The columns that all but a few names of such a conversation need.
    private static let usualNameColumns = 13

    /// Gives the names of another conversation as many columns as the longest of them needs: of its members, if they are known,
    /// else of the people who wrote the first messages.
    /// - Parameter isWhole: whether there are no more messages, in which others may have written.
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

    /// The first list could not be loaded.
    mutating func failToOpen(_ request: ListRequest, _ error: StoreError) -> [Outcome] {
        var attempts = 1
        if case .failed(_, let before) = opening { attempts = before + 1 }
        opening = .failed(reason: error.description, attempts: attempts)
        return [.effect(Loadable.list(request).retried(afterFailures: attempts))]
    }

    /// A list is tried until it comes, or until the user moves on.
    /// - Returns: the waiting request, and its pause in seconds.
    mutating func retryLater(_ request: ListRequest) -> (request: ListRequest, delay: Int, outcome: Outcome) {
        var again = request
        again.failures += 1
        again.isWaiting = true
        isSlow = true
        pending = again
        let delay = Pager<Messages.Cursor>.retryDelay(attempts: again.failures)
        return (again, delay, .effect(Loadable.list(again).retried(afterFailures: again.failures)))
    }

    // MARK: - Giving up

    /// The user moves on and does not want the list on its way.
    mutating func dropPending() {
        putOffReload()
        pending = nil
    }

    /// A list on its way is given up. If it is a reload, which no user asked for, it has to be done later.
    mutating func putOffReload() {
        if pending?.leaving == .reload { changes.mustReload = true }
    }
}

extension PageRequest {
    /// The request that `Model.start` makes, for as many messages as fill the screen. It can be made before there is a model, which
    /// takes some time to make.
    /// - Parameters:
    ///   - rows: of the screen.
    ///   - read: how far each conversation has been read.
    package static func first(
        in conversation: ConversationID, at position: Position, rows: Int, read: ReadStates
    ) -> PageRequest {
        PageRequest(
            conversation: conversation, position: position, limit: rows, since: read[conversation],
            threads: read.threads(of: conversation))
    }
}

/// An edge of the window beyond which messages are missing.
struct GapEdge: Hashable, Sendable {
    let gap: Gap
    /// The day and the time of the first message beyond the gap; nil if there is none.
    private let far: (date: CivilDate, clock: String)?

    init(_ gap: Gap, zone: Zone) {
        self.gap = gap
        far = gap.neighbour.map { neighbour in
            let civil = zone.civil(neighbour.at)
            return (civil.date, zone.clock(civil))
        }
    }

    static func == (a: GapEdge, b: GapEdge) -> Bool { a.gap == b.gap }

    func hash(into hasher: inout Hasher) { hasher.combine(gap) }

    /// `no messages here between 3 Mar and 9 May 2025`
    /// - Parameter entry: of the window, next to the gap.
    func text(beside entry: Entry, on side: Pager<Messages.Cursor>.Side) -> String {
        guard let far else {
            let day = entry.date.medium
            return side == .older ? "no messages from before \(day) are here" : "messages after \(day) are missing"
        }
        let near = (date: entry.date, clock: entry.clock)
        let (first, last) = side == .older ? (far, near) : (near, far)
        guard first.date != last.date else {
            return "no messages here between \(first.clock) and \(last.clock) on \(last.date.medium)"
        }
        let start = first.date.year == last.date.year ? first.date.dayAndMonth : first.date.short
        return "no messages here between \(start) and \(last.date.short)"
    }
}

/// The gaps at both ends of a window. An edge is a gap only while the pager says so.
struct GapEdges: Hashable, Sendable {
    private(set) var older: GapEdge?
    private(set) var newer: GapEdge?

    subscript(side: Pager<Messages.Cursor>.Side) -> GapEdge? { side == .older ? older : newer }

    mutating func note(_ page: Page, _ side: Pager<Messages.Cursor>.Side, zone: Zone) {
        let edge = side == .older ? page.older : page.newer
        let gap: GapEdge? = if case .gap(_, let gap) = edge { GapEdge(gap, zone: zone) } else { nil }
        if side == .older { older = gap } else { newer = gap }
    }
}
