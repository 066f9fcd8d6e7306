/// Finds a usual mistake in a settings file: a text without the quote at its end.
enum UnclosedText {
    /// The quote that is missing; nil if the line has another mistake. Texts of several lines are not looked at.
    /// - Parameter line: counted from 1.
    static func advice(line: Int, of text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1), !text.contains("\"\"\""), !text.contains("'''") else { return nil }
        return openQuote(lines[line - 1]).map { "the closing \($0) is missing" }
    }

    /// The quote of a text that does not end on its line.
    private static func openQuote(_ line: Substring) -> Character? {
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                isEscaped = open == "\"" && character == "\\"
                if character == open { quote = nil }
            } else if character == "#" {
                return nil
            } else if character == "\"" || character == "'" {
                quote = character
            }
        }
        return quote
    }
}
