internal import SQLite
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
    /// Conversations that are looked at together.
    static let conversationsAtOnce = 4_096
    /// Messages in one transaction: at its end FTS5 writes what it has, in a piece that each search has to look into.
    private static let batch = 200_000
    /// Messages whose rows are read at a time.
    private static let rowBatch = 2_000
    /// Edited messages in one transaction, and those whose texts are in memory at a time.
    private static let rewriteBatch = 10_000
    private static let textBatch = 256
    /// Bytes of lines that are read at a time.
    private static let read: Int64 = 256 << 10

    private let catalogue: Catalogue
    private let records: IndexConnection
    private let queue: IndexConnection
    private let control: IndexControl
    private let blocks = BlockReader()
    private var text = WordText()
    /// The conversations whose files cannot be read, and why: their words are taken in once they can.
    private(set) var failures: [ConversationID: StoreError] = [:]
    /// The row of the last message whose words were taken in.
    private var lastRow: Int64 = 0

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
        let bytes = try missingBytes(of: pending)
        control.report { $0.wordsTotal = $0.words + bytes }
        for start in stride(from: 0, to: pending.count, by: WordIndexer.conversationsAtOnce) {
            let some = Array(pending[start..<min(pending.count, start + WordIndexer.conversationsAtOnce)])
            try addMessages(of: some)
            try addRewrites(of: some)
        }
    }

    /// Makes those words again that edits and deletions had changed which are no more.
    private func remakeStale() throws {
        let done = try queue.read { try $0.first(Int64.self, "SELECT stale FROM state") } ?? 0
        let (rows, last) = try records.read { database in
            let rows = try database.all(Int64.self, "SELECT row FROM stale WHERE number > ?", done)
            return (Set(rows), try database.first(Int64.self, "SELECT max(number) FROM stale") ?? 0)
        }
        if last == done { return }
        let known = failures.count
        let conversations = Dictionary(grouping: rows) { RecordRow($0).conversation }
        for (conversation, rows) in conversations.sorted(by: { $0.key < $1.key }) {
            _ = try addRewrites(of: rows.sorted(), in: conversation)
        }
        // What could not be made again now has to be made the next time.
        guard failures.count == known else { return }
        try queue.write { try $0.run("UPDATE state SET stale = ?", last) }
    }

    /// Of the messages that the records have and the words have not.
    private func missingBytes(of conversations: [Int64]) throws -> Int64 {
        let starts = try queue.read { database in
            try conversations.map { ($0, try progress(of: $0, in: database).messages) }
        }
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

    /// The conversations whose words are behind their records, by number.
    private func pending() throws -> [Int64] {
        let done = try queue.read { database in
            let rows = try database.rows("SELECT conversation, min(messages, rewrites) FROM done") {
                ($0.integer(0), $0.integer(1))
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        let all = try records.read {
            try $0.rows("SELECT number, next FROM conversation ORDER BY number") { ($0.integer(0), $0.integer(1)) }
        }
        return all.compactMap { number, next in
            let last = RecordRow(conversation: number, sequence: next - 1).number
            return next > 1 && done[number] ?? 0 < last ? number : nil
        }
    }

    /// Whether so much of it speaks of what is gone that it is better made anew.
    func hasGarbage() throws -> Bool {
        let texts = try queue.read { try $0.first(Int.self, "SELECT texts FROM state") } ?? 0
        let messages = try records.read { try $0.first(Int.self, "SELECT sum(messages) FROM conversation") } ?? 0
        return texts > 10_000 && texts - messages > texts / 5
    }

    /// Takes in the messages that the records have and the words have not. Small conversations share a transaction: at the
    /// end of each FTS5 writes a piece of the index.
    /// - Throws: what SQLite says; `StoreError`; `CancellationError`.
    func addMessages(of conversations: [Int64]) throws {
        var left = conversations[...]
        var work: Work?
        while !left.isEmpty {
            try control.checkCancellation()
            try queue.write { database in
                var count = 0
                // At the end of the transaction, as the count of texts.
                var finished: [(conversation: Int64, done: Done)] = []
                while count < WordIndexer.batch, let conversation = left.first {
                    try control.checkCancellation()
                    work = try work ?? self.work(conversation, in: database)
                    guard let (log, done) = work.map({ ($0.log, $0.done) }) else {
                        left = left.dropFirst()
                        continue
                    }
                    let some = try messages(of: conversation, behind: done.messages)
                    do {
                        try add(some.rows, log, to: database)
                    } catch let error as StoreError {
                        // The words before what cannot be read are in: once it can be, the next run goes on behind them.
                        try note(error, of: conversation)
                        let isAny = RecordRow(lastRow).conversation == conversation
                        let end = isAny ? max(done.messages, lastRow) : done.messages
                        finished.append((conversation, Done(messages: end, rewrites: done.rewrites)))
                        left = left.dropFirst()
                        work = nil
                        continue
                    }
                    count += some.rows.count
                    control.report { $0.words += some.rows.reduce(0) { $0 + Int64($1.length) } }
                    work?.done.messages = some.end
                    if some.isLast || count >= WordIndexer.batch {
                        finished.append((conversation, Done(messages: some.end, rewrites: done.rewrites)))
                    }
                    if some.isLast {
                        left = left.dropFirst()
                        work = nil
                    }
                }
                try note(texts: count, in: database)
                for (conversation, done) in finished { try save(done, of: conversation, to: database) }
            }
        }
    }

    /// A conversation whose messages are taken in.
    private struct Work {
        let log: PlainLog
        var done: Done
    }

    /// Nil for a conversation that is gone, or whose files cannot be read.
    private func work(_ conversation: Int64, in database: Database) throws -> Work? {
        try log(of: conversation).map { Work(log: $0, done: try progress(of: conversation, in: database)) }
    }

    /// Takes in what edits and deletions that the records have and the words have not make of their messages.
    /// - Throws: as `addMessages`; `WordsOverflow` when the words have to be made anew.
    private func addRewrites(of conversations: [Int64]) throws {
        // Most conversations have none that are new: those are noted together.
        var unchanged: [(conversation: Int64, done: Done)] = []
        for conversation in conversations {
            try control.checkCancellation()
            var done = try queue.read { try progress(of: conversation, in: $0) }
            let (rows, last) = try rewritten(in: conversation, behind: done.rewrites)
            guard try addRewrites(of: rows, in: conversation), last > done.rewrites else { continue }
            done.rewrites = last
            unchanged.append((conversation, done))
            if !rows.isEmpty || unchanged.count == WordIndexer.conversationsAtOnce {
                try save(unchanged)
                unchanged = []
            }
        }
        try save(unchanged)
    }

    private func save(_ some: [(conversation: Int64, done: Done)]) throws {
        if some.isEmpty { return }
        try queue.write { database in
            for (conversation, done) in some { try save(done, of: conversation, to: database) }
        }
    }

    /// - Parameter rows: of the messages, rising.
    /// - Returns: false when the conversation is gone or its files cannot be read.
    private func addRewrites(of rows: [Int64], in conversation: Int64) throws -> Bool {
        if rows.isEmpty { return true }
        guard let log = try log(of: conversation) else { return false }
        do {
            for start in stride(from: 0, to: rows.count, by: WordIndexer.rewriteBatch) {
                try control.checkCancellation()
                try replaceTexts(
                    of: rows[start..<min(rows.count, start + WordIndexer.rewriteBatch)], in: conversation, log)
            }
            return true
        } catch let error as StoreError {
            try note(error, of: conversation)
            return false
        }
    }

    /// A text as it is now, nil when deleted.
    private struct NewText {
        let row: Int64
        let text: String?
    }

    /// The rows of messages that edits and deletions are about, rising, and the last row of the conversation.
    private func rewritten(in conversation: Int64, behind row: Int64) throws -> (rows: [Int64], last: Int64) {
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

    /// Takes in what some messages say now, in one transaction.
    /// - Parameter rows: rising, so that FTS5 need not write in between.
    private func replaceTexts(of rows: ArraySlice<Int64>, in conversation: Int64, _ log: PlainLog) throws {
        try queue.write { database in
            var count = 0
            for start in stride(from: rows.startIndex, to: rows.endIndex, by: WordIndexer.textBatch) {
                let some = rows[start..<min(rows.endIndex, start + WordIndexer.textBatch)]
                let texts = try self.texts(of: some, in: conversation, log)
                try replace(texts, in: database)
                count += texts.count
            }
            try note(texts: count, in: database)
        }
    }

    /// What some messages say now.
    private func texts(
        of rows: ArraySlice<Int64>, in conversation: Int64, _ log: PlainLog
    ) throws -> [NewText] {
        try records.read { database in
            guard let known = try IndexedConversation.find(number: conversation, in: database) else { return [] }
            let view = IndexView(known, database, IndexView.Failure())
            let reader = try ConversationReader(log.segments, blocks: blocks, index: view)
            var records: [IndexedRecord] = []
            for row in rows {
                if let record = try view.record(row), record.kind.isMessage { records.append(record) }
            }
            let messages = try reader.messages(at: records)
            // Only what the records know: they tell when a line that they know is gone.
            let folds = try reader.folded(messages, before: view.end)
            return zip(records, messages).map { record, message in
                let folded = folds[message.id] ?? FoldedMessage(message, [])
                return NewText(row: record.row, text: folded.isDeleted ? nil : folded.text)
            }
        }
    }

    /// - Parameter texts: in the order of their rows, so that FTS5 need not write in between.
    private func replace(_ texts: [NewText], in database: Database) throws {
        let insert = try database.statement("INSERT INTO words(rowid, text) VALUES (?, ?)")
        let select = try database.statement("SELECT version FROM changed WHERE row = ?")
        let change = try database.statement("INSERT OR REPLACE INTO changed VALUES (?, ?)")
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
    }

    /// At the end of a transaction: for any other statement that writes, FTS5 writes what it has so far.
    private func note(texts: Int, in database: Database) throws {
        try database.run("UPDATE state SET texts = texts + ?", texts)
    }

    private struct Done {
        var messages: Int64 = 0
        var rewrites: Int64 = 0
    }

    private func progress(of conversation: Int64, in database: Database) throws -> Done {
        let select = try database.statement("SELECT messages, rewrites FROM done WHERE conversation = ?")
        select.bind(1, conversation)
        defer { select.reset() }
        return try select.step() ? Done(messages: select.integer(0), rewrites: select.integer(1)) : Done()
    }

    private func save(_ done: Done, of conversation: Int64, to database: Database) throws {
        let insert = try database.statement("INSERT OR REPLACE INTO done VALUES (?, ?, ?)")
        insert.bind(1, conversation)
        insert.bind(2, done.messages)
        insert.bind(3, done.rewrites)
        try insert.run()
    }

    private func id(of conversation: Int64) throws -> ConversationID? {
        try records.read { database in
            try database.first(String.self, "SELECT id FROM conversation WHERE number = ?", conversation)
        }.map { ConversationID($0) }
    }

    /// The others go on.
    private func note(_ error: StoreError, of conversation: Int64) throws {
        if let id = try id(of: conversation) { failures[id] = error }
    }

    /// Nil for a conversation that is gone, and for one whose files cannot be read, which is noted.
    private func log(of conversation: Int64) throws -> PlainLog? {
        guard let id = try id(of: conversation), failures[id] == nil else { return nil }
        do throws(StoreError) {
            let log = try catalogue.log(of: id)
            // Within a transaction that other conversations share it would be too late to find out.
            for segment in log?.segments ?? [] { _ = try File(segment.path) }
            return log
        } catch {
            failures[id] = error
            return nil
        }
    }

    /// The next messages, the last row that was looked at, and whether there are no more behind it.
    private func messages(
        of conversation: Int64, behind row: Int64
    ) throws -> (rows: [IndexedRecord], end: Int64, isLast: Bool) {
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
                if record.kind.isMessage { found.append(record) }
            }
            return (found, end, count < WordIndexer.rowBatch)
        }
    }

    private func add(_ rows: [IndexedRecord], _ log: PlainLog, to database: Database) throws {
        if rows.isEmpty { return }
        let insert = try database.statement("INSERT INTO words(rowid, text) VALUES (?, ?)")
        for (block, rows) in rows.stretches(ofBytes: WordIndexer.read) { try add(rows, of: block, log, insert) }
    }

    private func add(
        _ rows: ArraySlice<IndexedRecord>, of block: Block, _ log: PlainLog, _ insert: Statement
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

    private func add(_ bytes: UnsafeRawBufferPointer, as row: Int64, _ insert: Statement) throws {
        text.set(bytes.assumingMemoryBound(to: UInt8.self))
        try text.bytes.withUnsafeBufferPointer { words in
            insert.bind(1, row)
            insert.bind(2, text: words)
            try insert.run()
            lastRow = row >> WordSchema.versionBits
        }
    }
}
