internal import Messages
internal import SQLite

/// Finds and marks the records that repeat the ID of an earlier one. Needs the index of IDs.
struct RepeatFinder {
    /// Selects the records of a conversation whose ID has a hash.
    static let selectRecords =
        "SELECT row, offset, length, kind, target FROM record WHERE hash = ? AND row >= ? AND row < ? ORDER BY row"

    private let database: Database
    private let blocks: BlockReader

    init(_ database: Database, _ blocks: BlockReader) {
        self.database = database
        self.blocks = blocks
    }

    /// Marks the repeats in all conversations.
    /// - Returns: the changed rows, and the conversations whose files could not be read, with the errors. Those are
    ///   deleted from the index, so that the next run reads them again.
    func markAll(_ catalogue: Catalogue) throws -> (rows: [Int64], failures: [(ConversationID, StoreError)]) {
        var rows: [Int64] = []
        var failures: [(ConversationID, StoreError)] = []
        for (number, hashes) in try repeated() {
            guard let conversation = try IndexedConversation.find(number: number, in: database) else { continue }
            do {
                guard let log = try catalogue.log(of: conversation.id) else { continue }
                rows += try mark(hashes, of: conversation, log).rows
            } catch let error as StoreError {
                try conversation.remove(from: database)
                rows.removeAll { RecordRow($0).conversation == number }
                failures.append((conversation.id, error))
            }
        }
        return (rows, failures)
    }

    /// The hashes that several records of a conversation have, by the conversation's number. Reads only the index of
    /// IDs, in its order: grouping by conversation in SQL would sort it again and take 1.2 s for a million instead of
    /// 0.2 s.
    private func repeated() throws -> [Int64: Set<Int64>] {
        let walk = try database.statement("SELECT hash, row FROM record INDEXED BY record_hash ORDER BY hash")
        defer { walk.reset() }
        var found: [Int64: Set<Int64>] = [:]
        var last: (hash: Int64, number: Int64)?
        while try walk.step() {
            let (hash, number) = (walk.integer(0), RecordRow(walk.integer(1)).conversation)
            if let last, last == (hash, number) { found[number, default: []].insert(hash) }
            last = (hash, number)
        }
        return found
    }

    /// The changed records, and the hashes of messages whose replies may have another root now.
    struct Marked {
        var rows: [Int64] = []
        var roots: Set<Int64> = []
    }

    /// Marks the repeats of some hashes. Removes the mark of records that are now the first with their ID.
    /// - Parameter log: the current files.
    /// - Throws: the errors of reading lines.
    func mark(_ hashes: Set<Int64>, of conversation: IndexedConversation, _ log: PlainLog) throws -> Marked {
        var marked = Marked()
        if hashes.isEmpty { return marked }
        let files = Dictionary(log.segments.enumerated().map { ($1.name, $0) }) { first, _ in first }
        for hash in hashes {
            var known: Set<MessageID> = []
            let records = try self.records(hash, of: conversation, files)
            for record in records {
                guard let id = try id(at: record.block, log) else { continue }
                // Different IDs may have the same hash.
                let isRepeat = !known.insert(id).inserted
                guard isRepeat != record.kind.isRepeated else { continue }
                try set(record, isRepeat: isRepeat)
                try note(id, record, isRepeat: isRepeat, log)
                try noteStale(record)
                marked.rows.append(record.row.number)
                marked.roots.insert(hash)
                if let target = record.target { marked.roots.insert(target) }
            }
        }
        return marked
    }

    private struct Record {
        let row: RecordRow
        let kind: RecordKind
        let block: Block
        let target: Int64?
    }

    /// - Parameter files: the index of each segment of the log, by name.
    private func records(
        _ hash: Int64, of conversation: IndexedConversation, _ files: [String: Int]
    ) throws -> [Record] {
        let all = RecordRow.all(of: conversation.number)
        let found = try database.rows(RepeatFinder.selectRecords, hash, all.lowerBound, all.upperBound) { row in
            let number = RecordRow(row.integer(0))
            let file = conversation.index(ofSegment: number.segment).flatMap { files[conversation.segments[$0].name] }
            return file.map { file in
                Record(
                    row: number, kind: RecordKind(code: row.integer(3)),
                    block: Block(segment: file, offset: row.integer(1), length: Int(row.integer(2))),
                    target: row.optional(4))
            }
        }
        return found.compactMap(\.self)
    }

    private func id(at block: Block, _ log: PlainLog) throws -> MessageID? {
        var found: MessageID?
        try blocks.forEachRecord(of: block, in: log) { _, head, _ in
            found = MessageID(String(decoding: head.id, as: UTF8.self))
            return false
        }
        return found
    }

    private func set(_ record: Record, isRepeat: Bool) throws {
        let kind = isRepeat ? record.kind.repeated : record.kind.unrepeated
        try database.run("UPDATE record SET kind = ? WHERE row = ?", kind.code, record.row.number)
    }

    /// Notes the messages whose words are outdated: the record itself, or the message that it edits or deletes.
    private func noteStale(_ record: Record) throws {
        let row = record.row.number
        if record.kind.isAnyMessage { try database.run("INSERT INTO stale(row) VALUES (?)", row) }
        guard record.kind.isAnyTextChange else { return }
        let all = RecordRow.all(of: record.row.conversation)
        try database.run(
            """
            INSERT INTO stale(row) SELECT message.row FROM record AS edit JOIN record AS message INDEXED BY record_hash
            ON message.hash = edit.target AND message.row >= ? AND message.row < ? WHERE edit.row = ?
            """, all.lowerBound, all.upperBound, row)
    }

    /// Adds or removes the problem of a skipped line.
    private func note(_ id: MessageID, _ record: Record, isRepeat: Bool, _ log: PlainLog) throws {
        let (conversation, segment) = (record.row.conversation, record.row.segment)
        try database.run(
            "UPDATE segment SET problems = problems + ? WHERE conversation = ? AND number = ?", isRepeat ? 1 : -1,
            conversation, segment)
        let count = try database.first(
            Int.self, "SELECT problems FROM segment WHERE conversation = ? AND number = ?", conversation, segment)
        if isRepeat, count ?? 0 > ProblemList.kept { return }
        // To find a line's number, the file is read up to the line. So this is not done for problems that were never
        // stored.
        let fault = LineFault.repeated(id)
        if !isRepeat, try !IndexedProblem.isKept(fault, conversation, segment, in: database) { return }
        let line = try LineScanner.number(ofLineAt: record.block.offset, in: log.segments[record.block.segment].path)
        let problem = IndexedProblem(conversation, segment, line: line)
        if isRepeat { try problem.add(fault, to: database) } else { try problem.remove(from: database) }
    }
}
