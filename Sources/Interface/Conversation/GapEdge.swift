import Dates
import Messages
import Timeline

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
