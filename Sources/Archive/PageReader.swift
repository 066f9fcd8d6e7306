internal import Messages

/// Makes pages of messages out of what the reader finds: quotes, edits, names and neighbours filled in.
struct PageReader {
    /// Quotes are looked for so far from a page that the index does not cover, in bytes: most are of what was said just
    /// before. The others are filled in when the index is there.
    private static let reach: Int64 = 8 << 20

    let reader: ConversationReader
    let conversation: ConversationID
    let people: People
    /// Whether there is or will be an index, which knows where every message is.
    var isIndexed = true

    /// - Throws: `noSuchMessage`, and what reading throws.
    func page(_ request: PageRequest) throws(StoreError) -> Page {
        let limit = max(0, request.limit)
        switch request.position {
        case .earliest: return try page(from: .first, limit)
        case .latest: return try page(before: .end, limit)
        case .before(let cursor): return try page(before: try place(of: cursor), limit)
        case .after(let cursor): return try page(after: try place(of: cursor), limit)
        case .message(let id): return try page(around: try shown(id), limit)
        case .date(let moment):
            guard let first = try reader.firstMain(atOrAfter: moment) else { return try page(before: .end, limit) }
            return try page(around: first, limit)
        case .index(let index): return try page(around: try reader.main(at: max(0, index)), limit)
        case .share(let share): return try page(around: try reader.main(atShare: share), limit)
        }
    }

    /// One message, thread replies included; nil when there is none.
    func message(_ id: MessageID) throws(StoreError) -> Message? {
        guard let stored = try reader.message(id) else { return nil }
        return try messages([stored]).first
    }

    /// These messages as they are now, as far as they are there: in the order of the log.
    func messages(_ ids: Set<MessageID>) throws(StoreError) -> [Message] {
        try messages(try reader.messages(ids).values.sorted { $0.place < $1.place })
    }

    /// Where the message of a cursor stands now. Files that were rewritten under us may have moved it; when it is gone,
    /// its old place is as near as one can come.
    func place(of cursor: Cursor) throws(StoreError) -> LinePlace {
        let (place, id) = try LinePlace.parse(cursor)
        if place == .start || place == .end { return place }
        if try reader.holds(id, at: place) { return place }
        return try reader.message(id)?.place ?? place
    }

    /// The message that an ID is shown by: itself, or for a thread reply its root; without the root, what was said just
    /// before in the main timeline.
    private func shown(_ id: MessageID) throws(StoreError) -> StoredMessage? {
        guard let message = try reader.message(id) else { throw .noSuchMessage(id, in: conversation) }
        if message.isMain { return message }
        if let root = message.thread, let stored = try reader.message(root), stored.isMain { return stored }
        if let before = try reader.mains(before: message.place, limit: 1).first { return before }
        return try reader.mains(from: message.place, limit: 1).first
    }

    private func page(from place: LinePlace, _ limit: Int) throws(StoreError) -> Page {
        let found = try reader.mains(from: place, limit: limit + 1)
        return try page(found, 0..<min(limit, found.count))
    }

    private func page(before place: LinePlace, _ limit: Int) throws(StoreError) -> Page {
        let found = try reader.mains(before: place, limit: limit + 1)
        let next = place == .end ? [] : try reader.mains(from: place, limit: 1)
        return try page(found + next, max(0, found.count - limit)..<found.count)
    }

    private func page(after place: LinePlace, _ limit: Int) throws(StoreError) -> Page {
        let last = try reader.mains(before: place, orAt: true, limit: 1)
        let found = try reader.mains(from: place, orAt: false, limit: limit + 1)
        return try page(last + found, last.count..<last.count + min(limit, found.count))
    }

    /// With as many messages before as behind, unless the conversation begins or ends there.
    private func page(around focus: StoredMessage?, _ limit: Int) throws(StoreError) -> Page {
        guard let focus else { return try page(before: .end, limit) }
        let before = try reader.mains(before: focus.place, limit: limit + 1)
        let found = before + (try reader.mains(from: focus.place, limit: limit + 1))
        let start = max(0, min(before.count - limit / 2, found.count - limit))
        return try page(found, start..<min(found.count, start + limit), focus: focus.id)
    }

