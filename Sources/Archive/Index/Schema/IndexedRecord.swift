internal import Index
internal import Messages

/// The index entry of a record.
struct IndexedRecord: Equatable {
    let row: Int64
    let kind: RecordKind
    let place: LinePlace
    /// The bytes of the line, the line feed included.
    let length: Int
    /// The time in milliseconds.
    let at: Int64
    /// The hash of its ID.
    let hash: UInt64

    /// - Parameter conversation: the conversation of the record.
    /// - Throws: `damaged` if the conversation does not have its segment.
    init(_ record: IndexRecord, at row: Int64, of conversation: IndexedConversation) throws(IndexFault) {
        self.row = row
        kind = record.kind
        place = LinePlace(segment: try conversation.segment(ofRow: row), offset: record.offset)
        length = Int(record.length)
        (at, hash) = (record.at, record.hash)
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
