internal import Messages
internal import SQLite

/// Appends the records of new lines to a segment, within one transaction.
struct RecordWriter {
    private let database: Database
    private let conversation: IndexedConversation
    private let log: PlainLog
    private let tools: Tools
    /// The rows of the segments after this one; nil if the new records cannot affect them: there are none, or IDs
    /// cannot be looked up yet.
    private let later: Range<Int64>?
    private let insert: Statement
    /// Nil until the index of IDs exists. Repeats, and replies without a root, are found when it is created.
    private let find: Statement?
    private let findRoot: Statement?
    private(set) var segment: IndexedSegment
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
        insert = try database.statement("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        find = isReady ? try database.statement(RepeatFinder.selectRecords) : nil
        findRoot = isReady ? try database.statement(RootMarker.selectRoot) : nil
    }

    /// Adds the record of a line; for an invalid line, its fault.
    /// - Parameter number: the number of the line in its file, from 1.
    mutating func add(_ line: Line, number: Int) throws {
        if line.isBlank { return }
        switch try tools.records.read(line) {
        case .success(let record?): try add(record.head, record.fields, line, number: number)
        case .success(nil): return
        case .failure(let fault): try note(fault, line: number)
        }
    }

    /// - Parameter change: sets how far the segment is read.
    mutating func save(_ change: (inout IndexedSegment) throws -> Void) throws {
        try change(&segment)
        try segment.save(of: conversation.number, to: database)
    }

    private mutating func add(_ head: RecordHead, _ fields: Fields, _ line: Line, number: Int) throws {
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
        insert.bind(1, row)
        insert.bind(2, kind.code)
        insert.bind(3, line.offset)
        insert.bind(4, Int64(line.length))
        insert.bind(5, at)
        insert.bind(6, segment.counts.peak == at ? nil : segment.counts.peak)
        insert.bind(7, try tools.people.number(of: fields.bytes(RecordKey.from), in: database))
        insert.bind(8, Int64(mainCount))
        insert.bind(9, Int64(bitPattern: hash.value))
        insert.bind(10, RecordWriter.link(head.target))
        insert.bind(11, head.isMessage ? RecordWriter.link(fields.bytes(RecordKey.replyTo)) : nil)
        try insert.run()
        segment.next += 1
        if find != nil, let target = RecordWriter.link(head.target) {
            try QuietRows(database: database).forget(target, in: RecordRow.all(of: conversation.number))
        }
        if let later { try effects.note(Int64(bitPattern: hash.value), isRoot: kind.isMessage, in: later, database) }
    }

    private static func link(_ id: UnsafeRawBufferPointer) -> Int64? {
        id.isEmpty ? nil : Int64(bitPattern: IDHash(id).value)
    }

    /// Whether the root of a reply stands before it; true if that cannot be determined yet.
    private func hasRoot(_ head: RecordHead, _ row: Int64) throws -> Bool {
        guard let findRoot else { return true }
        findRoot.bind(1, Int64(bitPattern: IDHash(head.target).value))
        findRoot.bind(2, conversation.rows.lowerBound)
        findRoot.bind(3, row)
        defer { findRoot.reset() }
        return try findRoot.step()
    }

    /// Whether an earlier record has exactly this ID.
    private func isRepeat(_ id: UnsafeRawBufferPointer, _ hash: IDHash, _ row: Int64) throws -> Bool {
        guard let find else { return false }
        find.bind(1, Int64(bitPattern: hash.value))
        find.bind(2, conversation.rows.lowerBound)
        find.bind(3, row)
        defer { find.reset() }
        while try find.step() {
            guard let segment = conversation.index(ofSegment: RecordRow(find.integer(0)).segment) else { continue }
            let block = Block(segment: segment, offset: find.integer(1), length: Int(find.integer(2)))
            var isSame = false
            try tools.lookups.forEachRecord(of: block, in: log) { _, head, _ in
                isSame = head.id.elementsEqual(id)
                return false
            }
            if isSame { return true }
        }
        return false
    }

    private mutating func note(_ fault: LineFault, line: Int) throws {
        segment.counts.problems += 1
        guard segment.counts.problems <= ProblemList.kept else { return }
        try IndexedProblem(conversation.number, segment.number, line: line).add(fault, to: database)
    }
}
