/// A token of a text that names a time.
struct TimeToken: Hashable {
    enum Kind: Hashable {
        case number(Int, digits: Int)
        /// In lower case.
        case word(String)
        case mark(Unicode.Scalar)
    }

    let kind: Kind
    /// Whether it directly follows the token before.
    let isAttached: Bool

    /// A longer number is not a day, a year or a count.
    private static let mostDigits = 9
    private static let fillers: Set<String> = ["at", "on", "the", "of"]
    private static let ordinals: Set<String> = ["st", "nd", "rd", "th"]
    private static let marks: Set<Unicode.Scalar> = ["-", "/", ".", ":"]

    /// Splits a text into tokens, without blanks, commas, fillers and the endings of ordinals. Nil when it contains a
    /// character that no name of a time has.
    static func tokens(of text: String) -> [TimeToken]? {
        var tokens: [TimeToken] = []
        var isAttached = false
        var rest = Substring(text.lowercased()).unicodeScalars
        while let first = rest.first {
            if isBlank(first) {
                rest.removeFirst()
                isAttached = false
                continue
            }
            guard let kind = take(from: &rest) else { return nil }
            let isSilent = isSilent(kind, isAttached: isAttached)
            if !isSilent { tokens.append(TimeToken(kind: kind, isAttached: isAttached)) }
            isAttached = !isSilent
        }
        return tokens
    }

    private static func take(from rest: inout Substring.UnicodeScalarView) -> Kind? {
        let digits = rest.prefix(while: isDigit)
        if !digits.isEmpty {
            rest = rest.dropFirst(digits.count)
            guard digits.count <= mostDigits else { return nil }
            return Int(String(digits)).map { .number($0, digits: digits.count) }
        }
        let letters = rest.prefix(while: isLetter)
        if !letters.isEmpty {
            rest = rest.dropFirst(letters.count)
            return .word(String(letters))
        }
        return rest.popFirst().flatMap { marks.contains($0) ? .mark($0) : nil }
    }

    private static func isSilent(_ kind: Kind, isAttached: Bool) -> Bool {
        guard case .word(let word) = kind else { return false }
        return fillers.contains(word) || (isAttached && ordinals.contains(word))
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "," }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
}
