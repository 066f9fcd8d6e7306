internal import Search

/// A query as FTS5 takes it: finds the rows of all messages that can match, and of some that do not. Whoever asks compares
/// the texts themselves, so that what is not wanted, the ends of very long words and very short beginnings are left out.
struct WordQuery {
    /// Beginnings of so many bytes stand in so many words that FTS5 would merge most of the index: 0.14 s a million
    /// messages for one letter. Without any other word the messages are gone through instead, which gives hits at once.
    static let shortest = 3

    /// Nil when no word of the query narrows it.
    let expression: String?

    init(_ query: Query) {
        let phrases = query.required.compactMap(WordQuery.phrase)
        expression = phrases.isEmpty ? nil : phrases.joined(separator: " AND ")
    }

    private static func phrase(_ phrase: Phrase) -> String? {
        var terms = phrase[...]
        if let last = terms.last, last.isPrefix, last.bytes.count < shortest { terms = terms.dropLast() }
        guard let last = terms.last else { return nil }
        var text: [UInt8] = []
        for term in terms {
            if !text.isEmpty { text.append(0x20) }
            WordText.append(term.bytes, to: &text)
        }
        // Cut off, a beginning is no longer one of the word that stands in the index.
        if last.isPrefix, last.bytes.count > WordText.longestWord { return nil }
        return "\"" + String(decoding: text, as: UTF8.self) + "\"" + (last.isPrefix ? " *" : "")
    }
}
