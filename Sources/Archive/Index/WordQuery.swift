internal import Search

/// The words of a query, as the index is asked for them: phrases of whole words as FTS5 takes them, and beginnings of words.
/// Finds all messages that can be hits; where `isExact` is false also others, whose texts have to be read.
struct WordQuery {
    /// Shorter beginnings stand in many words: finding the messages of one takes some tenths of a second a million messages.
    /// Who wants the newest hits only goes through the messages instead, which gives hits at once.
    static let shortest = 3

    /// How many phrases, and how many words of a phrase, the index is asked for: FTS5 refuses expressions of more than 256
    /// parts, and few are enough to narrow a query.
    private static let most = 32

    /// All of the phrases of whole words that a text must hold; nil for none.
    let expression: String?
    /// Beginnings of words, as words stand in the index: a text must hold a word for each of them.
    let prefixes: [[UInt8]]
    /// What a text must not hold.
    let exclusions: [SearchIndex.Rows]
    /// Whether all texts with these words, and without those, are as the query wants them.
    let isExact: Bool

    init(_ query: Query) {
        let required = Phrases(query.required, mayBeCut: true)
        // Part of a phrase must not exclude what only all of it excludes.
        let excluded = Phrases(query.excluded, mayBeCut: false)
        expression = required.whole.isEmpty ? nil : required.whole.joined(separator: " AND ")
        prefixes = required.prefixes
        exclusions = excluded.whole.map { .matching($0) } + excluded.prefixes.map { .beginning($0) }
        let asksForLinks = !query.filters.marks.union(query.filters.excludedMarks).isDisjoint(with: .link)
        isExact = required.isExact && excluded.isExact && !asksForLinks
    }

    /// Those of the prefixes that are found quickly.
    var longPrefixes: [[UInt8]] { prefixes.filter { $0.count >= WordQuery.shortest } }

    private struct Phrases {
        var whole: [String] = []
        var prefixes: [[UInt8]] = []
        var isExact = true

        /// - Parameter mayBeCut: whether a part will do for a phrase of which the index cannot tell all.
        init(_ phrases: [Phrase], mayBeCut: Bool) {
            for phrase in phrases.prefix(most) { add(phrase, mayBeCut: mayBeCut) }
            if phrases.count > most { isExact = false }
        }

        private mutating func add(_ phrase: Phrase, mayBeCut: Bool) {
            // The end of such a word does not stand in the index.
            let isLong = phrase.contains { $0.bytes.count > WordText.longestWord }
            let prefix = phrase.last.flatMap { $0.isPrefix ? $0.bytes : nil }
            let words = prefix == nil ? phrase[...] : phrase.dropLast()
            let isTold = !isLong && (prefix == nil || words.isEmpty) && words.count <= most
            if !isTold { isExact = false }
            guard isTold || mayBeCut else { return }
            if !words.isEmpty { whole.append(Phrases.text(of: words.prefix(most))) }
            if let prefix, prefix.count <= WordText.longestWord { prefixes.append(WordText.stored(prefix)) }
        }

        private static func text(of words: ArraySlice<Term>) -> String {
            var text: [UInt8] = []
            for term in words {
                if !text.isEmpty { text.append(0x20) }
                WordText.append(term.bytes, to: &text)
            }
            return "\"" + String(decoding: text, as: UTF8.self) + "\""
        }
    }
}
