/// What somebody looks for: words and "phrases" that a text must hold or must not hold, and who, where, when and what else,
/// in the language of Slack and Discord.
///
/// - `seamless mode`: both words, anywhere, in whatever case and with or without accents.
/// - `"seamless mode"`: adjacent words. A quote that is not closed runs to the end; “typographic” quotes count too.
/// - `foo.bar`, `don't`, `天気`: what is several words to the tokenizer is a phrase of them.
/// - `seam*`: all words that begin so.
/// - `-seamless`, `-"seamless mode"`, `-seam*`: not in the text. A minus counts at the beginning and behind a blank only, and
///   only one: `well-known` and `--force` are words.
/// - `from:ana`, `from:"Ana Ruiz"`, `from:@ana`, `from:an*`: by somebody with this ID, or with these words in the name. Of
///   several, any.
/// - `in:general`, `in:#general`: in the conversation with this ID or title. Of several, any.
/// - `since:2024-05`, `until:yesterday` (both with that time), `after:`, `before:` (both without it), `on:` or `during:`, with
///   all that names a time: `since:"3 weeks ago"`. Of several, all.
/// - `has:link` (see `WebLink`), `has:file` or `has:attachment`, `is:reply`, `is:thread` (a reply in a thread). Of several, all.
/// - All of them with a minus: not so.
///
/// Words match the text alone. Case and accents do not matter in the names of operators either.
///
/// Nothing is a mistake: what holds no word is as good as not there (`-`, `*`), so is an operator with nothing behind it
/// (`from:`), and one that is not known (`foo:bar`) or does not know its value (`has:cheese`) is a phrase of words.
package struct Query: Hashable, Sendable {
    /// As it was typed.
    package let text: String
    /// Who, where, when, and what else.
    package let filters: QueryFilters
    /// How it is too large to be asked; nil when it is not. It is then empty.
    package let excess: QueryExcess?
    /// The names of the filters, each list as one.
    package let senders: QueryNames
    package let excludedSenders: QueryNames
    package let conversations: QueryNames
    package let excludedConversations: QueryNames
    private let matcher: PhraseMatcher
    private let exclusions: PhraseMatcher

    /// - Parameter isTyping: whether what ends the text may go on, unless a blank or a quote ends it: a last word then
    ///   stands for all words that begin so, a name for all names with such a word (`from:an`) or beginning (`in:gen`), and
    ///   the beginning of a value is as good as not there (`has:li`). What is excluded is never taken so.
    package init(_ text: String, isTyping: Bool = false) {
        let parser = QueryParser(text, isTyping: isTyping)
        self.init(text, parser.filters, required: parser.required, excluded: parser.excluded, excess: parser.excess)
    }

    /// The words of a text as one phrase, with no sign that means anything: for names.
    package init(phrase text: String) {
        let phrase = QueryParser.phrase(of: text)
        self.init(text, QueryFilters(), required: phrase.map { [$0] } ?? [], excluded: [], excess: nil)
    }

    private init(
        _ text: String, _ filters: QueryFilters, required: [Phrase], excluded: [Phrase], excess: QueryExcess?
    ) {
        self.text = text
        self.filters = filters
        self.excess = excess
        senders = QueryNames(filters.senders)
        excludedSenders = QueryNames(filters.excludedSenders)
        conversations = QueryNames(filters.conversations)
        excludedConversations = QueryNames(filters.excludedConversations)
        matcher = PhraseMatcher(required)
        exclusions = PhraseMatcher(excluded)
    }

    /// The phrases (single words among them) that must be in a text, each once, in the order of the query.
    package var required: [Phrase] { matcher.phrases }

    /// The phrases none of which may be in a text, each once.
    package var excluded: [Phrase] { exclusions.phrases }

    /// Whether it asks for nothing at all. Such a query finds nothing.
    package var isEmpty: Bool { isEmptyButForDates && filters.dates.isEmpty }

    /// Whether dates are all that it asks for, or not even those.
    package var isEmptyButForDates: Bool { matcher.isEmpty && exclusions.isEmpty && filters.isEmptyButForDates }

    /// Whether a text can be wrong for it. Otherwise `matches` is true of every text.
    package var dependsOnText: Bool {
        isEmpty || !matcher.isEmpty || !exclusions.isEmpty || filters.marks.contains(.link)
            || filters.excludedMarks.contains(.link)
    }

    /// Finds the places in a text, escaped as JSON or not, without which it cannot match. When no word is required every
    /// place may be one.
    package var filter: ByteFilter { matcher.filter }

    /// Whether a text in UTF-8 is as it is asked for: with all that is required, nothing that is excluded, and with or without
    /// links. Says nothing of the other filters. Takes no memory for most texts that do not match.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if isEmpty || (!matcher.isEmpty && !matcher.matches(text)) { return false }
        if filters.marks.contains(.link), !WebLink.isIn(text) { return false }
        if filters.excludedMarks.contains(.link), WebLink.isIn(text) { return false }
        return exclusions.isEmpty || !exclusions.matchesAny(text)
    }

    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { matches($0) }
    }

    /// The required words and phrases in a text, as UTF-8 offsets, sorted and apart from each other: whole words, whole
    /// characters. Empty when the text does not match, and when nothing is required.
    package func hits(in text: String) -> [Range<Int>] {
        var text = text
        let hits = text.withUTF8 { matches($0) ? matcher.hits(in: $0) : [] }
        return text.wholeCharacters(of: hits)
    }

    /// The same in a piece of a text that matches: the piece need not hold all words.
    package func occurrences(in piece: String) -> [Range<Int>] {
        var piece = piece
        let hits = piece.withUTF8 { matcher.hits(in: $0, needsAll: false) }
        return piece.wholeCharacters(of: hits)
    }

    /// Whether it asks for something else than another query, however that was typed.
    package func differs(from other: Query) -> Bool {
        required != other.required || excluded != other.excluded || filters != other.filters
    }

    /// A piece of a text that matches, of so many bytes at most, with the first of the places that are asked for near its
    /// middle; the beginning where there is none.
    package func piece(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var text = text
        let place = text.withUTF8 { matcher.firstPlace(in: $0) } ?? 0
        let units = text.utf8
        let start = units.index(units.startIndex, offsetBy: max(0, min(place - bytes / 2, units.count - bytes)))
        let end = units.index(start, offsetBy: bytes)
        let scalars = text.unicodeScalars
        // Rounded down to whole scalars.
        return String(text[scalars.index(before: scalars.index(after: start))..<end])
    }

    package static func == (a: Query, b: Query) -> Bool {
        a.text.utf8.elementsEqual(b.text.utf8) && a.required == b.required && a.excluded == b.excluded
            && a.filters == b.filters
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(required)
        hasher.combine(filters)
    }
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
