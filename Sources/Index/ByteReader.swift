/// Reads numbers one after the other, and never beyond the end of the bytes.
package struct ByteReader {
    package let bytes: UnsafeRawBufferPointer
    package var offset: Int
    /// True if a read went beyond the end. It and all later reads return zero, so damaged bytes are no danger.
    package var isBroken = false

    /// - Parameter offset: the first byte to read.
    package init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

    package var isAtEnd: Bool { offset >= bytes.count }

    /// The bytes that were not read.
    package var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

    /// The next number of eight bytes.
    package mutating func number() -> Int64 { take(8)?.loadUnaligned(as: Int64.self) ?? 0 }

    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard !isBroken, count >= 0, count <= bytes.count - offset else {
            isBroken = true
            offset = bytes.count
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}
