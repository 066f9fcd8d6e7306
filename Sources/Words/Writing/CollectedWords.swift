internal import Index

/// The words of texts in memory, each different word with a number, and these as the postings of a word file.
///
/// It keeps words in the order of the texts, one or two bytes each, and sorts them by term at the end: a buffer for each term
/// would scatter the writes over memory and take twice the time.
struct CollectedWords: Sendable {
    private struct Text {
        let document: UInt32
        /// Its end in `words`, in bytes.
        let end: Int
    }

    /// The bytes of all terms, one after the other, and where each term ends.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// See `WordTerm.beginning`.
    private var beginnings: [UInt64] = []
    /// The numbers of the terms, as varints: frequent words come early, and have small numbers.
    private var words = ByteRoom()
    private var texts: [Text] = []

    /// The number of words.
    private(set) var count = 0

    /// The number of different words.
    var terms: Int { ends.count }

    /// Adds a word to the current text.
    /// - Parameter term: the number of the word.
    @inline(__always)
    mutating func add(_ term: UInt32) {
        words.append(atMost: 5) { $0.write(varint: UInt64(term)) }
        count += 1
    }

    /// Ends the current text.
    /// - Parameter document: greater than the documents of earlier texts.
    mutating func endText(_ document: UInt32) { texts.append(Text(document: document, end: words.count)) }

    /// Gives the next number to a word.
    mutating func addTerm(_ word: UnsafeRawBufferPointer, _ beginning: UInt64) {
        bytes.append(contentsOf: word)
        ends.append(UInt32(bytes.count))
        beginnings.append(beginning)
    }

    /// True if a term is this word.
    @inline(__always)
    func isTerm(_ term: Int, _ word: UnsafeRawBufferPointer, _ beginning: UInt64) -> Bool {
        beginnings[term] == beginning
            && (WordTerm.isWhole(beginning) || withTerm(term) { WordTerm.order($0, word) == 0 })
    }

    @inline(__always)
    func withTerm<Result>(_ term: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let range = (term == 0 ? 0 : Int(ends[term - 1]))..<Int(ends[term])
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Adds all terms to a file, sorted by their bytes.
    func write(to writer: inout WordShardWriter) throws(IndexFault) {
        let terms = sortedTerms()
        var counts = [UInt32](repeating: 0, count: ends.count)
        forEachWord(in: 0..<words.count) { term, _ in counts[term] += 1 }
        let most = max(CollectedWords.mostPlaces, count / CollectedWords.mostWalks)
        var first = 0
        while first < terms.count {
            var (end, sum) = (first, 0)
            while end < terms.count, end == first || sum + Int(counts[terms[end]]) <= most {
                sum += Int(counts[terms[end]])
                end += 1
            }
            try write(terms[first..<end], sum, counts, most, to: &writer)
            first = end
        }
    }

    /// The most places in memory at once, unless that would need too many passes over the words.
    private static let mostPlaces = 1 << 18
    private static let mostWalks = 16

    /// Adds some terms. A counting sort brings the places of a term next to each other, in the order in which they came.
    /// - Parameters:
    ///   - terms: in their order; only one if their words are more than `most`.
    ///   - count: the number of their words.
    private func write(
        _ terms: ArraySlice<Int>, _ count: Int, _ counts: [UInt32], _ most: Int, to writer: inout WordShardWriter
    ) throws(IndexFault) {
        guard let only = terms.first else { return }
        if count > most {
            var first = 0
            for text in texts {
                let range = first..<text.end
                first = range.upperBound
                var count = 0
                forEachWord(in: range) { term, _ in if term == only { count += 1 } }
                if count == 0 { continue }
                writer.addPostings(of: text.document, count) { add in
                    forEachWord(in: range) { term, position in if term == only { add(position) } }
                }
            }
            withTerm(only) { writer.endTerm($0) }
            return try writer.endBlockIfFull()
        }
        var next = [UInt32](repeating: .max, count: ends.count)
        var start: UInt32 = 0
        for term in terms {
            next[term] = start
            start += counts[term]
        }
        let places = [PostingsEncoder.Place](unsafeUninitializedCapacity: count) { places, initialized in
            forEachPlace { term, place in
                guard next[term] != .max else { return }
                places.initializeElement(at: Int(next[term]), to: place)
                next[term] += 1
            }
            initialized = count
        }
        var from = 0
        for term in terms {
            let end = from + Int(counts[term])
            places.withUnsafeBufferPointer { writer.addPostings(UnsafeBufferPointer(rebasing: $0[from..<end])) }
            from = end
            withTerm(term) { writer.endTerm($0) }
            try writer.endBlockIfFull()
        }
    }

    /// Calls `body` with the term and the place of each word, in the order in which they came.
    @inline(__always)
    private func forEachPlace(_ body: (Int, PostingsEncoder.Place) -> Void) {
        var first = 0
        for text in texts {
            forEachWord(in: first..<text.end) { term, position in
                body(term, PostingsEncoder.Place(document: text.document, position: position))
            }
            first = text.end
        }
    }

    /// Calls `body` with the term of each word in a range of `words`, and with the number of words before it there.
    @inline(__always)
    private func forEachWord(in range: Range<Int>, _ body: (Int, UInt32) -> Void) {
        words.withBytes { bytes in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[range]))
            var position: UInt32 = 0
            while reader.offset < range.count {
                body(Int(reader.varint()), position)
                position += 1
            }
        }
    }

    private struct Key {
        let beginning: UInt64
        let term: Int
    }

    /// Sorts by the first eight bytes of the terms, byte by byte from the eighth; then the few terms that share these bytes.
    private func sortedTerms() -> [Int] {
        var keys = beginnings.indices.map { Key(beginning: beginnings[$0], term: $0) }
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
            var end = start + 1
            while end < keys.count, keys[end].beginning == keys[start].beginning { end += 1 }
            if end - start > 1 {
                keys[start..<end].sort { a, b in
                    withTerm(a.term) { a in withTerm(b.term) { b in WordTerm.order(a, b) < 0 } }
                }
            }
            start = end
        }
        return keys.map(\.term)
    }
}
