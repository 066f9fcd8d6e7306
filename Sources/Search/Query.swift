/// A search query: words and "phrases" that a text must or must not contain, and filters for sender, conversation, time
/// and other properties, in the language of Slack and Discord.
///
/// - `seamless mode`: both words, anywhere, in any case, with or without accents.
/// - `"seamless mode"`: adjacent words. A quote that is not closed runs to the end; “typographic” quotes count too.
/// - `foo.bar`, `don't`, `天気`: where the tokenizer finds several words, they are a phrase.
/// - `seam*`: all words that begin with this.
/// - `/sea(m|l)s?/`: a regular expression, see `TextPattern`. A slash begins one only at the beginning or after a blank, and only if
///   the next slash (other than `\/`) is the last character or before a blank: `/usr/bin` and `and/or` are words.
/// - `-seamless`, `-"seamless mode"`, `-seam*`, `-/seams?/`: not in the text. A minus counts only at the beginning or after a blank,
///   and only a single one: `well-known` and `--force` are words.
/// - `from:ana`, `from:"Ana Ruiz"`, `from:@ana`, `from:an*`: a sender with this ID, or with these words in the name.
///   Several mean any of them. `from:me`: the user, if it is known who that is.
/// - `in:general`, `in:#general`: a conversation with this ID or title. Several mean any of them.
/// - `since:2024-05`, `until:yesterday` (including that time), `after:`, `before:` (excluding it), `on:` or `during:`,
///   with anything that names a time: `since:"3 weeks ago"`. Several mean all of them.
/// - `has:link` (see `WebLink`), `has:file` or `has:attachment`, `is:reply`, `is:thread` (a reply in a thread), `is:presence` (joins and the like). Several
///   mean all of them.
/// - A minus before any of these negates it.
///
/// Words match only the text. Case and accents do not matter in the names of operators either.
///
/// Every query is valid, except for an invalid regular expression: a piece without a word (`-`, `*`) is ignored, and so
/// is an operator without a value (`from:`). An unknown operator (`foo:bar`) or an unknown value (`has:cheese`) is a
/// phrase of words; if it looks like a typing error, `mistyped` contains it, unless it is in quotes (`"form:ana"`).
package struct Query: Hashable, Sendable {
    /// The text as typed.
    package let text: String
    /// The conditions that are not words.
    package let filters: QueryFilters
    /// The reason why the query cannot be searched for, and is therefore empty; nil if it can be.
    package let fault: QueryFault?
    /// Words of the query that may have been mistyped filters.
    package let mistyped: [MistypedFilter]
    /// The regular expressions that a text must match, without repeats.
    package let patterns: [TextPattern]
    /// The regular expressions that a text must not match.
    package let excludedPatterns: [TextPattern]
    /// The names of senders, compared all at once.
    package let senders: QueryNames
    package let excludedSenders: QueryNames
    package let conversations: QueryNames
    package let excludedConversations: QueryNames
    private let matcher: PhraseMatcher
    private let exclusions: PhraseMatcher

    /// - Parameters:
    ///   - isTyping: true if the user may still be typing the end of the text, unless a blank or a quote ends it. Then the last
    ///     word matches all words that begin with it, a name matches all names with such a word (`from:an`) or beginning
    ///     (`in:gen`), and an incomplete value is ignored (`has:li`). Exclusions are not affected.
    ///   - me: the ID of the user, for `from:me`; nil if unknown.
    package init(_ text: String, isTyping: Bool = false, me: String? = nil) {
        let parser = QueryParser(text, isTyping: isTyping, me: me)
        self.init(text, parser)
    }

    /// Makes one phrase of the words of a text, without operators: for names.
    package init(phrase text: String) {
        self.init(text, QueryParser(phrase: text))
    }

    private init(_ text: String, _ parser: QueryParser) {
        self.text = text
        filters = parser.filters
        fault = parser.fault
        mistyped = parser.mistyped
        patterns = parser.patterns
        excludedPatterns = parser.excludedPatterns
        senders = QueryNames(filters.senders)
        excludedSenders = QueryNames(filters.excludedSenders)
        conversations = QueryNames(filters.conversations)
        excludedConversations = QueryNames(filters.excludedConversations)
        matcher = PhraseMatcher(parser.required)
        exclusions = PhraseMatcher(parser.excluded)
    }

    /// The phrases (or single words) that a text must contain, without repeats, in the order of the query.
    package var required: [Phrase] { matcher.phrases }

    /// The phrases that a text must not contain, without repeats.
    package var excluded: [Phrase] { exclusions.phrases }

    /// True if the query contains regular expressions, so that the text itself must be tested.
    package var hasPatterns: Bool { !patterns.isEmpty || !excludedPatterns.isEmpty }

    /// True if a matching text has hits to highlight: the query requires a word or an expression.
    package var hasPlaces: Bool { !matcher.isEmpty || !patterns.isEmpty }

    /// True if the query is empty. An empty query finds nothing.
    package var isEmpty: Bool { isEmptyButForDates && filters.dates.isEmpty }

    /// True if the query is empty apart from dates.
    package var isEmptyButForDates: Bool {
        matcher.isEmpty && exclusions.isEmpty && !hasPatterns && filters.isEmptyButForDates
    }

    /// True if the query depends on the text. If not, `matches` returns true for every text.
    package var dependsOnText: Bool {
        isEmpty || !matcher.isEmpty || !exclusions.isEmpty || hasPatterns || filters.marks.contains(.link)
            || filters.excludedMarks.contains(.link)
    }

    /// Finds candidate positions in a text, escaped as JSON or not. A text without a candidate cannot match. If no word is
    /// required, every position is a candidate.
    package var filter: ByteFilter { matcher.filter }

    /// True if a text in UTF-8 matches: it contains everything required and nothing excluded, and links are as required. Ignores
    /// the other filters. Allocates no memory for most texts that do not match.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if isEmpty || (!matcher.isEmpty && !matcher.matches(text)) { return false }
        if filters.marks.contains(.link), !WebLink.isIn(text) { return false }
        if filters.excludedMarks.contains(.link), WebLink.isIn(text) { return false }
        guard exclusions.isEmpty || !exclusions.matchesAny(text) else { return false }
        return patterns.allSatisfy { $0.isIn(text) } && !excludedPatterns.contains { $0.isIn(text) }
    }

    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches($0) }
    }

    /// The required words, phrases and expressions in a text, as UTF-8 offsets, sorted and disjoint: whole words and whole
    /// characters. Empty if the text does not match, or if nothing is required.
    package func hits(in text: String) -> [Range<Int>] {
        var text = text
        let hits = text.withUTF8 { matches($0) ? places(in: $0, needsAll: true) : [] }
        return text.wholeCharacters(of: hits)
    }

    /// Like `hits`, but in a part of a matching text: the part itself may not contain all words.
    package func occurrences(in piece: String) -> [Range<Int>] {
        var piece = piece
        let hits = piece.withUTF8 { places(in: $0, needsAll: false) }
        return piece.wholeCharacters(of: hits)
    }

    /// The places of words and expressions, sorted and disjoint: overlapping places are joined.
    private func places(in text: UnsafeBufferPointer<UInt8>, needsAll: Bool) -> [Range<Int>] {
        let words = matcher.hits(in: text, needsAll: needsAll)
        guard !patterns.isEmpty else { return words }
        var places: [Range<Int>] = []
        for place in (words + patterns.flatMap { $0.all(in: text) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = places.last, place.lowerBound < last.upperBound {
                places[places.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                places.append(place)
            }
        }
        return places
    }

    /// True if another query has a different meaning, however the two were typed.
    package func differs(from other: Query) -> Bool {
        required != other.required || excluded != other.excluded || filters != other.filters
            || patterns != other.patterns || excludedPatterns != other.excludedPatterns
    }

    /// A part of a matching text, of at most `bytes` bytes, with the first match near its middle; the beginning of the text if
    /// there is no match.
    package func piece(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var text = text
        let place = text.withUTF8 { matcher.firstPlace(in: $0) ?? firstPattern(in: $0) } ?? 0
        let units = text.utf8
        let start = units.index(units.startIndex, offsetBy: max(0, min(place - bytes / 2, units.count - bytes)))
        let end = units.index(start, offsetBy: bytes)
        let scalars = text.unicodeScalars
        // Rounded down to whole scalars.
        return String(text[scalars.index(before: scalars.index(after: start))..<end])
    }

    private func firstPattern(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        patterns.compactMap { $0.first(in: text, from: 0)?.lowerBound }.min()
    }

    package static func == (a: Query, b: Query) -> Bool {
        a.text.utf8.elementsEqual(b.text.utf8) && !a.differs(from: b)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(required)
        hasher.combine(filters)
    }
}

extension String {
    /// Widens ranges, sorted and disjoint, so that none begins or ends within a character.
    fileprivate func wholeCharacters(of ranges: [Range<Int>]) -> [Range<Int>] {
        var whole: [Range<Int>] = []
        for range in ranges {
            // One character may contain many hits, for example an emoji of a family.
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
        // An index within a character is rounded down before it moves.
        let start = index(before: index(after: lower))
        let end = index(after: unicodeScalars.index(before: upper))
        return utf8.distance(from: startIndex, to: start)..<utf8.distance(from: startIndex, to: end)
    }
}
