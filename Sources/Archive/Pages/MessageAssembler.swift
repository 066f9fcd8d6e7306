internal import Messages

/// Makes messages as they are shown out of what the reader finds: quotes, edits and names filled in. (Pages of them:
/// `PageBuilder`.)
struct MessageAssembler {
    /// Quotes are looked for so far from a page that the index does not cover, in bytes: most are of what was said just
    /// before. The others are filled in when the index is there.
    private static let reach: Int64 = 8 << 20

    let reader: ConversationReader
    let conversation: ConversationID
    let people: People
    /// Whether there is or will be an index, which knows where every message is.
    var isIndexed = true
    /// Who reads: among the people of a reaction, always.
    var me: PersonID?

    /// Whether the whole log may be read for a question: else an index will soon answer it.
    var canReadAll: Bool { reader.isCovered || !isIndexed || reader.size <= MessageAssembler.reach }

    /// What is read of the log otherwise.
    func stretch(around place: LinePlace) -> Range<LinePlace> { reader.stretch(around: place, MessageAssembler.reach) }

    /// One message, thread replies included; nil when there is none.
    func message(_ id: MessageID) throws(StoreError) -> Message? {
        guard let stored = try reader.message(id) else { return nil }
        return try messages([stored], named: .max).first
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

    /// People of a reaction that a page names; it counts all.
    private static let mostNamed = 100

    /// These messages with all that is known of them now.
    /// - Parameter count: people of a reaction that are named, besides the reader.
    func messages(
        _ shown: some Collection<StoredMessage>, named count: Int = MessageAssembler.mostNamed
    ) throws(StoreError) -> [Message] {
        guard let first = shown.first else { return [] }
        var known: [MessageID: StoredMessage] = [:]
        let shownIDs = Set(shown.map { $0.id })
        for message in shown { known[message.id] = message }
        let missing = Set(shown.compactMap { $0.replyTo }).subtracting(known.keys)
        // Without an index that knows, all of the log would have to be read.
        let isPatient = canReadAll
        known.merge(try reader.messages(missing, in: isPatient ? nil : stretch(around: first.place))) { own, _ in own }
        // Quotes tell nothing of replies.
        var folded = try reader.folded(known.values, countingRepliesTo: shownIDs)
        // Quotes tell nothing of reactions.
        var counts: [MessageID: [Int]] = [:]
        for id in folded.keys {
            counts[id] = folded[id]?.cutReactions(to: shownIDs.contains(id) ? count : 0, keeping: me)
        }
        let people = people.names(Set(folded.values.flatMap(\.people)))
        return shown.compactMap { message in
            guard let whole = folded[message.id] else { return nil }
            let quote = message.replyTo.map {
                MessageAssembler.quote($0, folded[$0], people, else: isPatient ? .missing : .pending)
            }
            return Message(
                whole, quote: whole.isDeleted ? nil : quote, people: people, counts: counts[message.id] ?? [])
        }
    }

    /// - Parameter unknown: what it means that the message was not found.
    private static func quote(
        _ id: MessageID, _ folded: FoldedMessage?, _ people: [PersonID: Person], else unknown: Quote.Content
    ) -> Quote {
        guard let folded else { return Quote(id: id, content: unknown) }
        if folded.isDeleted { return Quote(id: id, content: .deleted) }
        let text = folded.text.beginning(Quote.longestText)
        return Quote(id: id, content: .message(sender: folded.stored.sender.flatMap { people[$0] }, text: text))
    }
}

extension StoredMessage {
    var cursor: Cursor { place.cursor(of: id.rawValue) }

    /// Whether it stands in the main timeline.
    var isMain: Bool { thread == nil || isBroadcast }
}

extension FoldedMessage {
    /// Keeps so many people of each reaction, and somebody who is among them in any case.
    /// - Returns: how many there were of each.
    mutating func cutReactions(to count: Int, keeping me: PersonID?) -> [Int] {
        let counts = reactions.map(\.people.count)
        if counts.allSatisfy({ $0 <= count }) { return counts }
        reactions = reactions.map { reaction in
            var people = Array(reaction.people.prefix(count))
            if let me, !people.contains(me), reaction.people.contains(me) { people.append(me) }
            return FoldedReaction(emoji: reaction.emoji, people: people)
        }
        return counts
    }

    /// All whose names are shown with it.
    var people: [PersonID] { (stored.sender.map { [$0] } ?? []) + reactions.flatMap(\.people) }
}

extension Message {
    /// - Parameter counts: of the reactions, whose people may be cut.
    init(_ folded: FoldedMessage, quote: Quote?, people: [PersonID: Person], counts: [Int] = []) {
        let stored = folded.stored
        let person = { (id: PersonID) in people[id] ?? Person(id: id, name: id.rawValue) }
        self.init(
            id: stored.id, at: stored.at, sender: stored.sender.map(person), kind: stored.kind, text: folded.text,
            quote: quote, thread: stored.thread, isBroadcast: stored.isBroadcast,
            attachments: folded.isDeleted ? [] : stored.attachments, isEdited: folded.isEdited,
            isDeleted: folded.isDeleted,
            reactions: folded.reactions.enumerated().map { index, reaction in
                let count = index < counts.count ? counts[index] : reaction.people.count
                return Reaction(emoji: reaction.emoji, people: reaction.people.map(person), count: count)
            },
            replyCount: folded.replyCount, lastReply: folded.lastReply, cursor: stored.cursor)
    }
}
