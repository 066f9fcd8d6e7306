/// Parses a query. Every text is a query.
struct QueryParser {
    /// Without repeats, in the order of the text.
    private(set) var required: [Phrase] = []
    private(set) var excluded: [Phrase] = []
    private(set) var filters = QueryFilters()
    private(set) var patterns: [TextPattern] = []
    private(set) var excludedPatterns: [TextPattern] = []
    /// The reason why the query cannot be searched for; nil if it can be.
    private(set) var fault: QueryFault?
    private(set) var mistyped: [MistypedFilter] = []

    private let isTyping: Bool
    /// The ID of the user.
    private let me: String?
    /// The error of the last filter whose value is missing (unless the user may still be typing it) or has a minus before it.
    private var filterFault: QueryFault?

    init(_ text: String, isTyping: Bool, me: String?) {
        (self.isTyping, self.me) = (isTyping, me)
        guard text.utf8.count <= QuerySize.maximumBytes else {
            refuse(.bytes(text.utf8.count))
            return
        }
        var terms = 0
        var sources: [(text: String, isExcluded: Bool)] = []
        var known: Set<Phrase> = []
        var knownExcluded: Set<Phrase> = []
        for piece in Piece.all(of: text) {
            if piece.isPattern {
                sources.append((String(piece.text), piece.isExcluded))
                continue
            }
            if takeFilter(piece) {
                terms += 1
                continue
            }
            if let mistyped = QueryParser.mistyped(piece) { self.mistyped.append(mistyped) }
            guard var phrase = Phrase.words(of: piece.whole) else { continue }
            terms += phrase.count
            if isPrefix(piece, piece.whole) { phrase[phrase.count - 1].isPrefix = true }
            if piece.isExcluded {
                if knownExcluded.insert(phrase).inserted { excluded.append(phrase) }
            } else {
                if known.insert(phrase).inserted { required.append(phrase) }
            }
        }
        if terms > QuerySize.maximumTerms {
            refuse(.terms(terms))
        } else if sources.count > QuerySize.maximumPatterns {
            refuse(.patterns(sources.count))
        } else if let filterFault {
            refuse(filterFault)
        } else {
            for source in sources { take(pattern: source.text, isExcluded: source.isExcluded) }
        }
    }

    /// Makes one phrase of the words of a text, without operators.
    init(phrase text: String) {
        (isTyping, me) = (false, nil)
        required = Phrase.words(of: text).map { [$0] } ?? []
    }

    private mutating func take(pattern source: String, isExcluded: Bool) {
        guard fault == nil else { return }
        do throws(QueryFault) {
            let pattern = try TextPattern(source)
            if isExcluded {
                if !excludedPatterns.contains(pattern) { excludedPatterns.append(pattern) }
            } else {
                if !patterns.contains(pattern) { patterns.append(pattern) }
            }
        } catch {
            refuse(error)
        }
    }

    private mutating func refuse(_ fault: QueryFault) {
        (required, excluded, patterns, excludedPatterns, filters) = ([], [], [], [], QueryFilters())
        mistyped = []
        self.fault = fault
    }

    /// True if the user may still be typing the piece. Exclusions never count as unfinished, because hits would disappear and
    /// come back.
    private func isUnfinished(_ piece: Piece) -> Bool {
        isTyping && piece.isOpen && !piece.isExcluded && !QueryParser.endsInBlank(piece.whole)
    }

    private func isPrefix(_ piece: Piece, _ text: Substring) -> Bool {
        QueryParser.endsInPrefix(text) || isUnfinished(piece)
    }

    private static func endsInBlank(_ piece: Substring) -> Bool {
        piece.unicodeScalars.last.map { $0.properties.isWhitespace } ?? true
    }

    /// True if a star comes right after the last word: `foo*`, but not `foo.*`.
    private static func endsInPrefix(_ piece: Substring) -> Bool {
        guard piece.utf8.last == UInt8(ascii: "*") else { return false }
        var piece = String(piece)
        return piece.withUTF8 { bytes in
            var end = 0
            var tokenizer = Tokenizer(bytes)
            while tokenizer.next() { end = tokenizer.range.upperBound }
            return end == bytes.count - 1
        }
    }
}

