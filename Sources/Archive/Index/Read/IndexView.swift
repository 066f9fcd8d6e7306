internal import SQLite
internal import Messages

/// What the index says of one conversation. Valid within one reading of the database, all of which sees the same state.
///
/// What it says is true of the files as they were indexed; who reads a line by it checks the ID.
struct IndexView {
    let conversation: IndexedConversation
    let database: Database
    private let failure: Failure
    private let found = Found()

    /// The records that were read last. A page asks three times for the record at a place that it has just read; without this
    /// each question takes twenty looks at a million records.
    private final class Found {
        static let most = 4_096
        var records: [LinePlace: IndexedRecord] = [:]
    }

    /// What SQLite said when it could not answer: the question is then asked again without the index.
    final class Failure {
        fileprivate(set) var error: (any Error)?
    }

    init(_ conversation: IndexedConversation, _ database: Database, _ failure: Failure) {
        self.conversation = conversation
        self.database = database
        self.failure = failure
    }

    /// Behind the last line that it knows.
    var end: LinePlace { conversation.end }

    /// The lines that repeat an earlier ID, sorted.
    func repeats() throws(StoreError) -> [LinePlace] {
        try records(
            "row >= ? AND row < ? AND kind & 64 ORDER BY row", indexedBy: "record_repeat",
            [rows.lowerBound, rows.upperBound]
        ).map(\.place)
    }

    /// What words have to agree with: which records these are, and the number of the last message whose words have to be made
    /// again; 0 for none.
    func state() throws(StoreError) -> (records: Int64, stale: Int64) {
        try attempt {
            let stale = try database.first(Int64.self, "SELECT max(number) FROM stale") ?? 0
            return (try RecordSchema.identity(database), stale)
        }
    }

    /// The lines that were passed over.
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

    /// Asks SQLite something, and notes when it cannot answer.
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

    /// The records whose ID has this hash, in the order of the log; repeats are none.
    func records(ofID hash: IDHash) throws(StoreError) -> [IndexedRecord] {
        try records(
            "hash = ? AND row >= ? AND row < ? ORDER BY row",
            [Int64(bitPattern: hash.value), rows.lowerBound, rows.upperBound]
        ).filter { !$0.kind.isRepeated }
    }

    /// The edits, deletions and reactions of what has this hash, repeats among them, in the order of the log.
    /// - Parameter row: only those behind it.
    func records(about hash: IDHash, behind row: Int64 = .min, limit: Int) throws(StoreError) -> [IndexedRecord] {
        try records(
            "target = ? AND row > ? AND row < ? AND \(RecordKind.isNoMessageSQL) ORDER BY row LIMIT ?",
            [Int64(bitPattern: hash.value), max(row, rows.lowerBound - 1), rows.upperBound, Int64(limit)])
    }

    /// The record at a row, if it is there.
    func record(_ row: Int64) throws(StoreError) -> IndexedRecord? {
        rows.contains(row) ? try records("row = ?", [row]).first : nil
    }

    /// The record at a row, or the first one behind it.
    func record(from row: Int64) throws(StoreError) -> IndexedRecord? {
        try records("row >= ? AND row < ? ORDER BY row LIMIT 1", [row, rows.upperBound]).first
    }

    /// The last record before a row.
    func record(before row: Int64) throws(StoreError) -> IndexedRecord? {
        try records("row < ? AND row >= ? ORDER BY row DESC LIMIT 1", [row, rows.lowerBound]).first
    }

    /// The messages before a row, thread replies included, the nearest first.
    func messages(before row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        try records(
            "row < ? AND row >= ? AND \(RecordKind.isMessageSQL) ORDER BY row DESC LIMIT ?",
            [row, rows.lowerBound, Int64(limit)])
    }

    /// The first record at or after a place; nil after the last one.
    func record(atOrBehind place: LinePlace) throws(StoreError) -> IndexedRecord? {
        if let known = found.records[place] { return known }
        return try first(from: place.segment) { $0.place >= place }
    }

    /// Keeps these records for `record(atOrBehind:)`.
    func keep(_ records: [IndexedRecord]) -> [IndexedRecord] {
        if found.records.count + records.count > Found.most { found.records = [:] }
        for record in records { found.records[record.place] = record }
        return records
    }

    /// From the first record to after the last one.
    var rows: Range<Int64> { conversation.rows }

    /// - Parameter index: which one SQLite is to use; nil for the one that it takes.
    func records(
        _ condition: String, indexedBy index: String? = nil, _ arguments: [Int64]
    ) throws(StoreError) -> [IndexedRecord] {
        try attempt {
            let table = index.map { " INDEXED BY \($0)" } ?? ""
            let select = try database.statement("\(IndexedRecord.selectSQL)\(table) WHERE \(condition)")
            defer { select.reset() }
            for (index, argument) in arguments.enumerated() { select.bind(Int32(index + 1), argument) }
            var found: [IndexedRecord] = []
            while try select.step() { found.append(try IndexedRecord(select, of: conversation)) }
            return found
        }
    }

    /// The first record of which something is true that is true of all after it: some thirty looks at a million.
    /// - Parameter segment: the index of that of the record, if it has one; else it is the first one of those after it.
    func first(
        from segment: Int, where isBehind: (IndexedRecord) -> Bool
    ) throws(StoreError) -> IndexedRecord? {
        guard conversation.segments.indices.contains(segment) else { return nil }
        let rows = conversation.rows(of: segment)
        if let found = try first(in: rows, where: isBehind) { return found }
        return try record(from: rows.upperBound)
    }

    private func first(
        in rows: Range<Int64>, where isBehind: (IndexedRecord) -> Bool
    ) throws(StoreError) -> IndexedRecord? {
        var (low, high) = (rows.lowerBound, rows.upperBound)
        var found: IndexedRecord?
        while low < high {
            let middle = low + (high - low) / 2
            // Some numbers belong to records that are gone.
            guard let next = try records("row >= ? AND row < ? ORDER BY row LIMIT 1", [middle, high]).first else {
                high = middle
                continue
            }
            if isBehind(next) {
                found = next
                high = middle
            } else {
                low = next.row + 1
            }
        }
        return found
    }
}
