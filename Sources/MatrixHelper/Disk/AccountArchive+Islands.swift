internal import Formats
internal import Matrix

/// Islands that are found in the midst of a gap.
extension AccountArchive {
    /// The segment that holds an event; nil if it is not here.
    func segment(holding event: String, in room: String) -> SegmentName? { log(ofKnown: room)?.segment(holding: event) }

    /// The gaps in which events around one may stand.
    func search(for page: ContextPage, in room: String) throws(DiskFailure) -> IslandSearch {
        let gaps = try gaps(in: room)
        guard gaps.count > 1, let log = log(ofKnown: room) else { return IslandSearch(gaps, page) }
        return IslandSearch(try touched(by: page, gaps, log).map { [$0] } ?? gaps, page)
    }

    /// The gap beside known events among those around one. That they are known tells where the others stand, but not that nothing
    /// is missing between. They may reach beyond a small island: the nearest one counts.
    private func touched(by page: ContextPage, _ gaps: [Gap], _ log: RoomLog) throws(DiskFailure) -> Gap? {
        for gap in gaps.reversed() where try !page.after.isDisjoint(with: log.allIDs(in: gap.edge)) { return gap }
        for gap in gaps {
            if let older = gap.older, try !page.before.isDisjoint(with: log.allIDs(in: older)) { return gap }
        }
        return nil
    }

    /// Writes events around one that is not here.
    /// - Returns: the segment; nil if the event is none that people see, or if there is no gap where it could stand.
    func add(
        _ page: ContextPage, around event: String, in room: String, _ search: IslandSearch
    ) throws(DiskFailure) -> SegmentName? {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        let needle = "\"id\":\(JSONString.text(event))"
        let times = Lines.find(needle, in: page.lines, tree) { $0["id"]?.string == event ? $0["at"]?.string : nil }
        guard let log = log(ofKnown: room), let time = times.first else { return nil }
        let all = try gaps(in: room)
        // Others may have filled some of these meanwhile.
        var left = all.filter(search.holds)
        if left.isEmpty { left = all }
        guard let gap = try oldest(of: left, before: time, log) ?? left.first else { return nil }
        guard let segment = gap.segment(for: page) else {
            throw DiskFailure("\(room): no number is left for a segment")
        }
        try take(namesOf: page.people, in: room)
        var known = try log.ids(from: gap.edge, isAfter: true)
        if let older = gap.older { known.formUnion(try log.ids(from: older, isAfter: false)) }
        try log.add(segment.name, segment.head, Lines.without(known, page.lines))
        try tellVotes(log)
        return segment.name
    }

    /// The oldest of several gaps whose end is later than a time. Times are what senders say: they only choose among gaps of which
    /// the server says nothing.
    private func oldest(of gaps: [Gap], before time: String, _ log: RoomLog) throws(DiskFailure) -> Gap? {
        guard gaps.count > 1 else { return nil }
        for gap in gaps.reversed() {
            let end = try log.firstTime(in: gap.edge) ?? ""
            if time.dropLast() < end.dropLast() { return gap }
        }
        return nil
    }
}
