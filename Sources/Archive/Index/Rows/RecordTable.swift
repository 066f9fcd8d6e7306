internal import SQLite

/// The records of the index by their rows, and the look-ups that lead to rows. Valid within one transaction.
///
/// Appended and replaced records are kept in memory until `flush`; all functions take them into account.
final class RecordTable {
    /// Looks up records by their IDs.
    let ids: IDTable
    /// Looks up edits, deletions and reactions by the messages that they refer to.
    let changes: ReferenceTable
    /// Looks up replies by the roots of their threads. Repeats are missing.
    let replies: ReferenceTable
    private let database: Database
    /// The page to which records are appended.
    private var tail: RecordPage?
    /// The page that was used last, without `tail`.
    private var page: RecordPage?
    private var isChanged = false

    init(_ database: Database) {
        self.database = database
        ids = IDTable(database)
        changes = ReferenceTable("change", database)
        replies = ReferenceTable("reply", database)
    }

    static let createSQL = """
        -- row: of the first record. records: RecordPage. sum: BlobSum, as in the table of IDs.
        CREATE TABLE page(row INTEGER PRIMARY KEY, sum INTEGER NOT NULL, records BLOB NOT NULL);
        -- The records that repeat an ID.
        CREATE TABLE repeated(row INTEGER PRIMARY KEY);
        \(IDTable.createSQL)
        \(ReferenceTable.createSQL("change"))
        \(ReferenceTable.createSQL("reply"))
        """

    // MARK: - Reading

    /// The record at a row; nil if there is none.
    func record(at row: Int64) throws -> PackedRecord? {
        guard let found = try page(from: row, below: row + 1) else { return nil }
        return found[row]
    }

    /// The first record of some rows.
    func first(in rows: Range<Int64>) throws -> (row: Int64, record: PackedRecord)? {
        var found: (Int64, PackedRecord)?
        try forEach(in: rows) { row, record in
            found = (row, record)
            return false
        }
        return found
    }

    /// The last record of some rows.
    func last(in rows: Range<Int64>) throws -> (row: Int64, record: PackedRecord)? {
        var found: (Int64, PackedRecord)?
        try forEachBackwards(in: rows) { row, record in
            found = (row, record)
            return false
        }
        return found
    }

    /// Calls `body` with the records of some rows, first ones first, until it returns false.
    func forEach(in rows: Range<Int64>, _ body: (Int64, PackedRecord) throws -> Bool) throws {
        var next = rows.lowerBound
        while next < rows.upperBound, let page = try page(from: next, below: rows.upperBound) {
            for row in page.rows.clamped(to: next..<rows.upperBound) { guard try body(row, page[row]) else { return } }
            next = page.rows.upperBound
        }
    }

    /// Calls `body` with all records of all conversations, faster than `forEach`. Do not nest it.
    func scan(_ body: (Int64, PackedRecord) throws -> Void) throws {
        try flush()
        let select = try database.statement("SELECT row, records, sum FROM page ORDER BY row")
        defer { select.reset() }
        while try select.step() {
            let page = try RecordPage(first: select.integer(0), select.bytes(1), sum: select.integer(2))
            for row in page.rows { try body(row, page[row]) }
        }
    }

    /// Calls `body` with the records of some rows, last ones first, until it returns false.
    func forEachBackwards(in rows: Range<Int64>, _ body: (Int64, PackedRecord) throws -> Bool) throws {
        var end = rows.upperBound
        while end > rows.lowerBound, let page = try page(before: end) {
            let part = page.rows.clamped(to: rows.lowerBound..<end)
            if part.isEmpty { return }
            for row in part.reversed() { guard try body(row, page[row]) else { return } }
            end = part.lowerBound
        }
    }

    /// The rows of the records that repeat an ID, rising.
    func repeated(in rows: Range<Int64>) throws -> [Int64] {
        try database.all(
            Int64.self, "SELECT row FROM repeated WHERE row >= ? AND row < ? ORDER BY row", rows.lowerBound,
            rows.upperBound)
    }

    /// The row of the first message whose ID has a hash.
    func root(_ hash: Int64, in rows: Range<Int64>) throws -> Int64? {
        var root: Int64?
        try ids.forEach(of: hash, in: rows) { row in
            if try record(at: row)?.kind.isMessage == true { root = row }
            return root == nil
        }
        return root
    }

    /// The page with the record at a row, otherwise the next one if its first row is below `end`.
    private func page(from row: Int64, below end: Int64) throws -> RecordPage? {
        if let page, page.rows.contains(row) { return page }
        if let tail, tail.rows.contains(row) { return tail }
        let here = try stored("SELECT row, records, sum FROM page WHERE row <= ?1 ORDER BY row DESC LIMIT 1", row)
        if let here, here.rows.contains(row) { return here }
        let next = try stored("SELECT row, records, sum FROM page WHERE row > ?1 ORDER BY row LIMIT 1", row)
        let nearest = [next, tail].compactMap(\.self).filter { $0.first >= row }.min { $0.first < $1.first }
        return nearest.flatMap { $0.first < end ? $0 : nil }
    }

