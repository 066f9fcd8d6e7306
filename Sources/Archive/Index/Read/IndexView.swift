internal import SQLite
internal import Messages

/// The index entries of one conversation. Valid within one read transaction, which sees one snapshot of the database.
///
/// The entries describe the files at the time they were indexed. Code that reads a line through an entry must check the
/// ID.
struct IndexView {
    let conversation: IndexedConversation
    let database: Database
    let table: RecordTable
    private let failure: Failure
    private let found = Found()

    /// A cache of the last records. A page requests the record at a known place three times, and each request would
    /// otherwise take twenty lookups in a million records.
    private final class Found {
        static let most = 4_096
        var records: [LinePlace: IndexedRecord] = [:]
        /// By the number of a word (`QuietRows`).
        var quiet: [Int64: Int64] = [:]
    }

    /// The error of SQLite if a query failed. The request is then repeated without the index.
    final class Failure {
        fileprivate(set) var error: (any Error)?
    }

    init(_ conversation: IndexedConversation, _ database: Database, _ failure: Failure) {
        self.conversation = conversation
        self.database = database
        table = RecordTable(database)
        self.failure = failure
    }

    /// The end of the last indexed line.
    var end: LinePlace { conversation.end }

    /// The lines that repeat an earlier ID, sorted.
    func repeats() throws(StoreError) -> [LinePlace] {
        try records { try table.repeated(in: rows) }.map(\.place)
    }

    /// The state that the word index must match: the identity of the records, and the newest entry in the table of
    /// messages whose words are outdated; 0 for none.
    func state() throws(StoreError) -> (records: Int64, stale: Int64) {
        try attempt {
            let stale = try database.first(Int64.self, "SELECT max(number) FROM stale") ?? 0
            return (try RecordSchema.identity(database), stale)
        }
    }

    /// The lines that were skipped.
    func problems() throws(StoreError) -> ProblemList {
        var list = ProblemList()
        let count = conversation.counts.problems
        if count == 0 { return list }
        let rows = try attempt {
            try database.rows(
                """
                SELECT segment.name, line, text FROM problem JOIN segment
                ON segment.conversation = problem.conversation AND segment.number = problem.segment
                WHERE problem.conversation = ? ORDER BY problem.segment, line LIMIT ?
                """, conversation.number, min(count, ProblemList.kept)
            ) { "\($0.text(0)):\($0.integer(1)): \($0.text(2))" }
        }
        for row in rows { list.add("\(conversation.id)/\(row)") }
        for _ in rows.count..<max(rows.count, count) { list.add("") }
        return list
    }

    /// Runs a query and notes its error.
    func attempt<Result>(_ question: () throws -> Result) throws(StoreError) -> Result {
        try IndexView.attempt(noting: failure, question)
    }

