internal import JSON
internal import Messages

/// Makes assemblers for the conversations of an archive.
struct Assembly: Sendable {
    let people: People
    /// True if there is an index, or will be.
    let isIndexed: Bool
    /// The reader. A reaction always names the reader if the reader is among its people.
    let me: PersonID?
    /// The words that count as mentions of the reader, besides the ID and the name.
    let highlight: [String]

    /// - Parameters:
    ///   - segments: the current files of the conversation.
    ///   - view: the index of these files; nil if there is none.
    func pages(
        of id: ConversationID, _ segments: [Segment], _ view: IndexView?, by blocks: BlockReader
    ) throws(StoreError) -> MessageAssembler {
        let reader = try ConversationReader(segments, blocks: blocks, index: view)
        return MessageAssembler(reader: reader, conversation: id, assembly: self)
    }
}

/// Makes messages for display from stored ones: adds quotes, edits, reactions and names. `PageBuilder` makes pages of these
/// messages.
struct MessageAssembler {
    /// The number of bytes around an unindexed page to search for quoted messages. Most replies quote a recent message. The
    /// index supplies the others when it is ready.
    private static let reach: Int64 = 8 << 20

    let reader: ConversationReader
    let conversation: ConversationID
    let assembly: Assembly
    var me: PersonID? { assembly.me }

    /// True if a request may scan the whole log. If not, the index will soon make that unnecessary.
    var canReadAll: Bool { reader.isCovered || !assembly.isIndexed || reader.size <= MessageAssembler.reach }

    /// The part of the log that a request may scan if it may not scan the whole log.
    func stretch(around place: LinePlace) -> Range<LinePlace> { reader.stretch(around: place, MessageAssembler.reach) }

    /// The messages among these that are near an unindexed place.
    func messages(_ ids: Set<MessageID>, near place: LinePlace) throws(StoreError) -> [MessageID: StoredMessage] {
        try reader.messages(ids, near: place, in: stretch(around: place))
    }

    /// One message of the main timeline or of a thread; nil if there is none with this ID.
    func message(_ id: MessageID) throws(StoreError) -> Message? {
        guard let stored = try reader.message(id) else { return nil }
        return try messages([stored], named: .max).first
    }

    /// The current state of these messages, in the order of the log. Leaves out IDs without a message.
    func messages(_ ids: Set<MessageID>) throws(StoreError) -> [Message] {
        try messages(try reader.messages(ids).values.sorted { $0.place < $1.place })
    }

    /// The current place of the message that a cursor names. The message has another place if its file was rewritten.
    /// If the message is gone, its old place is the best approximation.
    func place(of cursor: Cursor) throws(StoreError) -> LinePlace {
        let (place, id) = try LinePlace.parse(cursor)
        if place == .start || place == .end { return place }
        if try reader.holds(id, at: place) { return place }
        if let moved = try reader.place(of: id, after: place) { return moved }
        return try reader.message(id)?.place ?? place
    }

    /// The most people of a reaction that a page names. The count includes all.
    private static let mostNamed = 100

    /// The current state of these messages.
    /// - Parameter count: the number of people to name for a reaction, besides the reader.
    func messages(
        _ shown: some Collection<StoredMessage>, named count: Int = MessageAssembler.mostNamed
    ) throws(StoreError) -> [Message] {
        try messages(shown, named: count, bytes: .max).map(\.message)
    }

    /// The same messages, with as many whole texts of edits as fit into these bytes. Others are cut.
    /// - Returns: the messages, with the number of bytes that each lacks.
    func messages(
        _ shown: some Collection<StoredMessage>, named count: Int = MessageAssembler.mostNamed, bytes: Int
    ) throws(StoreError) -> [(message: Message, omitted: Int)] {
        guard let first = shown.first else { return [] }
        var known: [MessageID: StoredMessage] = [:]
        let shownIDs = Set(shown.map { $0.id })
        for message in shown { known[message.id] = message }
        let missing = Set(shown.compactMap { $0.replyTo }).subtracting(known.keys)
        // If the index does not cover the log, finding all quoted messages would need a scan of the whole log.
        let isPatient = canReadAll
        let quoted = try reader.blocks.records.cuttingTexts(to: Quote.longestText) { () throws(StoreError) in
            isPatient ? try reader.messages(missing) : try messages(missing, near: first.place)
        }
        known.merge(quoted) { own, _ in own }
        // A quote does not show the number of replies.
        var folded = try reader.folded(known.values, countingRepliesTo: shownIDs, wholeTextsOf: shownIDs, bytes: bytes)
        // A quote does not show reactions.
        for id in folded.keys { folded[id]?.cutReactions(to: shownIDs.contains(id) ? count : 0, keeping: me) }
        let people = assembly.people.names(Set(folded.values.flatMap(\.people)), in: conversation)
        return shown.compactMap { message in
            guard let whole = folded[message.id] else { return nil }
            let quote = message.replyTo.map {
                MessageAssembler.quote($0, folded[$0], people, else: isPatient ? .missing : .pending)
            }
            return (Message(whole, quote: whole.isDeleted ? nil : quote, people: people), whole.omitted)
        }
    }

