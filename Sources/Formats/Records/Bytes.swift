internal import Glibc

/// Bytes of text that somebody else keeps in memory.
package typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
    package static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    package var string: String { String(decoding: self, as: UTF8.self) }

    package static func == (bytes: UnsafeRawBufferPointer, text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount && bytes.starts(with: text)
    }

    package func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount, let baseAddress else { return text.utf8CodeUnitCount == 0 }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
