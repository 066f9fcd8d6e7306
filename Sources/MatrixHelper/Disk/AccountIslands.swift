internal import ArchiveFormat
internal import Files
internal import Formats
internal import Helper
internal import JSON
internal import Matrix

/// Islands that are found inside a gap.
extension AccountArchive {
    /// The gaps in which the events of a page may be.
    func search(for page: ContextPage, in room: String) throws(FileError) -> IslandSearch {
        let gaps = try gaps(in: room)
        guard gaps.count > 1, let log = log(ofKnown: room) else { return IslandSearch(gaps, page) }
        return IslandSearch(try touched(by: page, gaps, log).map { [$0] } ?? gaps, page)
    }

    /// The gap next to known events of a page; nil if none is known. Known events show where the others belong, but not that
    /// nothing is missing between. A page may reach beyond a small island: the nearest gap counts.
    private func touched(by page: ContextPage, _ gaps: [SyncGap], _ log: RoomLog) throws(FileError) -> SyncGap? {
        for gap in gaps.reversed() where try !page.after.isDisjoint(with: log.allIDs(in: gap.edge)) { return gap }
        for gap in gaps {
            if let older = gap.older, try !page.before.isDisjoint(with: log.allIDs(in: older)) { return gap }
        }
        return nil
    }

    /// Writes the page of events around an event that is not in the log.
    /// - Returns: the segment; nil if the event is not shown to people, or if no gap could hold it.
    func add(
        _ page: ContextPage, around event: String, in room: String, _ search: IslandSearch
    ) throws(FileError) -> SegmentName? {
        let needle = "\"id\":\(JSONText(event))"
        let times = Lines.find(needle, in: page.lines) { $0["id"]?.string == event ? $0["at"]?.string : nil }
        guard let log = log(ofKnown: room), let time = times.first else { return nil }
        let all = try gaps(in: room)
        // Some of these gaps may have been filled meanwhile.
        var left = all.filter(search.holds)
        if left.isEmpty { left = all }
        guard let gap = try oldest(of: left, before: time, log) ?? left.first else { return nil }
        guard let segment = gap.segment(for: page) else {
            throw FileError(.write, room, .full)
        }
        try take(namesOf: page.people, in: room)
        var known = try log.ids(from: gap.edge, isAfter: true)
        if let older = gap.older { known.formUnion(try log.ids(from: older, isAfter: false)) }
        try log.add(segment.name, segment.head, Lines.without(known, page.lines))
        try tellVotes(log)
        return segment.name
    }

    /// The oldest of several gaps whose end is later than a time. Times come from senders, so they only choose among
    /// gaps that the server cannot place.
    private func oldest(of gaps: [SyncGap], before time: String, _ log: RoomLog) throws(FileError) -> SyncGap? {
        guard gaps.count > 1 else { return nil }
        for gap in gaps.reversed() {
            let end = try log.firstTime(in: gap.edge) ?? ""
            if time.dropLast() < end.dropLast() { return gap }
        }
        return nil
    }
}
