/// Encodes numbers for the word files: little-endian, or as varints. A varint holds groups of seven bits, the lowest
/// first; all but the last group have the high bit set.
extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(fixed number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
