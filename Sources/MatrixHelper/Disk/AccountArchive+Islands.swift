internal import Formats
internal import Matrix

/// Islands that are found in the midst of a gap.
extension AccountArchive {
    /// A gap, and what stands at its edges.
    private struct Shore {
        let gap: Gap
        let edgeIDs: Set<String>
        let olderIDs: Set<String>
        /// The time of the first record after the gap, as the record says it.
        let time: String
    }

    /// The segment that holds an event; nil if it is not here.
    func segment(holding event: String, in room: String) -> SegmentName? { log(ofKnown: room)?.segment(holding: event) }

    /// The gaps in which events around one may stand.
    func search(for page: ContextPage, in room: String) throws(DiskFailure) -> IslandSearch {
        let gaps = try gaps(in: room)
        guard gaps.count > 1, let log = log(ofKnown: room) else { return IslandSearch(gaps, page) }
        var shores: [Shore] = []
        for gap in gaps { shores.append(try shore(of: gap, log)) }
        // That some of them are known tells where they stand, but not that nothing is missing between. They may reach beyond a small
        // island: the nearest one counts.
        let touching =
            shores.last { !page.after.isDisjoint(with: $0.edgeIDs) }
            ?? shores.first { !page.before.isDisjoint(with: $0.olderIDs) }
        return IslandSearch(touching.map { [$0.gap] } ?? gaps, page)
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
        var shores: [Shore] = []
        for gap in left { shores.append(try shore(of: gap, log)) }
        // Times are what their senders say: they only choose among gaps of which the server says nothing.
        guard let shore = shores.last(where: { time.dropLast() < $0.time.dropLast() }) ?? shores.first else {
            return nil
        }
        guard let segment = shore.gap.segment(for: page) else {
            throw DiskFailure("\(room): no number is left for a segment")
        }
        try take(page.people)
        var known = try log.ids(from: shore.gap.edge, isAfter: true)
        if let older = shore.gap.older { known.formUnion(try log.ids(from: older, isAfter: false)) }
        try log.add(segment.name, segment.head, Lines.without(known, page.lines))
        return segment.name
    }

    private func shore(of gap: Gap, _ log: RoomLog) throws(DiskFailure) -> Shore {
        let edge = try DiskFile.read(log.path(of: gap.edge)) ?? []
        let older = try gap.older.map { name throws(DiskFailure) in try DiskFile.read(log.path(of: name)) ?? [] } ?? []
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return Shore(
            gap: gap, edgeIDs: Lines.ids(in: edge), olderIDs: Lines.ids(in: older),
            time: Lines.find("\"at\":", in: edge, tree) { $0["at"]?.string }.first ?? "")
    }
}
