internal import CSimdjson
internal import Glibc

/// Bytes of text that somebody else keeps in memory.
package typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
    package static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    package var string: String { String(decoding: self, as: UTF8.self) }

    package static func == (bytes: UnsafeRawBufferPointer, text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount && bytes.starts(with: text)
    }

    @inline(__always)
    package func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount, let baseAddress else { return text.utf8CodeUnitCount == 0 }
        // Most texts differ in their first byte.
        guard text.utf8CodeUnitCount == 0 || self[0] == text.utf8Start[0] else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}

// MARK: - Lines

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

    /// Without the carriage returns at the end.
    var withoutReturn: Bytes {
        var end = count
        while end > 0, self[end - 1] == 13 { end -= 1 }
        return Bytes(rebasing: self[..<end])
    }

    /// The lines, without their line feeds.
    var lines: Lines { Lines(rest: self) }

    struct Lines: Sequence, IteratorProtocol {
        fileprivate(set) var rest: Bytes

        mutating func next() -> Bytes? {
            guard !rest.isEmpty else { return nil }
            let line = rest.firstLine
            rest = Bytes(rebasing: rest[Swift.min(rest.count, line.count + 1)...])
            return line
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number that some digits say; nil if there is anything else. The digits lie within the bytes.
    func number(at start: Int, digits count: Int) -> Int? {
        var value = 0
        for byte in self[start..<start + count] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return value
    }
}

extension UnsafeRawBufferPointer {
    /// Where a text stands first, from a place on.
    package func offset(of text: String, from start: Int = 0) -> Int? {
        var text = text
        return text.withUTF8 { offset(of: UnsafeRawBufferPointer($0), from: start) }
    }

    func offset(of text: StaticString, from start: Int = 0) -> Int? {
        offset(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start)
    }

    private func offset(of text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let part = text.baseAddress else { return nil }
        let rest = (base + start).assumingMemoryBound(to: CChar.self)
        let place = start + csj_find(rest, count - start, part.assumingMemoryBound(to: CChar.self), text.count)
        return place < count ? place : nil
    }

    /// The bytes without white space at their ends.
    var trimmed: UnsafeRawBufferPointer {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return .empty
        }
        return UnsafeRawBufferPointer(rebasing: self[first...last])
    }
}
