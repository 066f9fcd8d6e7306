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
