/// Decides when older and newer pages are loaded. Its two outputs are `onPrepend` and `onAppend`; the code that fetches
/// a page then calls `received` or `failed`. Each side has a state of its own: idle → loading → idle | exhausted | gap |
/// failed.
///
/// Both sides may load at once, but never two loads of one side. A response is dropped when its ticket is not that of
/// the side's current load: the list has since been replaced, or the edge has been evicted.
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
        /// Messages are missing here, and nothing fetches them.
        case gap
        /// The last load failed, the last of `attempts` failures in a row.
        case failed(reason: String, attempts: Int)
    }

    /// Identifies one load.
    package struct Ticket: Hashable, Sendable {
        package let side: Side
        fileprivate let number: Int
    }

    /// A page to fetch: at most `limit` messages before or after a cursor.
    package enum Output: Hashable, Sendable {
        case onPrepend(Ticket, before: Cursor, limit: Int)
        case onAppend(Ticket, after: Cursor, limit: Int)
    }

    /// One end of the window, as a page describes it.
    package enum Edge: Hashable, Sendable {
        case end
        case more(Cursor)
        /// Messages are missing here. The cursor requests those that have come since.
        case gap(Cursor)
    }

    private struct SideState: Equatable, Sendable {
        var state: State = .exhausted
        var cursor: Cursor?
        /// Failures in a row, kept while the next try is under way.
        var attempts = 0
        var lastTicket: Ticket?
        /// The cursors of consecutive pages without messages. A response that leads back to one of them leads in a
        /// circle.
        var passed: Set<Cursor> = []
    }

    private var older = SideState()
    private var newer = SideState()
    private var tickets = 0
    package let prefetch: Prefetch

    package init(prefetch: Prefetch = .standard) { self.prefetch = prefetch }
}

extension Pager {
    /// Seconds until a failed load is retried automatically: 1, 2, 4 … 30.
    package static func retryDelay(attempts: Int) -> Int { min(30, 1 << min(max(attempts - 1, 0), 5)) }

    package func state(of side: Side) -> State { self[side].state }

    /// True if the conversation continues beyond this side, even if only on a server.
    package func hasMore(_ side: Side) -> Bool { self[side].state != .exhausted }

    /// True if a load may bring messages on this side.
    package func canLoad(_ side: Side) -> Bool { hasMore(side) && self[side].state != .gap }

    /// Starts again with a new list, and forgets the loads of the old one.
    package mutating func replace(older olderEdge: Edge, newer newerEdge: Edge) {
        older = SideState()
        newer = SideState()
        setEdge(.older, olderEdge)
        setEdge(.newer, newerEdge)
    }

    /// Call this when the viewport or the window has changed.
    /// - Parameters:
    ///   - above: rows between the beginning of the window and the viewport.
    ///   - below: rows between the viewport and the end of the window.
    ///   - height: rows of the viewport.
    package mutating func viewportMoved(above: Int, below: Int, height: Int) -> [Output] {
        let threshold = prefetch.threshold(height: height)
        let limit = prefetch.limit(height: height)
        var outputs: [Output] = []
        if above < threshold, older.state == .idle, let output = load(.older, limit) { outputs.append(output) }
        if below < threshold, newer.state == .idle, let output = load(.newer, limit) { outputs.append(output) }
        return outputs
    }

    /// True if the response to this load is still wanted.
    package func expects(_ ticket: Ticket) -> Bool { self[ticket.side].state == .loading(ticket) }

    /// Handles a page. Returns false, and changes nothing, when the page is no longer wanted.
    ///
    /// A page without messages is fine as long as its cursor leads on. When the cursor stays or leads in a circle, the
    /// page counts as a failure: otherwise it would be requested again and again.
    package mutating func received(_ ticket: Ticket, count: Int, edge: Edge) -> Bool {
        guard expects(ticket) else { return false }
        guard count == 0, case .more(let next) = edge, let cursor = self[ticket.side].cursor else {
            setEdge(ticket.side, edge)
            return true
        }
        self[ticket.side].passed.insert(cursor)
        guard !self[ticket.side].passed.contains(next) else {
            fail(ticket.side, reason: "the response held nothing new")
            return true
        }
        self[ticket.side].attempts = 0
        self[ticket.side].state = .idle
        self[ticket.side].cursor = next
        return true
    }

    /// Notes that a load failed; the cursors stay as they are. Returns the number of failures in a row; nil when the
    /// load is no longer wanted.
    package mutating func failed(_ ticket: Ticket, reason: String) -> Int? {
        guard expects(ticket) else { return nil }
        fail(ticket.side, reason: reason)
        return self[ticket.side].attempts
    }

    /// Retries a failed side at once, because the user wants it; this does not lengthen the pause before the next automatic try.
    /// Nil when the side has not failed.
    package mutating func retry(_ side: Side, height: Int) -> Output? {
        guard case .failed = self[side].state else { return nil }
        self[side].attempts -= 1
        return load(side, prefetch.limit(height: height))
    }

    /// Retries a failed load, because its pause is over. Nil when it has been retried since.
    package mutating func retry(_ ticket: Ticket, height: Int) -> Output? {
        guard case .failed = self[ticket.side].state, self[ticket.side].lastTicket == ticket else { return nil }
        return load(ticket.side, prefetch.limit(height: height))
    }

    /// Gives a side more to load, starting from this edge: messages were evicted there, or have been added. The
    /// response to a load from another edge would leave a gap, so it will be dropped.
    package mutating func reopen(_ side: Side, at cursor: Cursor) {
        setEdge(side, .more(cursor))
    }

    /// Asks again at a gap, because messages have come into it.
    package mutating func reopenGap(_ side: Side) {
        if self[side].state == .gap { self[side].state = .idle }
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
        case .gap(let cursor):
            self[side].state = .gap
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

/// The amount to fetch, and when to begin.
package struct Prefetch: Hashable, Sendable {
    /// The number of messages in a page; for a tall screen, it is two screens of messages instead.
    package let pageSize: Int
    /// A load starts when fewer rows than this, or fewer screens than `screens`, are left between the viewport and the
    /// edge.
    package let rows: Int
    package let screens: Int

    package init(pageSize: Int, rows: Int, screens: Int) {
        self.pageSize = max(1, pageSize)
        self.rows = rows
        self.screens = screens
    }

    package static let standard = Prefetch(pageSize: 50, rows: 10, screens: 3)

    /// The number of messages to request: at least two screens of them. The first page needs one screen on either side
    /// of its target; later pages need both to keep ahead of a key that is held down.
    package func limit(height: Int) -> Int { max(pageSize, 2 * height) }

    /// The number of rows to have loaded on either side of the viewport.
    package func threshold(height: Int) -> Int { max(rows, screens * height) }

    /// The smallest window in which messages evicted at one end lie outside the zone that would load them again: both
    /// zones, the screen, and the page that came last, with one row for each message.
    package func minimumCap(height: Int) -> Int { 2 * threshold(height: height) + 4 * height }
}
