/// A few letters that match a text which contains them in this order, adjacent or not. Several words match independently of each
/// other. Case and accents are ignored.
package struct FuzzyPattern: Hashable, Sendable {
    package struct Match: Hashable, Sendable {
        /// Higher is better. Beginnings of words, adjacent letters and the beginning of the text raise the score; gaps and
        /// letters after the last match lower it. Only scores for the same pattern are comparable.
        package let score: Int
        /// The matched characters as UTF-8 offsets, sorted and disjoint.
        package let ranges: [Range<Int>]
    }

    /// Folded words, none of them empty.
    private let words: Set<[UInt32]>

    /// Nobody types more than this, and the time of a match grows with pattern times text.
    private static let longestPattern = 256

    package init(_ text: String) {
        let start = String(text.unicodeScalars.prefix(FuzzyPattern.longestPattern))
        let words = start.split(whereSeparator: \.isWhitespace).map { word in
            word.unicodeScalars.flatMap(FuzzyText.folded)
        }
        self.words = Set(words.filter { !$0.isEmpty })
    }

    /// Nil if the text does not match. A pattern without letters matches everything, with a score of 0.
    ///
    /// Only the beginning of a very long text is compared.
    package func match(_ text: String) -> Match? {
        guard !words.isEmpty else { return Match(score: 0, ranges: []) }
        let text = FuzzyText(text)
        var score = 0
        var places: Set<Int> = []
        for word in words {
            guard let alignment = FuzzyAlignment(of: word, with: text) else { return nil }
            score += alignment.score
            places.formUnion(alignment.places)
        }
        let tail = text.letters.count - 1 - (places.max() ?? 0)
        return Match(score: score - FuzzyScore.tail(tail), ranges: Self.ranges(places.sorted(), in: text))
    }

    private static func ranges(_ places: [Int], in text: FuzzyText) -> [Range<Int>] {
        places.reduce(into: []) { ranges, place in
            let bytes = text.letters[place].bytes
            if let last = ranges.last, last.upperBound >= bytes.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, bytes.upperBound)
            } else {
                ranges.append(bytes)
            }
        }
    }
}

/// A text to compare with patterns: its folded letters.
struct FuzzyText {
    struct Letter {
        let value: UInt32
        /// The character that contains the letter, as UTF-8 offsets. A character such as "ﬁ" has several letters.
        let bytes: Range<Int>
        /// The extra score of a match at this place.
        let bonus: Int
    }

    /// Names are shorter than this. Of longer texts, only the beginning is compared.
    private static let limit = 1_024

    let letters: [Letter]

    init(_ text: String) {
        var letters: [Letter] = []
        var previous: CharacterClass?
        var offset = 0
        for character in text {
            guard letters.count < FuzzyText.limit else { break }
            let start = offset
            offset += character.utf8.count
            let now = CharacterClass(character)
            var bonus = FuzzyScore.bonus(of: now, after: previous)
            previous = now
            for scalar in character.unicodeScalars.prefix(FuzzyText.limit) {
                for value in FuzzyText.folded(scalar) where letters.count < FuzzyText.limit {
                    letters.append(Letter(value: value, bytes: start..<offset, bonus: bonus))
                    bonus = 0
                }
            }
        }
        self.letters = letters
    }

    /// Folds a scalar as a search folds words; empty for a scalar that is not a letter alone, such as an accent.
    static func folded(_ scalar: Unicode.Scalar) -> [UInt32] {
        if scalar.isASCII { return [("A"..."Z").contains(scalar) ? scalar.value + 32 : scalar.value] }
        var bytes: [UInt8] = []
        Folding.append(scalar, to: &bytes)
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
    }
}

enum CharacterClass {
    case blank, punctuation, lower, upper, digit
    /// A letter of a script that has no case.
    case letter

    /// Reads only the first scalar: for a whole character, Swift's properties take time in proportion to its marks.
    init(_ character: Character) {
        guard let properties = character.unicodeScalars.first?.properties else {
            self = .blank
            return
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: self = .upper
        case .lowercaseLetter: self = .lower
        case .modifierLetter, .otherLetter: self = .letter
        case .decimalNumber, .letterNumber, .otherNumber: self = .digit
        default: self = properties.isWhitespace ? .blank : .punctuation
        }
    }
}

/// The scores of matches, in proportions like those of fzf (`src/algo/algo.go`).
enum FuzzyScore {
    static let match = 16
    /// For a letter right after another match. It is more than the bonus of the next word's beginning minus the gap before that.
    static let consecutive = 8
    static let gapStart = 3
    static let gapExtension = 1
    /// The first letter that people type is rarely from within a word.
    static let firstFactor = 2
    /// The cost of more letters is limited, so that it cannot outweigh the letters that match.
    private static let longestTail = 12

