internal import CSimdjson

/// Finds the records of a JSON array in bytes that begin after its bracket, or between two records, and may end anywhere.
///
/// Records are found by their brackets and strings alone, so that one broken record does not hide the others. Where even its
/// brackets do not match, the reader goes on at the next line that begins like the record did.
package struct RecordSplitter {
    private let bytes: UnsafeRawBufferPointer
    private let isEnd: Bool
    /// The offset of the first byte that was not consumed.
    package private(set) var consumed = 0
    /// Whether the bracket of the array was met: what follows is no record.
    package private(set) var isArrayEnd = false

    package enum Piece {
        /// A record by its offsets.
        case record(Range<Int>)
        /// Bytes that are no record: between records, without an end at the end of the file, or too long.
        case broken(Range<Int>, String)
    }

    package init(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) {
        self.bytes = bytes
        self.isEnd = isEnd
    }

    /// The next record; nil when the rest must wait for more bytes, and after the last one.
    package mutating func next() -> Piece? {
        guard !isArrayEnd else {
            consumed = bytes.count
            return nil
        }
        var at = consumed
        while at < bytes.count, RecordSplitter.isBetween(bytes[at]) { at += 1 }
        consumed = at
        guard at < bytes.count, let start = bytes.baseAddress else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "]"):
            isArrayEnd = true
            consumed = bytes.count
            return nil
        case UInt8(ascii: "{"):
            let length = csj_value_end(
                (start + at).assumingMemoryBound(to: CChar.self), min(bytes.count - at, Record.longest))
            if length > 0 {
                consumed = at + length
                return .record(at..<consumed)
            }
            guard isEnd || bytes.count - at > Record.longest else { return nil }
            return .broken(
                skip(from: at),
                bytes.count - at > Record.longest
                    ? "record is longer than 16 MB or its brackets do not match" : "the file ends within a record")
        default:
            return .broken(skip(from: at), "text between records")
        }
    }

    /// Goes to the next line that begins as the line at `at` does, with the same indentation before an opening bracket.
    private mutating func skip(from at: Int) -> Range<Int> {
        var line = at
        while line > 0, bytes[line - 1] == UInt8(ascii: " ") || bytes[line - 1] == UInt8(ascii: "\t") { line -= 1 }
        let indentation = at - line
        var next = at + 1
        while next < bytes.count {
            if bytes[next - 1] == UInt8(ascii: "\n"), next + indentation < bytes.count,
                bytes[next + indentation] == UInt8(ascii: "{"),
                bytes[next..<next + indentation].allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
            {
                consumed = next
                return at..<next
            }
            next += 1
        }
        consumed = isEnd ? bytes.count : max(at + 1, bytes.count - 4_096)
        return at..<consumed
    }

    private static func isBetween(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
