/// A hash of bytes, eight at a time. IDs depend on it, so it must never change.
struct LineHash {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    mutating func add(_ word: UInt64) {
        // A multiplication moves bits up, the shift brings them down again.
        value = (value ^ word) &* 0xD6E8_FEB8_6659_FD93
        value ^= value >> 32
    }

    mutating func add(_ bytes: Bytes) {
        var at = 0
        while at + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at += 8
        }
        var rest = UInt64(bytes.count) << 56
        var shift: UInt64 = 0
        while at < bytes.count {
            rest |= UInt64(bytes[at]) << shift
            shift += 8
            at += 1
        }
        add(rest)
    }
}
