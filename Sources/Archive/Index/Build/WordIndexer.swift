internal import Messages
internal import SQLite
internal import Words

/// Brings the words of the index up to its records:
///
///     rows of messages and edits → their lines → words
///     rows of edits and deletions → which text counts for each of their messages
///
/// The second only once records are found by their IDs.
final class WordIndexer {
    /// Conversations that are looked at together.
    static let conversationsAtOnce = 4_096
    /// Records whose rows are read at a time.
    private static let rowBatch = 2_000
    /// Edited messages that are in memory at a time.
    private static let textBatch = 256
    /// Bytes of lines that are read at a time.
    private static let read: Int64 = 256 << 10

    private let catalogue: Catalogue
    private let records: IndexConnection
    private let words: WordWriter
    private let control: IndexControl
    private let blocks = BlockReader()
    /// How far the conversations are whose words are in memory alone.
    private var reached: [Int64: WordProgress] = [:]
    /// The conversations whose files cannot be read, and why: their words are taken in once they can.
    private(set) var failures: [ConversationID: StoreError] = [:]

    /// - Parameter records: for reading.
    init(_ catalogue: Catalogue, records: IndexConnection, _ words: WordWriter, _ control: IndexControl) {
        self.catalogue = catalogue
        self.records = records
        self.words = words
        self.control = control
    }

    /// Brings all conversations up to their records.
    /// - Throws: `WordFault`, `DatabaseError`, `CancellationError`.
    func addPending() throws {
        try amendStale()
        let pending = try pending()
        let bytes = try missingBytes(of: pending)
        control.report { $0.wordsTotal = $0.words + bytes }
        for start in stride(from: 0, to: pending.count, by: WordIndexer.conversationsAtOnce) {
            let some = Array(pending[start..<min(pending.count, start + WordIndexer.conversationsAtOnce)])
            try addMessages(of: some)
            try addRewrites(of: some)
        }
        try commit()
    }

    /// Whether so much of the words is of texts that are gone that they are better made anew.
    func hasGarbage() throws -> Bool {
        let messages = try records.read { try $0.first(Int.self, "SELECT sum(messages) FROM conversation") } ?? 0
        return words.texts > 10_000 && words.texts - messages > words.texts / 5
    }

    private func commit(stale: Int64? = nil) throws {
        try words.commit(reached, stale: stale) { try control.checkCancellation() }
        reached = [:]
    }

    private func progress(of conversation: Int64) -> WordProgress {
        reached[conversation] ?? words.progress(of: conversation)
    }

    /// Says anew what those messages say whose edits and deletions are gone with their files.
    private func amendStale() throws {
        let (rows, last) = try records.read { database in
            let rows = try database.all(Int64.self, "SELECT row FROM stale WHERE number > ?", words.stale)
            return (Set(rows), try database.first(Int64.self, "SELECT max(number) FROM stale") ?? 0)
        }
        if last == words.stale { return }
        let known = failures.count
        let conversations = Dictionary(grouping: rows) { RecordRow($0).conversation }
        for (conversation, rows) in conversations.sorted(by: { $0.key < $1.key }) {
            guard let log = try log(of: conversation) else { continue }
            try amend(rows.sorted(), in: conversation, log)
        }
        // What could not be read now is told anew the next time.
        if failures.count == known { try commit(stale: last) }
    }

    // MARK: - What is missing

    /// Of the messages that the records have and the words have not.
    private func missingBytes(of conversations: [Int64]) throws -> Int64 {
        let starts = conversations.map { ($0, progress(of: $0).messages) }
        return try records.read { database in
            let select = try database.statement(
                "SELECT sum(length) FROM record WHERE row > ? AND row < ? AND \(RecordKind.isMessageSQL)")
            return try starts.reduce(0) { sum, start in
                let rows = RecordRow.all(of: start.0)
                select.bind(1, max(start.1, rows.lowerBound))
                select.bind(2, rows.upperBound)
                defer { select.reset() }
                return sum + (try select.step() ? select.integer(0) : 0)
            }
        }
    }

