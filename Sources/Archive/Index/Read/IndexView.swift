internal import Index
internal import Messages

/// The index entries of one conversation. Reads one generation of the index.
///
/// The entries describe the files at the time they were indexed. Code that reads a line through an entry must check the
/// ID.
struct IndexView {
    let conversation: IndexedConversation
    let snapshot: IndexSnapshot
    private let failure: Failure
    private let found = Found()

    /// A cache of the last records. A page requests the record at a known place three times, and each request would
    /// otherwise take twenty lookups in a million records.
    private final class Found {
        static let most = 4_096
        var records: [LinePlace: IndexedRecord] = [:]
    }

    /// The error of the index if a question failed. The request is then repeated without the index.
    final class Failure {
        fileprivate(set) var error: (any Error)?
    }

    init(_ conversation: IndexedConversation, _ snapshot: IndexSnapshot, _ failure: Failure) {
        (self.conversation, self.snapshot, self.failure) = (conversation, snapshot, failure)
    }

    /// The end of the last indexed line.
    var end: LinePlace { conversation.end }

    /// The lines that repeat an earlier ID, sorted.
    func repeats() throws(StoreError) -> [LinePlace] {
        try attempt {
            try snapshot.repeats(in: rows).compactMap { row in
                try snapshot.record(at: row).map { try IndexedRecord($0, at: row, of: conversation).place }
            }
        }
    }

    /// The identity of the index, and the newest entry in its table of messages whose words are outdated; 0 for none.
    func state() throws(StoreError) -> (identity: UInt64, stale: Int64) {
        try attempt { (snapshot.identity, try snapshot.state()?.stale ?? 0) }
    }

    /// The lines that were skipped.
    func problems() throws(StoreError) -> ProblemList {
        var list = ProblemList()
        let count = conversation.problems
        if count == 0 { return list }
        var lines: [String] = []
        try attempt {
            try conversation.forEachProblem(in: snapshot) { _, line in
                lines.append(line)
                return lines.count < min(count, ProblemList.kept)
            }
        }
        for line in lines { list.add(line) }
        for _ in lines.count..<max(lines.count, count) { list.add("") }
        return list
    }

    /// The number of messages, thread replies included, and of those about somebody's presence; the times of the first and the last
    /// message in the order of the log.
    func totals() throws(StoreError) -> Totals {
        try attempt {
            let counts = try snapshot.counts(in: rows)
            var (first, last): (Int64?, Int64?)
            try snapshot.forEach(in: rows) { _, record in
                if record.kind.isMessage { first = record.at }
                return first == nil
            }
            try snapshot.forEachBackwards(in: rows) { _, record in
                if record.kind.isMessage { last = record.at }
                return last == nil
            }
            return Totals(messages: counts.messages, presence: counts.presence, first: first, last: last)
        }
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
            throw .readingIndex(error)
        }
    }

    /// The records whose ID has this hash, in the order of the log, without repeats.
    func records(ofID hash: IDHash) throws(StoreError) -> [IndexedRecord] {
        try records { try snapshot.records(ofID: hash.value, in: rows) }.filter { !$0.kind.isRepeated }
    }

    /// The edits, deletions and reactions whose target has this hash, in the order of the log, with repeats.
    /// - Parameter row: only records after this row are returned.
    func records(about hash: IDHash, after row: Int64 = .min, limit: Int) throws(StoreError) -> [IndexedRecord] {
        let later = rows.clamped(to: max(row, rows.lowerBound - 1) + 1..<max(rows.upperBound, row + 1))
        return try records { try snapshot.changes(of: hash.value, in: later, limit: limit) }
    }

    /// The record at a row; nil if there is none.
    func record(_ row: Int64) throws(StoreError) -> IndexedRecord? {
        guard rows.contains(row) else { return nil }
        return try attempt { try snapshot.record(at: row).map { try IndexedRecord($0, at: row, of: conversation) } }
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
        return try first(from: place.segment) { $0 >= place.offset }
    }

    /// Caches these records for `record(atOrAfter:)`.
    func keep(_ records: [IndexedRecord]) -> [IndexedRecord] {
        if found.records.count + records.count > Found.most { found.records = [:] }
        for record in records { found.records[record.place] = record }
        return records
    }

    /// True if it is known that no edit, deletion, reaction or reply in a thread is about a message, of one that was just read.
    func isQuiet(_ message: StoredMessage) throws(StoreError) -> Bool {
        guard let record = found.records[message.place] else { return false }
        return try attempt { try snapshot.isUnreferenced(record.row, hash: record.hash) }
    }

    /// The rows of the conversation, from its first record to after its last one.
    var rows: Range<Int64> { conversation.rows }

    /// The records that a look-up finds, in the same order.
    func records(
        _ lookUp: () throws -> [(row: Int64, record: IndexRecord)]
    ) throws(StoreError) -> [IndexedRecord] {
        try attempt { try lookUp().map { try IndexedRecord($0.record, at: $0.row, of: conversation) } }
    }

    /// The records of some kinds at and after a row, in the order of the log.
    func records(
        from row: Int64, limit: Int, where isWanted: (RecordKind) -> Bool
    ) throws(StoreError) -> [IndexedRecord] {
        guard limit > 0 else { return [] }
        return try attempt {
            var found: [IndexedRecord] = []
            try snapshot.forEach(in: rows.clamped(to: row..<max(row, rows.upperBound))) {
                (row, record) throws(IndexFault) in
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
            try snapshot.forEachBackwards(in: rows.clamped(to: min(row, rows.lowerBound)..<row)) {
                (row, record) throws(IndexFault) in
                if isWanted(record.kind) { found.append(try IndexedRecord(record, at: row, of: conversation)) }
                return found.count < limit
            }
            return found
        }
    }

    /// The first record of a segment whose offset meets a condition that all later ones meet too; if there is none, the first record
    /// of the segments after it.
    func first(from segment: Int, where isReached: (Int64) -> Bool) throws(StoreError) -> IndexedRecord? {
        guard conversation.segments.indices.contains(segment) else { return nil }
        let rows = conversation.rows(of: segment)
        let found = try attempt {
            try snapshot.first(in: rows) { isReached($0.offset) }
                .map { try IndexedRecord($0.record, at: $0.row, of: conversation) }
        }
        if let found { return found }
        return try record(from: rows.upperBound)
    }
}
