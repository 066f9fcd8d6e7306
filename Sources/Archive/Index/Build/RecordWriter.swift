internal import SQLite
internal import Messages

/// Writes records behind those of a conversation, within one transaction.
struct RecordWriter {
    private let database: Database
    private let log: PlainLog
    private let tools: Tools
    private let insert: Statement
    /// Nil as long as there is no index of IDs: repeats, and replies without a root, are looked for when it is made.
    private let find: Statement?
    private let findRoot: Statement?
    private(set) var conversation: IndexedConversation

    /// What goes from one transaction to the next.
    struct Tools {
        let records = RecordReader()
        /// Reads earlier lines, without touching the one that is being written.
        let lookups = BlockReader()
        let people = IndexedPeople()
    }

    init(
        _ database: Database, _ conversation: IndexedConversation, log: PlainLog, tools: Tools, isReady: Bool
    ) throws {
        self.database = database
        self.conversation = conversation
        self.log = log
        self.tools = tools
        insert = try database.statement("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let sql = "SELECT segment, offset, length FROM record WHERE hash = ? AND row >= ? AND row < ?"
        find = isReady ? try database.statement(sql) : nil
        findRoot = isReady ? try database.statement(RootMarker.selectRoot) : nil
    }

    /// Adds what a line says; of a bad one, that it is bad.
    mutating func add(_ line: Line, number: Int, segment: Int) throws {
        if line.isBlank { return }
        switch try tools.records.read(line) {
        case .success(let record?): try add(record.head, record.fields, line, number: number, segment: segment)
        case .success(nil): return
        case .failure(let fault): try note(fault, line: number, segment: segment)
        }
    }

    /// Puts the segment behind the others, or in place of what it was.
    mutating func save(_ segment: IndexedSegment, as number: Int) throws {
        if number < conversation.segments.count {
            conversation.segments[number] = segment
        } else {
            conversation.segments.append(segment)
        }
        try segment.save(as: number, of: conversation.number, to: database)
        try conversation.save(to: database)
    }

    private mutating func add(
        _ head: RecordHead, _ fields: Fields, _ line: Line, number: Int, segment: Int
    ) throws {
        var head = head
        let hash = IDHash(head.id)
        let isRepeat = try isRepeat(head.id, hash)
        if !isRepeat, head.isReply, try !hasRoot(head) { head.isMain = true }
        var kind = RecordKind(head, fields)
        if isRepeat {
            kind = kind.repeated
            try note(.repeated(MessageID(String(decoding: head.id, as: UTF8.self))), line: number, segment: segment)
        }
        let at = head.at.milliseconds
        let mains = conversation.mains
        conversation.count(kind, at: at)
        insert.bind(1, RecordRow(conversation: conversation.number, sequence: conversation.next).number)
        insert.bind(2, kind.code)
        insert.bind(3, Int64(segment))
        insert.bind(4, line.offset)
        insert.bind(5, Int64(line.length))
        insert.bind(6, at)
        insert.bind(7, conversation.peak == at ? nil : conversation.peak)
        insert.bind(8, try tools.people.number(of: fields.bytes(RecordReader.Key.from), in: database))
        insert.bind(9, Int64(mains))
        insert.bind(10, Int64(bitPattern: hash.value))
        insert.bind(11, RecordWriter.link(head.target))
        insert.bind(12, head.isMessage ? RecordWriter.link(fields.bytes(RecordReader.Key.replyTo)) : nil)
        try insert.run()
        conversation.next += 1
    }

    private static func link(_ id: UnsafeRawBufferPointer) -> Int64? {
        id.isEmpty ? nil : Int64(bitPattern: IDHash(id).value)
    }

    /// Whether the root of a reply stands before it, as far as the index can tell now.
    private func hasRoot(_ head: RecordHead) throws -> Bool {
        guard let findRoot else { return true }
        let rows = RecordRow.all(of: conversation.number)
        findRoot.bind(1, Int64(bitPattern: IDHash(head.target).value))
        findRoot.bind(2, rows.lowerBound)
        findRoot.bind(3, rows.upperBound)
        defer { findRoot.reset() }
        return try findRoot.step()
    }

    /// Whether an earlier record has the very same ID.
    private func isRepeat(_ id: UnsafeRawBufferPointer, _ hash: IDHash) throws -> Bool {
        guard let find else { return false }
        let rows = RecordRow.all(of: conversation.number)
        find.bind(1, Int64(bitPattern: hash.value))
        find.bind(2, rows.lowerBound)
        find.bind(3, rows.upperBound)
        defer { find.reset() }
        while try find.step() {
            let block = Block(segment: Int(find.integer(0)), offset: find.integer(1), length: Int(find.integer(2)))
            var isSame = false
            try tools.lookups.forEachRecord(of: block, in: log) { _, head, _ in
                isSame = head.id.elementsEqual(id)
                return false
            }
            if isSame { return true }
        }
        return false
    }

    private mutating func note(_ fault: LineFault, line: Int, segment: Int) throws {
        conversation.problems += 1
        guard conversation.problems <= ProblemList.kept else { return }
        try database.run(
            "INSERT INTO problem VALUES (?, ?, ?, ?)", conversation.number, segment, line,
            "\(fault.reason); the line is passed over")
    }
}

/// The numbers of those who wrote, by their IDs.
final class IndexedPeople {
    /// Remembered at a time: a log of a million has some thousands, one of IRC some ten thousands.
    private static let remembered = 65_536

    private var numbers: [IDHash: Int64] = [:]

    /// Nil for nobody.
    func number(of id: UnsafeRawBufferPointer, in database: Database) throws -> Int64? {
        if id.isEmpty { return nil }
        let hash = IDHash(id)
        if let number = numbers[hash] { return number }
        if numbers.count >= IndexedPeople.remembered { numbers = [:] }
        let number = try find(id, in: database) ?? insert(id, in: database)
        numbers[hash] = number
        return number
    }

    private func find(_ id: UnsafeRawBufferPointer, in database: Database) throws -> Int64? {
        let select = try database.statement("SELECT number FROM person WHERE id = ?")
        select.bind(1, text: id.assumingMemoryBound(to: UInt8.self))
        defer { select.reset() }
        return try select.step() ? select.integer(0) : nil
    }

    private func insert(_ id: UnsafeRawBufferPointer, in database: Database) throws -> Int64 {
        let insert = try database.statement("INSERT INTO person(id) VALUES (?)")
        insert.bind(1, text: id.assumingMemoryBound(to: UInt8.self))
        try insert.run()
        return database.lastInsertedRow
    }

    /// After a transaction that was given up.
    func forget() { numbers = [:] }
}
