/// Encodes numbers like `Array+Numbers`, into free space. Each function moves the pointer past the number.
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
    mutating func write(fixed number: UInt32) {
        UnsafeMutableRawPointer(self).storeBytes(of: number.littleEndian, as: UInt32.self)
        self += 4
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress {
            UnsafeMutableRawPointer(self).copyMemory(from: source, byteCount: bytes.count)
        }
        self += bytes.count
    }
}
