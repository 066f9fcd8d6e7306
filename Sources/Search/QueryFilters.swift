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
