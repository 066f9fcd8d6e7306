internal import SQLite
internal import Messages

/// The columns of a message that decide whether it is a hit and give its position.
struct RecordColumns {
    let row: Int64
    let kind: RecordKind
    /// The time in milliseconds.
    let at: Int64
    /// The number of a person.
    let sender: Int64?
    /// How many messages of the main timeline stand before it.
    let main: Int
    /// The hash of the ID of the thread's root.
    let thread: IDHash?
    let isReply: Bool

    fileprivate static let selectSQL = "SELECT row, kind, at, sender, main, target, reply IS NOT NULL FROM record"

    /// - Throws: the errors of `IndexedRecord.init`.
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
    /// Stepping over this many rows takes as long as one lookup.
    private static let steps: Int64 = 16

    /// The messages at these rows.
    /// - Parameter rows: in falling order.
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

    /// Reads all rows of a range and selects the wanted ones.
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

    /// The messages of a range of rows, last ones first.
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

    /// The ID of a person; nil if there is none with this number.
    func personID(_ number: Int64) throws(StoreError) -> String? {
        try attempt {
            try database.first(String.self, "SELECT id FROM person WHERE number = ?", number)
        }
    }
}
