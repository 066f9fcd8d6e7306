/// Reads the numbers of a word file in order (see `Array+Numbers`), and never beyond its end.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    /// True if a read went beyond the end. It and all later reads return zero.
    private(set) var isBroken = false

    /// - Parameter offset: the first byte to read.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        guard let read = take(MemoryLayout<Number>.size) else { return 0 }
        return Number(littleEndian: read.loadUnaligned(as: Number.self))
    }

    @inline(__always)
    mutating func varint() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        isBroken = true
        offset = bytes.count
        return 0
    }

    /// Skips some varints.
    @inline(__always)
    mutating func skipVarints(_ count: Int) {
        var left = count
        while left > 0, offset < bytes.count {
            if bytes[offset] < 0x80 { left -= 1 }
            offset += 1
        }
        if left > 0 { isBroken = true }
    }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard !isBroken, count >= 0, count <= bytes.count - offset else {
            isBroken = true
            offset = bytes.count
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}
