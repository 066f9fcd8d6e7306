/// A place in a room where events are missing, and how to get them.
package struct Gap: Hashable, Sendable {
    /// The first segment after it.
    package let edge: SegmentName
    /// The last segment before it; nil if nothing older is here.
    package let older: SegmentName?
    /// The token from which the server goes on backwards; nil if it must be asked for.
    package var from: String?
    /// The token at which the gap ended when it was found; nil if it must be asked for, or if it went to the beginning.
    package var to: String?
    /// The token after an island that was found in the midst of the gap later, and that is now the last one before it.
    package let olderEnd: String?

    package init(edge: SegmentName, older: SegmentName?, from: String?, to: String?, olderEnd: String? = nil) {
        (self.edge, self.older) = (edge, older)
        (self.from, self.to, self.olderEnd) = (from, to, olderEnd)
    }

    /// The token at which to stop; nil if it must be asked for, or if nothing older is here.
    package var stop: String? { olderEnd ?? to }

    /// Whether its events came while this account was in the room and nobody followed the server. Others are older than all
    /// that was followed.
    package var isMissed: Bool { older != nil && (to != nil || olderEnd == nil) }

    /// The gaps of a room, the newest first.
    /// - Parameters:
    ///   - segments: in their order.
    ///   - readHead: the first line of a segment; nil if it has none. It is asked for the segments at gaps only.
    package static func all(
        in segments: [SegmentName], head readHead: (SegmentName) throws -> SegmentHead?
    ) rethrows -> [Gap] {
        var gaps: [Gap] = []
        for (index, name) in segments.enumerated().reversed() {
            let older = index > 0 ? segments[index - 1] : nil
            if let older, older.after == name { continue }
            guard let head = try readHead(name) else { continue }
            switch head.before {
            case .start: continue
            case .segment(let before): if before == older { continue }
            case .gap: break
            }
            let end = try older.flatMap { try readHead($0)?.end }
            gaps.append(Gap(edge: name, older: older, from: head.from, to: head.to, olderEnd: end))
        }
        return gaps
    }

    /// The segment that events in the midst of the gap become: its name and its head.
    /// - Parameters:
    ///   - touchesEdge: whether they reach to the first segment after the gap.
    ///   - touchesOlder: whether they reach to the last segment before it.
    /// - Returns: nil if no number is left for it.
    package func segment(
        for page: ContextPage, touchesEdge: Bool, touchesOlder: Bool
    ) -> (name: SegmentName, head: SegmentHead)? {
        guard let name = touchesEdge ? edge.before : edge.middle(after: older), older.map({ $0 < name }) ?? true else {
            return nil
        }
        // Segments whose numbers follow each other touch.
        guard touchesOlder || name.before != older else { return nil }
        let end = touchesEdge ? nil : page.end
        if touchesOlder, let older { return (name, SegmentHead(before: .segment(older), end: end)) }
        if page.isStart, older == nil { return (name, SegmentHead(before: .start, end: end)) }
        return (name, SegmentHead(before: .gap, from: page.start, to: to, end: end))
    }

    /// The segment that a page of older events becomes: its name and its head.
    /// - Returns: nil if no number is left for it.
    package func segment(for page: EventsPage) -> (name: SegmentName, head: SegmentHead, rest: Gap?)? {
        guard let name = edge.before, older.map({ $0 < name }) ?? true else { return nil }
        guard !page.isStart, let end = page.end else {
            return (name, SegmentHead(before: older.map { .segment($0) } ?? .start), nil)
        }
        let rest = Gap(edge: name, older: older, from: end, to: to, olderEnd: olderEnd)
        return (name, SegmentHead(before: .gap, from: end, to: to), rest)
    }
}
