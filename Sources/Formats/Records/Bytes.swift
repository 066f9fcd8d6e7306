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
