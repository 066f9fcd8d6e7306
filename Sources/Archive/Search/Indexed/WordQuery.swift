internal import Search
internal import Words

/// The words of a query, as the index is asked for them: phrases of whole words, and beginnings of words. Finds all messages
/// that can be hits; where `isExact` is false also others, whose texts have to be read.
struct WordQuery {
    /// Shorter beginnings stand in many words: finding the messages of one takes some hundredths of a second a million
    /// messages. Who wants the newest hits only goes through the messages instead, which gives hits at once.
    static let shortest = 3

    /// How many phrases, and how many words of a phrase, the index is asked for: few are enough to narrow a query.
    private static let most = 32

    /// All of the phrases of whole words that a text must hold; nil for none.
    let phrases: WordCondition?
    /// Beginnings of words: a text must hold a word for each of them.
    let prefixes: [[UInt8]]
    /// What a text must not hold.
    let exclusions: [WordCondition]
    /// Whether all texts with these words, and without those, are as the query wants them.
    let isExact: Bool

    init(_ query: Query) {
        let required = Phrases(query.required, mayBeCut: true)
        // Part of a phrase must not exclude what only all of it excludes.
        let excluded = Phrases(query.excluded, mayBeCut: false)
        phrases = required.whole.isEmpty ? nil : .phrases(required.whole)
        prefixes = required.prefixes
        exclusions = excluded.whole.map { .phrases([$0]) } + excluded.prefixes.map { .beginning($0) }
        let asksForLinks = !query.filters.marks.union(query.filters.excludedMarks).isDisjoint(with: .link)
        isExact = required.isExact && excluded.isExact && !asksForLinks
    }

    /// Those of the prefixes that are found quickly.
    var longPrefixes: [[UInt8]] { prefixes.filter { $0.count >= WordQuery.shortest } }

    private struct Phrases {
        var whole: [[[UInt8]]] = []
        var prefixes: [[UInt8]] = []
        var isExact = true

        /// - Parameter mayBeCut: whether a part will do for a phrase of which the index cannot tell all.
        init(_ phrases: [Phrase], mayBeCut: Bool) {
            for phrase in phrases.prefix(most) { add(phrase, mayBeCut: mayBeCut) }
            if phrases.count > most { isExact = false }
        }

        private mutating func add(_ phrase: Phrase, mayBeCut: Bool) {
            // The end of such a word does not stand in the index.
            let isLong = phrase.contains { $0.bytes.count > WordTerm.longest }
            let prefix = phrase.last.flatMap { $0.isPrefix ? $0.bytes : nil }
            let words = prefix == nil ? phrase[...] : phrase.dropLast()
            let isTold = !isLong && (prefix == nil || words.isEmpty) && words.count <= most
            if !isTold { isExact = false }
            guard isTold || mayBeCut else { return }
            if !words.isEmpty { whole.append(words.prefix(most).map { WordTerm.stored($0.bytes) }) }
            if let prefix, prefix.count <= WordTerm.longest { prefixes.append(prefix) }
        }
    }
}
