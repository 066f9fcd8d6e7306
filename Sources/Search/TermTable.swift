/// Finds the words of a query that equal a word of a text. It has its own hash table, because the bytes to look up are
/// not in an array of their own, which would be an allocation for each of millions of words.
struct TermTable: Sendable {
    private struct Entry {
        let hash: UInt64
        let term: Term
        /// A bit set: the places of the term in the query.
        var mask: [UInt64]
    }

    private var entries: [Entry] = []
    /// The indices of entries, by hash; -1 is free. The size is a power of two, and at least twice the number of
    /// entries.
    private var slots: [Int32]
    /// The lengths of prefixes, so that only those are looked up.
    private var prefixLengths: [Bool]
    /// For each first byte, whether any term begins with it. This alone excludes most words.
    private var firstBytes = [Bool](repeating: false, count: 256)

    /// - Parameter terms: in the order of their bits. None is empty.
    init(_ terms: [Term]) {
        var size = 16
        while size < terms.count * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        var longest = 0
        for term in terms where term.isPrefix { longest = max(longest, term.bytes.count) }
        prefixLengths = Array(repeating: false, count: longest + 1)
        for (bit, term) in terms.enumerated() { insert(term, bit, words: (terms.count + 63) / 64) }
    }

    private mutating func insert(_ term: Term, _ bit: Int, words: Int) {
        firstBytes[Int(term.bytes[0])] = true
        if term.isPrefix { prefixLengths[term.bytes.count] = true }
        let hash = TermTable.hash(term.bytes, isPrefix: term.isPrefix)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0, entries[Int(slots[slot])].term != term { slot = (slot + 1) & (slots.count - 1) }
        if slots[slot] < 0 {
            slots[slot] = Int32(entries.count)
            entries.append(Entry(hash: hash, term: term, mask: Array(repeating: 0, count: words)))
        }
        entries[Int(slots[slot])].mask[bit / 64] |= 1 << UInt64(bit % 64)
    }

    /// Sets the bits of all terms that equal the word, and of all prefixes that begin it. Returns false when there are
    /// none.
    func mask(of word: UnsafeRawBufferPointer, into mask: inout [UInt64]) -> Bool {
        guard firstBytes[Int(word[0])] else { return false }
        for index in mask.indices { mask[index] = 0 }
        var isAny = false
        var hash = TermTable.seed
        for (index, byte) in word.enumerated() {
            hash = (hash ^ UInt64(byte)) &* TermTable.prime
            if index + 1 < prefixLengths.count, prefixLengths[index + 1],
                add(word[...index], TermTable.mixed(hash, isPrefix: true), isPrefix: true, to: &mask)
            {
                isAny = true
            }
        }
        return add(word[...], TermTable.mixed(hash, isPrefix: false), isPrefix: false, to: &mask) || isAny
    }

    private func add(_ word: Slice<UnsafeRawBufferPointer>, _ hash: UInt64, isPrefix: Bool, to mask: inout [UInt64])
        -> Bool
    {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if entries[index].hash == hash, entries[index].term.isPrefix == isPrefix,
                entries[index].term.bytes.elementsEqual(word)
            {
                for index in mask.indices { mask[index] |= entries[Int(slots[slot])].mask[index] }
                return true
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    // FNV-1a, with a finalizer that mixes its weak low bits.
    private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    private static func hash(_ bytes: [UInt8], isPrefix: Bool) -> UInt64 {
        mixed(bytes.reduce(seed) { ($0 ^ UInt64($1)) &* prime }, isPrefix: isPrefix)
    }

    private static func mixed(_ hash: UInt64, isPrefix: Bool) -> UInt64 {
        let hash = hash ^ (isPrefix ? 0x9E37_79B9_7F4A_7C15 : 0)
        return hash ^ (hash >> 32)
    }
}
