/// Reads the parts of a date and a time from the beginning of a line.
struct WhatsAppStampReader {
    private let line: Bytes
    private(set) var at = 0

    enum Half { case morning, afternoon }

    init(_ line: Bytes) { self.line = line }

    private var rest: Bytes { Bytes(rebasing: line[at...]) }

    mutating func take(_ text: StaticString) -> Bool {
        guard rest.starts(with: text) else { return false }
        at += text.utf8CodeUnitCount
        return true
    }

    /// Skips marks of direction and a byte order mark.
    mutating func skipMarks() {
        guard at < line.count, line[at] >= 0xE2 else { return }
        at += rest.count - rest.withoutMarks.count
    }

    /// Skips blanks of all widths.
    mutating func skipBlanks() { while take(" ") || take("\u{202F}") || take("\u{A0}") {} }

    mutating func number(upTo most: Int) -> (value: Int, digits: Int)? {
        skipMarks()
        var (value, digits) = (0, 0)
        while digits < most, let digit = digit {
            value = value * 10 + digit.value
            digits += 1
            at += digit.length
        }
        return digits > 0 && digit == nil ? (value, digits) : nil
    }

    /// A digit of English, Arabic, Persian, Hindi or Bengali.
    private var digit: (value: Int, length: Int)? {
        guard at < line.count else { return nil }
        if line[at] &- 48 < 10 { return (Int(line[at] &- 48), 1) }
        guard line[at] >= 0xD9, at + 1 < line.count else { return nil }
        if line[at] == 0xD9, line[at + 1] &- 0xA0 < 10 { return (Int(line[at + 1] &- 0xA0), 2) }
        if line[at] == 0xDB, line[at + 1] &- 0xB0 < 10 { return (Int(line[at + 1] &- 0xB0), 2) }
        guard line[at] == 0xE0, line[at + 1] == 0xA5 || line[at + 1] == 0xA7, at + 2 < line.count else { return nil }
        return line[at + 2] &- 0xA6 < 10 ? (Int(line[at + 2] &- 0xA6), 3) : nil
    }

    /// `/`, `.` or `-`, with the blanks after it.
    mutating func separator() -> UInt8? {
        skipMarks()
        guard at < line.count else { return nil }
        let byte = line[at]
        guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") else { return nil }
        at += 1
        skipBlanks()
        return byte
    }

    /// Skips blanks, commas, and a short word such as `klo` or `BE`, up to a digit or the name of a half of the day.
    mutating func skipToTime() -> Bool {
        let start = at
        for _ in 0..<2 {
            while take(".") || take(",") || take("،") || take(" ") || take("\u{202F}") || take("\u{A0}") { skipMarks() }
            guard at > start, at < line.count else { return false }
            var ahead = self
            if digit != nil || ahead.half() != nil { return true }
            let word = at
            while at < line.count, at < word + 8, line[at] | 0x20 > 0x60, line[at] != 0x5D { at += 1 }
        }
        return false
    }

    /// `:40` or `.40`
    mutating func minute() -> Int? {
        let start = at
        skipMarks()
        guard take(":") || take("."), let number = number(upTo: 2), number.digits == 2, number.value < 60 else {
            at = start
            return nil
        }
        return number.value
    }

    /// `AM`, `p. m.`, `午後`, with the blanks around it.
    mutating func half() -> Half? {
        let start = at
        skipBlanks()
        let word = at
        guard word < line.count, line[word] >= 0x80 || (line[word] | 0x20) &- 0x61 < 26 else {
            at = start
            return nil
        }
        let letter = line[word] | 0x20
        if letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") {
            at += 1
            _ = take(".")
            skipBlanks()
            if take("m") || take("M") {
                _ = take(".")
                return letter == UInt8(ascii: "a") ? .morning : .afternoon
            }
            at = word
        }
        for (name, half) in WhatsAppStampReader.halves where take(name) {
            skipBlanks()
            return half
        }
        at = start
        return nil
    }

    private static let halves: [(StaticString, Half)] = [
        ("上午", .morning), ("下午", .afternoon), ("午前", .morning), ("午後", .afternoon), ("오전", .morning),
        ("오후", .afternoon), ("凌晨", .morning), ("早上", .morning), ("中午", .afternoon), ("晚上", .afternoon),
        ("in the morning", .morning), ("in the afternoon", .afternoon), ("in the evening", .afternoon),
        ("at night", .afternoon), ("π.μ.", .morning), ("μ.μ.", .afternoon), ("ÖÖ", .morning), ("ÖS", .afternoon),
        ("ق.ظ", .morning), ("ب.ظ", .afternoon), ("ص", .morning), ("م", .afternoon), ("SA", .morning),
        ("CH", .afternoon),
    ]
}

extension UnsafeRawBufferPointer {
    /// Without marks of direction before them, and without a byte order mark.
    var withoutMarks: Bytes {
        var start = 0
        while start + 2 < count {
            let (a, b, c) = (self[start], self[start + 1], self[start + 2])
            let isMark =
                a == 0xE2 && b == 0x80 && (c == 0x8E || c == 0x8F || (0xAA...0xAE).contains(c))
                || a == 0xE2 && b == 0x81 && (0xA6...0xA9).contains(c) || a == 0xEF && b == 0xBB && c == 0xBF
            guard isMark else { break }
            start += 3
        }
        return Bytes(rebasing: self[start...])
    }
}
