/// Decides when older and newer pages are loaded. Its two outputs are `onPrepend` and `onAppend`; whoever fetches answers
/// with `received` or `failed`. Each side goes its own way: idle → loading → idle | exhausted | failed.
///
/// Both sides may load at once, one side never twice. An answer whose ticket is not that of the side's open load belongs
/// to a list that has since been replaced, or to an edge that has since been evicted, and is dropped.
package struct Pager<Cursor: Hashable & Sendable>: Equatable, Sendable {
    package enum Side: CaseIterable, Hashable, Sendable {
        case older
        case newer
    }

    package enum State: Hashable, Sendable {
        case idle
        case loading(Ticket)
        /// The conversation begins or ends here.
        case exhausted
        /// The last load failed; `attempts` in a row did.
        case failed(reason: String, attempts: Int)
    }

    /// Names one load.
    package struct Ticket: Hashable, Sendable {
        package let side: Side
        fileprivate let number: Int
    }

    package enum Output: Hashable, Sendable {
        case onPrepend(Ticket, before: Cursor, limit: Int)
        case onAppend(Ticket, after: Cursor, limit: Int)
    }

    /// One side of the window as a page tells it.
    package enum Edge: Hashable, Sendable {
        case end
        case more(Cursor)
    }

    private struct SideState: Equatable, Sendable {
        var state: State = .exhausted
        var cursor: Cursor?
        /// Failed loads in a row, kept while the next try is under way.
        var attempts = 0
        var lastTicket: Ticket?
        /// Where pages without messages began, one behind the other: an answer that leads back there leads nowhere.
        var passed: Set<Cursor> = []
    }

    private var older = SideState()
    private var newer = SideState()
    private var tickets = 0
    package let prefetch: Prefetch

    package init(prefetch: Prefetch = .standard) { self.prefetch = prefetch }
}

extension Pager {
    /// Seconds until a failed load is tried again by itself: 1, 2, 4 … 30.
    package static func retryDelay(attempts: Int) -> Int { min(30, 1 << min(max(attempts - 1, 0), 5)) }

    package func state(of side: Side) -> State { self[side].state }

    package func hasMore(_ side: Side) -> Bool { self[side].state != .exhausted }

    /// A new list: what was asked for the old one is forgotten.
    package mutating func replace(older olderEdge: Edge, newer newerEdge: Edge) {
        older = SideState()
        newer = SideState()
        setEdge(.older, olderEdge)
        setEdge(.newer, newerEdge)
    }

    /// To be called when the viewport or the window changed.
    /// - Parameters: rows left between the viewport and each end of the window; rows of the viewport.
    package mutating func viewportMoved(above: Int, below: Int, height: Int) -> [Output] {
        let threshold = prefetch.threshold(height: height)
        let limit = prefetch.limit(height: height)
        var outputs: [Output] = []
        if above < threshold, older.state == .idle, let output = load(.older, limit) { outputs.append(output) }
        if below < threshold, newer.state == .idle, let output = load(.newer, limit) { outputs.append(output) }
        return outputs
    }

    /// Whether the answer to this ticket is still wanted.
    package func expects(_ ticket: Ticket) -> Bool { self[ticket.side].state == .loading(ticket) }

    /// A page arrived. Returns false, and changes nothing, when nobody waits for it any more.
    ///
    /// A page without messages is fine as long as its cursor leads on; one that leads nowhere, or in a circle, would be
    /// asked for again and again, and counts as a failure.
    package mutating func received(_ ticket: Ticket, count: Int, edge: Edge) -> Bool {
        guard expects(ticket) else { return false }
        guard count == 0, case .more(let next) = edge, let cursor = self[ticket.side].cursor else {
            setEdge(ticket.side, edge)
            return true
        }
        self[ticket.side].passed.insert(cursor)
        guard !self[ticket.side].passed.contains(next) else {
            fail(ticket.side, reason: "the answer held nothing new")
            return true
        }
        self[ticket.side].attempts = 0
        self[ticket.side].state = .idle
        self[ticket.side].cursor = next
        return true
    }

    /// A load failed. Cursors stay as they are. Returns the number of failures in a row; nil when nobody waits for it.
    package mutating func failed(_ ticket: Ticket, reason: String) -> Int? {
        guard expects(ticket) else { return nil }
        fail(ticket.side, reason: reason)
        return self[ticket.side].attempts
    }

    /// Tries a failed side again at once, because the user asks for it: that does not lengthen the pause before the next
    /// try. Nil when it is not failed.
    package mutating func retry(_ side: Side, height: Int) -> Output? {
        guard case .failed = self[side].state else { return nil }
        self[side].attempts -= 1
        return load(side, prefetch.limit(height: height))
    }

    /// Tries again what failed under this ticket, because its pause is over. Nil when it has been tried since.
    package mutating func retry(_ ticket: Ticket, height: Int) -> Output? {
        guard case .failed = self[ticket.side].state, self[ticket.side].lastTicket == ticket else { return nil }
        return load(ticket.side, prefetch.limit(height: height))
    }

    /// There is more again on that side, from this edge on: messages were evicted there, or have been added since. A load
    /// under way for another edge would leave a gap, so its answer will be dropped.
    package mutating func reopen(_ side: Side, at cursor: Cursor) {
        setEdge(side, .more(cursor))
    }

    private subscript(side: Side) -> SideState {
        get { side == .older ? older : newer }
        set { if side == .older { older = newValue } else { newer = newValue } }
    }

    private mutating func setEdge(_ side: Side, _ edge: Edge) {
        self[side].attempts = 0
        self[side].passed = []
        switch edge {
        case .end:
            self[side].state = .exhausted
            self[side].cursor = nil
        case .more(let cursor):
            self[side].state = .idle
            self[side].cursor = cursor
        }
    }

    private mutating func fail(_ side: Side, reason: String) {
        self[side].attempts += 1
        self[side].state = .failed(reason: reason, attempts: self[side].attempts)
    }

    private mutating func load(_ side: Side, _ limit: Int) -> Output? {
        guard let cursor = self[side].cursor else { return nil }
        tickets += 1
        let ticket = Ticket(side: side, number: tickets)
        self[side].state = .loading(ticket)
        self[side].lastTicket = ticket
        return side == .older
            ? .onPrepend(ticket, before: cursor, limit: limit)
            : .onAppend(ticket, after: cursor, limit: limit)
    }
}