    /// - Parameters:
    ///   - stored: the messages of the page, and those next to it where there are some.
    ///   - range: the page.
    private func page(
        _ stored: [StoredMessage], _ range: Range<Int>, focus: MessageID? = nil
    ) throws(StoreError) -> Page {
        let shown = stored[range]
        let older = range.lowerBound > 0 ? stored[range.lowerBound - 1] : nil
        let newer = range.upperBound < stored.count ? stored[range.upperBound] : nil
        let place = shown.first?.place ?? newer?.place ?? .end
        return Page(
            messages: try messages(shown),
            older: edge(older, from: shown.first?.cursor ?? LinePlace.end.cursor(of: "")),
            newer: edge(newer, from: shown.last?.cursor ?? older?.cursor ?? LinePlace.start.cursor(of: "")),
            focus: focus.flatMap { id in shown.contains { $0.id == id } ? id : nil },
            place: try reader.position(of: place), asOf: LogEnd(of: reader.log.segments).cursor)
    }

    private func edge(_ neighbour: StoredMessage?, from cursor: Cursor) -> Page.Edge {
        guard let neighbour else { return .end }
        return .more(
            cursor,
            Neighbour(id: neighbour.id, at: neighbour.at, sender: neighbour.sender, kind: neighbour.kind))
    }

    /// These messages with all that is known of them now.
    func messages(_ shown: some Collection<StoredMessage>) throws(StoreError) -> [Message] {
        guard let first = shown.first else { return [] }
        var known: [MessageID: StoredMessage] = [:]
        for message in shown { known[message.id] = message }
        let missing = Set(shown.compactMap(\.replyTo)).subtracting(known.keys)
        // Without an index that knows, all of the log would have to be read.
        let isPatient = reader.isCovered || !isIndexed || reader.size <= PageReader.reach
        let stretch = isPatient ? nil : reader.stretch(around: first.place, PageReader.reach)
        known.merge(try reader.messages(missing, in: stretch)) { own, _ in own }
        let overrules = try reader.overrules(of: known.values)
        let folded = known.mapValues { FoldedMessage($0, overrules[$0.id] ?? []) }
        let people = people.names(Set(folded.values.flatMap(\.people)))
        return shown.compactMap { message in
            guard let whole = folded[message.id] else { return nil }
            let quote = message.replyTo.map {
                PageReader.quote($0, folded[$0], people, else: isPatient ? .missing : .pending)
            }
            return Message(whole, quote: whole.isDeleted ? nil : quote, people: people)
        }
    }

    /// - Parameter unknown: what it means that the message was not found.
    private static func quote(
        _ id: MessageID, _ folded: FoldedMessage?, _ people: [PersonID: Person], else unknown: Quote.Content
    ) -> Quote {
        guard let folded else { return Quote(id: id, content: unknown) }
        if folded.isDeleted { return Quote(id: id, content: .deleted) }
        let text = String(folded.text.prefix(Quote.longestText))
        return Quote(id: id, content: .message(sender: folded.stored.sender.flatMap { people[$0] }, text: text))
    }
}

extension StoredMessage {
    var cursor: Cursor { place.cursor(of: id.rawValue) }

    /// Whether it stands in the main timeline.
    var isMain: Bool { thread == nil || isBroadcast }
}

extension FoldedMessage {
    /// All whose names are shown with it.
    var people: [PersonID] { (stored.sender.map { [$0] } ?? []) + reactions.flatMap(\.people) }
}

extension Message {
    init(_ folded: FoldedMessage, quote: Quote?, people: [PersonID: Person]) {
        let stored = folded.stored
        let person = { (id: PersonID) in people[id] ?? Person(id: id, name: id.rawValue) }
        self.init(
            id: stored.id, at: stored.at, sender: stored.sender.map(person), kind: stored.kind, text: folded.text,
            quote: quote, thread: stored.thread, isBroadcast: stored.isBroadcast,
            attachments: folded.isDeleted ? [] : stored.attachments, isEdited: folded.isEdited,
            isDeleted: folded.isDeleted,
            reactions: folded.reactions.map { Reaction(emoji: $0.emoji, people: $0.people.map(person)) },
            replyCount: folded.replyCount, cursor: stored.cursor)
    }
}

extension LinePlace {
    /// Before and behind all lines.
    static let start = LinePlace(segment: 0, offset: -1)
    /// Where the first line begins.
    static let first = LinePlace(segment: 0, offset: 0)
    static let end = LinePlace(segment: .max, offset: 0)

    /// A cursor names the message too, so that it is found again when its line has moved.
    func cursor(of id: String) -> Cursor { Cursor(token: "\(segment):\(offset):\(id)") }

    /// - Throws: `unavailable` for a cursor that this store has not made.
    static func parse(_ cursor: Cursor) throws(StoreError) -> (LinePlace, MessageID) {
        let parts = cursor.token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let segment = Int(parts[0]), let offset = Int64(parts[1]), segment >= 0, offset >= -1
        else { throw .unavailable("the cursor \"\(printable(cursor.token))\" is not of this archive; open it again") }
        return (LinePlace(segment: segment, offset: offset), MessageID(String(parts[2])))
    }
}
