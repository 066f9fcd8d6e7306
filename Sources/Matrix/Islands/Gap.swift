/// A place in a room where events are missing, and how to get them.
package struct Gap: Hashable, Sendable {
    /// The first segment after it.
    package let edge: SegmentName
    /// The last segment before it; nil if nothing older is here.
    package let older: SegmentName?
    /// The token from which the server goes on backwards; nil if it must be asked for.
    package var from: String?
    /// The token at which to stop; nil if it must be asked for, or if nothing older is here.
    package var to: String?

    package init(edge: SegmentName, older: SegmentName?, from: String?, to: String?) {
        (self.edge, self.older) = (edge, older)
        (self.from, self.to) = (from, to)
    }

    /// The gaps of a room, the newest first.
    /// - Parameters:
    ///   - segments: in their order.
    ///   - head: the first line of a segment; nil if it has none. It is asked for the first of each run only.
    package static func all(
        in segments: [SegmentName], head: (SegmentName) throws -> SegmentHead?
    ) rethrows -> [Gap] {
        var gaps: [Gap] = []
        for (index, name) in segments.enumerated().reversed() {
            let older = index > 0 ? segments[index - 1] : nil
            if let older, older.after == name { continue }
            guard let head = try head(name) else { continue }
            switch head.before {
            case .start: continue
            case .segment(let before): if before == older { continue }
            case .gap: break
            }
            gaps.append(Gap(edge: name, older: older, from: head.from, to: head.to))
        }
        return gaps
    }

    /// The segment that a page of older events becomes: its name and its head.
    /// - Returns: nil if no number is left for it.
    package func segment(for page: EventsPage) -> (name: SegmentName, head: SegmentHead, rest: Gap?)? {
        guard let name = edge.before, older.map({ $0 < name }) ?? true else { return nil }
        guard !page.isStart, let end = page.end else {
            return (name, SegmentHead(before: older.map { .segment($0) } ?? .start), nil)
        }
        let rest = Gap(edge: name, older: older, from: end, to: to)
        return (name, SegmentHead(before: .gap, from: end, to: to), rest)
    }
}
