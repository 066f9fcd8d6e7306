import Display

extension Markup {
    /// - Parameter start: bytes at the beginning of the line that are not looked at.
    init(_ line: CleanText, from start: Int) {
        guard Markup.mayHaveMarks(line.string) else {
            self = .none
            return
        }
        var parser = MarkupParser(line.string, from: start)
        let (pieces, links) = parser.parse()
        self.init(pieces: pieces, links: links)
    }

    /// Most texts have none of these.
    private static func mayHaveMarks(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // Without an early exit the compiler makes vectors of it.
            var found = false
            for byte in bytes {
                found =
                    found || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "`")
                    || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/")
            }
            return found
        }
    }
}
