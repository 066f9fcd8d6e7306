/// Finds all phrases of a query in one pass over the words of a text.
///
/// Each word of each phrase has a bit. After each word of the text, the bits are set of those beginnings of phrases
/// that end there: the Shift-And algorithm (Baeza-Yates and Gonnet, "A new approach to text searching", 1992) over
/// words instead of characters. Its time is in proportion to the text and to a sixty-fourth of the words of the query.
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

    /// Whether a text contains one of the phrases.
    func matchesAny(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEmpty else { return false }
        var isFound = false
        _ = scan(text, until: .any) { _ in isFound = true }
        return isFound
    }

    /// Where the first phrase in a text begins; nil when there is none.
    func firstPlace(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !isEmpty else { return nil }
        var place: Int?
        _ = scan(text, until: .any) { place = $0.lowerBound }
        return place
    }

    /// All places of all phrases, sorted, with overlapping ones joined; empty when one phrase is missing and all are
    /// needed.
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

    /// When the scan may stop.
    private enum Goal { case any, all, end }

    /// Calls `found` with the places of phrases in the order of their ends; of those with the same end, only with the
    /// longest. Returns whether all phrases were found.
    private func scan(
        _ text: UnsafeBufferPointer<UInt8>, until goal: Goal, _ found: (Range<Int>) -> Void
    ) -> Bool {
        var tokenizer = Tokenizer(text)
        var state = [UInt64](repeating: 0, count: starts.count)
        var mask = state
        var missing = ends
        var isIdle = true
        // Where the latest words began, as many as the longest phrase has.
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

    /// Takes in one word. Returns the number of words in the longest phrase that ends with it; 0 for none.
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