    /// - Parameter unknown: the content of the quote if the quoted message was not found.
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
}

extension FoldedMessage {
    /// Keeps the first `count` people of each reaction, and `me` in any case.
    mutating func cutReactions(to count: Int, keeping me: PersonID?) {
        if reactions.allSatisfy({ $0.people.count <= count }) { return }
        reactions = reactions.map { reaction in
            var people = Array(reaction.people.prefix(count))
            if let me, !people.contains(me), reaction.people.contains(me) { people.append(me) }
            return CountedReaction(emoji: reaction.emoji, people: people, count: reaction.count)
        }
    }

    /// All people whose names are displayed with the message.
    var people: [PersonID] { (stored.sender.map { [$0] } ?? []) + reactions.flatMap(\.people) }
}

extension Message {
    init(_ folded: FoldedMessage, quote: Quote?, people: [PersonID: Person]) {
        let stored = folded.stored
        let person = { (id: PersonID) in people[id] ?? Person(id: id, name: id.rawValue) }
        self.init(
            id: stored.id, at: stored.at, sender: stored.sender.map(person), kind: stored.kind,
            presence: stored.presence, text: folded.text, quote: quote, thread: stored.thread,
            isBroadcast: stored.isBroadcast,
            attachments: folded.isDeleted ? [] : stored.attachments, isEdited: folded.isEdited,
            isDeleted: folded.isDeleted,
            reactions: folded.reactions.map {
                Reaction(emoji: $0.emoji, people: $0.people.map(person), count: $0.count)
            },
            replyCount: folded.replyCount, lastReply: folded.lastReply, transaction: stored.transaction,
            cursor: stored.cursor)
    }
}

extension MessageAssembler {
    /// All texts that a message has had, the first one first; none if it is deleted.
    /// - Returns: nil if there is no such message.
    func versions(of id: MessageID) throws(StoreError) -> [MessageVersion]? {
        guard let stored = try reader.message(id), let folded = try reader.folded([stored])[id] else { return nil }
        // A removed text is not shown again.
        if folded.isDeleted { return [] }
        let end = canReadAll ? LinePlace.end : stretch(around: stored.place).upperBound
        let first = MessageVersion(at: stored.at, text: stored.text, isFirst: !stored.isEdited)
        return [first] + (try reader.edits(of: stored, before: end))
    }
}

extension ConversationReader {
    /// The texts of the edits of a message by its author, in the order of the log.
    /// - Parameter end: lines that begin at or after this place are ignored.
    fileprivate func edits(of message: StoredMessage, before end: LinePlace) throws(StoreError) -> [MessageVersion] {
        guard message.sender != nil, message.kind != .system else { return [] }
        let hash = IDHash(message.id)
        var edits: [MessageVersion] = []
        let take = { (place: LinePlace, head: RecordHead, fields: JSONFields) in
            guard head.kind == .edit,
                let amendment = blocks.records.amendment(head, fields, at: place, of: [hash: [message]]),
                amendment.sender == message.sender, case .edit(let text) = amendment.action
            else { return }
            edits.append(MessageVersion(at: head.at, text: text, isFirst: false))
        }
        if let index { try forEachRecord(about: hash, in: index, take) }
        let start = max(message.place, covered)
        try scan(min(end, start)..<end, IDFilter([hash], isOfLinks: true)) { place, head, fields in
            take(place, head, fields)
            return true
        }
        return edits
    }
}
