/// The number of a record in the index. The numbers rise in the order of the conversation's log. They are never reused,
/// so that words may refer to deleted records:
///
///     conversation (20 bits) | segment (16 bits) | sequence (27 bits)
struct RecordRow: Hashable {
    /// The upper limit of sequence numbers in a segment, which start at 1.
    static let mostSequences: Int64 = 1 << sequenceBits
    /// The upper limit of segment numbers in a conversation.
    static let mostSegments: Int64 = 1 << segmentBits
    /// The upper limit of conversation numbers. Their bits allow one more, but the end of its rows would overflow.
    static let mostConversations: Int64 = (1 << 20) - 1

    private static let sequenceBits: Int64 = 27
    private static let segmentBits: Int64 = 16

    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// - Parameters:
    ///   - conversation: its number in the index.
    ///   - segment: its number in the conversation.
    ///   - sequence: the sequence number of the record in the segment.
    init(conversation: Int64, segment: Int64, sequence: Int64) {
        number = (conversation << RecordRow.segmentBits | segment) << RecordRow.sequenceBits | sequence
    }

    var conversation: Int64 { number >> (RecordRow.segmentBits + RecordRow.sequenceBits) }
    var segment: Int64 { segmentKey & (RecordRow.mostSegments - 1) }
    var sequence: Int64 { number & (RecordRow.mostSequences - 1) }
    /// Identifies the segment among those of all conversations.
    var segmentKey: Int64 { number >> RecordRow.sequenceBits }

    /// All possible rows of a conversation.
    static func all(of conversation: Int64) -> Range<Int64> {
        let width = segmentBits + sequenceBits
        return conversation << width..<(conversation + 1) << width
    }

    /// All possible rows of a segment.
    static func all(of conversation: Int64, segment: Int64) -> Range<Int64> {
        let start = RecordRow(conversation: conversation, segment: segment, sequence: 0).number
        return start..<start + mostSequences
    }
}
