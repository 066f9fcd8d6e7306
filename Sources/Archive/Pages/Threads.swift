internal import Files
internal import Index
internal import Messages

/// Finds the thread replies that have no root before them: because the root is missing, is after the reply, or is itself a reply
/// to it. The main timeline shows such replies like broadcast ones, since they could not be reached otherwise. Only earlier lines
/// decide, so an arriving message never moves another one.
///
///     root → known from another page? → in the index? → in the lines right before? → further and further up
struct RootFinder {
    /// The number of bytes before the first reply to search first. Most roots are near their replies.
    private static let near: Int64 = 256 << 10
    /// The factor by which the searched part grows each time.
    private static let growth: Int64 = 8

    /// Lines that repeat an ID cannot be roots.
    let log: PlainLog
    let blocks: BlockReader
    /// Nil if there is no index.
    var index: IndexView?

    /// The place of a thread reply and the root that it names.
    struct Reply {
        let place: LinePlace
        let root: MessageID
    }

    /// The places of the replies without a root before them.
    /// - Throws: the errors of reading files.
    func loose(_ replies: [Reply]) throws(StoreError) -> Set<LinePlace> { try loose(replies, isNearOnly: false) }

    private func loose(_ replies: [Reply], isNearOnly: Bool) throws(StoreError) -> Set<LinePlace> {
        var wanted: [MessageID: ClosedRange<LinePlace>] = [:]
        for reply in replies {
            let known = wanted[reply.root] ?? reply.place...reply.place
            wanted[reply.root] = min(reply.place, known.lowerBound)...max(reply.place, known.upperBound)
        }
        guard let last = replies.map(\.place).max() else { return [] }
        let roots = try firstPlaces(of: wanted, upTo: last, isNearOnly: isNearOnly)
        return Set(replies.filter { reply in roots[reply.root].map { $0 > reply.place } ?? true }.map(\.place))
    }

    /// The replies whose root is not shortly before them.
    /// - Throws: the errors of reading files.
    func far(_ replies: [Reply]) throws(StoreError) -> [Reply] {
        let loose = try loose(replies, isNearOnly: true)
        return replies.filter { loose.contains($0.place) }
    }

    /// The first places of messages. For a message before its first reply, the result may be any of its places before that reply.
    /// - Parameters:
    ///   - wanted: the places of the first and the last reply of each message.
    ///   - last: lines after this place are not searched.
    ///   - isNearOnly: true to search only the lines shortly before the first replies.
    private func firstPlaces(
        of wanted: [MessageID: ClosedRange<LinePlace>], upTo last: LinePlace, isNearOnly: Bool
    ) throws(StoreError) -> [MessageID: LinePlace] {
        var found: [MessageID: LinePlace] = [:]
        var missing: [MessageID: LinePlace] = [:]
        var later: [MessageID: LinePlace] = [:]
        blocks.roots.begin(log.segments, covered: covered)
        for (id, replies) in wanted {
            let place = replies.lowerBound
            if let known = blocks.roots.places[id], known < place {
                found[id] = known
            } else if let known = try indexed(id) {
                found[id] = known
            } else if let absent = blocks.roots.absent[id], absent >= place {
                // The root may still be between two of its replies.
                if absent < replies.upperBound { later[id] = absent } else { found[id] = blocks.roots.places[id] }
            } else {
                missing[id] = place
            }
        }
        if !isNearOnly, let first = later.values.min() { try look(for: &later, in: first..<last, &found) }
        if let first = missing.values.min() {
            var (end, reach) = (last, RootFinder.near)
            while !missing.isEmpty, end > covered {
                let start = try line(reach, before: first)
                try look(for: &missing, in: start..<max(start, end), &found)
                if isNearOnly {
                    for (id, place) in found { blocks.roots.places[id] = place }
                    return found
                }
                (end, reach) = (start, reach * RootFinder.growth)
            }
        }
        for (id, place) in found { blocks.roots.places[id] = place }
        for (id, place) in missing { blocks.roots.absent[id] = place }
        return found
    }

    /// The line this number of bytes before a place, or the first line that the index does not cover.
    private func line(_ bytes: Int64, before place: LinePlace) throws(StoreError) -> LinePlace {
        var (segment, offset) = (place.segment, place.offset - bytes)
        while offset < 0, segment > 0 {
            segment -= 1
            offset += log.segments[segment].stamp.size
        }
        let line = LinePlace(segment: segment, offset: max(0, offset))
        return max(covered, line.offset > 0 ? try BlockWalk(segments: log.segments).line(around: line) : line)
    }

    private var covered: LinePlace { index?.end ?? .first }

    /// - Parameter missing: IDs with the places before which to find them. IDs that are found are removed.
    private func look(
        for missing: inout [MessageID: LinePlace], in stretch: Range<LinePlace>, _ found: inout [MessageID: LinePlace]
    ) throws(StoreError) {
        if stretch.isEmpty || missing.isEmpty { return }
        let filter = IDFilter(missing.keys.map { IDHash($0) }, isOfLinks: false)
        var hashes: [IDHash: MessageID] = [:]
        for id in missing.keys { hashes[IDHash(id)] = id }
        try log.scan(stretch, filter, blocks) { place, head, _ in
            guard head.isMessage, let id = hashes[IDHash(head.id)], head.id.elementsEqual(id.rawValue.utf8) else {
                return true
            }
            found[id] = min(place, found[id] ?? place)
            return true
        }
        for (id, place) in missing { if let first = found[id], first < place { missing[id] = nil } }
    }

    /// The place of the first message with this ID in the index.
    private func indexed(_ id: MessageID) throws(StoreError) -> LinePlace? {
        guard let index else { return nil }
        for record in try index.records(ofID: IDHash(id)) where record.kind.isMessage {
            guard log.segments.indices.contains(record.place.segment) else { continue }
            let block = Block(segment: record.place.segment, offset: record.place.offset, length: record.length)
            var isSame = false
            try blocks.forEachRecord(of: block, in: log) { _, head, _ in
                isSame = head.id.elementsEqual(id.rawValue.utf8)
                return false
            }
            if isSame { return record.place }
        }
        return nil
    }
}
