/// A checksum of a blob: SQLite checks only what is around it.
enum BlobSum {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameters:
    ///   - bytes: a multiple of eight.
    ///   - key: of the blob in its table.
    static func of(_ bytes: UnsafeRawBufferPointer, key: Int64) -> Int64 {
        // Four sums, since each step of one of them waits for the step before. Each step can be undone, so that one
        // changed word always changes its sum.
        var (a, b, c, d) = (UInt64(bitPattern: key), factor, ~factor, UInt64(bytes.count))
        var offset = 0
        while offset + 32 <= bytes.count {
            a = step(a, bytes, offset)
            b = step(b, bytes, offset + 8)
            c = step(c, bytes, offset + 16)
            d = step(d, bytes, offset + 24)
            offset += 32
        }
        while offset + 8 <= bytes.count {
            a = step(a, bytes, offset)
            offset += 8
        }
        return Int64(bitPattern: ((a &* factor ^ b) &* factor ^ c) &* factor ^ d)
    }

    @inline(__always)
    private static func step(_ sum: UInt64, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        let mixed = (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* factor
        return mixed ^ mixed >> 32
    }
}
