internal import SQLite
internal import Messages

/// What the index knows of a message that decides whether it is a hit, and where it stands.
struct RecordColumns {
    let row: Int64
    let kind: RecordKind
    /// In milliseconds.
    let at: Int64
    /// The number of a person.
    let sender: Int64?
    /// Messages of the main timeline before it.
    let main: Int
    /// The hash of the ID of its thread's root.
    let thread: IDHash?
    let isReply: Bool

    fileprivate static let selectSQL = "SELECT row, kind, at, sender, main, target, reply IS NOT NULL FROM record"

    /// - Throws: as `IndexedRecord.init`.
    fileprivate init(_ statement: Statement, of conversation: IndexedConversation) throws {
        row = statement.integer(0)
        let segment = try conversation.segment(ofRow: row)
        kind = RecordKind(code: statement.integer(1))
        at = statement.integer(2)
        sender = statement.optional(3)
        main = conversation.counts(before: segment).mainCount + Int(statement.integer(4))
        thread = statement.optional(5).map { IDHash(value: UInt64(bitPattern: $0)) }
        isReply = statement.integer(6) != 0
    }
}

extension IndexView {
    /// So many rows that are passed over take as long as finding one.
    private static let steps: Int64 = 16

    /// The messages among some rows.
    /// - Parameter rows: falling.
    func columns(of rows: [Int64]) throws(StoreError) -> [RecordColumns] {
        guard let first = rows.first, let last = rows.last else { return [] }
        if first - last < Int64(rows.count) * IndexView.steps { return try columns(of: rows, from: first, to: last) }
        return try attempt {
            let select = try database.statement(
                "\(RecordColumns.selectSQL) WHERE row = ?1 AND \(RecordKind.isMessageSQL)")
            defer { select.reset() }
            var found: [RecordColumns] = []
            found.reserveCapacity(rows.count)
            for row in rows {
                select.reset()
                select.bind(1, row)
                if try select.step() { found.append(try RecordColumns(select, of: conversation)) }
            }
            return found
        }
    }

    /// Reads all rows between two, and gives those that are wanted.
    private func columns(of rows: [Int64], from first: Int64, to last: Int64) throws(StoreError) -> [RecordColumns] {
        try attempt {
            let select = try database.statement(IndexView.fallingSQL)
            defer { select.reset() }
            select.bind(1, last)
            select.bind(2, first + 1)
            select.bind(3, Int64.max)
            var found: [RecordColumns] = []
            found.reserveCapacity(rows.count)
            var next = 0
            while next < rows.count, try select.step() {
                let row = select.integer(0)
                while next < rows.count, rows[next] > row { next += 1 }
                if next < rows.count, rows[next] == row { found.append(try RecordColumns(select, of: conversation)) }
            }
            return found
        }
    }

    /// The messages of a range of rows, the last ones first.
    func columns(in range: Range<Int64>, limit: Int) throws(StoreError) -> [RecordColumns] {
        try attempt {
            let select = try database.statement(IndexView.fallingSQL)
            defer { select.reset() }
            select.bind(1, range.lowerBound)
            select.bind(2, range.upperBound)
            select.bind(3, Int64(limit))
            var found: [RecordColumns] = []
            found.reserveCapacity(limit)
            while try select.step() { found.append(try RecordColumns(select, of: conversation)) }
            return found
        }
    }

    private static let fallingSQL =
        "\(RecordColumns.selectSQL) WHERE row >= ?1 AND row < ?2 AND \(RecordKind.isMessageSQL) ORDER BY row DESC LIMIT ?3"

    /// The ID of a person; nil when there is none of this number.
    func personID(_ number: Int64) throws(StoreError) -> String? {
        try attempt {
            try database.first(String.self, "SELECT id FROM person WHERE number = ?", number)
        }
    }
}
