internal import Messages
internal import SQLite

/// The index entry of a record.
struct IndexedRecord: Equatable {
    static let selectSQL = "SELECT row, kind, offset, length, at, peak, sender, main FROM record"

    let row: Int64
    let kind: RecordKind
    let place: LinePlace
    /// The bytes of the line, the line feed included.
    let length: Int
    /// The time in milliseconds, like `peak`.
    let at: Int64
    /// The latest time of all messages of the main timeline up to this record, inclusive.
    let peak: Int64
    /// The number of a person.
    let sender: Int64?
    /// How many messages of the main timeline stand before it.
    let main: Int

    /// - Parameters:
    ///   - statement: a statement with `selectSQL`, at a row.
    ///   - conversation: the conversation of the record.
    /// - Throws: `corrupt` if the conversation has no such segment.
    init(_ statement: Statement, of conversation: IndexedConversation) throws {
        row = statement.integer(0)
        let segment = try conversation.segment(ofRow: row)
        let before = conversation.counts(before: segment)
        kind = RecordKind(code: statement.integer(1))
        place = LinePlace(segment: segment, offset: statement.integer(2))
        length = Int(statement.integer(3))
        at = statement.integer(4)
        peak = max(before.peak, statement.optional(5) ?? at)
        sender = statement.optional(6)
        main = before.mainCount + Int(statement.integer(7))
    }

    var time: Timestamp { Timestamp(milliseconds: at) }

    /// The end of the line in the segment.
    var end: Int64 { place.offset + Int64(length) }
}

extension [IndexedRecord] {
    /// Groups neighbouring records into blocks that are read at once: of at most this many bytes, or of one record.
    func stretches(ofBytes bytes: Int64) -> [(block: Block, records: ArraySlice<IndexedRecord>)] {
        var stretches: [(Block, ArraySlice<IndexedRecord>)] = []
        var start = 0
        while start < count {
            let first = self[start].place
            var end = start + 1
            while end < count, self[end].place.segment == first.segment, self[end].end - first.offset <= bytes {
                end += 1
            }
            let block = Block(
                segment: first.segment, offset: first.offset, length: Int(self[end - 1].end - first.offset))
            stretches.append((block, self[start..<end]))
            start = end
        }
        return stretches
    }
}
