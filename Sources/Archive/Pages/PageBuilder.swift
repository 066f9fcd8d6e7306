internal import Messages

/// Builds pages of the main timeline or of a thread. Each page knows its neighbours on both sides.
struct PageBuilder {
    let pages: MessageAssembler
    let timeline: TimelineReader
    /// The places where messages are missing. A page stays inside one island.
    let islands: Islands
    /// The first message of the main timeline that the reader has not read.
    var firstUnread: StoredMessage?
    /// The thread replies that the reader has not read and that concern the reader.
    var threads: ThreadMarks?

    /// - Throws: `noSuchMessage`, and the errors of reading files.
    func page(_ position: PageRequest.Position, _ limit: Int) throws(StoreError) -> Page {
        switch position {
        case .earliest: return try page(from: .first, limit)
        case .latest: return try page(before: .end, limit)
        case .unread:
            if firstUnread == nil, let reply = threads?.open.first { return try page(.message(reply.message), limit) }
            return try page(around: firstUnread, limit)
        case .before(let cursor): return try page(before: try pages.place(of: cursor), limit)
        case .after(let cursor): return try page(after: try pages.place(of: cursor), limit)
        case .message(let id):
            let (shown, thread) = try shown(id)
            return try page(around: shown, limit, thread: thread)
        case .survivor(let ids, let moment):
            if let survivor = try survivor(of: ids) { return try page(around: survivor, limit) }
            return try page(around: try timeline.first(atOrAfter: moment), limit)
        case .date(let time): return try page(around: try timeline.first(atOrAfter: time.start), limit)
        case .index(let index): return try page(around: try timeline.message(at: max(0, index)), limit)
        case .share(let share): return try page(around: try timeline.message(atShare: share), limit)
        }
    }

    /// The message to focus for an ID. This is the message itself if the timeline contains it. A thread reply is represented in
    /// the main timeline by its root, or by the root of the root's thread; if there is none, by the message just before the
    /// reply.
    /// - Returns: also the thread, for such a reply.
    private func shown(_ id: MessageID) throws(StoreError) -> (StoredMessage?, thread: MessageID?) {
        let reader = pages.reader
        guard let message = try reader.message(id) else { throw .noSuchMessage(id, in: pages.conversation) }
        if timeline.id.holds(message) { return (message, nil) }
        guard timeline.id == .main else { throw .noSuchMessage(id, in: pages.conversation) }
        let thread = message.thread
        if let root = try outermost(message) { return (root, thread) }
        if let before = try timeline.messages(before: message.place, limit: 1).first { return (before, thread) }
        return (try timeline.messages(from: message.place, limit: 1).first, thread)
    }

    /// The first of these messages that is still in the timeline. Mostly that is `ids.first`, so it is looked up alone.
    private func survivor(of ids: [MessageID]) throws(StoreError) -> StoredMessage? {
        guard let first = ids.first else { return nil }
        if let message = try pages.reader.message(first), timeline.id.holds(message) { return message }
        let found = try pages.reader.messages(Set(ids.dropFirst()))
        return ids.lazy.compactMap { found[$0] }.first(where: timeline.id.holds)
    }

    /// The message of the main timeline at the top of a chain of nested threads.
    private func outermost(_ reply: StoredMessage) throws(StoreError) -> StoredMessage? {
        // Two messages that name each other as root have no such message.
        var passed: Set<MessageID> = []
        var next = reply.thread
        while let id = next, passed.insert(id).inserted, let root = try pages.reader.message(id) {
            if root.isMain { return root }
            next = root.thread
        }
        return nil
    }

    /// The most bytes of messages on a page. A page has at least one message, of any size.
    static let mostBytes = 1 << 20

    private func page(from place: LinePlace, _ limit: Int) throws(StoreError) -> Page {
        let found = try messages(from: place, limit: limit + 1)
        let home = found.first?.place ?? place
        return try page(found, PageUnits(found).messages(of: 0..<limit), from: 0, at: home)
    }

    private func page(before place: LinePlace, _ limit: Int) throws(StoreError) -> Page {
        let found = try messages(before: place, limit: limit + 1)
        let next = place == .end ? [] : try timeline.messages(from: place, limit: 1)
        let units = PageUnits(found)
        let range = units.messages(of: max(0, units.count - limit)..<units.count)
        let home = place == .end ? found.last?.place ?? .end(of: pages.reader.log.segments) : place
        return try page(found + next, range, from: found.count - 1, at: home)
    }

    private func page(after place: LinePlace, _ limit: Int) throws(StoreError) -> Page {
        let last = try timeline.messages(before: place, orAt: true, limit: 1)
        let found = try messages(from: place, orAt: false, limit: limit + 1)
        let range = PageUnits(found).messages(of: 0..<limit)
        let wanted = last.count + range.lowerBound..<last.count + range.upperBound
        return try page(last + found, wanted, from: last.count, at: place)
    }

