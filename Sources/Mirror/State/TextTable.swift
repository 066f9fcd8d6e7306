internal import Formats

/// Reads rows of values that are separated by tabs.
struct TextTable {
    private var lines: ArraySlice<Substring>

    init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...] }

    /// The rows of a text that `text` has made; nil if a byte of it differs.
    init?(sealed text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, let end = lines.popLast(), let first = lines.first,
            end == "end\t\(TextTable.sum(of: text[first.startIndex..<end.startIndex]))"
        else { return nil }
        self.lines = lines[...]
    }

    /// Rows as text, with a checksum at the end.
    static func text(_ rows: [[String]]) -> String {
        let text = rows.map { $0.map(escape).joined(separator: "\t") + "\n" }.joined()
        return text + "end\t\(sum(of: text[...]))\n"
    }

    private static func sum(of text: Substring) -> String {
        String(Fingerprint.of(String(text)), radix: 16)
    }

    /// The next row; nil at the end.
    mutating func next() -> [String]? {
        guard let line = lines.popFirst() else { return nil }
        return line.split(separator: "\t", omittingEmptySubsequences: false).map { TextTable.unescape($0) }
    }

    /// A value that holds no tab and no line feed.
    static func escape(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x5C }) else { return value }
        return value.unicodeScalars.map { scalar in
            switch scalar {
            case "\t": "\\t"
            case "\n": "\\n"
            case "\\": "\\\\"
            default: String(scalar)
            }
        }
        .joined()
    }

    private static func unescape(_ value: Substring) -> String {
        guard value.utf8.contains(0x5C) else { return String(value) }
        var result = ""
        var scalars = value.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.next() {
            case "t": result += "\t"
            case "n": result += "\n"
            case .some(let other): result.unicodeScalars.append(other)
            case nil: break
            }
        }
        return result
    }
}
