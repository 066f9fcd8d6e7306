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

    /// The bytes of all terms, one after the other, and where each term ends.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    private var hashes: [UInt32] = []
    /// A hash table: each slot holds the number of a term plus 1, or 0 when it is free.
    private var slots = [UInt32](repeating: 0, count: 1 << 14)
    private var tokens: [Token] = []

    /// The number of words so far.
    var count: Int { tokens.count }

    /// - Parameters:
    ///   - document: the last one, or a later one.
    ///   - position: the number of words before this one in the text.
    mutating func add(_ word: UnsafeRawBufferPointer, document: UInt32, position: UInt32) {
        tokens.append(Token(term: term(word), document: document, position: position))
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        tokens.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
    }

    private mutating func term(_ word: UnsafeRawBufferPointer) -> UInt32 {
        let hash = Checksum.of(word)
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let term = Int(slots[slot]) - 1
            if hashes[term] == hash, isTerm(term, word) { return UInt32(term) }
            slot = (slot + 1) & mask
        }
        let new = UInt32(ends.count)
        slots[slot] = new + 1
        bytes.append(contentsOf: word)
        ends.append(UInt32(bytes.count))
        hashes.append(hash)
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
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (term, hash) in hashes.enumerated() {
            var slot = Int(hash) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(term) + 1
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

    private func sortedTerms() -> [Int] {
        bytes.withUnsafeBytes { bytes in
            // Most terms differ in their first bytes, which are compared as one number.
            let terms = ends.indices.map { term in
                let range = range(of: term)
                return (beginning: WordTerm.beginning(UnsafeRawBufferPointer(rebasing: bytes[range])), term: term)
            }
            return terms.sorted { a, b in
                if a.beginning != b.beginning { return a.beginning < b.beginning }
                return WordTerm.precedes(
                    UnsafeRawBufferPointer(rebasing: bytes[range(of: a.term)]),
                    UnsafeRawBufferPointer(rebasing: bytes[range(of: b.term)]))
            }.map(\.term)
        }
    }
}
