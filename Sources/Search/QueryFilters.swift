/// What a query asks for besides the words of a text.
package struct QueryFilters: Hashable, Sendable {
    /// Who wrote: any of these; whoever, when there is none.
    package var senders: [QueryName] = []
    /// Who must not have written.
    package var excludedSenders: [QueryName] = []
    /// Where: in any of these; anywhere, when there is none.
    package var conversations: [QueryName] = []
    /// Where not.
    package var excludedConversations: [QueryName] = []
    /// When: all of these hold. Not read yet: what they mean depends on the clock and the zone.
    package var dates: [QueryDate] = []
    /// What else must be true of a message.
    package var marks: QueryMarks = []
    /// What must not be true of it.
    package var excludedMarks: QueryMarks = []

    package var isEmpty: Bool { dates.isEmpty && isEmptyButForDates }

    package var isEmptyButForDates: Bool {
        senders.isEmpty && excludedSenders.isEmpty && conversations.isEmpty && excludedConversations.isEmpty
            && marks.isEmpty && excludedMarks.isEmpty
    }

    /// Whether it matters in which conversation a message is.
    package var nameConversations: Bool { !conversations.isEmpty || !excludedConversations.isEmpty }
}

/// What `has:` and `is:` ask for.
package struct QueryMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `has:link`: the text holds a link, as `WebLink` has it. The only one that depends on the text.
    package static let link = QueryMarks(rawValue: 1)
    /// `has:file`, `has:attachment`
    package static let file = QueryMarks(rawValue: 2)
    /// `is:reply`: it answers another message.
    package static let reply = QueryMarks(rawValue: 4)
    /// `is:thread`: it is a reply in a thread.
    package static let thread = QueryMarks(rawValue: 8)
}

/// A date of a query, as it was typed: `since:yesterday`.
package struct QueryDate: Hashable, Sendable, CustomStringConvertible {
    package enum Relation: Hashable, Sendable {
        /// From its beginning on.
        case since
        /// Up to its end.
        case until
        /// Behind its end.
        case after
        /// Before its beginning.
        case before
        /// Within it.
        case on
    }

    package let relation: Relation
    /// What names the day or the time.
    package let text: String
    /// Whether it must not be so: `-on:monday`.
    package let isExcluded: Bool
    /// The operator by the name that was typed.
    let name: String

    package var description: String { "\(isExcluded ? "-" : "")\(name):\(text)" }
}

/// A person or a conversation as a query names it.
package struct QueryName: Hashable, Sendable {
    /// As it was typed, without quotes.
    package let text: String
    /// Whether its last word stands for all words that begin so: it is still being typed, or a star ends it.
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

    /// Whether nothing is left of it without the sign that people put before it.
    var isEmpty: Bool { whole.isEmpty || text == "@" }

    /// Its words; nil when it holds none.
    var phrase: Phrase? { words.phrases.first }

    /// The IDs that it can be.
    var ids: [[UInt8]] {
        let id = Array(text.utf8)
        return id.first == UInt8(ascii: "@") ? [id, Array(id.dropFirst())] : [id]
    }

    /// Whether it is this very ID, which people may write with an @ before it.
    package func isID(_ id: some Sequence<UInt8>) -> Bool {
        id.elementsEqual(text.utf8) || (text.utf8.first == UInt8(ascii: "@") && id.elementsEqual(text.utf8.dropFirst()))
    }

    /// Whether its words stand in a name one behind the other, in whatever case. Never when it holds no word.
    package func isPart(of name: UnsafeBufferPointer<UInt8>) -> Bool { words.matches(name) }

    package func isPart(of name: String) -> Bool {
        var name = name
        return name.withUTF8 { isPart(of: $0) }
    }

    /// Whether it is all of a name, or its beginning when it is a prefix. Case, accents, and a # before either do not
    /// matter.
    package func isWhole(_ name: String) -> Bool {
        let name = QueryName.folded(name)
        return isPrefix ? name.starts(with: whole) : name == whole
    }

    /// Without case and accents, with single blanks, and none at its ends.
    package static func folded(_ name: String) -> [UInt8] {
        var folded: [UInt8] = []
        for word in name.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            if !folded.isEmpty { folded.append(UInt8(ascii: " ")) }
            for scalar in word { Folding.append(scalar, to: &folded) }
        }
        return folded.first == UInt8(ascii: "#") ? Array(folded.dropFirst()) : folded
    }

    package static func == (a: QueryName, b: QueryName) -> Bool {
        a.isPrefix == b.isPrefix && a.text.utf8.elementsEqual(b.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(whole) }
}