    /// The conversations whose records are not all in the words, by number.
    private func pending() throws -> [Int64] {
        let all = try records.read { database in
            try database.rows("SELECT number, next FROM conversation ORDER BY number") {
                ($0.integer(0), $0.integer(1))
            }
        }
        return all.compactMap { number, next in
            let progress = progress(of: number)
            let last = RecordRow(conversation: number, sequence: next - 1).number
            return next > 1 && min(progress.messages, progress.rewrites) < last ? number : nil
        }
    }

    // MARK: - Words

    /// Takes in the texts that the records have and the words have not.
    /// - Throws: as `addPending`.
    func addMessages(of conversations: [Int64]) throws {
        for conversation in conversations {
            try control.checkCancellation()
            guard let log = try log(of: conversation) else { continue }
            var isOver = false
            while !isOver {
                try control.checkCancellation()
                isOver = try addMessages(of: conversation, log)
                if words.isFull { try commit() }
            }
        }
    }

    /// Takes in some more texts of a conversation.
    /// - Returns: whether there are no more of them.
    private func addMessages(of conversation: Int64, _ log: IndexedLog) throws -> Bool {
        var progress = progress(of: conversation)
        let some = try texts(of: conversation, after: progress.messages)
        for (block, records) in some.records.stretches(ofBytes: WordIndexer.read) {
            do throws(StoreError) {
                try add(records, of: block, log)
            } catch {
                // The other conversations are taken in all the same.
                failures[log.id] = error
                return true
            }
            progress.messages = records.last?.row ?? progress.messages
            reached[conversation] = progress
            control.report { $0.words += records.reduce(0) { $0 + Int64($1.length) } }
        }
        progress.messages = some.end
        reached[conversation] = progress
        return some.isLast
    }

    /// The next records with a text, the last row that was looked at, and whether there are no more after it.
    private func texts(
        of conversation: Int64, after row: Int64
    ) throws -> (records: [IndexedRecord], end: Int64, isLast: Bool) {
        try records.read { database in
            let rows = RecordRow.all(of: conversation)
            let select = try database.statement(
                IndexedRecord.selectSQL + " WHERE row > ? AND row < ? ORDER BY row LIMIT \(WordIndexer.rowBatch)"
            )
            select.bind(1, max(row, rows.lowerBound))
            select.bind(2, rows.upperBound)
            defer { select.reset() }
            var found: [IndexedRecord] = []
            var end = row
            var count = 0
            while try select.step() {
                let record = IndexedRecord(select)
                end = record.row
                count += 1
                if record.kind.isMessage || record.kind.isEdit { found.append(record) }
            }
            return (found, end, count < WordIndexer.rowBatch)
        }
    }

    private func add(
        _ records: ArraySlice<IndexedRecord>, of block: Block, _ log: IndexedLog
    ) throws(StoreError) {
        guard block.segment < log.log.segments.count else { return }
        var next = records.startIndex
        try blocks.forEachRecord(of: block, in: log.log, at: records.lazy.map(\.place)) { place, head, fields in
            while next < records.endIndex, records[next].place < place { next += 1 }
            guard next < records.endIndex, records[next].place == place else { return true }
            words.add(
                fields.bytes(RecordReader.Key.text), row: records[next].row, isEdit: records[next].kind.isEdit)
            next += 1
            return true
        }
    }

    // MARK: - Edits and deletions

    /// Takes in what the edits and deletions that the records have and the words have not make of their messages.
    private func addRewrites(of conversations: [Int64]) throws {
        for conversation in conversations {
            try control.checkCancellation()
            var progress = progress(of: conversation)
            let (rows, last) = try rewritten(in: conversation, after: progress.rewrites)
            if !rows.isEmpty {
                guard let log = try log(of: conversation), try amend(rows, in: conversation, log) else { continue }
            }
            guard last > progress.rewrites else { continue }
            progress.rewrites = last
            reached[conversation] = progress
            if words.isFull { try commit() }
        }
    }

