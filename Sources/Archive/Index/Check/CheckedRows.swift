internal import SQLite
internal import Messages

/// All columns of a record.
struct CheckedRow {
    let row: Int64
    let kind: RecordKind
    let place: LinePlace
    let length: Int
    let at: Int64
    let peak: Int64?
    let sender: Int64?
    let main: Int
    let hash: Int64
    let target: Int64?
    let reply: Int64?
}

/// Reads the records of a conversation one after the other.
final class CheckedRows {
    private let select: Statement
    private let known: IndexedConversation
    /// Nil after the last record.
    private(set) var current: CheckedRow?

    init(_ known: IndexedConversation, _ database: Database) throws {
        self.known = known
        select = try database.statement(
            """
            SELECT row, kind, offset, length, at, peak, sender, main, hash, target, reply FROM record
            WHERE row >= ? AND row < ? ORDER BY row
            """)
        let rows = RecordRow.all(of: known.number)
        select.bind(1, rows.lowerBound)
        select.bind(2, rows.upperBound)
        try advance()
    }

    func advance() throws {
        guard try select.step() else {
            current = nil
            return
        }
        let row = select.integer(0)
        // A row of an unknown segment gets a place after all known segments.
        let segment = known.index(ofSegment: RecordRow(row).segment) ?? known.segments.count
        current = CheckedRow(
            row: row, kind: RecordKind(code: select.integer(1)),
            place: LinePlace(segment: segment, offset: select.integer(2)), length: Int(select.integer(3)),
            at: select.integer(4), peak: select.optional(5), sender: select.optional(6), main: Int(select.integer(7)),
            hash: select.integer(8), target: select.optional(9), reply: select.optional(10))
    }

    func close() { select.reset() }
}