    /// A page with as many units before the focus as after it, except at the ends of the timeline; the latest page if
    /// there is no focus.
    private func page(
        around focus: StoredMessage?, _ limit: Int, thread: MessageID? = nil
    ) throws(StoreError) -> Page {
        guard let focus else { return try page(before: .end, limit) }
        // Usually both sides have enough messages. If one side has too few, the other one fills the page. The run of a presence
        // line may have parts on both sides of that line.
        let run = focus.presence == nil ? 0 : 1
        let half = limit / 2
        var before = try messages(before: focus.place, limit: half + 1 + run)
        var from = try messages(from: focus.place, limit: limit - half + 1)
        if PageUnits(from).count <= limit - half {
            before = try messages(before: focus.place, limit: limit + 1 + run)
        } else if PageUnits(before).count <= half + run {
            from = try messages(from: focus.place, limit: limit + 1)
        }
        let found = before + from
        let units = PageUnits(found)
        let own = island(of: focus.place, in: found)
        let (first, end) = (units.unit(of: own.lowerBound), units.unit(of: own.upperBound - 1) + 1)
        let start = max(first, min(units.unit(of: before.count) - half, end - limit))
        let range = units.messages(of: start..<start + limit)
        return try page(found, range, from: before.count, at: focus.place, focus: focus.id, thread: thread)
    }

    /// The messages before a place, as far as the first one beyond a gap.
    private func messages(before place: LinePlace, limit: Int) throws(StoreError) -> [StoredMessage] {
        let found = try timeline.messages(before: place, limit: limit, bytes: PageBuilder.mostBytes, inUnits: true)
        let home = place == .end ? found.last?.place.segment ?? 0 : place.segment
        let other = found.lastIndex { islands.isGap(from: $0.place.segment, to: home) }
        return Array(found[(other ?? 0)...])
    }

    /// The messages from a place on, as far as the first one beyond a gap.
    private func messages(from place: LinePlace, orAt: Bool = true, limit: Int) throws(StoreError) -> [StoredMessage] {
        let found = try timeline.messages(
            from: place, orAt: orAt, limit: limit, bytes: PageBuilder.mostBytes, inUnits: true)
        let other = found.firstIndex { islands.isGap(from: place.segment, to: $0.place.segment) }
        return Array(found[..<(other.map { $0 + 1 } ?? found.count)])
    }

    /// - Parameters:
    ///   - stored: the messages of the page and its neighbours, if it has any.
    ///   - range: the indices of the page in `stored`; reduced if the messages are too large.
    ///   - first: the index of the message that the page must contain.
    ///   - home: a place in the island of the page.
    private func page(
        _ stored: [StoredMessage], _ range: Range<Int>, from first: Int, at home: LinePlace, focus: MessageID? = nil,
        thread: MessageID? = nil
    ) throws(StoreError) -> Page {
        let whole = range.clamped(to: island(of: home, in: stored))
        let wanted = PageBuilder.fitting(whole, from: first) { stored[$0].weight }
        let roots = try self.root()
        var found = try pages.messages(Array(stored[wanted]) + roots, bytes: PageBuilder.mostBytes)
        // An edit may have made a short message long.
        let fitting = PageBuilder.fitting(wanted, from: first) { index in
            let (message, omitted) = found[index - wanted.lowerBound]
            return message.weight + omitted
        }
        let range = PageBuilder.withoutParts(fitting, of: whole, from: first, PageUnits(stored))
        found =
            Array(found[range.lowerBound - wanted.lowerBound..<range.upperBound - wanted.lowerBound])
            + found[wanted.count...]
        var messages = found.map(\.message)
        if found.contains(where: { $0.omitted > 0 }) { messages = try pages.messages(Array(stored[range]) + roots) }
        let root = messages.count > range.count ? messages.removeLast() : nil
        // If repeats are not known yet, the first line of a page with an ID counts.
        var known: Set<MessageID> = []
        messages = messages.filter { known.insert($0.id).inserted }
        let shown = stored[range]
        let older = range.lowerBound > 0 ? stored[range.lowerBound - 1] : nil
        let newer = range.upperBound < stored.count ? stored[range.upperBound] : nil
        let place = shown.first?.place ?? newer?.place ?? .end
        return Page(
            messages: messages, root: root,
            older: try olderEdge(
                older, from: shown.first?.cursor ?? newer?.cursor ?? LinePlace.end.cursor(of: ""),
                at: shown.first?.place ?? home, root: root),
            newer: newerEdge(
                newer, from: shown.last?.cursor ?? older?.cursor ?? LinePlace.start.cursor(of: ""),
                at: shown.last?.place ?? home),
            focus: focus.flatMap { id in shown.contains { $0.id == id } ? id : nil },
            thread: thread, place: try position(of: place) ?? self.whole(stored, range),
            asOf: LogEnd(of: pages.reader.log.segments).cursor, firstUnread: firstUnread?.id,
            threads: threads)
    }

