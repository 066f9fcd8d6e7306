internal import Messages
internal import SQLite

/// A record as the index has it.
struct IndexedRecord: Equatable {
    static let selectSQL = "SELECT row, kind, offset, length, at, peak, sender, main FROM record"

    let row: Int64
    let kind: RecordKind
    let place: LinePlace
    /// Of the line with its line feed, in bytes.
    let length: Int
    /// In milliseconds, as `peak`.
    let at: Int64
    /// The latest time of a message of the main timeline up to and with this record.
    let peak: Int64
    /// The number of a person.
    let sender: Int64?
    /// Messages of the main timeline before it.
    let main: Int

    /// - Parameters:
    ///   - statement: made with `selectSQL`, at a row.
    ///   - conversation: whose record it is.
    /// - Throws: `corrupt` when the conversation has no such segment.
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

    /// Of the line after it in the segment.
    var end: Int64 { place.offset + Int64(length) }
}

extension [IndexedRecord] {
    /// What stands together, to be read together: stretches of the log of so many bytes at most, or of one record.
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
