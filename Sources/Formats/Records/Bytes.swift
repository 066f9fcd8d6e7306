/// Bytes of text that somebody else keeps in memory.
package typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
    package static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    package var string: String { String(decoding: self, as: UTF8.self) }

    package static func == (bytes: UnsafeRawBufferPointer, text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount
            && bytes.elementsEqual(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]) == text
    }
}
