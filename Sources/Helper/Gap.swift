package import ArchiveFormat
package import Formats

/// A place in a room where events are missing, and the tokens to fetch them.
///
///     |— older —| →  pages forwards … pages backwards  ← |— edge —|
///             stop                                     from
///
/// It can be filled from either token, also by turns. A page becomes a segment right next to the one that it follows or precedes,
/// and the token at its far end becomes the token of the rest. The gap is closed when the server says that nothing is left: by a
/// page without a token for the next one, or with the token at which it was to stop.
///
/// A known event in a page does not close the gap. A server has two orders: /sync sorts events by when the server received them,
/// /messages by the graph of the room. An event that another server delivers late is new in the one and old in the other: it may be
/// in a page, or at the edge of an island, while others around it are still missing. Tokens are not compared here either: only the
/// server knows both orders. Forwards from the token of a /sync, the first page has the events that are oldest in the graph among
/// all that the server received since; the next pages follow the graph from the end of that page. So a late event is in the page
/// where the graph has it, and a fill from the other end that continues to the end of that page has all others.
package struct SyncGap: Hashable, Sendable {
    /// The first segment after it.
    package let edge: SegmentName
    /// The last segment before it; nil if there is none.
    package let older: SegmentName?
    /// The token for the next page backwards; nil if the server must be asked for it.
    package var from: String?
    /// The token at which the gap ended when it was found; nil if the server must be asked for it, or if the gap reached the
    /// beginning of the room.
    package private(set) var to: String?
    /// The token after the last segment before it, if that segment is an island that was found inside the gap later, or a page that
    /// was fetched forwards.
    package private(set) var olderEnd: String?
    /// True if the server does not know `olderEnd` any more.
    private var isOlderEndStale = false

    package init(edge: SegmentName, older: SegmentName?, from: String?, to: String?, olderEnd: String? = nil) {
        (self.edge, self.older) = (edge, older)
        (self.from, self.to, self.olderEnd) = (from, to, olderEnd)
    }

    /// The token at which pages backwards stop and pages forwards begin; nil if the server must be asked for it, or if there is no
    /// older segment.
    package var stop: String? { isOlderEndStale ? nil : olderEnd ?? to }

    /// True if no token has to be asked for before its next page.
    package var hasTokens: Bool { from != nil && (stop != nil || older == nil) }

    /// True if its events came while this account was in the room and no process was syncing. Other gaps are older.
    package var isMissed: Bool { older != nil && (to != nil || olderEnd == nil && !isOlderEndStale) }

    /// Forgets the tokens that the server does not know any more. That of a /sync stays: no other token leads to events that came
    /// late.
    package mutating func forgetTokens() {
        from = nil
        if olderEnd != nil { (olderEnd, isOlderEndStale) = (nil, true) }
    }

    /// Sets the token after the last event before the gap, as requested.
    package mutating func stop(at token: String) {
        if isOlderEndStale { (olderEnd, isOlderEndStale) = (token, false) } else { to = token }
    }

    /// Continues after a page without events.
    package mutating func skip(to end: String, _ direction: FillDirection) {
        switch direction {
        case .backward: from = end
        case .forward: olderEnd = end
        }
    }

    /// The gaps of a room, the newest first.
    /// - Parameters:
    ///   - segments: in their order.
    ///   - readHead: the first line of a segment; nil if it has none. Called only for segments at gaps.
    package static func all<Failure: Error>(
        in segments: [SegmentName], head readHead: (SegmentName) throws(Failure) -> SegmentHead?
    ) throws(Failure) -> [SyncGap] {
        var gaps: [SyncGap] = []
        for (index, name) in segments.enumerated().reversed() {
            let older = index > 0 ? segments[index - 1] : nil
            if let older, older.after == name { continue }
            guard let head = try readHead(name) else { continue }
            switch head.before {
            case .start: continue
            case .segment(let before): if before == older { continue }
            case .gap: break
            }
            let olderHead: SegmentHead? = if let older { try readHead(older) } else { nil }
            let end = olderHead?.end
            let to = head.to ?? (end == nil ? nil : olderHead?.to)
            gaps.append(SyncGap(edge: name, older: older, from: head.from, to: to, olderEnd: end))
        }
        return gaps
    }

    /// The segment for events from inside the gap: its name and its head. Even if they reach a neighbour, a gap is left on each
    /// side, until the server says that it is empty.
    /// - Returns: nil if no number is left for it.
    package func segment(for page: ContextPage) -> (name: SegmentName, head: SegmentHead)? {
        guard let name = edge.middle(after: older) else { return nil }
        let isStart = page.isStart && older == nil
        return (
            name,
            isStart
                ? SegmentHead(before: .start, end: page.end)
                : SegmentHead(before: .gap, from: page.start, to: to, end: page.end)
        )
    }

    // MARK: - Pages

    /// True if nothing is left beyond a page.
    package func isClosed(by page: EventsPage, _ direction: FillDirection) -> Bool {
        switch direction {
        case .backward: page.isStart || page.end == nil || page.end == stop
        case .forward: page.end == nil || page.end == from
        }
    }

    /// The segment that a page becomes: its name and its head, and what is left of the gap.
    /// - Returns: nil if no number is left for it.
    package func segment(
        for page: EventsPage, _ direction: FillDirection
    ) -> (name: SegmentName, head: SegmentHead, rest: SyncGap?)? {
        guard let last = edge.before, older.map({ $0 < last }) ?? true else { return nil }
        if isClosed(by: page, direction) {
            // Its number shows that it touches the edge, whose head cannot change any more.
            return (last, SegmentHead(before: older.map { .segment($0) } ?? .start), nil)
        }
        // Segments with consecutive numbers touch: at least one number is kept for the page that closes the gap.
        guard let end = page.end, last != older?.after else { return nil }
        switch direction {
        case .backward:
            let rest = SyncGap(edge: last, older: older, from: end, to: to, olderEnd: olderEnd)
            return (last, SegmentHead(before: .gap, from: end, to: to), rest)
        case .forward:
            guard let older, let next = older.after else { return nil }
            let rest = SyncGap(edge: edge, older: next, from: from, to: to, olderEnd: end)
            return (next, SegmentHead(before: .segment(older), to: to, end: end), rest)
        }
    }
}