    /// The largest part of a range around one message whose messages fit into a page.
    static func fitting(_ range: Range<Int>, from first: Int, weight: (Int) -> Int) -> Range<Int> {
        guard range.contains(first) else { return range }
        var (start, end) = (first, first + 1)
        var left = mostBytes - weight(first)
        while true {
            let fitsBefore = start > range.lowerBound && weight(start - 1) <= left
            let fitsAfter = end < range.upperBound && weight(end) <= left
            if fitsBefore, !fitsAfter || first - start < end - first {
                start -= 1
                left -= weight(start)
            } else if fitsAfter {
                left -= weight(end)
                end += 1
            } else {
                return start..<end
            }
        }
    }

    /// A range that was reduced to `part` without the parts of runs at its ends. A run that is larger than a page is
    /// split.
    private static func withoutParts(
        _ part: Range<Int>, of whole: Range<Int>, from first: Int, _ units: PageUnits
    ) -> Range<Int> {
        var (start, end) = (part.lowerBound, part.upperBound)
        if start > whole.lowerBound { start = (start...first).first(where: units.isBorder) ?? start }
        if end < whole.upperBound { end = (first + 1...end).last(where: units.isBorder) ?? end }
        return start..<end
    }

    /// The root of the thread, if it exists.
    private func root() throws(StoreError) -> [StoredMessage] {
        guard let id = timeline.id.root else { return [] }
        return try pages.reader.message(id).map { [$0] } ?? []
    }

    private func position(of place: LinePlace) throws(StoreError) -> Place? {
        try timeline.position(of: place).map { $0.isPartial(islands.hasGaps) }
    }

    /// The position of a page that contains a whole thread, which is known without an index. The position in the main timeline
    /// comes from the index.
    private func whole(_ stored: [StoredMessage], _ range: Range<Int>) -> Place? {
        guard timeline.id != .main, range == stored.indices else { return nil }
        return Place(index: 0, total: stored.count, isPartial: islands.hasGaps)
    }

    /// The messages of the island that contains a place.
    private func island(of home: LinePlace, in stored: [StoredMessage]) -> Range<Int> {
        guard islands.hasGaps else { return stored.indices }
        let first = stored.firstIndex { !islands.isGap(from: $0.place.segment, to: home.segment) } ?? stored.count
        let end = stored[first...].firstIndex { islands.isGap(from: home.segment, to: $0.place.segment) }
        return first..<(end ?? stored.count)
    }

    /// The beginning of a page: a gap, an older message, or the beginning of the timeline.
    /// - Parameters:
    ///   - place: the place of the page's first message.
    ///   - root: the root of the thread; all replies of the thread come after it.
    private func olderEdge(
        _ neighbour: StoredMessage?, from cursor: Cursor, at place: LinePlace, root: Message?
    ) throws(StoreError) -> Page.Edge {
        var start = neighbour?.place.segment ?? -1
        if neighbour == nil, islands.hasGaps, let root { start = try pages.place(of: root.cursor).segment }
        let gap = islands.last(from: start, to: place.segment)
        return edge(neighbour, from: cursor, gapBeside: gap)
    }

    /// The end of a page: a gap, a newer message, or the end of the timeline.
    /// - Parameter place: the place of the page's last message.
    private func newerEdge(_ neighbour: StoredMessage?, from cursor: Cursor, at place: LinePlace) -> Page.Edge {
        let end = neighbour?.place.segment ?? pages.reader.log.segments.count - 1
        let gap = islands.first(from: place.segment, to: end)
        return edge(neighbour, from: cursor, gapBeside: gap.map { max(0, $0 - 1) })
    }

    /// - Parameter segment: the index of this island's segment at the gap, whose name identifies the gap; nil if there is no gap.
    private func edge(_ neighbour: StoredMessage?, from cursor: Cursor, gapBeside segment: Int?) -> Page.Edge {
        let neighbour = neighbour.map { Neighbour(id: $0.id, at: $0.at, sender: $0.sender, kind: $0.kind) }
        if let segment {
            return .gap(cursor, Gap(id: GapID(pages.reader.log.segments[segment].name), neighbour: neighbour))
        }
        return neighbour.map { .more(cursor, $0) } ?? .end
    }
}

extension MessageAssembler {
    /// - Throws: `noSuchMessage`, and the errors of reading files.
    func page(_ request: PageRequest) throws(StoreError) -> Page {
        let timeline = reader.timeline(request.thread.map { .thread($0) } ?? .main)
        var cutter = PageBuilder(pages: self, timeline: timeline, islands: try reader.islands())
        if let state = request.since, request.thread == nil {
            cutter.firstUnread = try firstUnread(since: state, isPatient: request.position == .unread)
            cutter.threads = try threadMarks(since: state, request.threads, for: me)
        }
        return try cutter.page(request.position, max(0, request.limit))
    }
}

extension PageUnits {
    fileprivate init(_ messages: [StoredMessage]) { self.init(messages, presence: \.presence) }
}
