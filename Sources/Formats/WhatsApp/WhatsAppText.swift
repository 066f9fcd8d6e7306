internal import JSON
/// Turns WhatsApp's markup into Kedge's: `*bold*` into `**bold**`, `_italics_` into `*italics*`, `~struck~` into `~~struck~~`.
/// Code and text without marks are unchanged.
struct WhatsAppText {
    private(set) var bytes: [UInt8] = []

    /// True if a text contains no marks, control characters or line feeds, so that it stays unchanged.
    static func isPlain(_ text: Bytes) -> Bool {
        var at = 0
        while at + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            // Has the high bit set in each byte that is below 32 or equals one of the others; possibly also in the byte next to
            // such a byte.
            let found =
                (word &- each(32)) & ~word | zeros(word ^ each(127)) | zeros(word ^ each(UInt8(ascii: "*")))
                | zeros(word ^ each(UInt8(ascii: "_"))) | zeros(word ^ each(UInt8(ascii: "~")))
                | zeros(word ^ each(UInt8(ascii: "`")))
            if found & each(0x80) != 0, !text[at..<(at + 8)].allSatisfy(isPlain) { return false }
            at += 8
        }
        return text[at...].allSatisfy(isPlain)
    }

    /// The byte, eight times.
    @inline(__always)
    private static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The high bit of each byte that is zero.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- each(1)) & ~word }

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Appends lines without control characters and without the text direction marks before WhatsApp's own words.
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
                bytes.append(mark)
                append(line: Bytes(rebasing: line[(at + 1)..<end]))
                bytes.append(mark)
                at = end + 1
            } else if WhatsAppText.isPlain(byte) || WhatsAppText.mark(byte) != nil || byte == UInt8(ascii: "`") {
                let start = at
                at += 1
                while at < line.count, WhatsAppText.isPlain(line[at]) { at += 1 }
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
