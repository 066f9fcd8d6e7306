internal import CUnicode

/// Looks through bytes for what a query cannot do without: its longest word, in whatever case, or what may fold to it.
/// Many times as fast as reading the words, and never wrong when it says that there is nothing.
package struct ByteFilter: Sendable {
    /// ASCII; empty when no word of the query is. Only other characters can then match.
    private let key: [UInt8]
    /// Whether there is no word to look for: every place is a candidate then.
    private let takesAll: Bool

    init(_ terms: some Collection<Term>) {
        takesAll = terms.isEmpty
        let plain = terms.map(\.bytes).filter { $0.allSatisfy { $0 < 0x80 } }
        let isForeign = terms.contains { $0.bytes.contains { $0 >= 0x80 } }
        key = isForeign ? [] : plain.max { $0.count < $1.count } ?? []
    }

    /// The first place at or behind `start` that makes a match possible in the line or text around it; nil when there is
    /// none. The bytes may be UTF-8, or JSON in it.
    package func firstCandidate(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        if takesAll { return start }
        let place = start + cu_find(base + start, bytes.count - start, key, key.count)
        return place < bytes.count ? place : nil
    }
}
