internal import SQLite
internal import Messages

/// The index as searches ask it, on their thread.
final class SearchIndex {
    /// Pages of the database that are kept, in bytes.
    private static let cache = 2 << 20

    let records: IndexReader
    private let database: IndexDatabase
    /// For what stands behind the index.
    private let blocks = BlockReader()
    private var queue: IndexConnection?
    private var isOpen = false
    private var changed: TextChanges?
    private var sets: [SetKey: RowSet] = [:]
    /// The state of the words that both are of; other numbers are other states.
    private var version: Int64?
    /// Whether the rows of a query are found for all conversations at once. A question for each takes a tenth of a
    /// millisecond; finding all first keeps the newest hits waiting.
    private let findsAll: Bool
    /// From so many conversations on all rows are found at once.
    private static let manyConversations = 1_000

    /// - Parameter conversations: how many are searched.
    init(_ folder: IndexFolder, conversations: Int = 1) {
        findsAll = conversations >= SearchIndex.manyConversations
        records = IndexReader(folder)
        database = WordSchema.database(in: folder)
    }

    /// More than this behind the words is searched together with all before: its edits and repeats would be too many.
    private static let mostRest: Int64 = 8 << 20

    /// What the words cover of a conversation; nil when they cover too little.
    func coverage(of id: ConversationID, _ segments: [Segment]) -> WordCoverage? {
        open()
        guard queue != nil else { return nil }
        let found: WordCoverage?? = try? records.read(id, segments) { (view) throws(StoreError) in
            guard let view else { return nil }
            let state = try view.state()
            guard let done = self.done(of: view.conversation.number, state) else { return nil }
            // Nothing is covered before its edits are.
            guard done >= view.rows.lowerBound else { return nil }
            // The records may know more than the words, and less of files that have changed.
            let rows = view.rows.lowerBound..<min(view.rows.upperBound, done + 1)
            if rows.isEmpty { return nil }
            guard let last = try view.record(before: rows.upperBound) else { return nil }
            let isAll = try view.record(before: view.rows.upperBound)?.row == last.row
            let end = isAll ? view.end : LinePlace(segment: last.place.segment, offset: last.end)
            let mains = last.main + (last.kind.isMain ? 1 : 0)
            if segments.size - segments.size(before: end) > SearchIndex.mostRest { return nil }
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            return WordCoverage(
                conversation: id, segments: segments, rows: rows, end: end, mains: mains,
                state: state, isExact: !view.conversation.isPart,
                repeatsBehind: try reader.allRepeats().filter { $0 >= end })
        }
        return found ?? nil
    }

    /// The row up to which all messages and what overrules them are in; nil for none.
    /// - Parameters:
    ///   - records: names the records that the words have to be of.
    ///   - stale: the last message whose words have to be made again.
    private func done(of conversation: Int64, _ state: (records: Int64, stale: Int64)) -> Int64? {
        try? queue?.read { database in
            try forgetOutdated(database)
            guard try WordSchema.are(of: state.records, database),
                try database.first(Int64.self, "SELECT stale FROM state") == state.stale
            else { return nil }
            return try database.first(
                Int64.self, "SELECT min(messages, rewrites) FROM done WHERE conversation = ?", conversation)
        }
    }

    /// Forgets what was found of all rows when the words have changed: it has to know all that is said to be covered.
    private func forgetOutdated(_ database: Database) throws {
        let select = try database.statement("PRAGMA data_version")
        defer { select.reset() }
        let now = try select.step() ? select.integer(0) : nil
        if version != now { (version, changed, sets) = (now, nil, [:]) }
    }

    // MARK: - Words

    /// Rows of messages, the newest first, and where the next ones begin: below that row.
    struct Found {
        var rows: [Int64]
        let end: Int64
    }

    /// The rows of messages in whose texts the phrases stand.
    /// - Parameters:
    ///   - rows: which ones are looked through, from the end on.
    ///   - limit: of texts that are looked at.
    ///   - isCurrent: whether the texts are those of now; else those of any version.
    /// - Throws: what SQLite says.
    func rows(
        matching expression: String, in rows: Range<Int64>, limit: Int, isCurrent: Bool
    ) throws -> Found {
        if findsAll { return try set(of: .matching(expression), isCurrent: isCurrent).found(in: rows, limit: limit) }
        guard let queue else { return Found(rows: [], end: rows.lowerBound) }
        let changes = isCurrent ? try changes() : nil
        return try queue.read { database in
            let select = try database.statement(
                "SELECT rowid FROM words WHERE words MATCH ?1 AND rowid >= ?2 AND rowid < ?3 ORDER BY rowid DESC")
            var text = expression
            return try text.withUTF8 { expression in
                select.bind(1, text: expression)
                select.bind(2, rows.lowerBound << WordSchema.versionBits)
                select.bind(3, rows.upperBound << WordSchema.versionBits)
                defer { select.reset() }
                var found: [Int64] = []
                var (count, end) = (0, rows.lowerBound)
                while try select.step() {
                    let rowID = select.integer(0)
                    let row = rowID >> WordSchema.versionBits
                    // All versions of a text belong together.
                    if count >= limit, row < end { return Found(rows: found, end: end) }
                    (count, end) = (count + 1, row)
                    let isWanted = try changes?.isCurrent(rowID, database) ?? true
                    if isWanted, found.last != row { found.append(row) }
                }
                return Found(rows: found, end: rows.lowerBound)
            }
        }
    }

