/// Tells the ASCII letters and digits of words from other bytes.
enum ASCIIWord {
    /// The bit that makes a letter lower-case, in each of eight bytes; digits have it already.
    static let lowerCase: UInt64 = 0x2020_2020_2020_2020
    private static let high: UInt64 = 0x8080_8080_8080_8080

    /// Whether a byte is one. The table of bits fits into two registers.
    @inline(__always)
    static func holds(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03FF_0000_0000_0000 : 0x07FF_FFFE_07FF_FFFE
        return byte < 0x80 && bits >> UInt64(byte & 63) & 1 == 1
    }

    /// How many of eight bytes are such, before the first other one.
    /// - Parameter eight: as they are in memory.
    @inline(__always)
    static func prefix(of eight: UInt64) -> Int {
        let bytes = UInt64(littleEndian: eight)
        let low = bytes & ~high
        // Each sum sets the high bit of the bytes that are not below a character.
        let letter = low | lowerCase
        let letters = (letter &+ from("a")) & ~(letter &+ from("{"))
        let digits = (low &+ from("0")) & ~(low &+ from(":"))
        let others = ~((letters | digits) & ~bytes) & high
        return others.trailingZeroBitCount / 8
    }

    @inline(__always)
    private static func from(_ character: Unicode.Scalar) -> UInt64 {
        UInt64(0x80 - character.value) &* 0x0101_0101_0101_0101
    }
}
