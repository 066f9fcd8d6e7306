import Glibc
internal import Messages

/// A line of a segment. Its bytes are valid until the next line is read.
struct Line {
    /// The offset of its first byte in the segment.
    let offset: Int64
    /// The bytes up to the next line, the line feed included.
    let length: Int
    let isTerminated: Bool
    /// The bytes without line feed and byte order mark; nil if the line is too long to read.
    let content: Slice?

    var end: Int64 { offset + Int64(length) }

    /// Whether the line contains only spaces, tabs and carriage returns.
    var isBlank: Bool { content?.bytes.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } ?? false }
}
