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

    /// - Throws: the errors of `IndexedRecord.init`.
    fileprivate init(_ record: PackedRecord, at row: Int64, of conversation: IndexedConversation) throws {
        self.row = row
        let segment = try conversation.segment(ofRow: row)
        kind = record.kind
        at = record.at
        sender = record.sender
        main = conversation.counts(before: segment).mainCount + record.main
        thread = record.target.map { IDHash(value: UInt64(bitPattern: $0)) }
        isReply = record.reply != nil
    }
}

extension IndexView {
    /// The messages at these rows.
    /// - Parameter rows: in falling order.
    func columns(of rows: [Int64]) throws(StoreError) -> [RecordColumns] {
        try attempt {
            var found: [RecordColumns] = []
            found.reserveCapacity(rows.count)
            for row in rows {
                guard let record = try table.record(at: row), record.kind.isMessage else { continue }
                found.append(try RecordColumns(record, at: row, of: conversation))
            }
            return found
        }
    }

    /// The messages of a range of rows, last ones first.
    func columns(in range: Range<Int64>, limit: Int) throws(StoreError) -> [RecordColumns] {
        try attempt {
            var found: [RecordColumns] = []
            found.reserveCapacity(limit)
            try table.forEachBackwards(in: range) { row, record in
                if record.kind.isMessage { found.append(try RecordColumns(record, at: row, of: conversation)) }
                return found.count < limit
            }
            return found
        }
    }

    /// The ID of a person; nil if there is none with this number.
    func personID(_ number: Int64) throws(StoreError) -> String? {
        try attempt {
            try database.first(String.self, "SELECT id FROM person WHERE number = ?", number)
        }
    }
}
