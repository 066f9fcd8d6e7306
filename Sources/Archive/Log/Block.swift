internal import Messages

/// Whole lines of a segment that are read at once: some 64 KiB, or one longer line.
struct Block {
    /// The index of the segment; 0 for the first one.
    let segment: Int
    /// In the segment, in bytes.
    let offset: Int64
    /// In bytes.
    let length: Int

    var place: LinePlace { LinePlace(segment: segment, offset: offset) }
    /// After its last byte.
    var end: LinePlace { LinePlace(segment: segment, offset: offset + Int64(length)) }
}
