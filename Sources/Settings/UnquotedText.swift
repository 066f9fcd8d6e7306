/// Finds the most usual mistake in a settings file: a text without quotes.
enum UnquotedText {
    /// Words that stand for true or false, in TOML or elsewhere: quotes would not help.
    private static let truthWords: Set = ["true", "false", "yes", "no", "on", "off"]

    /// The line as it should be; nil if the line has another mistake.
    /// - Parameter line: counted from 1.
    static func advice(line: Int, of text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return nil }
        let parts = lines[line - 1].split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let (name, value) = (trimmed(parts[0]), trimmed(parts[1].prefix { $0 != "#" }))
        guard !name.isEmpty, let first = value.first, first.isLetter || first == "/" || first == "~",
            !truthWords.contains(value.lowercased()), !value.contains("\""), !value.contains("\\")
        else { return nil }
        return "text needs quotes: \(SettingsTable.oneLine("\(name) = \"\(value)\""))"
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}
