internal import CUnicode

/// A word of a query, folded.
package struct Term: Hashable, Sendable {
    /// In UTF-8, folded as the tokenizer folds words.
    package let bytes: [UInt8]
    /// True if it matches all words that begin with it.
    package internal(set) var isPrefix = false
}

/// Adjacent words. Never empty.
package typealias Phrase = [Term]

extension Phrase {
    /// The words of a piece; nil if it has none.
    static func words(of piece: some StringProtocol) -> Phrase? {
        var piece = String(piece)
        let terms = piece.withUTF8 { bytes in
            var terms: Phrase = []
            var tokenizer = Tokenizer(bytes)
            while tokenizer.next() { terms.append(Term(bytes: tokenizer.folded)) }
            return terms
        }
        return terms.isEmpty ? nil : terms
    }
}

/// Searches bytes for something that a match must contain: the query's longest word in any case, or a character that may fold to
/// it. It is many times as fast as reading the words, and never misses a match.
package struct ByteFilter: Sendable {
    /// The word to search for, in ASCII; empty if the query has a word that is not ASCII. Only other characters can match then.
    private let key: [UInt8]
    /// True if there is no word to search for, so that every position is a candidate.
    private let takesAll: Bool

    init(_ terms: some Collection<Term>) {
        takesAll = terms.isEmpty
        let plain = terms.map(\.bytes).filter { $0.allSatisfy { $0 < 0x80 } }
        let isForeign = terms.contains { $0.bytes.contains { $0 >= 0x80 } }
        key = isForeign ? [] : plain.max { $0.count < $1.count } ?? []
    }

    /// The first position at or after `start` that makes a match possible in the line or text around it; nil if there is none.
    /// The bytes may be UTF-8, or JSON in UTF-8.
    package func firstCandidate(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        if takesAll { return start }
        let place = start + cu_find(base + start, bytes.count - start, key, key.count)
        return place < bytes.count ? place : nil
    }
}

/// Finds all phrases of a query in one pass over the words of a text.
///
/// Each word of each phrase has a bit. After each word of the text, the set bits are the phrase beginnings that end there: the
/// Shift-And algorithm (Baeza-Yates and Gonnet, "A new approach to text searching", 1992) with words instead of characters. Its
/// time is in proportion to the text and to a sixty-fourth of the query's words.
final class PhraseMatcher: Sendable {
    let phrases: [Phrase]
    let filter: ByteFilter
    private let terms: TermTable
    /// Bit sets: the first and the last word of each phrase.
    private let starts: [UInt64]
    private let ends: [UInt64]
    /// For each bit, the number of words of its phrase up to it.
    private let lengths: [Int]
    private let longest: Int

    /// - Parameter phrases: without repeats.
    init(_ phrases: [Phrase]) {
        self.phrases = phrases
        filter = ByteFilter(phrases.joined())
        let count = phrases.reduce(0) { $0 + $1.count }
        var starts = [UInt64](repeating: 0, count: (count + 63) / 64)
        var ends = starts
        var lengths: [Int] = []
        for phrase in phrases {
            starts[lengths.count / 64] |= 1 << UInt64(lengths.count % 64)
            lengths += 1...phrase.count
            ends[(lengths.count - 1) / 64] |= 1 << UInt64((lengths.count - 1) % 64)
        }
        terms = TermTable(Array(phrases.joined()))
        (self.starts, self.ends, self.lengths) = (starts, ends, lengths)
        longest = phrases.map { $0.count }.max() ?? 0
    }

    var isEmpty: Bool { phrases.isEmpty }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEmpty, filter.firstCandidate(in: text) != nil else { return false }
        return scan(text, until: .all) { _ in }
    }

    /// True if a text contains one of the phrases.
    func matchesAny(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEmpty else { return false }
        var isFound = false
        _ = scan(text, until: .any) { _ in isFound = true }
        return isFound
    }

    /// The place of the first phrase in a text; nil if there is none.
    func firstPlace(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !isEmpty else { return nil }
        var place: Int?
        _ = scan(text, until: .any) { place = $0.lowerBound }
        return place
    }

    /// All places of all phrases, sorted, with overlapping places joined; empty if all phrases are needed and one is missing.
    func hits(in text: UnsafeBufferPointer<UInt8>, needsAll: Bool = true) -> [Range<Int>] {
        guard !isEmpty, !needsAll || filter.firstCandidate(in: text) != nil else { return [] }
        var hits: [Range<Int>] = []
        let isMatch = scan(text, until: .end) { place in
            var place = place
            while let last = hits.last, last.upperBound > place.lowerBound {
                place = min(last.lowerBound, place.lowerBound)..<place.upperBound
                hits.removeLast()
            }
            hits.append(place)
        }
        return isMatch || !needsAll ? hits : []
    }

    /// The condition on which the scan stops.
    private enum Goal { case any, all, end }

    /// Calls `found` with the places of phrases, ordered by their ends; if several have the same end, only with the longest.
    /// Returns true if all phrases were found.
    private func scan(
        _ text: UnsafeBufferPointer<UInt8>, until goal: Goal, _ found: (Range<Int>) -> Void
    ) -> Bool {
        var tokenizer = Tokenizer(text)
        var state = [UInt64](repeating: 0, count: starts.count)
        var mask = state
        var missing = ends
        var isIdle = true
        // The beginnings of the latest words, as many as the longest phrase has.
        var begins = [Int](repeating: 0, count: longest)
        var number = 0
        while tokenizer.next() {
            begins[number % longest] = tokenizer.range.lowerBound
            number += 1
            guard tokenizer.withFolded({ terms.mask(of: $0, into: &mask) }) else {
                if !isIdle { for word in state.indices { state[word] = 0 } }
                isIdle = true
                continue
            }
            isIdle = false
            let length = advance(&state, mask, &missing)
            guard length > 0 else { continue }
            found(begins[(number - length) % longest]..<tokenizer.range.upperBound)
            if goal == .any { return false }
            if goal == .all, missing.allSatisfy({ $0 == 0 }) { return true }
        }
        return missing.allSatisfy { $0 == 0 }
    }

    /// Reads one word. Returns the number of words in the longest phrase that ends with it; 0 if none does.
    private func advance(_ state: inout [UInt64], _ mask: [UInt64], _ missing: inout [UInt64]) -> Int {
        var carry: UInt64 = 0
        var longest = 0
        for word in state.indices {
            let next = (state[word] << 1 | carry | starts[word]) & mask[word]
            carry = state[word] >> 63
            state[word] = next
            var ended = next & ends[word]
            missing[word] &= ~ended
            while ended != 0 {
                longest = max(longest, lengths[word * 64 + ended.trailingZeroBitCount])
                ended &= ended - 1
            }
        }
        return longest
    }
}

/// Finds the words of a query that equal a word of a text. It is its own hash table, because a Swift dictionary would need an
/// array as key, and so an allocation for each of millions of words.
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
    /// The lengths of prefixes: only these are looked up.
    private var prefixLengths: [Bool]
    /// For each byte, true if a term begins with it. This alone excludes most words.
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

    /// Sets the bits of all terms that equal the word, and of all prefixes with which it begins. Returns false if there are none.
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
