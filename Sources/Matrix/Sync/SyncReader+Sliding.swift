internal import Formats

extension SyncReader {
    /// Reads a response to sliding sync of any length. A fault in a part of it hides that part only.
    /// - Parameters:
    ///   - passed: hears of bytes that were read, and may be read again.
    ///   - take: takes the parts of the response: one, unless it is long.
    /// - Returns: the last part; nil if it is no such response: there is no part then.
    /// - Throws: the error of `take`.
    package func readSliding<Failure: Error>(
        _ body: UnsafeRawBufferPointer, passed: @escaping (UnsafeRawBufferPointer) -> Void = { _ in },
        take: (SlidingPage) throws(Failure) -> Void
    ) throws(Failure) -> SlidingPage? {
        guard let whole = text(body, passed: passed)?.fields(named: ["pos", "lists", "rooms", "extensions"]),
            let pos = whole["pos"]?.string, !pos.isEmpty, let count = whole["lists"]?["all"]?["count"]?.integer,
            count >= 0
        else { return nil }
        var page = SlidingPage(pos: pos, count: Int(clamping: count))
        let extensions = whole["extensions"]?.fields(named: ["account_data", "receipts"]) ?? [:]
        var marks: [String: String] = [:]
        if let account = extensions["account_data"]?["rooms"] {
            for (room, list) in account.fields { marks[room] = SyncReader.fullyRead(list) }
        }
        var seen: Set<String> = []
        if let rooms = whole["rooms"] {
            for (room, value) in rooms.fields {
                let fields = value.fields(named: SyncReader.slidingFields)
                // An invitation has no timeline.
                guard !room.isEmpty, fields["initial"]?.isTrue == true, fields["timeline"]?.isArray == true,
                    seen.insert(room).inserted
                else { continue }
                try read(sliding: fields, room) { (news) throws(Failure) in
                    var news = news
                    news.mark(fullyRead: marks[room])
                    page.rooms.append(news)
                    page.weight += news.lines.count + 1_000
                    if page.weight > SyncReader.mostBytes { try give(&page, to: take) }
                }
            }
        }
        if let rooms = extensions["receipts"]?["rooms"] {
            for (room, event) in rooms.fields {
                Receipt.take(event, into: &page.receipts[room, default: []])
                page.weight += (page.receipts[room]?.count ?? 0) * 200
                if page.weight > SyncReader.mostBytes { try give(&page, to: take) }
            }
        }
        page.people = takePeople()
        try take(page)
        return page
    }

    private static let slidingFields: Set = [
        "initial", "heroes", "joined_count", "required_state", "timeline", "limited", "prev_batch",
    ]

    private func give<Failure: Error>(
        _ page: inout SlidingPage, to take: (SlidingPage) throws(Failure) -> Void
    ) throws(Failure) {
        page.people = takePeople()
        try take(page)
        page = SlidingPage(pos: page.pos, count: page.count)
    }

    private func read<Failure: Error>(
        sliding fields: [String: LongJSON], _ room: String, _ take: (RoomNews) throws(Failure) -> Void
    ) throws(Failure) {
        var facts = RoomFacts(room: room)
        events.room = room
        if let heroes = fields["heroes"]?.value {
            facts.take(heroes: heroes.elements.compactMap { $0["user_id"]?.string })
            for hero in heroes.elements { self.take(person: hero["user_id"]?.string, hero["displayname"]?.string) }
        }
        if let count = fields["joined_count"]?.integer { facts.take(memberCount: count) }
        let parts = RoomParts(
            state: fields["required_state"], timeline: fields["timeline"], isLimited: fields["limited"]?.isTrue == true,
            from: fields["prev_batch"]?.string)
        try read(parts, of: facts, take)
    }
}
