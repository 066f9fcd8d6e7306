internal import CSimdjson

/// Turns the text of a log into text that Kedge shows: codes for bold, italics and the like become marks, other codes and
/// controls vanish.
struct IRCText {
    private(set) var bytes: [UInt8] = []
    private var style = Style()
    /// The marks that are open, and those that the text wants.
    private var open: [Mark] = []

    private struct Style: Equatable {
        var bold = false
        var italic = false
        var struck = false
        var code = false

        var marks: [Mark] {
            code ? [.code] : (struck ? [.struck] : []) + (bold ? [.bold] : []) + (italic ? [.italic] : [])
        }
    }

    private enum Mark: Equatable {
        case bold, italic, struck, code

        var text: StaticString {
            switch self {
            case .bold: "**"
            case .italic: "*"
            case .struck: "~~"
            case .code: "`"
            }
        }
    }

    /// Whether text can be shown as it is: valid UTF-8 without controls.
    static func isPlain(_ text: Bytes) -> Bool {
        guard let start = text.baseAddress else { return true }
        var at = 0
        var high: UInt64 = 0
        while at + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            // Bytes below 32, and 127: the well-known test for a zero byte, moved.
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let deleted = word ^ 0x7F7F_7F7F_7F7F_7F7F
            if (low | ((deleted &- 0x0101_0101_0101_0101) & ~deleted)) & 0x8080_8080_8080_8080 != 0 {
                // A high byte before can be the cause: look at each.
                for byte in text[at..<(at + 8)] where byte < 32 && byte != 9 || byte == 127 { return false }
            }
            high |= word
            at += 8
        }
        while at < text.count {
            let byte = text[at]
            if byte < 32 && byte != 9 || byte == 127 { return false }
            high |= UInt64(byte)
            at += 1
        }
        return high & 0x8080_8080_8080_8080 == 0
            || csj_is_utf8(start.assumingMemoryBound(to: CChar.self), text.count)
    }

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func lineFeed() { bytes.append(10) }

    /// Removes line feeds at the end.
    mutating func trim() { while bytes.last == 10 { bytes.removeLast() } }

    /// Appends a line.
    mutating func append(_ line: Bytes) {
        guard !IRCText.isPlain(line) else {
            bytes.append(contentsOf: line)
            return
        }
        codes(line)
    }

    // MARK: - Codes

    private mutating func codes(_ line: Bytes) {
        style = Style()
        var at = 0
        while at < line.count {
            let byte = line[at]
            if byte >= 32 && byte != 127 || byte == 9 {
                var end = at + 1
                while end < line.count, line[end] >= 32 && line[end] != 127 || line[end] == 9 { end += 1 }
                run(Bytes(rebasing: line[at..<end]))
                at = end
                continue
            }
            at += 1
            switch byte {
            case 0x02: style.bold.toggle()
            case 0x1D: style.italic.toggle()
            case 0x1E: style.struck.toggle()
            case 0x11: style.code.toggle()
            case 0x0F: style = Style()
            case 0x03: at = IRCText.afterColour(line, at, digits: 2) { $0 &- 48 < 10 }
            case 0x04: at = IRCText.afterWideColour(line, at)
            case 0x1B: at = IRCText.afterEscape(line, at)
            default: break
            }
        }
        close(keeping: [])
    }

    /// Text without codes. Marks stand at the edges of words: `** a**` would not be bold.
    private mutating func run(_ text: Bytes) {
        let wanted = style.marks
        let blank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        guard let start = text.firstIndex(where: { !blank($0) }), let last = text.lastIndex(where: { !blank($0) })
        else {
            bytes.append(contentsOf: text)
            return
        }
        close(keeping: wanted)
        bytes.append(contentsOf: text[..<start])
        for mark in wanted.dropFirst(open.count) {
            add(mark)
            open.append(mark)
        }
        bytes.append(contentsOf: text[start...last])
        bytes.append(contentsOf: text[(last + 1)...])
    }

    /// Closes the marks that the following text does not have, before blanks at the end.
    private mutating func close(keeping wanted: [Mark]) {
        var same = 0
        while same < open.count, same < wanted.count, open[same] == wanted[same] { same += 1 }
        guard same < open.count else { return }
        var end = bytes.count
        while end > 0, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
        let blanks = Array(bytes[end...])
        bytes.removeSubrange(end...)
        while open.count > same { add(open.removeLast()) }
        bytes += blanks
    }

    private mutating func add(_ mark: Mark) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: mark.text.utf8Start, count: mark.text.utf8CodeUnitCount))
    }

    /// The place after `4,12`, which follows the code of a colour: digits, and perhaps a comma and digits.
    private static func afterColour(_ line: Bytes, _ start: Int, digits: Int, _ isDigit: (UInt8) -> Bool) -> Int {
        var at = start
        while at < line.count, at < start + digits, isDigit(line[at]) { at += 1 }
        guard at > start, at + 1 < line.count, line[at] == UInt8(ascii: ","), isDigit(line[at + 1]) else { return at }
        let second = at + 1
        at = second
        while at < line.count, at < second + digits, isDigit(line[at]) { at += 1 }
        return at
    }

    /// After six hexadecimal digits, or after one of irssi's own codes, which begin with the same byte.
    private static func afterWideColour(_ line: Bytes, _ start: Int) -> Int {
        let isHex: (UInt8) -> Bool = { $0 &- 48 < 10 || ($0 | 0x20) &- 0x61 < 6 }
        if start + 6 <= line.count, line[start..<(start + 6)].allSatisfy(isHex) {
            return afterColour(line, start, digits: 6, isHex)
        }
        guard start < line.count else { return start }
        switch line[start] {
        case UInt8(ascii: "a")...UInt8(ascii: "i"): return start + 1
        case UInt8(ascii: "+")...UInt8(ascii: "."): return min(line.count, start + 2)
        case UInt8(ascii: "#"): return min(line.count, start + 5)
        case UInt8(ascii: "/")...UInt8(ascii: "?"): return min(line.count, start + 2)
        default: return start
        }
    }

    /// The place after a sequence of a terminal: `[31m`.
    private static func afterEscape(_ line: Bytes, _ start: Int) -> Int {
        guard start < line.count, line[start] == UInt8(ascii: "[") else { return start }
        var at = start + 1
        while at < line.count, line[at] >= 0x20, line[at] < 0x40 { at += 1 }
        return min(line.count, at + 1)
    }
}
