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

    /// The order of words in the files: by their bytes.
    static func precedes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard let first = a.baseAddress, let second = b.baseAddress else { return a.count < b.count }
        let order = memcmp(first, second, min(a.count, b.count))
        return order == 0 ? a.count < b.count : order < 0
    }

    static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.withUnsafeBytes { a in b.withUnsafeBytes { b in precedes(a, b) } }
    }

    /// The first eight bytes as a number: of words with different numbers, the one with the lower number precedes the other.
    static func beginning(_ word: UnsafeRawBufferPointer) -> UInt64 {
        var number: UInt64 = 0
        withUnsafeMutableBytes(of: &number) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: word.prefix(8))) }
        return UInt64(bigEndian: number)
    }
}
