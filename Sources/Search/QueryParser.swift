/// A word of a query, folded.
struct Term: Hashable {
    let bytes: [UInt8]
    /// Whether it stands for all words that begin so.
    var isPrefix = false
}

/// Words that must stand one behind the other. Never empty.
typealias Phrase = [Term]

/// Reads what somebody typed.
enum QueryParser {
    private enum Sign { case blank, quote, other }

    /// Each phrase once, in the order of the text.
    static func phrases(of text: String, isTyping: Bool) -> [Phrase] {
        var found: [Phrase] = []
        var known: Set<Phrase> = []
        for (piece, isOpen) in pieces(of: text) {
            guard var phrase = phrase(of: piece) else { continue }
            if endsInPrefix(piece) || (isTyping && isOpen && !endsInBlank(piece)) {
                phrase[phrase.count - 1].isPrefix = true
            }
            if known.insert(phrase).inserted { found.append(phrase) }
        }
        return found
    }

    /// The words of a piece; nil when there is none.
    static func phrase(of piece: some StringProtocol) -> Phrase? {
        var piece = String(piece)
        let terms = piece.withUTF8 { bytes in
            var terms: Phrase = []
            var tokenizer = Tokenizer(bytes)
            while tokenizer.next() { terms.append(Term(bytes: tokenizer.folded)) }
            return terms
        }
        return terms.isEmpty ? nil : terms
    }

    /// What stands between blanks, or between quotes; open when nothing has ended it.
    private static func pieces(of text: String) -> [(Substring, isOpen: Bool)] {
        let scalars = text.unicodeScalars
        var pieces: [(Substring, isOpen: Bool)] = []
        var start = scalars.startIndex
        var isQuoted = false
        for index in scalars.indices {
            let sign = sign(scalars[index])
            guard sign == .quote || (sign == .blank && !isQuoted) else { continue }
            pieces.append((text[start..<index], false))
            start = scalars.index(after: index)
            if sign == .quote { isQuoted.toggle() }
        }
        pieces.append((text[start...], true))
        return pieces
    }

    private static func sign(_ scalar: Unicode.Scalar) -> Sign {
        switch scalar {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}": .quote
        default: scalar.properties.isWhitespace ? .blank : .other
        }
    }

    private static func endsInBlank(_ piece: Substring) -> Bool {
        piece.unicodeScalars.last.map { sign($0) == .blank } ?? true
    }

    /// Whether a star stands right behind the last word: `foo*`, but not `foo.*`.
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
