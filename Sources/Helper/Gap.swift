package import ArchiveFormat
package import Formats

/// A place in a room where events are missing, and how to get them.
///
///     |— older —| →  pages forwards … pages backwards  ← |— edge —|
///             stop                                     from
///
/// It is filled from one of its tokens to the other, in both directions, also by turns. A page goes right beside the segment that it
/// follows or precedes, and the token at its far end becomes the token of what is left. The gap is closed when the server says that
/// nothing is left between the two: by a page without a token for the next one, or with the token at which it was to stop.
///
/// That an event of a page is known closes nothing. A server has two orders: /sync goes by when it received an event, /messages by the
/// graph of the room. An event that another server delivers late is new in the one and old in the other: it may be in a page, or
/// at the edge of an island, while others around it are still missing. Nor are tokens compared here: only the server knows
/// both orders. From the token of a /sync forwards, the first page has the oldest by the graph of all that the server received since, and
/// the next pages go on by the graph from where it ends: what came late is in the page in which it stands, and a fill from the other end
/// that goes on to the end of that page has all the rest.
package struct SyncGap: Hashable, Sendable {
    /// The first segment after it.
    package let edge: SegmentName
    /// The last segment before it; nil if nothing older is here.
    package let older: SegmentName?
    /// The token from which the server goes on backwards; nil if it must be asked for.
    package var from: String?
    /// The token at which the gap ended when it was found; nil if it must be asked for, or if it went to the beginning.
    package private(set) var to: String?
    /// The token after the last segment before it, if that is an island that was found in the midst of the gap later, or a page that
    /// was fetched forwards.
    package private(set) var olderEnd: String?
    /// True if the server does not know `olderEnd` any more.
    private var isOlderEndStale = false

    package init(edge: SegmentName, older: SegmentName?, from: String?, to: String?, olderEnd: String? = nil) {
        (self.edge, self.older) = (edge, older)
        (self.from, self.to, self.olderEnd) = (from, to, olderEnd)
    }

    /// The token at which to stop, and from which the server goes on forwards; nil if it must be asked for, or if nothing older is
    /// here.
    package var stop: String? { isOlderEndStale ? nil : olderEnd ?? to }

    /// True if no token has to be asked for before its next page.
    package var hasTokens: Bool { from != nil && (stop != nil || older == nil) }

    /// True if its events came while this account was in the room and no process followed the server. Other gaps are
    /// older.
    package var isMissed: Bool { older != nil && (to != nil || olderEnd == nil && !isOlderEndStale) }

    /// Forgets the tokens that the server does not know any more. That of a /sync stays: no other one has what came late.
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

    /// The segment that events in the midst of the gap become: its name and its head. Also where they reach to a neighbour, a gap is
    /// left on each side, until the server says that nothing is in it.
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
            // The number says that it touches the edge, whose head cannot change any more.
            return (last, SegmentHead(before: older.map { .segment($0) } ?? .start), nil)
        }
        // Segments whose numbers follow each other touch: one number at least is left for the page that closes the gap.
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

/// The search for the gap in which events around one stand. The clocks of people may be wrong by years, so the server is asked whether
/// anything stands between the end of a known island and that of the events: half of the gaps are left after each question.
///
///     |— island —| gap |— island —| gap |— island —|
///                                ↑ later, or not?
///
/// That is cheap (one event at most is sent) and says what /messages will say when the gaps are filled.
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

    /// Leaves the question open.
    package mutating func giveUp() { isGivenUp = true }

    /// True if a gap is one of these, or the rest of one.
    package func holds(_ gap: SyncGap) -> Bool {
        guard let newest = gaps.first, let oldest = gaps.last, gap.edge <= newest.edge else { return false }
        guard let lower = oldest.older else { return true }
        return gap.older.map { $0 >= lower } ?? false
    }
}
