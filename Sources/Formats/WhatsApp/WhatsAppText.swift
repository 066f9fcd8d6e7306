internal import JSON
/// Turns WhatsApp's markup into Kedge's: `*bold*` into `**bold**`, `_italics_` into `*italics*`, `~struck~` into `~~struck~~`.
/// Code and text without marks are unchanged.
enum WhatsAppText {
    /// Lines without control characters and without the text direction marks before WhatsApp's own words.
    static func of(_ text: Bytes) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 1)
        for line in text.lines {
            append(line.withoutReturn.withoutMarks, to: &bytes)
            bytes.append(10)
        }
        while bytes.last == 10 { bytes.removeLast() }
        return bytes
    }

    private static func append(_ line: Bytes, to bytes: inout [UInt8]) {
        var at = 0
        while at < line.count {
            let byte = line[at]
            if byte == UInt8(ascii: "`"), let end = codeEnd(line, at) {
                bytes.append(contentsOf: line[at..<end])
                at = end
            } else if let mark = mark(byte), let end = closing(line, at) {
                bytes.append(mark)
                append(Bytes(rebasing: line[(at + 1)..<end]), to: &bytes)
                bytes.append(mark)
                at = end + 1
            } else if isPlain(byte) || mark(byte) != nil || byte == UInt8(ascii: "`") {
                let start = at
                at += 1
                while at < line.count, isPlain(line[at]) { at += 1 }
                bytes.append(contentsOf: Bytes(rebasing: line[start..<at]))
            } else {
                at += 1
            }
        }
    }

    /// True if a byte is neither a control character nor the beginning of a mark.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 32 && byte != 127 && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "~")
            && byte != UInt8(ascii: "`") || byte == 9
    }

    private static func mark(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "*"): "**"
        case UInt8(ascii: "_"): "*"
        case UInt8(ascii: "~"): "~~"
        default: nil
        }
    }

    /// The place of the closing mark, if the mark at `start` opens a word.
    private static func closing(_ line: Bytes, _ start: Int) -> Int? {
        let mark = line[start]
        guard start == 0 || !isWord(line[start - 1]), start + 2 < line.count, line[start + 1] != 32,
            line[start + 1] != mark
        else { return nil }
        var at = start + 2
        // Marks further apart are ignored, which bounds the time for long lines full of marks.
        let limit = min(line.count, start + 1_024)
        while at < limit {
            if line[at] == mark, line[at - 1] != 32, at + 1 == line.count || !isWord(line[at + 1]) { return at }
            at += 1
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isDigit || byte.isLetter || byte == 0x5F || byte == 0x2A || byte == 0x7E
    }

    /// The end of `code` or ```code``` that begins at `start`.
    private static func codeEnd(_ line: Bytes, _ start: Int) -> Int? {
        let tick = UInt8(ascii: "`")
        var width = 0
        while start + width < line.count, line[start + width] == tick { width += 1 }
        guard width == 1 || width == 3 else { return nil }
        var (at, run) = (start + width, 0)
        while at < line.count {
            run = line[at] == tick ? run + 1 : 0
            at += 1
            if run == width, at - width > start + width { return at }
        }
        return nil
    }
}
