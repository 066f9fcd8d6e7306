internal import Messages
internal import SQLite

/// Finds and marks the records that repeat the ID of an earlier one. Needs the index of IDs.
struct RepeatFinder {
    private let database: Database
    private let blocks: BlockReader

    init(_ database: Database, _ blocks: BlockReader) {
        self.database = database
        self.blocks = blocks
    }

    /// Marks the repeats in all conversations.
    /// - Parameter shared: the hashes that several records of a conversation have, by the conversation's number.
    /// - Returns: the changes by conversation, and the conversations whose files could not be read, with the errors.
    ///   Those are deleted from the index, so that the next run reads them again.
    func markAll(
        _ shared: [Int64: Set<Int64>], _ catalogue: Catalogue
    ) throws -> (marked: [(IndexedConversation, Marked)], failures: [(ConversationID, StoreError)]) {
        var marked: [(IndexedConversation, Marked)] = []
        var failures: [(ConversationID, StoreError)] = []
        for (number, hashes) in shared {
            guard let conversation = try IndexedConversation.find(number: number, in: database) else { continue }
            do {
                guard let log = try catalogue.log(of: conversation.id) else { continue }
                marked.append((conversation, try mark(hashes, of: conversation, log)))
            } catch let error as StoreError {
                try IndexedConversation.remove([conversation], from: database)
                failures.append((conversation.id, error))
            }
        }
        return (marked, failures)
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
        let table = RecordTable(database)
        let files = Dictionary(log.segments.enumerated().map { ($1.name, $0) }) { first, _ in first }
        for hash in hashes {
            var known: Set<MessageID> = []
            let records = try self.records(hash, of: conversation, files, table)
            for record in records {
                guard let id = try id(at: record.block, log) else { continue }
                // Different IDs may have the same hash.
                let isRepeat = !known.insert(id).inserted
                guard isRepeat != record.kind.isRepeated else { continue }
                let kind = isRepeat ? record.kind.repeated : record.kind.unrepeated
                if let stored = try table.record(at: record.row.number) {
                    try table.set(kind, of: stored, at: record.row.number)
                }
                try note(id, record, isRepeat: isRepeat, log)
                try noteStale(record, table)
                marked.rows.append(record.row.number)
                marked.roots.insert(hash)
                if let target = record.target { marked.roots.insert(target) }
            }
        }
        try table.flush()
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
        _ hash: Int64, of conversation: IndexedConversation, _ files: [String: Int], _ table: RecordTable
    ) throws -> [Record] {
        let all = RecordRow.all(of: conversation.number)
        return try table.ids.rows(of: hash, in: all).compactMap { row in
            let number = RecordRow(row)
            guard
                let file = conversation.index(ofSegment: number.segment).flatMap({
                    files[conversation.segments[$0].name]
                }),
                let record = try table.record(at: row)
            else { return nil }
            return Record(
                row: number, kind: record.kind,
                block: Block(segment: file, offset: record.offset, length: record.length), target: record.target)
        }
    }

    private func id(at block: Block, _ log: PlainLog) throws -> MessageID? {
        var found: MessageID?
        try blocks.forEachRecord(of: block, in: log) { _, head, _ in
            found = MessageID(String(decoding: head.id, as: UTF8.self))
            return false
        }
        return found
    }

    /// Notes the messages whose words are outdated: the record itself, or the message that it edits or deletes.
    private func noteStale(_ record: Record, _ table: RecordTable) throws {
        let row = record.row.number
        if record.kind.isAnyMessage { try database.run("INSERT INTO stale(row) VALUES (?)", row) }
        guard record.kind.isAnyTextChange, let target = record.target else { return }
        for message in try table.ids.rows(of: target, in: RecordRow.all(of: record.row.conversation)) {
            try database.run("INSERT INTO stale(row) VALUES (?)", message)
        }
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
