/// Turns the marks of WhatsApp into those that Kedge shows: `*bold*` into `**bold**`, `_italics_` into `*italics*`, `~struck~` into
/// `~~struck~~`. Code stays, and so does text without marks.
struct WhatsAppText {
    private(set) var bytes: [UInt8] = []

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Appends lines without the marks of direction by which WhatsApp begins its own words, and without other controls.
    mutating func append(_ text: Bytes) {
        var rest = text
        while !rest.isEmpty {
            let length = rest.lineLength
            append(line: Bytes(rebasing: rest[..<length]).withoutReturn.withoutMarks)
            if length < rest.count { bytes.append(10) }
            rest = Bytes(rebasing: rest[min(rest.count, length + 1)...])
        }
        while bytes.last == 10 { bytes.removeLast() }
    }

    private mutating func append(line: Bytes) {
        var at = 0
        while at < line.count {
            let byte = line[at]
            if byte == UInt8(ascii: "`"), let end = WhatsAppText.codeEnd(line, at) {
                bytes.append(contentsOf: line[at..<end])
                at = end
            } else if let mark = WhatsAppText.mark(byte), let end = WhatsAppText.closing(line, at) {
                add(mark)
                append(line: Bytes(rebasing: line[(at + 1)..<end]))
                add(mark)
                at = end + 1
            } else {
                if byte >= 32 && byte != 127 || byte == 9 { bytes.append(byte) }
                at += 1
            }
        }
    }

    private mutating func add(_ mark: StaticString) { bytes.append(contentsOf: Bytes(mark)) }

    private static func mark(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "*"): "**"
        case UInt8(ascii: "_"): "*"
        case UInt8(ascii: "~"): "~~"
        default: nil
        }
    }

    /// The place of the same mark after a word, if the mark at `start` begins one.
    private static func closing(_ line: Bytes, _ start: Int) -> Int? {
        let mark = line[start]
        guard start == 0 || !isWord(line[start - 1]), start + 2 < line.count, line[start + 1] != 32,
            line[start + 1] != mark
        else { return nil }
        var at = start + 2
        // Marks further apart are none: a bound for long lines full of them.
        let limit = min(line.count, start + 1_024)
        while at < limit {
            if line[at] == mark, line[at - 1] != 32, at + 1 == line.count || !isWord(line[at + 1]) { return at }
            at += 1
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte &- 48 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x2A || byte == 0x7E
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
