import Glibc

/// A word as it stands in the files of words.
package enum WordTerm {
    /// In bytes; a longer word is cut.
    package static let longest = 1_024
    /// Marks a word that was cut, so that no other word equals it: UTF-8 never contains this byte.
    private static let cut: UInt8 = 0xFF

    package static func stored(_ word: [UInt8]) -> [UInt8] {
        word.count <= longest ? word : word.prefix(longest) + [cut]
    }

    /// The same, without an allocation for most words.
    @inline(__always)
    static func withStored<Result>(
        _ word: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        word.count <= longest ? body(word) : stored(Array(word)).withUnsafeBytes(body)
    }

    /// The order of words in the files: by their bytes.
    /// - Returns: a number below zero if `a` precedes `b`, and zero if they are the same.
    static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        guard let first = a.baseAddress, let second = b.baseAddress else { return a.count - b.count }
        let order = Int(memcmp(first, second, min(a.count, b.count)))
        return order == 0 ? a.count - b.count : order
    }

    static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a.withUnsafeBytes { a in b.withUnsafeBytes { b in order(a, b) } }
    }

    /// True if a beginning is all of its word: it ends with a zero, which no word contains.
    @inline(__always)
    static func isWhole(_ beginning: UInt64) -> Bool { beginning & 0xFF == 0 }

    /// The first eight bytes as a number: of words with different numbers, the one with the lower number precedes the other.
    @inline(__always)
    static func beginning(_ word: UnsafeRawBufferPointer) -> UInt64 {
        let count = word.count
        // Two numbers that overlap take less time than to copy the bytes.
        if count >= 8 { return UInt64(bigEndian: word.loadUnaligned(as: UInt64.self)) }
        let empty = UInt64(8 * (8 - count))
        if count >= 4 {
            let first = UInt32(bigEndian: word.loadUnaligned(as: UInt32.self))
            let last = UInt32(bigEndian: word.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            return UInt64(first) << 32 | UInt64(last) &<< empty
        }
        var number: UInt64 = 0
        for byte in word { number = number &<< 8 | UInt64(byte) }
        return count == 0 ? 0 : number &<< empty
    }
}
