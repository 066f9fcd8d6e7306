/// What somebody looks for: words and "phrases", all of which must be in a text.
///
/// - `seamless mode`: both words, anywhere, in whatever case and with or without accents.
/// - `"seamless mode"`: adjacent words. A quote that is not closed runs to the end; “typographic” quotes count too.
/// - `foo.bar`, `don't`, `天気`: what is several words to the tokenizer is a phrase of them.
/// - `seam*`: all words that begin so.
///
/// Nothing is a mistake: what holds no word is as good as not there.
package struct Query: Hashable, Sendable {
    /// As it was typed.
    package let text: String
    private let matcher: PhraseMatcher

    /// - Parameter isTyping: whether the last word may go on: it then stands for all words that begin so, unless a blank
    ///   or a quote ends it.
    package init(_ text: String, isTyping: Bool = false) {
        self.init(text, QueryParser.phrases(of: text, isTyping: isTyping))
    }

    /// The words of a text as one phrase, with no sign that means anything: for names.
    package init(phrase text: String) {
        self.init(text, QueryParser.phrase(of: text).map { [$0] } ?? [])
    }

    private init(_ text: String, _ phrases: [Phrase]) {
        self.text = text
        matcher = PhraseMatcher(phrases)
    }

    /// Whether it holds no word at all. Such a query finds nothing.
    package var isEmpty: Bool { matcher.isEmpty }

    /// Finds the places in a text, escaped as JSON or not, without which it cannot match.
    package var filter: ByteFilter { matcher.filter }

    /// Whether a text in UTF-8 matches. Takes no memory for most that do not.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool { matcher.matches(text) }

    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matcher.matches($0) }
    }

    /// What the query speaks of in a text, as UTF-8 offsets, sorted and apart from each other: whole words, whole
    /// characters. Empty when the text does not match.
    package func hits(in text: String) -> [Range<Int>] {
        var text = text
        let hits = text.withUTF8 { matcher.hits(in: $0) }
        return text.wholeCharacters(of: hits)
    }

    /// The same in a piece of a text that matches: the piece need not hold all words.
    package func occurrences(in piece: String) -> [Range<Int>] {
        var piece = piece
        let hits = piece.withUTF8 { matcher.hits(in: $0, needsAll: false) }
        return piece.wholeCharacters(of: hits)
    }

    package static func == (a: Query, b: Query) -> Bool {
        a.text.utf8.elementsEqual(b.text.utf8) && a.matcher.phrases == b.matcher.phrases
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(matcher.phrases) }
}

extension String {
    /// The ranges, sorted and apart from each other, made so long that none begins or ends within a character.
    fileprivate func wholeCharacters(of ranges: [Range<Int>]) -> [Range<Int>] {
        var whole: [Range<Int>] = []
        for range in ranges {
            // One character may hold many hits: a family of emoji.
            if let last = whole.last, range.upperBound <= last.upperBound { continue }
            let wider = wholeCharacters(of: range)
            if let last = whole.last, last.upperBound > wider.lowerBound {
                whole[whole.count - 1] = last.lowerBound..<wider.upperBound
            } else {
                whole.append(wider)
            }
        }
        return whole
    }

    private func wholeCharacters(of range: Range<Int>) -> Range<Int> {
        let lower = utf8.index(startIndex, offsetBy: range.lowerBound)
        let upper = utf8.index(startIndex, offsetBy: range.upperBound)
        // Indices within a character are rounded down to it before they move.
        let start = index(before: index(after: lower))
        let end = index(after: unicodeScalars.index(before: upper))
        return utf8.distance(from: startIndex, to: start)..<utf8.distance(from: startIndex, to: end)
    }
}
