internal import SQLite
internal import Messages

/// A record of the index, and the place that the index says it has.
struct CheckedRow {
    let row: Int64
    let place: LinePlace
    let record: PackedRecord
}

/// Reads the records of a conversation one after the other.
final class CheckedRows {
    private static let usual = 127

    private let table: RecordTable
    private let known: IndexedConversation
    private var next: ArraySlice<CheckedRow> = []
    private var rest: Range<Int64>
    /// Nil after the last record.
    private(set) var current: CheckedRow?

    init(_ known: IndexedConversation, _ database: Database) throws {
        self.known = known
        table = RecordTable(database)
        rest = RecordRow.all(of: known.number)
        try advance()
    }

    func advance() throws {
        if next.isEmpty { try readAhead() }
        current = next.popFirst()
    }

    private func readAhead() throws {
        var found: [CheckedRow] = []
        try table.forEach(in: rest) { row, record in
            // A row of an unknown segment gets a place after all known segments.
            let segment = known.index(ofSegment: RecordRow(row).segment) ?? known.segments.count
            found.append(
                CheckedRow(row: row, place: LinePlace(segment: segment, offset: record.offset), record: record))
            return found.count < CheckedRows.usual
        }
        if let last = found.last { rest = last.row + 1..<rest.upperBound }
        next = found[...]
    }
}
