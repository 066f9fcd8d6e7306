/// The number of a record in the index. Those of a conversation rise in the order of its log, and none is ever used for
/// another record, so that words may still speak of one that is gone:
///
///     conversation (20 bits) | segment (16 bits) | sequence (27 bits)
struct RecordRow: Hashable, Comparable {
    /// The sequence of a record in its segment: from 1, and below this.
    static let mostSequences: Int64 = 1 << sequenceBits
    /// The number of a segment in its conversation is below this.
    static let mostSegments: Int64 = 1 << segmentBits
    /// The number of a conversation is below this.
    static let mostConversations: Int64 = 1 << 20

    private static let sequenceBits: Int64 = 27
    private static let segmentBits: Int64 = 16

    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// - Parameters:
    ///   - conversation: its number in the index.
    ///   - segment: its number in the conversation.
    init(conversation: Int64, segment: Int64, sequence: Int64) {
        number = (conversation << RecordRow.segmentBits | segment) << RecordRow.sequenceBits | sequence
    }

    var conversation: Int64 { number >> (RecordRow.segmentBits + RecordRow.sequenceBits) }
    var segment: Int64 { segmentKey & (RecordRow.mostSegments - 1) }
    var sequence: Int64 { number & (RecordRow.mostSequences - 1) }
    /// Names its segment among those of all conversations.
    var segmentKey: Int64 { number >> RecordRow.sequenceBits }

    /// The rows of all records that a conversation has or can get.
    static func all(of conversation: Int64) -> Range<Int64> {
        let width = segmentBits + sequenceBits
        return conversation << width..<(conversation + 1) << width
    }

    /// The rows of all records that a segment has or can get.
    static func all(of conversation: Int64, segment: Int64) -> Range<Int64> {
        let start = RecordRow(conversation: conversation, segment: segment, sequence: 0).number
        return start..<start + mostSequences
    }

    static func < (a: RecordRow, b: RecordRow) -> Bool { a.number < b.number }
}
