package import Display

extension Markup {
    /// Finds the marks in a line.
    /// - Parameter start: the number of bytes at the beginning of the line that have no marks.
    package init(_ line: CleanText, from start: Int) {
        guard Markup.mayHaveMarks(line.string) else {
            self = .none
            return
        }
        var parser = MarkupParser(line.string, from: start)
        let (pieces, links) = parser.parse()
        self.init(pieces: pieces, links: links)
    }

    /// Most texts have no such byte.
    private static func mayHaveMarks(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // Without an early exit the compiler vectorizes the loop.
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
