internal import Index

/// Reads varints (see `UnsafeMutablePointer.write`).
extension ByteReader {
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
}

/// Writes into free space. Each function moves the pointer past what it has written. A varint holds groups of seven bits, the lowest
/// first; all but the last group have the high bit set.
extension UnsafeMutablePointer<UInt8> {
    @inline(__always)
    mutating func write(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            pointee = UInt8(truncatingIfNeeded: rest) | 0x80
            self += 1
            rest >>= 7
        }
        pointee = UInt8(truncatingIfNeeded: rest)
        self += 1
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress {
            UnsafeMutableRawPointer(self).copyMemory(from: source, byteCount: bytes.count)
        }
        self += bytes.count
    }
}
