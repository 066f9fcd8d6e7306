internal import Messages
internal import Search

/// What makes a message a hit.
struct HitCriteria {
    /// What is known of a message without its text.
    struct Columns {
        let at: Timestamp
        /// An ID; empty for nobody.
        let sender: UnsafeRawBufferPointer
        /// What is true of it. Links are the text's affair.
        let marks: QueryMarks
        /// What may be true of it, and is asked again.
        var doubtful: QueryMarks = []
    }

    let query: Query
    /// When it was written.
    let times: QueryTimes
    /// Each of them has to pass the person who wrote it.
    private let senders: [SenderFilter]
    private let excludedSenders: SenderFilter?

    init(_ query: ResolvedQuery, people: People) { self.init(SearchRequest(query), people: people) }

    init(_ request: SearchRequest, people: People) {
        query = request.query.query
        times = request.times
        let named = QueryNames(request.sender.map { [QueryName($0)] } ?? [])
        senders = [named, query.senders].filter { !$0.isEmpty }.map { SenderFilter($0, people: people) }
        excludedSenders =
            query.excludedSenders.isEmpty ? nil : SenderFilter(query.excludedSenders, people: people)
    }

    /// Whether time, sender and kind are as wanted: all but what the text says.
    func passes(_ columns: Columns) -> Bool {
        guard times.contains(columns.at), passes(columns.marks, doubtful: columns.doubtful) else { return false }
        return passes(sender: columns.sender)
    }

    /// Whether the text is as wanted: words, what is excluded, links.
    func passes(text: UnsafeBufferPointer<UInt8>) -> Bool { !dependsOnText || query.matches(text) }

    /// Whether the text matters. When it does not, any will do.
    var dependsOnText: Bool { query.dependsOnText }

    /// Whether it matters who wrote.
    var asksForSender: Bool { !senders.isEmpty || excludedSenders != nil }

    /// - Parameter sender: an ID; empty for nobody.
    func passes(sender: UnsafeRawBufferPointer) -> Bool {
        senders.allSatisfy { $0.passes(sender) } && !(excludedSenders?.passes(sender) ?? false)
    }

    /// What is true of a message, and what may be.
    func passes(_ marks: QueryMarks, doubtful: QueryMarks) -> Bool {
        query.filters.marks.subtracting(doubtful.union(.link)).isSubset(of: marks)
            && query.filters.excludedMarks.isDisjoint(with: marks)
    }
}

extension HitCriteria {
    func passes(_ head: RecordHead, _ fields: Fields) -> Bool {
        var marks: QueryMarks = []
        if !fields.bytes(RecordReader.Key.replyTo).isEmpty { marks.insert(.reply) }
        if !head.target.isEmpty { marks.insert(.thread) }
        // A list of files may be broken; only the whole message knows.
        let mayHaveFile = fields.kind(RecordReader.Key.attachments) == .array
        return passes(
            Columns(
                at: head.at, sender: fields.bytes(RecordReader.Key.from), marks: marks,
                doubtful: mayHaveFile ? .file : []))
    }

    /// All but what the text says.
    func passes(_ message: StoredMessage) -> Bool {
        var marks: QueryMarks = []
        if !message.attachments.isEmpty { marks.insert(.file) }
        if message.replyTo != nil { marks.insert(.reply) }
        if message.thread != nil { marks.insert(.thread) }
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
        passes(text: fields.bytes(RecordReader.Key.text).assumingMemoryBound(to: UInt8.self))
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { passes(text: $0) }
    }
}
