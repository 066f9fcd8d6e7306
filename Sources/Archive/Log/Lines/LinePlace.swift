internal import Messages

/// The place of a line in the log of a conversation.
struct LinePlace: Hashable, Comparable {
    /// The index of the segment; 0 for the first one.
    let segment: Int
    /// The offset of the line's first byte in the segment; -1 before all lines.
    let offset: Int64

    static func < (a: LinePlace, b: LinePlace) -> Bool { (a.segment, a.offset) < (b.segment, b.offset) }
}

extension LinePlace {
    /// Presence lines of one stretch may form a run. A stretch is a part of a segment, so that the length of a run is
    /// bounded, and each line belongs to the same run wherever a page begins.
    var presenceStretch: Int { segment << 40 | Int(offset >> 15) }

    /// The place before all lines; `end` is the place after all lines.
    static let start = LinePlace(segment: 0, offset: -1)
    /// The start of the first line.
    static let first = LinePlace(segment: 0, offset: 0)
    static let end = LinePlace(segment: .max, offset: 0)

    /// A cursor contains the ID of the message too, so that the message is found after its line has moved.
    func cursor(of id: String) -> Cursor { Cursor(token: "\(segment):\(offset):\(id)") }

    /// - Throws: `unavailable` for a cursor that this store did not make.
    static func parse(_ cursor: Cursor) throws(StoreError) -> (LinePlace, MessageID) {
        let parts = cursor.token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let segment = Int(parts[0]), let offset = Int64(parts[1]), segment >= 0, offset >= -1
        else { throw .unavailable("the cursor \"\(printable(cursor.token))\" is not of this archive; open it again") }
        return (LinePlace(segment: segment, offset: offset), MessageID(String(parts[2])))
    }
}
