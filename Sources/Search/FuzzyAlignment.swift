/// The best way to match the letters of a word with those of a text, in order.
///
/// Dynamic programming as in Smith and Waterman's local alignment ("Identification of common molecular subsequences",
/// 1981) with Gotoh's affine gaps (1982); as in fzf's `FuzzyMatchV2` each letter of the word has to match. It takes
/// time and space in proportion to the product of both lengths.
struct FuzzyAlignment {
    let score: Int
    /// The indices of the matched letters, in ascending order.
    let places: [Int]

    /// Nil when the text does not hold all letters in order.
    init?(of word: [UInt32], with text: FuzzyText) {
        guard let first = word.first, let range = FuzzyAlignment.range(of: word, in: text.letters) else { return nil }
        let letters = text.letters[range]
        var rows = [Row(of: first, in: letters)]
        for value in word.dropFirst() { rows.append(Row(of: value, in: letters, after: rows[rows.count - 1])) }
        let last = rows[rows.count - 1].scores
        guard let best = last.max(), Row.isPossible(best), let end = last.firstIndex(of: best) else { return nil }
        score = best
        // Goes from the last letter back to the first.
        var backwards = [end]
        for row in rows.dropFirst().reversed() { backwards.append(row.origins[backwards[backwards.count - 1]]) }
        places = backwards.reversed().map { $0 + range.lowerBound }
    }

    /// From the first occurrence of the first letter to the last occurrence of the last letter, which no alignment
    /// exceeds. Nil when the letters do not occur in order, which is so for most texts and quick to find.
    private static func range(of word: [UInt32], in letters: [FuzzyText.Letter]) -> Range<Int>? {
        var start: Int?
        var matched = 0
        for (place, letter) in letters.enumerated() where matched < word.count && letter.value == word[matched] {
            start = start ?? place
            matched += 1
        }
        guard let start, matched == word.count, let end = letters.lastIndex(where: { $0.value == word[matched - 1] })
        else { return nil }
        return start..<end + 1
    }
}

/// One letter of the word at each place of the text.
private struct Row {
    /// The best score of the word up to this letter, if this letter matches at the place.
    var scores: [Int]
    /// Where the letter before it matches in that case.
    var origins: [Int]

    /// Far below all scores, and far from overflowing.
    private static let impossible = Int.min / 2

    static func isPossible(_ score: Int) -> Bool { score > impossible / 2 }

    /// The row of the first letter.
    init(of value: UInt32, in letters: ArraySlice<FuzzyText.Letter>) {
        scores = letters.map {
            $0.value == value ? FuzzyScore.match + $0.bonus * FuzzyScore.firstFactor : Row.impossible
        }
        origins = []
    }

    init(of value: UInt32, in letters: ArraySlice<FuzzyText.Letter>, after before: Row) {
        scores = [Int](repeating: Row.impossible, count: letters.count)
        origins = [Int](repeating: 0, count: letters.count)
        // The best score when the letter before matches farther left than the place before, and where it does.
        var gap = (score: Row.impossible, place: 0)
        for (place, letter) in letters.enumerated().dropFirst() {
            if place > 1 {
                gap.score -= FuzzyScore.gapExtension
                let opened = before.scores[place - 2] - FuzzyScore.gapStart
                if opened > gap.score { gap = (opened, place - 2) }
            }
            guard letter.value == value else { continue }
            let afterGap = gap.score + letter.bonus
            let consecutive = before.scores[place - 1] + max(letter.bonus, FuzzyScore.consecutive)
            guard Row.isPossible(max(afterGap, consecutive)) else { continue }
            scores[place] = FuzzyScore.match + max(afterGap, consecutive)
            origins[place] = consecutive >= afterGap ? place - 1 : gap.place
        }
    }
}
