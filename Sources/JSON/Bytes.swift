internal import CSimdjson
internal import Glibc

/// Bytes of text whose memory somebody else owns.
package typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
    package static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    package var string: String { String(decoding: self, as: UTF8.self) }

    // Inlined into other modules, since scans compare texts millions of times, and nearly all differ in their first byte.

    @inlinable
    package static func == (bytes: UnsafeRawBufferPointer, text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount && bytes.starts(with: text)
    }

    /// Lets a `switch` compare bytes with texts.
    @inlinable
    package static func ~= (text: StaticString, bytes: UnsafeRawBufferPointer) -> Bool { bytes == text }

    @inlinable
    package func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount, let baseAddress else { return text.utf8CodeUnitCount == 0 }
        guard text.utf8CodeUnitCount == 0 || self[0] == text.utf8Start[0] else { return false }
        return UnsafeRawBufferPointer.areEqual(baseAddress, text.utf8Start, count: text.utf8CodeUnitCount)
    }

    @usableFromInline
    static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafePointer<UInt8>, count: Int) -> Bool {
        memcmp(a, b, count) == 0
    }
}

extension UnsafeRawBufferPointer {
    package var isUTF8: Bool { isEmpty || csj_is_utf8(characters, count) }

    /// The length in bytes of the object or array at the start, found by its brackets and strings alone; 0 if it does not end.
    package var valueLength: Int { csj_value_end(characters, count) }

    var characters: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first occurrence of a text at or after `start`; nil if there is none.
    package func offset(of text: String, from start: Int = 0) -> Int? {
        var text = text
        return text.withUTF8 { offset(of: UnsafeRawBufferPointer($0), from: start) }
    }

    package func offset(of text: StaticString, from start: Int = 0) -> Int? {
        offset(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start)
    }

    package func offset(of text: Bytes, from start: Int = 0) -> Int? {
        guard start < count, let base = baseAddress, let part = text.baseAddress else { return nil }
        let rest = (base + start).assumingMemoryBound(to: CChar.self)
        let place = start + csj_find(rest, count - start, part.assumingMemoryBound(to: CChar.self), text.count)
        return place < count ? place : nil
    }
}
