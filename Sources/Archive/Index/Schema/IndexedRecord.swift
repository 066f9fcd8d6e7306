internal import Messages

/// The index entry of a record.
struct IndexedRecord: Equatable {
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

    /// - Parameter conversation: the conversation of the record.
    /// - Throws: `corrupt` if the conversation has no such segment.
    init(_ record: PackedRecord, at row: Int64, of conversation: IndexedConversation) throws {
        self.row = row
        let segment = try conversation.segment(ofRow: row)
        let before = conversation.counts(before: segment)
        kind = record.kind
        place = LinePlace(segment: segment, offset: record.offset)
        length = record.length
        at = record.at
        peak = max(before.peak, record.peak ?? record.at)
        sender = record.sender
        main = before.mainCount + record.main
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