    static func bonus(of character: CharacterClass, after previous: CharacterClass?) -> Int {
        switch (previous, character) {
        case (_, .blank), (_, .punctuation): 0
        case (nil, _): 12
        case (.blank, _): 10
        case (.punctuation, _): 8
        case (.lower, .upper): 7
        case (.lower, .digit), (.upper, .digit), (.letter, .digit): 7
        default: 0
        }
    }

    /// The cost of the letters after the last match.
    static func tail(_ count: Int) -> Int { min(count, longestTail) }
}

/// The best way to match the letters of a word with those of a text, in order.
///
/// Dynamic programming as in Smith and Waterman's local alignment ("Identification of common molecular subsequences",
/// 1981) with Gotoh's affine gaps (1982); as in fzf's `FuzzyMatchV2` each letter of the word has to match. It takes
/// time and space in proportion to the product of both lengths.
struct FuzzyAlignment {
    let score: Int
    /// The indices of the matched letters, in ascending order.
    let places: [Int]

    /// Nil if the text does not contain all letters in order.
    init?(of word: [UInt32], with text: FuzzyText) {
        guard let first = word.first, let range = FuzzyAlignment.range(of: word, in: text.letters) else { return nil }
        let letters = text.letters[range]
        var rows = [LetterScores(of: first, in: letters)]
        for value in word.dropFirst() { rows.append(LetterScores(of: value, in: letters, after: rows[rows.count - 1])) }
        let last = rows[rows.count - 1].scores
        guard let best = last.max(), LetterScores.isPossible(best), let end = last.firstIndex(of: best) else {
            return nil
        }
        score = best
        // Goes from the last letter back to the first.
        var backwards = [end]
        for row in rows.dropFirst().reversed() { backwards.append(row.origins[backwards[backwards.count - 1]]) }
        places = backwards.reversed().map { $0 + range.lowerBound }
    }

    /// The range from the first occurrence of the first letter to the last occurrence of the last letter, in which every
    /// alignment lies. Nil if the letters do not occur in order, which is quick to find and true of most texts.
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
private struct LetterScores {
    /// The best score of the word up to this letter, if this letter matches at the place.
    var scores: [Int]
    /// The place where the letter before it matches then.
    var origins: [Int]

    /// Far below all scores, and far from overflowing.
    private static let impossible = Int.min / 2

    static func isPossible(_ score: Int) -> Bool { score > impossible / 2 }

    /// The row of the first letter.
    init(of value: UInt32, in letters: ArraySlice<FuzzyText.Letter>) {
        scores = letters.map {
            $0.value == value ? FuzzyScore.match + $0.bonus * FuzzyScore.firstFactor : LetterScores.impossible
        }
        origins = []
    }

    init(of value: UInt32, in letters: ArraySlice<FuzzyText.Letter>, after before: LetterScores) {
        scores = [Int](repeating: LetterScores.impossible, count: letters.count)
        origins = [Int](repeating: 0, count: letters.count)
        // The best score if the previous letter matches further left than the place before, and where it matches.
        var gap = (score: LetterScores.impossible, place: 0)
        for (place, letter) in letters.enumerated().dropFirst() {
            if place > 1 {
                gap.score -= FuzzyScore.gapExtension
                let opened = before.scores[place - 2] - FuzzyScore.gapStart
                if opened > gap.score { gap = (opened, place - 2) }
            }
            guard letter.value == value else { continue }
            let afterGap = gap.score + letter.bonus
            let consecutive = before.scores[place - 1] + max(letter.bonus, FuzzyScore.consecutive)
            guard LetterScores.isPossible(max(afterGap, consecutive)) else { continue }
            scores[place] = FuzzyScore.match + max(afterGap, consecutive)
            origins[place] = consecutive >= afterGap ? place - 1 : gap.place
        }
    }
}

/// Finds the name that somebody has misspelt.
package enum Spelling {
    /// The name with the fewest errors; nil if all differ in more than a third of the letters.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let letters = Array(word.lowercased().prefix(64))
        let scored = names.map { name in (errors: errors(letters, Array(name)), name: name) }
        let best = scored.min { ($0.errors, $0.name) < ($1.errors, $1.name) }
        return best.flatMap { $0.errors <= max(1, (letters.count + 1) / 3) ? $0.name : nil }
    }

    /// The number of letters to insert, remove, replace or swap with the next one.
    package static func errors(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