    /// The rows of messages that edits and deletions are about, rising, and the last row of the conversation.
    private func rewritten(in conversation: Int64, after row: Int64) throws -> (rows: [Int64], last: Int64) {
        try records.read { database in
            let all = RecordRow.all(of: conversation)
            let start = max(row, all.lowerBound)
            let rows = try database.all(
                Int64.self,
                """
                SELECT DISTINCT message.row FROM record AS rewrite JOIN record AS message
                ON message.hash = rewrite.target AND message.row >= ?3 AND message.row < ?2
                WHERE rewrite.row > ?1 AND rewrite.row < ?2 AND rewrite.\(RecordKind.isRewriteSQL)
                AND message.\(RecordKind.isMessageSQL) ORDER BY 1
                """,
                start, all.upperBound, all.lowerBound)
            let last = try database.first(
                Int64.self, "SELECT max(row) FROM record WHERE row > ? AND row < ?", start, all.upperBound)
            return (rows, last ?? row)
        }
    }

    /// Says which record's text counts for each of some messages.
    /// - Parameter rows: of the messages, rising.
    /// - Returns: false when the files cannot be read.
    @discardableResult
    private func amend(_ rows: [Int64], in conversation: Int64, _ log: IndexedLog) throws -> Bool {
        for start in stride(from: 0, to: rows.count, by: WordIndexer.textBatch) {
            try control.checkCancellation()
            do {
                try amend(rows[start..<min(rows.count, start + WordIndexer.textBatch)], in: conversation, log)
            } catch let error as StoreError {
                failures[log.id] = error
                return false
            }
        }
        return true
    }

    private func amend(_ rows: ArraySlice<Int64>, in conversation: Int64, _ log: IndexedLog) throws {
        try records.read { database in
            guard let known = try IndexedConversation.find(number: conversation, in: database) else { return }
            let view = IndexView(known, database, IndexView.Failure())
            let reader = try ConversationReader(log.log.segments, blocks: blocks, index: view)
            var records: [IndexedRecord] = []
            for row in rows {
                if let record = try view.record(row), record.kind.isMessage { records.append(record) }
            }
            let messages = try reader.messages(at: records)
            // Only lines that the records know: they tell when one of these is gone.
            let folds = try reader.folded(messages, before: view.end)
            for (record, message) in zip(records, messages) {
                let folded = folds[message.id] ?? FoldedMessage(message, [])
                words.amend(record.row, text: try view.textRow(of: folded, row: record.row))
            }
        }
    }

    private struct IndexedLog {
        let id: ConversationID
        let log: PlainLog
    }

    /// Nil for a conversation that is gone, and for one whose files cannot be read, which is noted.
    private func log(of conversation: Int64) throws -> IndexedLog? {
        let id = try records.read { database in
            try database.first(String.self, "SELECT id FROM conversation WHERE number = ?", conversation)
        }
        guard let id = id.map({ ConversationID($0) }), failures[id] == nil else { return nil }
        do throws(StoreError) {
            return try catalogue.log(of: id).map { IndexedLog(id: id, log: $0) }
        } catch {
            failures[id] = error
            return nil
        }
    }
}

extension IndexView {
    /// The row of the record whose text a message has now; nil when it is deleted.
    /// - Parameter row: of the message.
    func textRow(of message: FoldedMessage, row: Int64) throws(StoreError) -> Int64? {
        if message.isDeleted { return nil }
        guard let edit = message.lastRewrite else { return row }
        let found = try records(
            "target = ? AND row > ? AND row < ? AND segment = ? AND offset = ? AND \(RecordKind.isNoMessageSQL)",
            [
                Int64(bitPattern: IDHash(message.stored.id).value), rows.lowerBound, rows.upperBound,
                Int64(edit.segment), edit.offset,
            ])
        return found.first?.row ?? row
    }
}
