/// The text of a help.
enum HelpText {
    private static let usage = "USAGE: "
    /// Longer lines are hard to read.
    private static let mostColumns = 100

    /// The help with its usage in lines of these columns: ArgumentParser makes one line of it. A name stays with its value.
    static func wrapped(_ help: String, columns: Int) -> String {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            line.hasPrefix(usage) && line.count > columns
                ? wrapped(usage: line, min(columns, mostColumns)) : String(line)
        }.joined(separator: "\n")
    }

    private static func wrapped(usage line: Substring, _ columns: Int) -> String {
        let indent = String(repeating: " ", count: usage.count + 2)
        var lines = [""]
        for word in parts(of: line) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The words of a line; those in brackets are one.
    private static func parts(of line: Substring) -> [String] {
        var parts: [String] = []
        var open = 0
        for word in line.split(separator: " ") {
            if open > 0 { parts[parts.count - 1] += " \(word)" } else { parts.append(String(word)) }
            for character in word { open += character == "[" ? 1 : character == "]" ? -1 : 0 }
        }
        return parts
    }
}
