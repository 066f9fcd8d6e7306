internal import Messages

/// A group of whole lines of a segment that is read at once: some 64 KiB, or one longer line.
struct Block {
    /// The index of the segment; 0 for the first one.
    let segment: Int
    /// The start of the block in the segment, in bytes.
    let offset: Int64
    /// In bytes.
    let length: Int

    var place: LinePlace { LinePlace(segment: segment, offset: offset) }
    /// The place after the last byte.
    var end: LinePlace { LinePlace(segment: segment, offset: offset + Int64(length)) }
}
