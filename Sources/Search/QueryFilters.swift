/// The conditions of a query that are not words.
package struct QueryFilters: Hashable, Sendable {
    /// A message must be from one of these senders; from any sender if empty.
    package var senders: [QueryName] = []
    /// The senders to exclude.
    package var excludedSenders: [QueryName] = []
    /// A message must be in one of these conversations; in any conversation if empty.
    package var conversations: [QueryName] = []
    /// The conversations to exclude.
    package var excludedConversations: [QueryName] = []
    /// The times, which must all match. They are parsed later, because their meaning depends on the clock and the zone.
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

    /// A value of a filter as people type it: in quotes if it contains blanks.
    package static func quoted(_ value: String) -> String {
        value.contains(where: \.isWhitespace) ? "\"\(value)\"" : value
    }

    /// True if the query names conversations.
    package var nameConversations: Bool { !conversations.isEmpty || !excludedConversations.isEmpty }
}

/// The properties for `has:` and `is:`.
package struct QueryMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `has:link`: the text contains a link (see `WebLink`). Only this mark depends on the text.
    package static let link = QueryMarks(rawValue: 1)
    /// `has:file`, `has:attachment`
    package static let file = QueryMarks(rawValue: 2)
    /// `is:reply`: it replies to another message.
    package static let reply = QueryMarks(rawValue: 4)
    /// `is:thread`: it is a reply in a thread.
    package static let thread = QueryMarks(rawValue: 8)
    /// `is:presence`: somebody joined, left or changed names. Only a query with this mark finds such lines.
    package static let presence = QueryMarks(rawValue: 16)
}

/// A date of a query, as typed: `since:yesterday`.
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
    /// True if the condition is negated: `-on:monday`.
    package let isExcluded: Bool
    /// The name of the operator as typed.
    let name: String

    package var description: String { "\(isExcluded ? "-" : "")\(name):\(text)" }
}

/// A person or a conversation, as a query names it.
package struct QueryName: Hashable, Sendable {
    /// The name as typed, without quotes.
    package let text: String
    /// True if the last word matches all words that begin with it: the user is still typing it, or it ends with a star.
    package let isPrefix: Bool
    private let words: PhraseMatcher
    let whole: [UInt8]

    package init(_ text: String, isPrefix: Bool = false) {
        var phrase = Phrase.words(of: text) ?? []
        if isPrefix, !phrase.isEmpty { phrase[phrase.count - 1].isPrefix = true }
        self.text = text
        self.isPrefix = isPrefix
        words = PhraseMatcher(phrase.isEmpty ? [] : [phrase])
        whole = QueryName.folded(isPrefix && text.last == "*" ? String(text.dropLast()) : text)
    }

    /// A sender as people type it.
    /// - Parameters:
    ///   - isPrefix: as in `init`. Ignored for `me`: a user who means a longer name continues to type.
    ///   - me: the user's ID, which replaces `me`; nil if unknown: then `me` is a name.
    package static func sender(_ text: String, isPrefix: Bool = false, me: String?) -> QueryName {
        if let me, folded(text) == Array("me".utf8) { return QueryName(id: me) }
        return QueryName(text, isPrefix: isPrefix)
    }

    /// The person with this ID, never a person with such a name.
    package init(id: String) {
        (text, isPrefix, words) = (id, false, PhraseMatcher([]))
        whole = QueryName.folded(id)
    }

    /// True if the name is empty, apart from an `@` before it.
    var isEmpty: Bool { whole.isEmpty || text == "@" }

    /// The words; nil if there are none.
    var phrase: Phrase? { words.phrases.first }

    /// The IDs to which it may refer.
    var ids: [[UInt8]] {
        let id = Array(text.utf8)
        return id.first == UInt8(ascii: "@") ? [id, Array(id.dropFirst())] : [id]
    }

    /// True if the name is this ID, with or without an `@` before it.
    package func isID(_ id: some Sequence<UInt8>) -> Bool {
        id.elementsEqual(text.utf8) || (text.utf8.first == UInt8(ascii: "@") && id.elementsEqual(text.utf8.dropFirst()))
    }

    /// True if the words of this name are adjacent words of another, in any case. False if this name contains no word.
    package func isPart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matches(name) }

    package func isPart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { isPart(of: $0) }
    }

    /// True if this name equals another; if it is a prefix, true if the other begins with it. Case, accents and a `#` before either are
    /// ignored.
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

/// Several names, of which one match is enough. Comparing all at once takes hardly longer than comparing one.
package struct QueryNames: Sendable {
    package let names: [QueryName]
    private let words: PhraseMatcher
    /// The indices of the names that must equal a whole name, by folded text.
    private let wholes: [[UInt8]: [Int]]
    /// The indices of the names that only need to begin a name.
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

    /// True if any of the names is this ID.
    package func areID(_ id: some Sequence<UInt8>) -> Bool { ids.contains(Array(id)) }

    /// True if the words of any of them are adjacent words of a name.
    package func arePart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matchesAny(name) }

    package func arePart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { arePart(of: $0) }
    }

    /// The indices of the names that equal a name, or begin it.
    package func whole(_ name: String) -> [Int] {
        let name = QueryName.folded(name)
        return (wholes[name] ?? []) + beginnings.filter { name.starts(with: names[$0].whole) }
    }
}

/// A part of a query that looks like a mistyped filter, and is searched for as words: `has:lnk`, `form:ana`.
package struct MistypedFilter: Hashable, Sendable, CustomStringConvertible {
    /// The text as typed, without its minus.
    package let text: String
    /// True if the query has a minus before it, as in `-has:lnk`: messages with these words are not found.
    package let isExcluded: Bool
    private let advice: Advice

    private enum Advice: Hashable {
        case meant(String)
        /// No value of this filter is similar. The possible values follow.
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

    /// Names of filters in other programs.
    private static let synonyms = [
        "by": "from", "sender": "from", "author": "from", "user": "from", "channel": "in", "room": "in", "chat": "in",
    ]

    /// - Parameters:
    ///   - name: the text before the colon, folded.
    ///   - value: the text after it, without quotes.
    ///   - filters: the names of all filters, each with its values if it takes only a few.
    /// - Returns: nil if it does not look like a filter.
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
            advice = .meant("\(meant):\(QueryFilters.quoted(value))")
        } else if let near = MistypedFilter.value(near: value.lowercased(), among: values) {
            advice = .meant("\(meant):\(near)")
        } else {
            guard isName else { return nil }
            advice = .values(of: meant, values)
        }
        (self.text, self.isExcluded) = ("\(name):\(value)", isExcluded)
    }

    /// The name that differs in one letter. Names of two letters are not compared, because they would be near too many words.
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
