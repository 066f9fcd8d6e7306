internal import Search

/// Collects the words of texts in memory, and returns them term by term, to be written to a word file.
///
/// It keeps words in the order of the texts, 12 bytes each, and sorts them by term at the end: a buffer for each term
/// would scatter the writes over memory and take twice the time.
struct WordCollector {
    private struct Token {
        let term: UInt32
        let document: UInt32
        let position: UInt32
    }

    private struct Slot {
        var hash: UInt32 = 0
        /// The number of a term plus 1, or 0 when it is free.
        var term: UInt32 = 0
    }

    /// The bytes of all terms, one after the other, and where each term ends.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// A hash table.
    private var slots = [Slot](repeating: Slot(), count: 1 << 14)
    private var tokens: [Token] = []

    /// The number of words so far.
    var count: Int { tokens.count }

    /// - Parameters:
    ///   - words: at the beginning of a text.
    ///   - document: the last one, or a later one.
    mutating func add(_ words: inout Tokenizer, document: UInt32) {
        var position: UInt32 = 0
        while words.next() {
            let term = WordTerm.stored(words.folded).withUnsafeBytes { self.term($0) }
            tokens.append(Token(term: term, document: document, position: position))
            position += 1
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        tokens.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = Slot() }
    }

    private mutating func term(_ word: UnsafeRawBufferPointer) -> UInt32 {
        let hash = Checksum.of(word)
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].term != 0 {
            if slots[slot].hash == hash, isTerm(Int(slots[slot].term) - 1, word) { return slots[slot].term - 1 }
            slot = (slot + 1) & mask
        }
        let new = UInt32(ends.count)
        slots[slot] = Slot(hash: hash, term: new + 1)
        bytes.append(contentsOf: word)
        ends.append(UInt32(bytes.count))
        if ends.count * 2 > slots.count { grow() }
        return new
    }

    private func range(of term: Int) -> Range<Int> { (term == 0 ? 0 : Int(ends[term - 1]))..<Int(ends[term]) }

    private func isTerm(_ term: Int, _ word: UnsafeRawBufferPointer) -> Bool {
        let range = range(of: term)
        return range.count == word.count
            && bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).elementsEqual(word) }
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        let mask = slots.count - 1
        for known in old where known.term != 0 {
            var slot = Int(known.hash) & mask
            while slots[slot].term != 0 { slot = (slot + 1) & mask }
            slots[slot] = known
        }
    }

    /// Calls `body` with the postings of each term, sorted by the bytes of the terms.
    func forEachTerm(
        _ body: (UnsafeRawBufferPointer, PostingsEncoder) throws(WordFault) -> Void
    ) throws(WordFault) {
        let (places, starts) = placesByTerm()
        var encoder = PostingsEncoder()
        for term in sortedTerms() {
            encoder.reset()
            let range = Int(starts[term])..<Int(starts[term + 1])
            places.withUnsafeBufferPointer { encoder.add(UnsafeBufferPointer(rebasing: $0[range])) }
            var failure: WordFault?
            bytes.withUnsafeBytes { bytes in
                do throws(WordFault) {
                    try body(UnsafeRawBufferPointer(rebasing: bytes[self.range(of: term)]), encoder)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }

    /// The places of all words, those of a term next to each other, and where those of each term begin. A counting sort keeps
    /// the words of each in the order in which they came.
    private func placesByTerm() -> (places: [PostingsEncoder.Place], starts: [UInt32]) {
        var starts = [UInt32](repeating: 0, count: ends.count + 1)
        for token in tokens { starts[Int(token.term) + 1] += 1 }
        for term in ends.indices { starts[term + 1] += starts[term] }
        var next = starts
        let places = [PostingsEncoder.Place](unsafeUninitializedCapacity: tokens.count) { places, count in
            for token in tokens {
                let index = Int(next[Int(token.term)])
                places.initializeElement(
                    at: index, to: PostingsEncoder.Place(document: token.document, position: token.position))
                next[Int(token.term)] += 1
            }
            count = tokens.count
        }
        return (places, starts)
    }

    private struct Key {
        let beginning: UInt64
        let term: Int
    }

    /// Sorts by the first eight bytes of the terms, byte by byte from the eighth, and then those few that have the same ones.
    private func sortedTerms() -> [Int] {
        bytes.withUnsafeBytes { bytes in
            var keys = ends.indices.map { term in
                let word = UnsafeRawBufferPointer(rebasing: bytes[range(of: term)])
                return Key(beginning: WordTerm.beginning(word), term: term)
            }
            var sorted = keys
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                var next = [Int](repeating: 0, count: 257)
                for key in keys { next[Int(key.beginning >> shift & 0xFF) + 1] += 1 }
                for byte in 0..<256 { next[byte + 1] += next[byte] }
                for key in keys {
                    let byte = Int(key.beginning >> shift & 0xFF)
                    sorted[next[byte]] = key
                    next[byte] += 1
                }
                swap(&keys, &sorted)
            }
            var start = 0
            while start < keys.count {
                let end = keys[start...].firstIndex { $0.beginning != keys[start].beginning } ?? keys.count
                if end - start > 1 {
                    keys[start..<end].sort { a, b in
                        WordTerm.precedes(
                            UnsafeRawBufferPointer(rebasing: bytes[range(of: a.term)]),
                            UnsafeRawBufferPointer(rebasing: bytes[range(of: b.term)]))
                    }
                }
                start = end
            }
            return keys.map(\.term)
        }
    }
}
