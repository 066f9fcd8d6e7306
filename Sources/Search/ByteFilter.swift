internal import CUnicode

/// Searches bytes for something that a query needs in order to match: its longest word in any case, or a character that
/// may fold to it. It is many times as fast as reading the words, and never misses a match.
package struct ByteFilter: Sendable {
    /// The word to look for, in ASCII; empty when the query has a word that is not ASCII. Only other characters can
    /// match then.
    private let key: [UInt8]
    /// Whether there is no word to look for, so that every position is a candidate.
    private let takesAll: Bool

    init(_ terms: some Collection<Term>) {
        takesAll = terms.isEmpty
        let plain = terms.map(\.bytes).filter { $0.allSatisfy { $0 < 0x80 } }
        let isForeign = terms.contains { $0.bytes.contains { $0 >= 0x80 } }
        key = isForeign ? [] : plain.max { $0.count < $1.count } ?? []
    }

    /// The first position at or after `start` that makes a match possible in the line or text around it; nil when there
    /// is none. The bytes may be UTF-8, or JSON in UTF-8.
    package func firstCandidate(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        if takesAll { return start }
        let place = start + cu_find(base + start, bytes.count - start, key, key.count)
        return place < bytes.count ? place : nil
    }
}