    /// Of the rows of all messages, of whatever conversation, those in whose texts something stands.
    enum Rows: Hashable {
        /// Phrases, as FTS5 takes them.
        case matching(String)
        /// A word with this beginning, as words stand in the index.
        case beginning([UInt8])
    }

    /// Finds rows once, and keeps them.
    /// - Parameter isCurrent: as above.
    /// - Throws: what SQLite says; `CancellationError`.
    func set(of rows: Rows, isCurrent: Bool) throws -> RowSet {
        let key = SetKey(rows: rows, isCurrent: isCurrent)
        if let known = sets[key] { return known }
        guard let queue else { return RowSet() }
        let changes = isCurrent ? try changes() : nil
        let found = try queue.read { database in
            try SearchIndex.set(of: rows, database) { try changes?.isCurrent($0, database) ?? true }
        }
        sets[key] = found
        return found
    }

    private struct SetKey: Hashable {
        let rows: Rows
        let isCurrent: Bool
    }

    private static func set(
        of rows: Rows, _ database: Database, where isWanted: (_ rowID: Int64) throws -> Bool
    ) throws -> RowSet {
        switch rows {
        case .matching(var expression):
            let select = try database.statement("SELECT rowid FROM words WHERE words MATCH ?1")
            return try expression.withUTF8 { expression in
                select.bind(1, text: expression)
                return try self.rows(of: select, where: isWanted)
            }
        case .beginning(let prefix):
            // One place of a word after the other: asked for the beginning, FTS5 would hold all of them in memory.
            try database.run(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.kedge_places USING fts5vocab(main, words, instance)")
            let select = try database.statement("SELECT doc FROM temp.kedge_places WHERE term >= ?1 AND term <= ?2")
            // Behind all words with this beginning: no text holds the last scalar of all.
            let end = prefix + [0xF4, 0x8F, 0xBF, 0xBF]
            return try prefix.withUnsafeBufferPointer { first in
                try end.withUnsafeBufferPointer { last in
                    select.bind(1, text: first)
                    select.bind(2, text: last)
                    return try self.rows(of: select, where: isWanted)
                }
            }
        }
    }

    private static func rows(
        of select: Statement, where isWanted: (_ rowID: Int64) throws -> Bool
    ) throws -> RowSet {
        defer { select.reset() }
        var found = RowSet()
        var count = 0
        var last: Int64?
        while try select.step() {
            let rowID = select.integer(0)
            // A text may hold a word twice.
            if rowID != last, try isWanted(rowID) { found.insert(rowID >> WordSchema.versionBits) }
            last = rowID
            count += 1
            if count % 65_536 == 0 { try Task.checkCancellation() }
        }
        found.finish()
        return found
    }

    /// Which texts were edited or deleted.
    private func changes() throws -> TextChanges {
        if let changed { return changed }
        let found = try queue?.read { try TextChanges($0) } ?? TextChanges()
        changed = found
        return found
    }

    /// Those of some messages that are deleted, as far as the words know.
    /// - Throws: what SQLite says.
    func deleted(among rows: [Int64]) throws -> Set<Int64> {
        let changes = try changes()
        let changed = rows.filter(changes.contains)
        guard let queue, !changed.isEmpty else { return [] }
        return try queue.read { database in
            Set(try changed.filter { try changes.version(of: $0, database) < 0 })
        }
    }

    private func open() {
        if isOpen { return }
        isOpen = true
        guard (try? records.folder.closeToOthers()) != nil else { return }
        queue = try? database.reader(cache: SearchIndex.cache)
    }
}

/// What the words of the index cover of a conversation.
struct WordCoverage {
    let conversation: ConversationID
    /// As the files are now.
    let segments: [Segment]
    let rows: Range<Int64>
    /// Behind the last line that is covered.
    let end: LinePlace
    /// Messages of the main timeline that are covered.
    let mains: Int
    /// What words and records had in common then: which records, and up to where edits that are gone were seen to.
    let state: (records: Int64, stale: Int64)
    /// Whether the words are those of the files, up to that end: all files that the index knows are what they were.
    let isExact: Bool
    /// The lines behind it that are known to repeat an ID.
    let repeatsBehind: [LinePlace]

    /// Bytes of the log that are not covered.
    var rest: Int64 { segments.size - segments.size(before: end) }
}

/// Which messages have another text than their own line says, as far as the words know.
struct TextChanges {
    private var rows = RowSet()

    init() {}

    init(_ database: Database) throws {
        let select = try database.statement("SELECT row FROM changed")
        defer { select.reset() }
        while try select.step() { rows.insert(select.integer(0)) }
    }

    func contains(_ row: Int64) -> Bool { rows.contains(row) }

    /// Negative when the message is deleted.
    func version(of row: Int64, _ database: Database) throws -> Int64 {
        let select = try database.statement("SELECT version FROM changed WHERE row = ?")
        select.bind(1, row)
        defer { select.reset() }
        return try select.step() ? select.integer(0) : 0
    }

    /// Whether a row of the words is of the text that its message has now.
    func isCurrent(_ rowID: Int64, _ database: Database) throws -> Bool {
        let (row, version) = (rowID >> WordSchema.versionBits, rowID & Int64(WordSchema.lastVersion))
        return contains(row) ? try self.version(of: row, database) == version : version == 0
    }
}

extension RowSet {
    /// The highest rows within a range, as a question to the index gives them.
    func found(in range: Range<Int64>, limit: Int) -> SearchIndex.Found {
        let rows = rows(in: range, limit: limit)
        return SearchIndex.Found(rows: rows, end: rows.count < limit ? range.lowerBound : rows.last ?? 0)
    }
}