    /// The last page that begins before a row.
    private func page(before row: Int64) throws -> RecordPage? {
        if let page, page.rows.contains(row - 1) { return page }
        if let tail, tail.rows.contains(row - 1) { return tail }
        let here = try stored("SELECT row, records, sum FROM page WHERE row < ?1 ORDER BY row DESC LIMIT 1", row)
        return [here, tail].compactMap(\.self).filter { $0.first < row }.max { $0.first < $1.first }
    }

    /// The page that a query finds for a row. Becomes the page that was used last.
    private func stored(_ sql: String, _ row: Int64) throws -> RecordPage? {
        let select = try database.statement(sql)
        select.bind(1, row)
        defer { select.reset() }
        guard try select.step() else { return nil }
        let first = select.integer(0)
        // What is in memory is newer.
        if let tail, tail.first == first { return tail }
        if let page, page.first == first { return page }
        let found = try RecordPage(first: first, select.bytes(1), sum: select.integer(2))
        try savePage()
        page = found
        return found
    }

    // MARK: - Writing

    /// Appends a record to its segment. The look-ups do not know it yet (see `link`).
    /// - Parameter row: the one after the last row of the segment.
    func append(_ record: PackedRecord, at row: Int64) throws {
        if tail == nil, let last = try page(before: row), last.rows.upperBound == row, !last.isFull {
            try savePage()
            (tail, page) = (last, nil)
        }
        if let last = tail, last.isFull || last.rows.upperBound != row {
            try save(last)
            tail = nil
        }
        if tail == nil { tail = RecordPage(first: row) }
        tail?.append(record)
    }

    /// Replaces a record. The look-ups stay.
    func replace(_ record: PackedRecord, at row: Int64) throws {
        if tail?.rows.contains(row) == true {
            tail?[row] = record
            return
        }
        guard try page(from: row, below: row + 1) != nil else { return }
        page?[row] = record
        isChanged = true
    }

    /// Adds a record to the look-ups.
    func link(_ record: PackedRecord, at row: Int64) throws {
        ids.insert(record.hash, row)
        if let target = record.target { try references(of: record.kind)?.insert(target, row) }
        if record.kind.isRepeated { try database.run("INSERT OR IGNORE INTO repeated VALUES (?)", row) }
    }

    /// Removes a record from the look-ups.
    private func unlink(_ record: PackedRecord, at row: Int64) throws {
        ids.remove(record.hash, row)
        if let target = record.target { try references(of: record.kind)?.remove(target, row) }
        if record.kind.isRepeated { try database.run("DELETE FROM repeated WHERE row = ?", row) }
    }

    /// Changes the kind of a record, and the look-ups accordingly.
    func set(_ kind: RecordKind, of record: PackedRecord, at row: Int64) throws {
        var changed = record
        changed.kind = kind
        if kind.isRepeated != record.kind.isRepeated {
            try unlink(record, at: row)
            try link(changed, at: row)
        }
        try replace(changed, at: row)
    }

    /// The table that knows a record with a target; nil for replies that are repeats.
    func references(of kind: RecordKind) -> ReferenceTable? {
        if !kind.isAnyMessage { return changes }
        return kind.isRepeated ? nil : replies
    }

    /// Deletes all records of some rows, which are those of whole segments. The look-up of IDs learns of it with `flush`,
    /// since IDs are spread over all of its blocks: so many segments are removed in little more time than one.
    /// - Parameter isLinked: whether the look-ups know them.
    func remove(_ rows: Range<Int64>, isLinked: Bool) throws {
        try flushPages()
        if isLinked {
            try forEach(in: rows) { row, record in
                try unlink(record, at: row)
                if ids.isFull { try ids.flush() }
                return true
            }
        }
        page = nil
        // The list of repeats may be newer than the records, after an error.
        for table in ["page", "repeated"] {
            try database.run("DELETE FROM \(table) WHERE row >= ? AND row < ?", rows.lowerBound, rows.upperBound)
        }
    }

    /// Writes all changes to the database.
    func flush() throws {
        try flushPages()
        try ids.flush()
    }

    private func flushPages() throws {
        try savePage()
        if let last = tail { try save(last) }
        tail = nil
    }

    private func savePage() throws {
        guard isChanged, let changed = page else { return }
        try save(changed)
        isChanged = false
    }

    private func save(_ page: RecordPage) throws {
        let insert = try database.statement("INSERT OR REPLACE INTO page VALUES (?, ?, ?)")
        insert.bind(1, page.first)
        try page.withBytes { bytes in
            insert.bind(2, BlobSum.of(bytes, key: page.first))
            insert.bind(3, blob: bytes)
            try insert.run()
        }
    }
}
