internal import Search
internal import Words

/// The words of a query in the form in which the index looks them up: phrases of whole words, and prefixes of words.
/// The index finds every hit; if `isExact` is false it also finds other messages, and the search reads their texts.
struct WordQuery {
    /// Shorter prefixes stand in many words: to find the messages of one takes some hundredths of a second in a million
    /// messages. A search for the newest hits goes through the messages instead and has hits at once.
    static let shortest = 3

    /// The limits of phrases in a query and of words in a phrase for the index. A few are enough to narrow a query.
    private static let most = 32

    /// The phrases of whole words that a text must contain; nil if there are none.
    let phrases: WordCondition?
    /// Prefixes: a text must contain a word with each of them.
    let prefixes: [[UInt8]]
    /// Conditions that a text must not meet.
    let exclusions: [WordCondition]
    /// Whether words and exclusions alone decide that a text matches the query.
    let isExact: Bool

    init(_ query: Query) {
        let required = Phrases(query.required, mayBeCut: true)
        // The index must not exclude a text because of a part of an excluded phrase.
        let excluded = Phrases(query.excluded, mayBeCut: false)
        phrases = required.whole.isEmpty ? nil : .phrases(required.whole)
        prefixes = required.prefixes
        exclusions = excluded.whole.map { .phrases([$0]) } + excluded.prefixes.map { .beginning($0) }
        let asksForLinks = !query.filters.marks.union(query.filters.excludedMarks).isDisjoint(with: .link)
        isExact = required.isExact && excluded.isExact && !asksForLinks && !query.hasPatterns
    }

    /// The prefixes that are long enough for a fast lookup.
    var longPrefixes: [[UInt8]] { prefixes.filter { $0.count >= WordQuery.shortest } }

    private struct Phrases {
        var whole: [[[UInt8]]] = []
        var prefixes: [[UInt8]] = []
        var isExact = true

        /// - Parameter mayBeCut: whether to use a part of a phrase if the index cannot look up the whole phrase.
        init(_ phrases: [Phrase], mayBeCut: Bool) {
            for phrase in phrases.prefix(most) { add(phrase, mayBeCut: mayBeCut) }
            if phrases.count > most { isExact = false }
        }

        private mutating func add(_ phrase: Phrase, mayBeCut: Bool) {
            // The index stores only the beginning of such a word.
            let isLong = phrase.contains { $0.bytes.count > WordTerm.longest }
            let prefix = phrase.last.flatMap { $0.isPrefix ? $0.bytes : nil }
            let words = prefix == nil ? phrase[...] : phrase.dropLast()
            let isWhole = !isLong && (prefix == nil || words.isEmpty) && words.count <= most
            if !isWhole { isExact = false }
            guard isWhole || mayBeCut else { return }
            if !words.isEmpty { whole.append(words.prefix(most).map { WordTerm.stored($0.bytes) }) }
            if let prefix, prefix.count <= WordTerm.longest { prefixes.append(prefix) }
        }
    }
}
