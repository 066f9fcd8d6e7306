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
/// No query is a mistake, but for regular expressions that are not valid: a piece without a word (`-`, `*`) is ignored, and so is an operator without a value
/// (`from:`). An unknown operator (`foo:bar`) or an unknown value (`has:cheese`) is a phrase of words; where it looks like a typing
/// error, `mistyped` says so. In quotes (`"form:ana"`) it never does.
package struct Query: Hashable, Sendable {
    /// As it was typed.
    package let text: String
    /// The conditions besides words.
    package let filters: QueryFilters
    /// Why the query cannot be searched for, and is therefore empty; nil if it can.
    package let fault: QueryFault?
    /// Words of the query that may have been meant as filters.
    package let mistyped: [MistypedFilter]
    /// The regular expressions that a text must match, without repeats.
    package let patterns: [TextPattern]
    /// Those of which a text must match none.
    package let excludedPatterns: [TextPattern]
    /// The names of the filters, compared all at once.
    package let senders: QueryNames
    package let excludedSenders: QueryNames
    package let conversations: QueryNames
    package let excludedConversations: QueryNames
    private let matcher: PhraseMatcher
    private let exclusions: PhraseMatcher

    /// - Parameters:
    ///   - isTyping: whether somebody may still be typing the end of the text, unless a blank or a quote ends it. Then
    ///     the last word stands for all words that begin with it, a name for all names with such a word (`from:an`) or
    ///     beginning (`in:gen`), and the beginning of a value is ignored (`has:li`). This does not apply to exclusions.
    ///   - me: the ID of the user, for `from:me`; nil if it is not known.
    package init(_ text: String, isTyping: Bool = false, me: String? = nil) {
        let parser = QueryParser(text, isTyping: isTyping, me: me)
        self.init(text, parser)
    }

    /// The words of a text as one phrase, without operators: for names.
    package init(phrase text: String) {
        self.init(text, QueryParser(phrase: text))
    }

    /// A value of a filter as people type it: in quotes if it has blanks.
    package static func quoted(_ value: String) -> String {
        value.contains(where: \.isWhitespace) ? "\"\(value)\"" : value
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

    /// The phrases of which a text must contain none, without repeats.
    package var excluded: [Phrase] { exclusions.phrases }

    /// Whether regular expressions are part of the query: the text itself must be tested.
    package var hasPatterns: Bool { !patterns.isEmpty || !excludedPatterns.isEmpty }

    /// Whether a text that matches has hits in it, which are highlighted: something is required of it.
    package var hasPlaces: Bool { !matcher.isEmpty || !patterns.isEmpty }

    /// Whether the query is empty. An empty query finds nothing.
    package var isEmpty: Bool { isEmptyButForDates && filters.dates.isEmpty }

    /// Whether the query is empty apart from dates.
    package var isEmptyButForDates: Bool {
        matcher.isEmpty && exclusions.isEmpty && !hasPatterns && filters.isEmptyButForDates
    }

    /// Whether the query depends on the text. If not, `matches` is true of every text.
    package var dependsOnText: Bool {
        isEmpty || !matcher.isEmpty || !exclusions.isEmpty || hasPatterns || filters.marks.contains(.link)
            || filters.excludedMarks.contains(.link)
    }

    /// Finds the positions in a text, escaped as JSON or not, without which the text cannot match. When no word is
    /// required, every position is one.
    package var filter: ByteFilter { matcher.filter }

    /// Whether a text in UTF-8 matches: it contains everything that is required and nothing that is excluded, and has
    /// links or none as demanded. Ignores the other filters. Takes no memory for most texts that do not match.
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

    /// The required words, phrases and expressions in a text, as UTF-8 offsets, sorted and disjoint: whole words, whole characters.
    /// Empty when the text does not match, or when nothing is required.
    package func hits(in text: String) -> [Range<Int>] {
        var text = text
        let hits = text.withUTF8 { matches($0) ? places(in: $0, needsAll: true) : [] }
        return text.wholeCharacters(of: hits)
    }

    /// The same in a piece of a text that matches. The piece itself need not contain all words.
    package func occurrences(in piece: String) -> [Range<Int>] {
        var piece = piece
        let hits = piece.withUTF8 { places(in: $0, needsAll: false) }
        return piece.wholeCharacters(of: hits)
    }

    /// Sorted and disjoint: what words and expressions share is one place.
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

    /// Whether another query asks for something else, however the two were typed.
    package func differs(from other: Query) -> Bool {
        required != other.required || excluded != other.excluded || filters != other.filters
            || patterns != other.patterns || excludedPatterns != other.excludedPatterns
    }

    /// A piece of a text that matches, of at most `bytes` bytes, with the first match near its middle; the beginning of
    /// the text when there is none.
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

/// The largest query. Each word of a query is compared with each text, and nobody needs a longer query.
package enum QuerySize {
    /// In UTF-8, as it was typed.
    package static let maximumBytes = 10_000
    /// The words, including those of phrases, and the filters.
    package static let maximumTerms = 500
    /// Regular expressions: each may take some megabytes.
    package static let maximumPatterns = 8
}

/// Why a query cannot be searched for: it is too large, a regular expression in it is not valid, or a filter has no value or a minus
/// before its value. Such a query is empty.
package enum QueryFault: Hashable, Sendable, CustomStringConvertible {
    case bytes(Int)
    case terms(Int)
    case patterns(Int)
    /// The expression is without its slashes.
    case pattern(String, reason: String)
    /// A filter with its colon, and one with a value: `from:`, `from:ana`.
    case withoutValue(String, example: String)
    /// A filter whose value begins with a minus, `from:-ana`, and the one that was meant: `-from:ana`.
    case minusInside(String, meant: String)

    /// One line for people, without a full stop.
    package var description: String {
        switch self {
        case .bytes(let count): "the query is too long: \(count) bytes, at most \(QuerySize.maximumBytes)"
        case .terms(let count): "the query is too long: \(count) words and filters, at most \(QuerySize.maximumTerms)"
        case .patterns(let count):
            "the query has \(count) regular expressions, at most \(QuerySize.maximumPatterns)"
        case .pattern(let source, let reason): "/\(source)/ is no regular expression: \(reason)"
        case .withoutValue(let filter, let example):
            "\(filter) needs a value right after the colon, as in \(example); as a word it needs quotes"
        case .minusInside(let filter, let meant):
            "the minus stands before the filter: \(meant) instead of \(filter); a name that begins with a minus needs quotes"
        }
    }

    /// A shorter text, where room is short.
    package var brief: String {
        switch self {
        case .bytes, .terms, .patterns: "query too long"
        case .pattern(_, let reason): reason
        case .withoutValue(let filter, _): "\(filter) has no value"
        case .minusInside(_, let meant): "write \(meant)"
        }
    }
}

/// The conditions of a query besides words.
package struct QueryFilters: Hashable, Sendable {
    /// The senders, any of these; any sender when empty.
    package var senders: [QueryName] = []
    /// The senders to exclude.
    package var excludedSenders: [QueryName] = []
    /// The conversations, any of these; any conversation when empty.
    package var conversations: [QueryName] = []
    /// The conversations to exclude.
    package var excludedConversations: [QueryName] = []
    /// The times, all of these. They are not read yet: their meaning depends on the clock and the zone.
    package var dates: [QueryDate] = []
    /// Properties that a message must have.
    package var marks: QueryMarks = []
    /// Properties that a message must not have.
    package var excludedMarks: QueryMarks = []

    package var isEmpty: Bool { dates.isEmpty && isEmptyButForDates }

    package var isEmptyButForDates: Bool {
        senders.isEmpty && excludedSenders.isEmpty && conversations.isEmpty && excludedConversations.isEmpty
            && marks.isEmpty && excludedMarks.isEmpty
    }

    /// Whether the conversation of a message matters.
    package var nameConversations: Bool { !conversations.isEmpty || !excludedConversations.isEmpty }
}

/// The properties that `has:` and `is:` name.
package struct QueryMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `has:link`: the text holds a link (see `WebLink`). The only one that depends on the text.
    package static let link = QueryMarks(rawValue: 1)
    /// `has:file`, `has:attachment`
    package static let file = QueryMarks(rawValue: 2)
    /// `is:reply`: it replies to another message.
    package static let reply = QueryMarks(rawValue: 4)
    /// `is:thread`: it is a reply in a thread.
    package static let thread = QueryMarks(rawValue: 8)
    /// `is:presence`: somebody came, left, or took another name. Such lines are found only by a query that asks for them.
    package static let presence = QueryMarks(rawValue: 16)
}

/// A date of a query, as it was typed: `since:yesterday`.
package struct QueryDate: Hashable, Sendable, CustomStringConvertible {
    package enum Relation: Hashable, Sendable {
        /// From its beginning on.
        case since
        /// Up to its end.
        case until
        /// After its end.
        case after
        /// Before its beginning.
        case before
        /// Within it.
        case on
    }

    package let relation: Relation
    /// The name of the day or the time.
    package let text: String
    /// Whether the condition is negated: `-on:monday`.
    package let isExcluded: Bool
    /// The name of the operator as it was typed.
    let name: String

    package var description: String { "\(isExcluded ? "-" : "")\(name):\(text)" }
}

/// A person or a conversation, as a query names it.
package struct QueryName: Hashable, Sendable {
    /// As it was typed, without quotes.
    package let text: String
    /// Whether the last word stands for all words that begin with it: it is still being typed, or a star ends it.
    package let isPrefix: Bool
    private let words: PhraseMatcher
    let whole: [UInt8]

    package init(_ text: String, isPrefix: Bool = false) {
        var phrase = QueryParser.phrase(of: text) ?? []
        if isPrefix, !phrase.isEmpty { phrase[phrase.count - 1].isPrefix = true }
        self.text = text
        self.isPrefix = isPrefix
        words = PhraseMatcher(phrase.isEmpty ? [] : [phrase])
        whole = QueryName.folded(isPrefix && text.last == "*" ? String(text.dropLast()) : text)
    }

    /// A sender as people name one.
    /// - Parameters:
    ///   - isPrefix: as in `init`. It does not matter for `me`: somebody who means another name types on.
    ///   - me: the ID of the user, for whom `me` stands; nil if it is not known, and the word is a name then.
    package static func sender(_ text: String, isPrefix: Bool = false, me: String?) -> QueryName {
        if let me, folded(text) == Array("me".utf8) { return QueryName(id: me) }
        return QueryName(text, isPrefix: isPrefix)
    }

    /// The person with this ID, and nobody with such a name.
    package init(id: String) {
        (text, isPrefix, words) = (id, false, PhraseMatcher([]))
        whole = QueryName.folded(id)
    }

    /// Whether nothing is left of it without the sign before it.
    var isEmpty: Bool { whole.isEmpty || text == "@" }

    /// Its words; nil when it holds none.
    var phrase: Phrase? { words.phrases.first }

    /// The IDs that it may stand for.
    var ids: [[UInt8]] {
        let id = Array(text.utf8)
        return id.first == UInt8(ascii: "@") ? [id, Array(id.dropFirst())] : [id]
    }

    /// Whether it is this very ID, which people may write with an @ before it.
    package func isID(_ id: some Sequence<UInt8>) -> Bool {
        id.elementsEqual(text.utf8) || (text.utf8.first == UInt8(ascii: "@") && id.elementsEqual(text.utf8.dropFirst()))
    }

    /// Whether its words are adjacent words of a name, in any case. False when it holds no word.
    package func isPart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matches(name) }

    package func isPart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { isPart(of: $0) }
    }

    /// Whether it equals a name, or is its beginning when it is a prefix. Case, accents, and a # before either do not
    /// matter.
    package func isWhole(_ name: String) -> Bool {
        let name = QueryName.folded(name)
        return isPrefix ? name.starts(with: whole) : name == whole
    }

    /// Removes case, accents, blanks at the ends, repeated blanks and a # at the beginning.
    package static func folded(_ name: String) -> [UInt8] {
        var folded: [UInt8] = []
        for word in name.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            if !folded.isEmpty { folded.append(UInt8(ascii: " ")) }
            for scalar in word { Folding.append(scalar, to: &folded) }
        }
        return folded.first == UInt8(ascii: "#") ? Array(folded.dropFirst()) : folded
    }

    package static func == (a: QueryName, b: QueryName) -> Bool {
        a.isPrefix == b.isPrefix && a.phrase == b.phrase && a.text.utf8.elementsEqual(b.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(whole) }
}

