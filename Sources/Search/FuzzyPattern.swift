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

/// A piece of a query that looks like a filter with a typing error, and is therefore searched for as words: `has:lnk`, `form:ana`.
package struct MistypedFilter: Hashable, Sendable, CustomStringConvertible {
    /// As it was typed, without its minus.
    package let text: String
    /// Whether the words must not be in the text: `-has:lnk`.
    package let isExcluded: Bool
    private let advice: Advice

    private enum Advice: Hashable {
        case meant(String)
        /// Nothing is near the value of this filter: its values follow.
        case values(of: String, [String])
    }

    /// One line for people, without a full stop: `did you mean has:link?`
    package var description: String {
        let sign = isExcluded ? "-" : ""
        return switch advice {
        case .meant(let filter): "did you mean \(sign)\(filter)?"
        case .values(let name, let values):
            "\(name): takes \(values.dropLast().joined(separator: ", ")) or \(values.last ?? "")"
        }
    }

    /// Words by which other programs call filters.
    private static let synonyms = [
        "by": "from", "sender": "from", "author": "from", "user": "from", "channel": "in", "room": "in", "chat": "in",
    ]

    /// - Parameters:
    ///   - name: before the colon, folded.
    ///   - value: after it, without quotes.
    ///   - filters: the names of all filters; those of the ones that take only a few values, with these.
    /// - Returns: nil when it looks like no filter.
    init?(_ name: String, value: String, isExcluded: Bool, filters: [String: [String]]) {
        let value = String(value.drop(while: \.isWhitespace))
        guard !value.isEmpty else { return nil }
        let isName = filters[name] != nil
        guard let meant = isName ? name : MistypedFilter.nearest(to: name, among: Array(filters.keys)) else {
            return nil
        }
        let values = filters[meant] ?? []
        if values.isEmpty {
            guard !isName else { return nil }
            advice = .meant("\(meant):\(Query.quoted(value))")
        } else if let near = MistypedFilter.value(near: value.lowercased(), among: values) {
            advice = .meant("\(meant):\(near)")
        } else {
            guard isName else { return nil }
            advice = .values(of: meant, values)
        }
        (self.text, self.isExcluded) = ("\(name):\(value)", isExcluded)
    }

    /// The name that differs in one letter. A name of two letters would be near too many words.
    private static func nearest(to name: String, among names: [String]) -> String? {
        if let synonym = synonyms[name] { return synonym }
        guard (3...12).contains(name.count) else { return nil }
        return names.filter { $0.count > 2 && Spelling.errors(Array(name), Array($0)) == 1 }.min()
    }

    /// The value that differs in at most a quarter of the letters: `unread` is not `thread`.
    private static func value(near value: String, among values: [String]) -> String? {
        if let whole = values.first(where: { $0.hasPrefix(value) }) { return whole }
        guard value.count <= 16 else { return nil }
        return values.first { Spelling.errors(Array(value), Array($0)) <= max(1, value.count / 4) }
    }
}

/// Finds the name that a misspelt word was meant to be.
package enum Spelling {
    /// The name with the fewest errors; nil if each differs in more than a third of the letters.
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
