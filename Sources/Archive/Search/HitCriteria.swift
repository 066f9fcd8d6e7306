internal import JSON
internal import Messages
internal import Search

/// The conditions of a search: a message that meets all of them is a hit.
struct HitCriteria {
    let query: Query
    /// The range of times in which a hit was sent.
    let times: QueryTimes
    /// The sender of a hit passes each of these filters.
    private let senders: [SenderFilter]
    private let excludedSenders: SenderFilter?
    /// See `SearchRequest`.
    private let textLimit: Int?

    init(_ request: SearchRequest, people: People) {
        query = request.query.query
        times = request.times
        textLimit = request.textLimit
        let named = QueryNames([request.sender].compactMap(\.self))
        senders = [named, query.senders].filter { !$0.isEmpty }.map { SenderFilter($0, people: people) }
        excludedSenders =
            query.excludedSenders.isEmpty ? nil : SenderFilter(query.excludedSenders, people: people)
    }

    /// True if time, sender and marks meet the conditions. Only the text remains to be tested.
    private func passes(
        _ at: Timestamp, sender: UnsafeRawBufferPointer, _ marks: QueryMarks, doubtful: QueryMarks = []
    ) -> Bool {
        times.contains(at) && passes(marks, doubtful: doubtful) && passes(sender: sender)
    }

    /// True if the text meets the conditions: required words, excluded words, links.
    func passes(text: UnsafeBufferPointer<UInt8>) -> Bool { !dependsOnText || query.matches(text) }

    /// True if the query has conditions on the text. If not, every text passes.
    var dependsOnText: Bool { query.dependsOnText }

    /// True if presence lines, and only these, can be hits.
    var asksForPresence: Bool { query.filters.marks.contains(.presence) }

    /// True if the query has conditions on the sender.
    var asksForSender: Bool { !senders.isEmpty || excludedSenders != nil }

    /// - Parameter sender: the sender's ID; empty if the message has no sender.
    func passes(sender: UnsafeRawBufferPointer) -> Bool {
        senders.allSatisfy { $0.passes(sender) } && !(excludedSenders?.passes(sender) ?? false)
    }

    /// - Parameters:
    ///   - marks: the properties that the message certainly has. `link` is never among them: only the text shows it.
    ///   - doubtful: properties that the message may have; none of them rules it out. The search tests them again when it has read the
    ///     whole message.
    func passes(_ marks: QueryMarks, doubtful: QueryMarks) -> Bool {
        if marks.contains(.presence), !asksForPresence { return false }
        return query.filters.marks.subtracting(doubtful.union(.link)).isSubset(of: marks)
            && query.filters.excludedMarks.isDisjoint(with: marks)
    }
}

extension HitCriteria {
    /// A hit with as much of its text as the search requests.
    func hit(_ message: StoredMessage, _ text: String, mainCountBefore: Int? = nil) -> FoundMessage {
        var message = message
        message.text = ""
        let piece =
            switch textLimit {
            case nil: text
            case 0: ""
            case let limit?: query.piece(of: text, bytes: limit)
            }
        return FoundMessage(message: message, text: piece, mainCountBefore: mainCountBefore)
    }

    /// Tests everything but the text and the files.
    func passes(_ head: RecordHead, _ fields: JSONFields) -> Bool {
        if head.isDeleted { return false }
        var marks: QueryMarks = []
        if !fields.bytes(RecordKey.replyTo).isEmpty { marks.insert(.reply) }
        if !head.target.isEmpty { marks.insert(.thread) }
        if head.isPresence { marks.insert(.presence) }
        // The list of attachments may be invalid; only decoding the whole message shows it.
        let mayHaveFile = fields.kind(RecordKey.attachments) == .array
        return passes(
            head.at, sender: fields.bytes(RecordKey.from), marks, doubtful: mayHaveFile ? .file : [])
    }

    /// Tests everything but the text.
    func passes(_ message: StoredMessage) -> Bool {
        var marks: QueryMarks = []
        if !message.attachments.isEmpty { marks.insert(.file) }
        if message.replyTo != nil { marks.insert(.reply) }
        if message.thread != nil { marks.insert(.thread) }
        if message.presence != nil { marks.insert(.presence) }
        var sender = message.sender?.rawValue ?? ""
        return sender.withUTF8 { passes(message.at, sender: UnsafeRawBufferPointer($0), marks) }
    }

    func passes(filesOf message: StoredMessage) -> Bool {
        message.attachments.isEmpty
            ? !query.filters.marks.contains(.file) : !query.filters.excludedMarks.contains(.file)
    }

    func matches(_ fields: JSONFields) -> Bool {
        passes(text: fields.bytes(RecordKey.text).assumingMemoryBound(to: UInt8.self))
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { passes(text: $0) }
    }
}

/// The people that a filter of a query selects by IDs or names: each person with exactly one of these IDs, and each person whose
/// name contains the words of one of the names in a row. The ID serves as the name of a person without one, unless it contains a
/// control character: such an ID looks like another one (`ana\0` like `ana`), so only the exact ID selects it.
struct SenderFilter {
    private let names: QueryNames
    /// Entries of the people file: `named` has those whose name matches, `namedOtherwise` those whose ID matches but
    /// whose name does not.
    private let named: [IDHash: PersonID]
    private let namedOtherwise: [IDHash: PersonID]
    /// True if the people file contains a person that the filter selects.
    let isKnown: Bool

    /// Walks through the people file once, and keeps only the entries that decide.
    init(_ names: QueryNames, people: People) {
        let matches = { (name: UnsafeRawBufferPointer) in
            names.arePart(of: name.assumingMemoryBound(to: UInt8.self))
        }
        var named: [IDHash: PersonID] = [:]
        var namedOtherwise: [IDHash: PersonID] = [:]
        var isKnown = false
        people.forEach { id, name in
            let person = { PersonID(String(decoding: id, as: UTF8.self)) }
            if names.areID(id) || (name.isEmpty ? SenderFilter.isName(id) && matches(id) : matches(name)) {
                isKnown = true
            }
            if name.isEmpty { return }
            if matches(name) {
                named[IDHash(id)] = person()
            } else if matches(id) {
                namedOtherwise[IDHash(id)] = person()
            }
        }
        (self.names, self.named, self.namedOtherwise, self.isKnown) = (names, named, namedOtherwise, isKnown)
    }

    /// - Parameter sender: the sender's ID; an empty one never passes.
    func passes(_ sender: UnsafeRawBufferPointer) -> Bool {
        if sender.isEmpty { return false }
        if names.areID(sender) || SenderFilter.contains(sender, named) { return true }
        return SenderFilter.isName(sender) && names.arePart(of: sender.assumingMemoryBound(to: UInt8.self))
            && !SenderFilter.contains(sender, namedOtherwise)
    }

    private static func isName(_ id: UnsafeRawBufferPointer) -> Bool { !id.contains { $0 < 0x20 || $0 == 0x7F } }

    private static func contains(_ id: UnsafeRawBufferPointer, _ persons: [IDHash: PersonID]) -> Bool {
        persons.isEmpty ? false : persons[IDHash(id)]?.rawValue.utf8.elementsEqual(id) ?? false
    }
}

/// A message that is a hit. Hundreds of hits may wait, so the message itself has no text.
struct FoundMessage {
    let message: StoredMessage
    /// The text after all edits, or the requested piece of it.
    let text: String
    /// The number of messages of the main timeline before the hit; nil until they are counted.
    var mainCountBefore: Int?
}