/// Several names of which any may match, compared all at once: the time is that of one name, and only a little more for
/// many.
package struct QueryNames: Sendable {
    package let names: [QueryName]
    private let words: PhraseMatcher
    /// The indices of names by the folded text that the whole name must equal.
    private let wholes: [[UInt8]: [Int]]
    /// The indices of those that only have to be the beginning of a name.
    private let beginnings: [Int]
    private let ids: Set<[UInt8]>

    package init(_ names: [QueryName]) {
        self.names = names
        var known: Set<Phrase> = []
        words = PhraseMatcher(names.compactMap(\.phrase).filter { known.insert($0).inserted })
        var wholes: [[UInt8]: [Int]] = [:]
        for (index, name) in names.enumerated() where !name.isPrefix { wholes[name.whole, default: []].append(index) }
        self.wholes = wholes
        beginnings = names.indices.filter { names[$0].isPrefix }
        ids = Set(names.flatMap(\.ids))
    }

    package var isEmpty: Bool { names.isEmpty }

    /// Whether any of them is this very ID.
    package func areID(_ id: some Sequence<UInt8>) -> Bool { ids.contains(Array(id)) }

    /// Whether the words of any of them are adjacent words of a name.
    package func arePart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matchesAny(name) }

    package func arePart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { arePart(of: $0) }
    }

    /// The indices of those that equal a name, or are its beginning.
    package func whole(_ name: String) -> [Int] {
        let name = QueryName.folded(name)
        return (wholes[name] ?? []) + beginnings.filter { name.starts(with: names[$0].whole) }
    }
}