// MARK: - Operators

extension QueryParser {
    private enum Operator {
        case from, inside, has, `is`
        case date(QueryDate.Relation)

        /// An example of a value, shown to users who leave it out.
        var example: String {
            switch self {
            case .from: "ana"
            case .inside: "general"
            case .has, .is: values.first?.key ?? ""
            case .date: "yesterday"
            }
        }

        /// True if a minus before the value excludes the value. (`since:-3d` is not a date.)
        var isNegatable: Bool { if case .date = self { false } else { true } }

        /// The possible values; empty if any value is possible.
        var values: KeyValuePairs<String, QueryMarks> {
            switch self {
            case .has: ["link": .link, "file": .file, "attachment": .file]
            case .is: ["reply": .reply, "thread": .thread, "presence": .presence]
            case .from, .inside, .date: [:]
            }
        }
    }

    private static let operators: [String: Operator] = [
        "from": .from, "in": .inside, "has": .has, "is": .is, "since": .date(.since), "until": .date(.until),
        "after": .date(.after), "before": .date(.before), "on": .date(.on), "during": .date(.on),
    ]
    /// The names of all filters, each with its values if it takes only a few.
    private static let filters = operators.mapValues { $0.values.map(\.key) }

    /// - Parameter piece: a piece that is not a filter.
    private static func mistyped(_ piece: Piece) -> MistypedFilter? {
        guard let name = piece.name.flatMap(word) else { return nil }
        return MistypedFilter(name, value: String(piece.text), isExcluded: piece.isExcluded, filters: filters)
    }

    /// Reads a filter. Returns false if the piece is words, or an operator with an unknown value, which is also read as words.
    private mutating func takeFilter(_ piece: Piece) -> Bool {
        guard let name = piece.name.flatMap(QueryParser.word), let `operator` = QueryParser.operators[name] else {
            return false
        }
        guard !piece.text.allSatisfy(\.isWhitespace) else {
            if !(isTyping && piece.isOpen) {
                filterFault = .withoutValue("\(name):", example: "\(name):\(`operator`.example)")
            }
            return true
        }
        if `operator`.isNegatable, !piece.isQuoted, piece.text.utf8.count > 1, piece.text.first == "-" {
            filterFault = .minusInside("\(name):\(piece.text)", meant: "-\(name):\(piece.text.dropFirst())")
            return true
        }
        switch `operator` {
        case .from:
            let name = QueryName.sender(String(piece.text), isPrefix: isPrefix(piece, piece.text), me: me)
            take(name, of: piece, \.senders, \.excludedSenders)
        case .inside:
            let name = QueryName(String(piece.text), isPrefix: isPrefix(piece, piece.text))
            take(name, of: piece, \.conversations, \.excludedConversations)
        case .date(let relation):
            let text = String(piece.text.drop(while: \.isWhitespace))
            let date = QueryDate(relation: relation, text: text, isExcluded: piece.isExcluded, name: name)
            if !filters.dates.contains(date) { filters.dates.append(date) }
        case .has, .is: return take(piece, `operator`.values)
        }
        return true
    }

    private mutating func take(
        _ name: QueryName, of piece: Piece, _ wanted: WritableKeyPath<QueryFilters, [QueryName]>,
        _ unwanted: WritableKeyPath<QueryFilters, [QueryName]>
    ) {
        let names = piece.isExcluded ? unwanted : wanted
        if !name.isEmpty, !filters[keyPath: names].contains(name) { filters[keyPath: names].append(name) }
    }

    /// Ignores an incomplete value that is being typed.
    private mutating func take(_ piece: Piece, _ values: KeyValuePairs<String, QueryMarks>) -> Bool {
        let text = QueryParser.word(piece.text)
        if let mark = values.first(where: { $0.key == text })?.value {
            if piece.isExcluded { filters.excludedMarks.insert(mark) } else { filters.marks.insert(mark) }
            return true
        }
        guard let text else { return false }
        return isTyping && piece.isOpen && values.contains { $0.key.hasPrefix(text) }
    }

