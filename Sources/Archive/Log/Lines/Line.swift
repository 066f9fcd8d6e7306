import Glibc
internal import Messages

/// A line of a segment. Its bytes are valid until the next line is asked for.
struct Line {
    /// Of its first byte in the segment.
    let offset: Int64
    /// Bytes up to the next line, the line feed included.
    let length: Int
    let isTerminated: Bool
    /// Without line feed and byte order mark; nil when the line is longer than Kedge reads.
    let content: Slice?

    var end: Int64 { offset + Int64(length) }

    /// Whether there is nothing to read; a carriage return is nothing.
    var isBlank: Bool { content?.bytes.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } ?? false }
}
