internal import GRDB
internal import Messages

/// A message has had more versions of its text than rows can be told apart by.
struct WordsOverflow: Error {}

/// Brings the words of the index up to its records:
///
///     rows of messages → their lines → words
///     rows of edits and deletions → what their messages say now → another version of those words
///
/// The second only once records are found by their IDs.
final class WordIndexer {
    /// Messages in one transaction: at its end FTS5 writes what it has, in a piece that each search has to look into.
    private static let batch = 200_000
    /// Messages whose rows are read at a time.
    private static let rowBatch = 10_000
    /// Edited messages in one transaction.
    private static let rewriteBatch = 10_000
    /// Bytes of lines that are read at a time.
    private static let read: Int64 = 256 << 10

    private let catalogue: Catalogue
    private let records: IndexConnection
    private let queue: IndexConnection
    private let control: IndexControl
    private let blocks = BlockReader()
    private var text = WordText()

    /// - Parameters:
    ///   - records: for reading.
    ///   - queue: of the words, for writing.
    init(_ catalogue: Catalogue, records: IndexConnection, _ queue: IndexConnection, _ control: IndexControl) {
        self.catalogue = catalogue
        self.records = records
        self.queue = queue
        self.control = control
    }

    /// Brings all conversations up to their records.
    func addPending() throws {
        try remakeStale()
        let pending = try pending()
        let bytes = try pending.reduce(0) { $0 + (try missingBytes(of: $1)) }
        control.report { $0.wordsTotal = $0.words + bytes }
        for conversation in pending {
            try addMessages(of: conversation)
            try addRewrites(of: conversation)
        }
    }

    /// Makes those words again that edits and deletions had changed which are no more.
    private func remakeStale() throws {
        let done = try queue.read { try Int64.fetchOne($0, sql: "SELECT stale FROM state") } ?? 0
        let (rows, last) = try records.read { database in
            let rows = try Int64.fetchAll(database, sql: "SELECT row FROM stale WHERE number > ?", arguments: [done])
            return (Set(rows), try Int64.fetchOne(database, sql: "SELECT max(number) FROM stale") ?? 0)
        }
        if last == done { return }
        var texts: [NewText] = []
        for (conversation, rows) in Dictionary(grouping: rows, by: { RecordRow($0).conversation }) {
            guard let log = try log(of: conversation) else { continue }
            texts += try self.texts(in: conversation, log) { (view) throws(StoreError) in
                var found: [IndexedRecord] = []
                for row in rows { if let record = try view.record(row) { found.append(record) } }
                return found
            }
        }
        try queue.write { database in
            try replace(texts.sorted { $0.row < $1.row }, in: database)
            try database.execute(sql: "UPDATE state SET stale = ?", arguments: [last])
        }
    }

