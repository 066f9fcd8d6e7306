internal import Search

/// Collects the words of texts in memory.
struct WordCollector {
    /// A hash table of the different words: the number of a term plus 1, or 0 in a slot that is free.
    private var slots = [UInt32](repeating: 0, count: 1 << 14)
    private(set) var words = CollectedWords()

    /// Adds a text.
    /// - Parameters:
    ///   - tokenizer: any tokenizer. It keeps its memory between texts.
    ///   - document: greater than the documents of earlier texts.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, by tokenizer: inout Tokenizer, document: UInt32) {
        tokenizer.forEachWord(of: text) { word in
            words.add(WordTerm.withStored(word) { number(of: $0) })
        }
        words.endText(document)
    }

    /// Returns the collected words and starts again without any.
    mutating func take() -> CollectedWords {
        for index in slots.indices { slots[index] = 0 }
        defer { words = CollectedWords() }
        return words
    }

    /// The number of a word. A new word gets a new number.
    private mutating func number(of word: UnsafeRawBufferPointer) -> UInt32 {
        let beginning = WordTerm.beginning(word)
        let mask = slots.count - 1
        var slot = WordCollector.hash(word, beginning) & mask
        while slots[slot] != 0 {
            let known = slots[slot] - 1
            if words.isTerm(Int(known), word, beginning) { return known }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(words.terms) + 1
        words.addTerm(word, beginning)
        if words.terms * 2 > slots.count { grow() }
        return UInt32(words.terms) - 1
    }

    @inline(__always)
    private static func hash(_ word: UnsafeRawBufferPointer, _ beginning: UInt64) -> Int {
        var sum = mixed(beginning)
        if word.count > 8 {
            for offset in stride(from: 8, to: word.count - 8, by: 8) {
                sum = mixed(sum ^ word.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            sum = mixed(sum ^ word.loadUnaligned(fromByteOffset: word.count - 8, as: UInt64.self))
        }
        return Int(truncatingIfNeeded: sum & 0xFFFF_FFFF)
    }

    @inline(__always)
    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for term in 0..<words.terms {
            var slot = words.withTerm(term) { WordCollector.hash($0, WordTerm.beginning($0)) } & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(term) + 1
        }
    }
}
