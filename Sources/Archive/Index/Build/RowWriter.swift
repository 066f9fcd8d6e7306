internal import Messages
internal import SQLite

/// Appends the records of new lines to a segment, within one transaction.
struct RowWriter {
    private let database: Database
    private let conversation: IndexedConversation
    private let log: PlainLog
    private let tools: Tools
    /// The rows of the segments after this one; nil if the new records cannot affect them: there are none, or IDs
    /// cannot be looked up yet.
    private let later: Range<Int64>?
    private let table: RecordTable
    /// Whether IDs can be looked up. Until then nobody knows repeats, and replies without a root: they are found when
    /// the look-ups are made.
    private let isReady: Bool
    private(set) var segment: IndexedSegment
    /// The hashes of which a new record speaks.
    private var spokenOf: Set<Int64> = []
    /// The changes that the new records cause in later segments.
    private(set) var effects = SegmentEffects()

    /// Objects that are reused in each transaction.
    struct Tools {
        let records = RecordReader()
        /// Reads earlier lines without invalidating the line that is being added.
        let lookups = BlockReader()
        let people = IndexedPeople()
    }

    /// - Parameters:
    ///   - index: the index of the segment in the conversation.
    ///   - log: has the same segments as the conversation.
    init(
        _ database: Database, _ conversation: IndexedConversation, segment index: Int, log: PlainLog, tools: Tools,
        isReady: Bool
    ) throws {
        self.database = database
        self.conversation = conversation
        self.log = log
        self.tools = tools
        segment = conversation.segments[index]
        let isLast = index == conversation.segments.count - 1
        let end = RecordRow.all(of: conversation.number, segment: segment.number).upperBound
        later = isReady && !isLast ? end..<RecordRow.all(of: conversation.number).upperBound : nil
        table = RecordTable(database)
        self.isReady = isReady
    }

    /// Adds the record of a line; for an invalid line, its fault.
    /// - Parameter number: the number of the line in its file, from 1.
    mutating func add(_ line: LogLine, number: Int) throws {
        if line.isBlank { return }
        switch try tools.records.read(line) {
        case .success(let record?): try add(record.head, record.fields, line, number: number)
        case .success(nil): return
        case .failure(let fault): try note(fault, line: number)
        }
    }

    /// - Parameter change: sets how far the segment is read.
    mutating func save(_ change: (inout IndexedSegment) throws -> Void) throws {
        try table.flush()
        try change(&segment)
        try segment.save(of: conversation.number, to: database)
    }

    private mutating func add(_ head: RecordHead, _ fields: Fields, _ line: LogLine, number: Int) throws {
        guard segment.next < RecordRow.mostSequences else {
            throw StoreError.unavailable(
                "\(conversation.id)/\(segment.name): has too many lines for the index; the rest is read from the file")
        }
        let row = RecordRow(conversation: conversation.number, segment: segment.number, sequence: segment.next).number
        let hash = IDHash(head.id)
        let isRepeat = try isRepeat(head.id, hash, row)
        var kind = RecordKind(head, fields, isLoose: try !isRepeat && head.isReply && !hasRoot(head, row))
        if isRepeat {
            kind = kind.repeated
            try note(.repeated(MessageID(String(decoding: head.id, as: UTF8.self))), line: number)
        }
        let at = head.at.milliseconds
        let mainCount = segment.counts.mainCount
        segment.counts.add(kind, at: at)
        let record = PackedRecord(
            kind: kind, offset: line.offset, length: line.length, at: at,
            peak: segment.counts.peak == at ? nil : segment.counts.peak,
            sender: try tools.people.number(of: fields.bytes(RecordKey.from), in: database), main: mainCount,
            hash: hash.number, target: RowWriter.link(head.target),
            reply: head.isMessage ? RowWriter.link(fields.bytes(RecordKey.replyTo)) : nil)
        try table.append(record, at: row)
        segment.next += 1
        guard isReady else { return }
        try table.link(record, at: row)
        if let target = record.target, spokenOf.insert(target).inserted {
            let rows = try table.ids.rows(of: target, in: RecordRow.all(of: conversation.number))
            try QuietRows(database: database).forget(rows)
        }
        if let later { try effects.note(record.hash, isRoot: kind.isMessage, in: later, table) }
    }

    private static func link(_ id: UnsafeRawBufferPointer) -> Int64? {
        id.isEmpty ? nil : IDHash(id).number
    }

    /// Whether the root of a reply stands before it; true if that cannot be determined yet.
    private func hasRoot(_ head: RecordHead, _ row: Int64) throws -> Bool {
        guard isReady else { return true }
        return try table.root(IDHash(head.target).number, in: conversation.rows.lowerBound..<row) != nil
    }

    /// Whether an earlier record has exactly this ID.
    private func isRepeat(_ id: UnsafeRawBufferPointer, _ hash: IDHash, _ row: Int64) throws -> Bool {
        guard isReady else { return false }
        var isSame = false
        try table.ids.forEach(of: hash.number, in: conversation.rows.lowerBound..<row) { earlier in
            guard let segment = conversation.index(ofSegment: RecordRow(earlier).segment),
                let record = try table.record(at: earlier)
            else { return true }
            let block = Block(segment: segment, offset: record.offset, length: record.length)
            try tools.lookups.forEachRecord(of: block, in: log) { _, head, _ in
                isSame = head.id.elementsEqual(id)
                return false
            }
            return !isSame
        }
        return isSame
    }

    private mutating func note(_ fault: LineFault, line: Int) throws {
        segment.counts.problems += 1
        guard segment.counts.problems <= ProblemList.kept else { return }
        try IndexedProblem(conversation.number, segment.number, line: line).add(fault, to: database)
    }
}
