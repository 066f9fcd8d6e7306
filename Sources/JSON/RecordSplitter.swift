internal import CSimdjson

/// Finds the records of a JSON array in bytes that begin after its bracket, or between two records, and may end anywhere.
///
/// Records are found by their brackets and strings alone, so that one broken record does not hide the others. After a record whose
/// brackets do not match, reading resumes at the next line that begins as that record did.
package struct RecordSplitter {
    private let bytes: UnsafeRawBufferPointer
    private let isEnd: Bool
    /// The offset of the first byte that was not consumed.
    package private(set) var consumed = 0
    /// True after the closing bracket of the array: no record follows.
    package private(set) var isArrayEnd = false

    /// The longest record that is read, in bytes.
    package static let longest = 16 << 20

    package enum Piece {
        /// A record by its offsets.
        case record(Range<Int>)
        /// Bytes that are no record, and the reason: text between records, unmatched brackets, cut off at the end of the file, or
        /// too long.
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
        guard at < bytes.count else {
            // Keep the indentation of the next record: `record(at:)` needs it.
            consumed = isEnd ? at : bytes[consumed...].lastIndex(of: UInt8(ascii: "\n")) ?? at
            return nil
        }
        switch bytes[at] {
        case UInt8(ascii: "]"):
            isArrayEnd = true
            consumed = bytes.count
            return nil
        case UInt8(ascii: "{"): return record(at: at)
        default:
            let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) ?? bytes.count
            consumed = brace
            return .broken(at..<brace, "text between records")
        }
    }

    private mutating func record(at start: Int) -> Piece? {
        let available = bytes.count - start
        // In a file that is written line by line, no other line begins like that of a record: a record that does not end before
        // the next such line has brackets or quotes that do not match.
        let indentation = self.indentation(at: start)
        let next = indentation == 0 ? 0 : csj_next_record(pointer(start), available, indentation)
        let length = csj_value_end(pointer(start), min(next > 0 ? next : available, RecordSplitter.longest))
        if length > 0 {
            consumed = start + length
            return .record(start..<consumed)
        }
        if next > 0 {
            consumed = start + next
            return .broken(start..<consumed, "record whose brackets or quotes do not match")
        }
        guard isEnd || available > RecordSplitter.longest else {
            consumed = start - indentation
            return nil
        }
        return .broken(
            skip(from: start),
            available > RecordSplitter.longest ? "record longer than 16 MB" : "the file ends within a record")
    }

    private func pointer(_ offset: Int) -> UnsafePointer<CChar>? {
        bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
    }

    /// The blanks between the beginning of a line and a place in it; 0 if anything else stands there.
    private func indentation(at place: Int) -> Int {
        var line = place
        while line > 0, bytes[line - 1] == UInt8(ascii: " ") { line -= 1 }
        return line == 0 || bytes[line - 1] == UInt8(ascii: "\n") ? place - line : 0
    }

    /// Goes to the next line that begins as the line at `at` does.
    private mutating func skip(from at: Int) -> Range<Int> {
        let next = csj_next_record(pointer(at), bytes.count - at, indentation(at: at))
        consumed = next > 0 ? at + next : bytes.count
        return at..<consumed
    }

    private static func isBetween(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
