/// A few letters that stand for something longer, which contains them in this order, but not necessarily adjacent.
/// Several words match independently of each other. Case and accents do not matter.
package struct FuzzyPattern: Hashable, Sendable {
    package struct Match: Hashable, Sendable {
        /// Higher is better. Beginnings of words, adjacent letters and the beginning of the text raise it; gaps and the
        /// letters after the last match lower it. Only scores of the same pattern can be compared.
        package let score: Int
        /// The matched characters as UTF-8 offsets, sorted and disjoint.
        package let ranges: [Range<Int>]
    }

    /// Folded words. None is empty.
    private let words: Set<[UInt32]>

    /// Nobody types more, and the time of a match grows with the product of pattern and text.
    private static let longestPattern = 256

    package init(_ text: String) {
        let start = String(text.unicodeScalars.prefix(FuzzyPattern.longestPattern))
        let words = start.split(whereSeparator: \.isWhitespace).map { word in
            word.unicodeScalars.flatMap(FuzzyText.folded)
        }
        self.words = Set(words.filter { !$0.isEmpty })
    }

    /// Nil when the text does not match. A pattern without letters matches everything, with a score of 0.
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

/// A text that patterns are compared with: its folded letters.
struct FuzzyText {
    struct Letter {
        let value: UInt32
        /// The character that the letter is part of, as UTF-8 offsets. A character can have several letters, as "ﬁ"
        /// has.
        let bytes: Range<Int>
        /// The extra score of a match at this place.
        let bonus: Int
    }

    /// Names are shorter; of other texts, the beginning has to do.
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

    /// Folds a scalar as words are folded for a search; empty for one that is not a letter by itself, such as an
    /// accent.
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

    /// Looks only at the first scalar: Swift's properties of a whole character take time in proportion to its marks.
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
    /// For a letter directly after the one before. It exceeds the bonus of a second word's beginning, less the gap
    /// before that.
    static let consecutive = 8
    static let gapStart = 3
    static let gapExtension = 1
    /// The first letter that people type is rarely one from within a word.
    static let firstFactor = 2
    /// A longer tail costs no more, since it would outweigh the letters that match.
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