    static func attempt<Result>(
        noting failure: Failure, _ question: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try question()
        } catch {
            failure.error = error
            throw IndexFailure.reading(error)
        }
    }

    /// The records whose ID has this hash, in the order of the log, without repeats.
    func records(ofID hash: IDHash) throws(StoreError) -> [IndexedRecord] {
        try records { try table.ids.rows(of: hash.number, in: rows) }.filter { !$0.kind.isRepeated }
    }

    /// The edits, deletions and reactions whose target has this hash, in the order of the log, with repeats.
    /// - Parameter row: only records after this row are returned.
    func records(about hash: IDHash, after row: Int64 = .min, limit: Int) throws(StoreError) -> [IndexedRecord] {
        let later = rows.clamped(to: max(row, rows.lowerBound - 1) + 1..<max(rows.upperBound, row + 1))
        return try records { try table.changes.rows(of: hash.number, in: later, limit: limit) }
    }

    /// The record at a row; nil if there is none.
    func record(_ row: Int64) throws(StoreError) -> IndexedRecord? {
        guard rows.contains(row) else { return nil }
        return try attempt { try table.record(at: row).map { try IndexedRecord($0, at: row, of: conversation) } }
    }

    /// The first record at or after a row.
    func record(from row: Int64) throws(StoreError) -> IndexedRecord? {
        try records(from: row, limit: 1) { _ in true }.first
    }

    /// The last record before a row.
    func record(before row: Int64) throws(StoreError) -> IndexedRecord? {
        try records(before: row, limit: 1) { _ in true }.first
    }

    /// The messages before a row, thread replies included, nearest first.
    func messages(before row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        try records(before: row, limit: limit) { $0.isMessage }
    }

    /// The first record at or after a place; nil after the last one.
    func record(atOrAfter place: LinePlace) throws(StoreError) -> IndexedRecord? {
        if let known = found.records[place] { return known }
        return try first(from: place.segment) { $0.place >= place }
    }

    /// Caches these records for `record(atOrAfter:)`.
    func keep(_ records: [IndexedRecord]) -> [IndexedRecord] {
        if found.records.count + records.count > Found.most { found.records = [:] }
        for record in records { found.records[record.place] = record }
        return records
    }

    /// Whether it is known that no edit, deletion, reaction or reply in a thread is about a message, of one that was just read.
    func isQuiet(_ message: StoredMessage) throws(StoreError) -> Bool {
        guard let row = found.records[message.place]?.row else { return false }
        let word = QuietRows.word(of: row)
        if found.quiet[word] == nil {
            found.quiet[word] = try attempt { try QuietRows(database: database).bits(ofWord: word) ?? 0 }
        }
        return found.quiet[word, default: 0] & QuietRows.bit(of: row) != 0
    }

    /// The rows of the conversation, from its first record to after its last one.
    var rows: Range<Int64> { conversation.rows }

    /// The records at the rows that a look-up finds, in the same order.
    func records(_ lookUp: () throws -> [Int64]) throws(StoreError) -> [IndexedRecord] {
        try attempt {
            try lookUp().map { row in
                guard let record = try table.record(at: row) else {
                    throw DatabaseError(.corrupt, "a record is missing that a look-up knows")
                }
                return try IndexedRecord(record, at: row, of: conversation)
            }
        }
    }

    /// The records of some kinds at and after a row, in the order of the log.
    func records(
        from row: Int64, limit: Int, where isWanted: (RecordKind) -> Bool
    ) throws(StoreError) -> [IndexedRecord] {
        guard limit > 0 else { return [] }
        return try attempt {
            var found: [IndexedRecord] = []
            try table.forEach(in: rows.clamped(to: row..<max(row, rows.upperBound))) { row, record in
                if isWanted(record.kind) { found.append(try IndexedRecord(record, at: row, of: conversation)) }
                return found.count < limit
            }
            return found
        }
    }

    /// The records of some kinds before a row, nearest first.
    func records(
        before row: Int64, limit: Int, where isWanted: (RecordKind) -> Bool
    ) throws(StoreError) -> [IndexedRecord] {
        guard limit > 0 else { return [] }
        return try attempt {
            var found: [IndexedRecord] = []
            try table.forEachBackwards(in: rows.clamped(to: min(row, rows.lowerBound)..<row)) { row, record in
                if isWanted(record.kind) { found.append(try IndexedRecord(record, at: row, of: conversation)) }
                return found.count < limit
            }
            return found
        }
    }

    /// Finds the first record that meets a condition that all records after it meet too, by binary search: some thirty
    /// lookups in a million records.
    /// - Parameter segment: the segment to search. If no record in it matches, the result is the first record of the
    ///   segments after it.
    func first(
        from segment: Int, where isAfter: (IndexedRecord) -> Bool
    ) throws(StoreError) -> IndexedRecord? {
        guard conversation.segments.indices.contains(segment) else { return nil }
        let rows = conversation.rows(of: segment)
        if let found = try first(in: rows, where: isAfter) { return found }
        return try record(from: rows.upperBound)
    }

    private func first(
        in rows: Range<Int64>, where isAfter: (IndexedRecord) -> Bool
    ) throws(StoreError) -> IndexedRecord? {
        var (low, high) = (rows.lowerBound, rows.upperBound)
        var found: IndexedRecord?
        while low < high {
            let middle = low + (high - low) / 2
            // A row may be unused because its record is gone.
            let next = try attempt {
                try table.first(in: middle..<high).map { try IndexedRecord($1, at: $0, of: conversation) }
            }
            guard let next else {
                high = middle
                continue
            }
            if isAfter(next) {
                found = next
                high = middle
            } else {
                low = next.row + 1
            }
        }
        return found
    }
}
