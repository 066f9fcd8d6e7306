package import Display

extension Markup {
    /// Finds the marks in a line.
    /// - Parameter start: the number of bytes at the beginning of the line that have no marks.
    package init(_ line: CleanText, from start: Int) {
        var text = line.string
        self = text.withUTF8 { Markup($0, from: start, isScrubbed: true) }
    }

    /// Finds the marks in an unscrubbed line: the same marks as on the screen.
    init(raw line: UnsafeBufferPointer<UInt8>, from start: Int) { self.init(line, from: start, isScrubbed: false) }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isScrubbed: Bool) {
        guard Markup.mayHaveMarks(bytes) else {
            self = .none
            return
        }
        var parser = MarkupParser(Array(bytes), from: start, isScrubbed: isScrubbed)
        let (pieces, links) = parser.parse()
        self.init(pieces: pieces, links: links)
    }

    /// A quick check: most texts contain no byte of a mark.
    private static func mayHaveMarks(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Without an early exit the compiler vectorizes the loop.
        var found = false
        for byte in bytes {
            found =
                found || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "`")
                || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "/")
        }
        return found
    }
}
