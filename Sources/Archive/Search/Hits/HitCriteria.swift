internal import Messages
internal import Search

/// The conditions of a search: a message that meets all of them is a hit.
struct HitCriteria {
    /// The properties of a message that can be tested without its text.
    struct Columns {
        let at: Timestamp
        /// The sender's ID; empty if the message has no sender.
        let sender: UnsafeRawBufferPointer
        /// The properties that the message certainly has. `link` is never among them: only the text shows it.
        let marks: QueryMarks
        /// Properties that the message may have. The search tests them again when it has read the whole message.
        var doubtful: QueryMarks = []
    }

    let query: Query
    /// The range of times in which a hit was sent.
    let times: QueryTimes
    /// The sender of a hit passes each of these filters.
    private let senders: [SenderFilter]
    private let excludedSenders: SenderFilter?
    /// See `SearchRequest`.
    private let textLimit: Int?

    init(_ query: ResolvedQuery, people: People) { self.init(SearchRequest(query), people: people) }

    init(_ request: SearchRequest, people: People) {
        query = request.query.query
        times = request.times
        textLimit = request.textLimit
        let named = QueryNames([request.sender].compactMap(\.self))
        senders = [named, query.senders].filter { !$0.isEmpty }.map { SenderFilter($0, people: people) }
        excludedSenders =
            query.excludedSenders.isEmpty ? nil : SenderFilter(query.excludedSenders, people: people)
    }

    /// Whether time, sender and marks meet the conditions. Only the text remains to be tested.
    func passes(_ columns: Columns) -> Bool {
        guard times.contains(columns.at), passes(columns.marks, doubtful: columns.doubtful) else { return false }
        return passes(sender: columns.sender)
    }

    /// Whether the text meets the conditions: required words, excluded words, links.
    func passes(text: UnsafeBufferPointer<UInt8>) -> Bool { !dependsOnText || query.matches(text) }

    /// Whether the text can decide. If not, every text passes.
    var dependsOnText: Bool { query.dependsOnText }

    /// Whether presence lines, and only these, can be hits.
    var asksForPresence: Bool { query.filters.marks.contains(.presence) }

    /// Whether the sender can decide.
    var asksForSender: Bool { !senders.isEmpty || excludedSenders != nil }

    /// - Parameter sender: the sender's ID; empty if the message has no sender.
    func passes(sender: UnsafeRawBufferPointer) -> Bool {
        senders.allSatisfy { $0.passes(sender) } && !(excludedSenders?.passes(sender) ?? false)
    }

    /// - Parameters:
    ///   - marks: the properties that the message certainly has.
    ///   - doubtful: properties that it may have; none of them rules it out.
    func passes(_ marks: QueryMarks, doubtful: QueryMarks) -> Bool {
        if marks.contains(.presence), !asksForPresence { return false }
        return query.filters.marks.subtracting(doubtful.union(.link)).isSubset(of: marks)
            && query.filters.excludedMarks.isDisjoint(with: marks)
    }
}

extension HitCriteria {
    /// A hit with as much of its text as is asked for.
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
    func passes(_ head: RecordHead, _ fields: Fields) -> Bool {
        if head.isDeleted { return false }
        var marks: QueryMarks = []
        if !fields.bytes(RecordKey.replyTo).isEmpty { marks.insert(.reply) }
        if !head.target.isEmpty { marks.insert(.thread) }
        if head.isPresence { marks.insert(.presence) }
        // The list of attachments may be invalid; only decoding the whole message shows it.
        let mayHaveFile = fields.kind(RecordKey.attachments) == .array
        return passes(
            Columns(
                at: head.at, sender: fields.bytes(RecordKey.from), marks: marks,
                doubtful: mayHaveFile ? .file : []))
    }

    /// Tests everything but the text.
    func passes(_ message: StoredMessage) -> Bool {
        var marks: QueryMarks = []
        if !message.attachments.isEmpty { marks.insert(.file) }
        if message.replyTo != nil { marks.insert(.reply) }
        if message.thread != nil { marks.insert(.thread) }
        if message.presence != nil { marks.insert(.presence) }
        var sender = message.sender?.rawValue ?? ""
        return sender.withUTF8 {
            passes(Columns(at: message.at, sender: UnsafeRawBufferPointer($0), marks: marks))
        }
    }

    func passes(filesOf message: StoredMessage) -> Bool {
        message.attachments.isEmpty
            ? !query.filters.marks.contains(.file) : !query.filters.excludedMarks.contains(.file)
    }

    func matches(_ fields: Fields) -> Bool {
        passes(text: fields.bytes(RecordKey.text).assumingMemoryBound(to: UInt8.self))
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { passes(text: $0) }
    }
}
