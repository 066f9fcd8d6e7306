internal import Messages

/// Makes pages of messages out of what the reader finds: quotes, edits, names and neighbours filled in.
struct PageReader {
    /// A quote is a preview; a whole chapter that somebody answered to need not be carried with every answer.
    static let longestQuote = 1_000

    let reader: ConversationReader
    let conversation: ConversationID
    let people: People

    private var total: Int { reader.survey.mains }

    func page(_ request: PageRequest) throws(StoreError) -> Page {
        let limit = max(0, min(request.limit, total))
        switch request.position {
        case .earliest: return try page(0..<limit)
        case .latest: return try page(total - limit..<total)
        case .before(let cursor):
            let end = try reader.mains(before: try place(of: cursor))
            return try page(max(0, end - limit)..<end)
        case .after(let cursor):
            let start = try reader.mains(before: try place(of: cursor), inclusive: true)
            return try page(start..<min(total, start + limit))
        case .message(let id): return try page(around: try index(of: id), limit: limit)
        case .date(let moment):
            guard let index = try reader.firstMain(atOrAfter: moment) else { return try page(total - limit..<total) }
            return try page(around: index, limit: limit)
        case .index(let index): return try page(around: min(max(0, index), max(0, total - 1)), limit: limit)
        }
    }

    /// One message, thread replies included; nil when there is none.
    func message(_ id: MessageID) throws(StoreError) -> Message? {
        guard let stored = try reader.message(id) else { return nil }
        return try messages([stored]).first
    }

    /// Where the message of a cursor stands now. Files that were rewritten under us may have moved it; when it is gone,
    /// its old place is as near as one can come.
    func place(of cursor: Cursor) throws(StoreError) -> LinePlace {
        let (place, id) = try LinePlace.parse(cursor)
        if try reader.holds(id, at: place) { return place }
        return try reader.message(id)?.place ?? place
    }

    /// The index at which a message is shown: its own, or for a thread reply that of its root; without the root, of what
    /// was said just before in the main timeline.
    private func index(of id: MessageID) throws(StoreError) -> Int {
        guard let message = try reader.message(id) else { throw .noSuchMessage(id, in: conversation) }
        if message.isMain { return try reader.mains(before: message.place) }
        if let root = message.thread, let stored = try reader.message(root), stored.isMain {
            return try reader.mains(before: stored.place)
        }
        return max(0, try reader.mains(before: message.place) - 1)
    }

    private func page(around index: Int, limit: Int) throws(StoreError) -> Page {
        let start = max(0, min(index - limit / 2, total - limit))
        return try page(start..<start + limit, focus: index)
    }

    private func page(_ range: Range<Int>, focus: Int? = nil) throws(StoreError) -> Page {
        let around = max(0, range.lowerBound - 1)..<min(total, range.upperBound + 1)
        let stored = try reader.mains(around)
        guard stored.count == around.count else {
            throw .unavailable("\(conversation): its files changed while they were read; try again")
        }
        let shown = stored[range.lowerBound - around.lowerBound..<range.upperBound - around.lowerBound]
        let older = range.lowerBound > 0 ? stored.first : nil
        let newer = range.upperBound < total ? stored.last : nil
        return Page(
            messages: try messages(shown),
            older: edge(older, from: shown.first?.cursor ?? LinePlace.end.cursor(of: "")),
            newer: edge(newer, from: shown.last?.cursor ?? older?.cursor ?? LinePlace.start.cursor(of: "")),
            focus: focus.flatMap { range.contains($0) ? stored[$0 - around.lowerBound].id : nil },
            place: Place(index: range.lowerBound, total: total))
    }

    private func edge(_ neighbour: StoredMessage?, from cursor: Cursor) -> Page.Edge {
        guard let neighbour else { return .end }
        return .more(
            cursor,
            Neighbour(id: neighbour.id, at: neighbour.at, sender: neighbour.sender, kind: neighbour.kind))
    }

    private func messages(_ shown: some Collection<StoredMessage>) throws(StoreError) -> [Message] {
        guard let first = shown.first else { return [] }
        var known: [MessageID: StoredMessage] = [:]
        for message in shown { known[message.id] = message }
        let missing = Set(shown.compactMap(\.replyTo)).subtracting(known.keys)
        known.merge(try reader.messages(missing, near: first.place)) { own, _ in own }
        let overrules = try reader.overrules(of: known.values)
        let folded = known.mapValues { FoldedMessage($0, overrules[$0.id] ?? []) }
        let people = people.names(Set(folded.values.flatMap(\.people)))
        return shown.compactMap { message in
            guard let whole = folded[message.id] else { return nil }
            let quote = message.replyTo.map { PageReader.quote($0, folded[$0], people) }
            return Message(whole, quote: whole.isDeleted ? nil : quote, people: people)
        }
    }

    private static func quote(_ id: MessageID, _ folded: FoldedMessage?, _ people: [PersonID: Person]) -> Quote {
        guard let folded else { return Quote(id: id, content: .missing) }
        if folded.isDeleted { return Quote(id: id, content: .deleted) }
        let text = String(folded.text.prefix(longestQuote))
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