    /// The folded word of a piece that contains nothing else.
    private static func word(_ piece: Substring) -> String? {
        guard piece.unicodeScalars.allSatisfy({ Folding.kind(of: $0) != .separator }),
            let phrase = Phrase.words(of: piece),
            phrase.count == 1
        else { return nil }
        return String(decoding: phrase[0].bytes, as: UTF8.self)
    }
}

// MARK: - Pieces

/// The text between blanks, between quotes, or between slashes.
private struct Piece {
    /// True if there is a minus before it.
    let isExcluded: Bool
    /// The text before the colon.
    let name: Substring?
    /// The text after the colon; without a name, the whole piece.
    let text: Substring
    /// The name and the text.
    let whole: Substring
    /// True if neither a blank nor a quote has ended it.
    let isOpen: Bool
    /// True if there is a quote before the text.
    var isQuoted = false
    /// True if the text is a regular expression.
    var isPattern = false

    /// Splits a text. A minus and a name count only at the beginning or after a blank: `well-known` has neither.
    static func all(of text: String) -> [Piece] {
        let scalars = text.unicodeScalars
        var pieces: [Piece] = []
        var index = scalars.startIndex
        var isFirst = true
        while index < scalars.endIndex {
            if sign(scalars[index]) == .blank {
                index = scalars.index(after: index)
                isFirst = true
                continue
            }
            let isExcluded = isFirst && isMinus(scalars[index...])
            if isExcluded { index = scalars.index(after: index) }
            if isFirst, let end = endOfPattern(scalars[index...]) {
                let text = text[scalars.index(after: index)..<end]
                pieces.append(
                    Piece(isExcluded: isExcluded, name: nil, text: text, whole: text, isOpen: false, isPattern: true))
                index = scalars.index(after: end)
                continue
            }
            let start = index
            let colon = isFirst ? self.colon(in: scalars[index...]) : nil
            if let colon { index = scalars.index(after: colon) }
            let isQuoted = index < scalars.endIndex && sign(scalars[index]) == .quote
            if isQuoted { index = scalars.index(after: index) }
            let end = scalars[index...].firstIndex { isQuoted ? sign($0) == .quote : sign($0) != .other }
            pieces.append(
                Piece(
                    isExcluded: isExcluded, name: colon.map { text[start..<$0] },
                    text: text[index..<(end ?? text.endIndex)],
                    whole: text[(colon == nil ? index : start)..<(end ?? text.endIndex)], isOpen: end == nil,
                    isQuoted: isQuoted))
            index = end ?? scalars.endIndex
            if isQuoted, end != nil { index = scalars.index(after: index) }
            isFirst = false
        }
        return pieces
    }

    private enum Sign { case blank, quote, other }

    private static func sign(_ scalar: Unicode.Scalar) -> Sign {
        switch scalar {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}": .quote
        default: scalar.properties.isWhitespace ? .blank : .other
        }
    }

    /// The slash that ends a regular expression, if one begins here: `/a b/`, but neither `/usr/bin` nor `//`.
    private static func endOfPattern(_ rest: Substring.UnicodeScalarView) -> String.Index? {
        guard rest.first == "/" else { return nil }
        var isEscaped = false
        for index in rest.indices.dropFirst() {
            let scalar = rest[index]
            if scalar == "/", !isEscaped {
                let next = rest[rest.index(after: index)...].first
                let isEnd = next.map { sign($0) == .blank } ?? true
                return isEnd && index != rest.index(after: rest.startIndex) ? index : nil
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return nil
    }

    /// True if a single minus comes before something. Two are a program's option, as in `--force`.
    private static func isMinus(_ rest: Substring.UnicodeScalarView) -> Bool {
        guard rest.first == "-", let next = rest.dropFirst().first else { return false }
        return next != "-" && sign(next) != .blank
    }

    /// No operator has a longer name.
    private static let longestName = 32

    private static func colon(in rest: Substring.UnicodeScalarView) -> String.Index? {
        let name = rest.prefix(longestName)
        guard let end = name.firstIndex(where: { $0 == ":" || sign($0) != .other }), name[end] == ":" else {
            return nil
        }
        return end
    }
}
