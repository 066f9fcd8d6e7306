internal import Glibc
package import JSON

extension UnsafeRawBufferPointer {
    /// The bytes of a literal.
    init(_ text: StaticString) { self.init(start: text.utf8Start, count: text.utf8CodeUnitCount) }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) { append(contentsOf: Bytes(text)) }

    /// The place where a text first occurs.
    func offset(of text: String) -> Int? { withUnsafeBytes { $0.offset(of: text) } }
    func offset(of bytes: [UInt8]) -> Int? {
        withUnsafeBytes { all in bytes.withUnsafeBytes { all.offset(of: $0) } }
    }
}

extension UInt8 {
    /// True for a digit of ASCII.
    var isDigit: Bool { self &- 48 < 10 }

    /// True for a letter of ASCII.
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - 55
        default: nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number of bytes before the first line feed.
    var lineLength: Int {
        guard let baseAddress, let found = memchr(baseAddress, 10, count) else { return count }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// The bytes before the first line feed.
    var firstLine: Bytes { Bytes(rebasing: self[..<lineLength]) }

    /// The bytes after the first line feed.
    var afterLine: Bytes { Bytes(rebasing: self[Swift.min(count, lineLength + 1)...]) }

    /// The bytes without carriage returns at the end.
    var withoutReturn: Bytes {
        var end = count
        while end > 0, self[end - 1] == 13 { end -= 1 }
        return Bytes(rebasing: self[..<end])
    }

    /// The lines, without their line feeds.
    package var lines: some Sequence<Bytes> { wholeLines(isEnd: true).lazy.map { $0.line } }

    /// The complete lines, with their places. A last line without a line feed counts as complete if nothing follows, or if it is
    /// too long to wait for its end.
    func wholeLines(isEnd: Bool, from start: Int = 0) -> WholeLines {
        WholeLines(bytes: self, isEnd: isEnd, end: start)
    }

    struct WholeLines: Sequence, IteratorProtocol {
        fileprivate let bytes: Bytes
        fileprivate let isEnd: Bool
        /// The place after the lines read so far.
        fileprivate(set) var end: Int

        mutating func next() -> (start: Int, line: Bytes)? {
            guard end < bytes.count else { return nil }
            let rest = Bytes(rebasing: bytes[end...])
            let line = rest.firstLine
            guard line.count < rest.count || isEnd || rest.count > RecordSplitter.longest else { return nil }
            defer { end = Swift.min(bytes.count, end + line.count + 1) }
            return (end, line)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number in these digits, which must be within the bytes; nil if a byte is not a digit.
    func number(at start: Int, digits count: Int) -> Int? {
        var value = 0
        for byte in self[start..<start + count] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return value
    }
}

extension UnsafeRawBufferPointer {
    /// True if these bytes end with a text, and with another text after it.
    func ends(with text: StaticString, before end: StaticString = "") -> Bool {
        let (length, rest) = (text.utf8CodeUnitCount, end.utf8CodeUnitCount)
        guard count >= length + rest, Bytes(rebasing: self[(count - rest)...]) == end else { return false }
        return Bytes(rebasing: self[(count - rest - length)..<(count - rest)]) == text
    }

    /// The bytes without white space at their ends.
    var trimmed: UnsafeRawBufferPointer {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return .empty
        }
        return Bytes(rebasing: self[first...last])
    }
}