/// Finds the gap to which the events around an event belong. Clocks may be wrong by years, so the server is asked if any event is
/// between the end of a known island and the end of these events: each question halves the number of gaps.
///
///     |— island —| gap |— island —| gap |— island —|
///                                ↑ later, or not?
///
/// That is cheap (at most one event is sent), and agrees with /messages, which fills the gaps.
package struct IslandSearch: Sendable {
    /// The gaps in which the events may stand, the newest first.
    package private(set) var gaps: ArraySlice<SyncGap>
    /// The token after the last of the events.
    private let end: String?
    private var isGivenUp = false

    /// - Parameter gaps: the gaps that may contain the events, the newest first.
    package init(_ gaps: [SyncGap], _ page: ContextPage) { (self.gaps, end) = (gaps[...], page.end) }

    /// The last gap of the newer half.
    private var middle: Int { gaps.startIndex + (gaps.count - 1) / 2 }

    /// The tokens between which the server is asked for an event; nil if there is nothing to ask.
    package var question: (from: String, to: String)? {
        guard !isGivenUp, gaps.count > 1, let end else { return nil }
        // After the island that divides the halves, or before it: the events are not in it.
        return (gaps[middle].stop ?? gaps[middle + 1].from).map { ($0, end) }
    }

    /// Applies the server's reply, which says if an event is between the tokens.
    package mutating func take(isLater: Bool) {
        guard gaps.count > 1 else { return }
        gaps = isLater ? gaps[...middle] : gaps[(middle + 1)...]
    }

    /// Ends the search: all gaps that are left may contain the events.
    package mutating func giveUp() { isGivenUp = true }

    /// True if a gap is one of these, or the rest of one.
    package func holds(_ gap: SyncGap) -> Bool {
        guard let newest = gaps.first, let oldest = gaps.last, gap.edge <= newest.edge else { return false }
        guard let lower = oldest.older else { return true }
        return gap.older.map { $0 >= lower } ?? false
    }
}