    /// Of the messages that the records have and the words have not.
    private func missingBytes(of conversation: Int64) throws -> Int64 {
        let done = try progress(of: conversation).messages
        let rows = RecordRow.all(of: conversation)
        return try records.read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT coalesce(sum(length), 0) FROM record
                    WHERE row > ? AND row < ? AND \(RecordKind.isMessageSQL)
                    """,
                arguments: [max(done, rows.lowerBound), rows.upperBound]) ?? 0
        }
    }

    /// The conversations whose words are behind their records, by number.
    private func pending() throws -> [Int64] {
        let done = try queue.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT conversation, min(messages, rewrites) AS row FROM done GROUP BY 1")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["conversation"] as Int64, $0["row"] as Int64) })
        }
        let all = try records.read {
            try Row.fetchAll($0, sql: "SELECT number, next FROM conversation ORDER BY number")
        }
        return all.compactMap { row in
            let (number, next) = (row["number"] as Int64, row["next"] as Int64)
            let last = RecordRow(conversation: number, sequence: next - 1).number
            return next > 1 && done[number] ?? 0 < last ? number : nil
        }
    }

    /// Whether so much of it speaks of what is gone that it is better made anew.
    func hasGarbage() throws -> Bool {
        let texts = try queue.read { try Int.fetchOne($0, sql: "SELECT texts FROM state") } ?? 0
        let messages = try records.read { try Int.fetchOne($0, sql: "SELECT sum(messages) FROM conversation") } ?? 0
        return texts > 10_000 && texts - messages > texts / 5
    }

    /// Takes in the messages that the records have and the words have not.
    /// - Throws: what SQLite says; `StoreError`; `CancellationError`.
    func addMessages(of conversation: Int64) throws {
        guard let log = try log(of: conversation) else { return }
        var done = try progress(of: conversation)
        var isOver = false
        while !isOver {
            try control.checkCancellation()
            try queue.write { database in
                var count = 0
                while count < WordIndexer.batch {
                    let some = try messages(of: conversation, behind: done.messages)
                    isOver = some.end == done.messages
                    if isOver { break }
                    try add(some.rows, log, to: database)
                    done.messages = some.end
                    count += some.rows.count
                    control.report { $0.words += some.rows.reduce(0) { $0 + Int64($1.length) } }
                }
                try save(done, of: conversation, to: database)
            }
        }
    }

    /// Takes in what edits and deletions that the records have and the words have not make of their messages.
    /// - Throws: as `addMessages`; `WordsOverflow` when the words have to be made anew.
    func addRewrites(of conversation: Int64) throws {
        guard let log = try log(of: conversation) else { return }
        var done = try progress(of: conversation)
        let (targets, last) = try rewritten(in: conversation, behind: done.rewrites)
        for start in stride(from: 0, to: targets.count, by: WordIndexer.rewriteBatch) {
            try control.checkCancellation()
            let batch = targets[start..<min(targets.count, start + WordIndexer.rewriteBatch)]
            let texts = try self.texts(in: conversation, log) { (view) throws(StoreError) in
                var found: [IndexedRecord] = []
                for hash in batch { found += try view.records(ofID: hash) }
                return found
            }
            try queue.write { database in try replace(texts.sorted { $0.row < $1.row }, in: database) }
        }
        guard last > done.rewrites else { return }
        done.rewrites = last
        try queue.write { try save(done, of: conversation, to: $0) }
    }

    /// A text as it is now, nil when deleted.
    private struct NewText {
        let row: Int64
        let text: String?
    }

    /// What edits and deletions are about, and the last row of the conversation.
    private func rewritten(in conversation: Int64, behind row: Int64) throws -> (targets: [IDHash], last: Int64) {
        try records.read { database in
            let rows = RecordRow.all(of: conversation)
            let behind: StatementArguments = [max(row, rows.lowerBound), rows.upperBound]
            let targets = try Int64.fetchAll(
                database,
                sql: "SELECT DISTINCT target FROM record WHERE row > ? AND row < ? AND \(RecordKind.isRewriteSQL)",
                arguments: behind)
            let last = try Int64.fetchOne(
                database, sql: "SELECT max(row) FROM record WHERE row > ? AND row < ?", arguments: behind)
            return (targets.map { IDHash(value: UInt64(bitPattern: $0)) }, last ?? row)
        }
    }

    /// What the messages among some records say now.
    private func texts(
        in conversation: Int64, _ log: PlainLog, of records: (IndexView) throws(StoreError) -> [IndexedRecord]
    ) throws -> [NewText] {
        try self.records.read { database in
            guard let known = try IndexedConversation.find(number: conversation, in: database) else { return [] }
            let view = IndexView(known, database, IndexView.Failure())
            let reader = try ConversationReader(log.segments, blocks: blocks, index: view)
            let rows = try records(view).filter(\.kind.isMessage).sorted { $0.row < $1.row }
            let messages = try reader.messages(at: rows)
            let overrules = try reader.overrules(of: messages)
            return zip(rows, messages).map { record, message in
                let folded = FoldedMessage(message, overrules[message.id] ?? [])
                return NewText(row: record.row, text: folded.isDeleted ? nil : folded.text)
            }
        }
    }

    /// - Parameter texts: in the order of their rows, so that FTS5 need not write in between.
    private func replace(_ texts: [NewText], in database: Database) throws {
        let insert = try HotStatement(database, "INSERT INTO words(rowid, text) VALUES (?, ?)")
        let select = try HotStatement(database, "SELECT version FROM changed WHERE row = ?")
        let change = try HotStatement(database, "INSERT OR REPLACE INTO changed VALUES (?, ?)")
        for new in texts {
            select.bind(1, new.row)
            let version = try select.step() ? select.integer(0) : 0
            select.reset()
            let last = WordSchema.last(version)
            guard last < WordSchema.lastVersion else { throw WordsOverflow() }
            if var text = new.text {
                try text.withUTF8 { bytes in
                    try add(
                        UnsafeRawBufferPointer(bytes), as: new.row << WordSchema.versionBits | (last + 1), insert)
                }
            }
            change.bind(1, new.row)
            change.bind(2, new.text == nil ? WordSchema.deleted(after: last) : last + 1)
            try change.run()
        }
        try database.execute(sql: "UPDATE state SET texts = texts + ?", arguments: [texts.count])
    }

    private struct Done {
        var messages: Int64 = 0
        var rewrites: Int64 = 0
    }

    private func progress(of conversation: Int64) throws -> Done {
        let row = try queue.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM done WHERE conversation = ?", arguments: [conversation])
        }
        return row.map { Done(messages: $0["messages"], rewrites: $0["rewrites"]) } ?? Done()
    }

    private func save(_ done: Done, of conversation: Int64, to database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO done VALUES (?, ?, ?)",
            arguments: [conversation, done.messages, done.rewrites])
    }

    private func log(of conversation: Int64) throws -> PlainLog? {
        let id = try records.read { database in
            try String.fetchOne(
                database, sql: "SELECT id FROM conversation WHERE number = ?", arguments: [conversation])
        }
        return try id.flatMap { try catalogue.log(of: ConversationID($0)) }
    }

    /// The next messages, and the last row that was looked at.
    private func messages(
        of conversation: Int64, behind row: Int64
    ) throws -> (rows: [IndexedRecord], end: Int64) {
        try records.read { database in
            let rows = RecordRow.all(of: conversation)
            let select = try HotStatement(
                database,
                IndexedRecord.selectSQL + " WHERE row > ? AND row < ? ORDER BY row LIMIT \(WordIndexer.rowBatch)"
            )
            select.bind(1, max(row, rows.lowerBound))
            select.bind(2, rows.upperBound)
            defer { select.reset() }
            var found: [IndexedRecord] = []
            var end = row
            while try select.step() {
                let record = IndexedRecord(select)
                end = record.row
                if record.kind.isMessage { found.append(record) }
            }
            return (found, end)
        }
    }

    private func add(_ rows: [IndexedRecord], _ log: PlainLog, to database: Database) throws {
        let insert = try HotStatement(database, "INSERT INTO words(rowid, text) VALUES (?, ?)")
        for (block, rows) in rows.stretches(ofBytes: WordIndexer.read) { try add(rows, of: block, log, insert) }
        try database.execute(sql: "UPDATE state SET texts = texts + ?", arguments: [rows.count])
    }

    private func add(
        _ rows: ArraySlice<IndexedRecord>, of block: Block, _ log: PlainLog, _ insert: HotStatement
    ) throws {
        guard block.segment < log.segments.count else { return }
        var next = rows.startIndex
        var failure: (any Error)?
        try blocks.forEachRecord(of: block, in: log, at: rows.lazy.map(\.place)) { place, head, fields in
            while next < rows.endIndex, rows[next].place < place { next += 1 }
            guard next < rows.endIndex, rows[next].place == place, head.isMessage else { return true }
            do {
                try add(fields.bytes(RecordReader.Key.text), as: rows[next].row << WordSchema.versionBits, insert)
            } catch {
                failure = error
            }
            next += 1
            return failure == nil
        }
        if let failure { throw failure }
    }

    private func add(_ bytes: UnsafeRawBufferPointer, as row: Int64, _ insert: HotStatement) throws {
        text.set(bytes.assumingMemoryBound(to: UInt8.self))
        try text.bytes.withUnsafeBufferPointer { words in
            insert.bind(1, row)
            insert.bind(2, text: words)
            try insert.run()
        }
    }
}
