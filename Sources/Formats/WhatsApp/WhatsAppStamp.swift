internal import JSON
/// The date and time at the beginning of a message, as written: the order of day, month and year is not known yet.
struct WhatsAppStamp {
    private(set) var date = WrittenDate()
    /// Seconds since midnight.
    private(set) var second = 0
    private(set) var style = WhatsAppStyle.dash
    /// The number of its bytes, including the separator before the message.
    private(set) var length = 0

    /// Reads the beginning of a line; nil if no message begins there.
    init?(_ line: Bytes) {
        guard line.count >= 12 else { return nil }
        var reader = WhatsAppStampReader(line)
        reader.skipMarks()
        let isBracketed = reader.take("[")
        guard readMoment(&reader) else { return nil }
        reader.skipBlanks()
        if isBracketed {
            guard reader.take("]") else { return nil }
            style = .brackets
        } else if reader.take(": ") {
            style = .colon
        } else {
            guard reader.take("-") || reader.take("–") else { return nil }
        }
        reader.skipBlanks()
        length = reader.at
    }

    /// True if a line begins with a date in this notation, and with a clock that was not understood: `5.1.24, 9:12 xyz - Ben: hi`.
    func resembles(_ line: Bytes) -> Bool {
        var reader = WhatsAppStampReader(line)
        reader.skipMarks()
        guard reader.take("[") == (style == .brackets), let other = reader.date(),
            other.notation.year == date.notation.year, other.notation.mark == date.notation.mark,
            reader.skipToTime()
        else { return false }
        _ = reader.half()
        guard reader.number(upTo: 2) != nil else { return false }
        let end: StaticString = style == .brackets ? "]" : style == .colon ? ": " : " - "
        return Bytes(rebasing: line[reader.at...].prefix(40)).offset(of: end) != nil && WhatsAppStamp(line) == nil
    }

    /// Parses the date and the time; in a few languages the time comes first.
    private mutating func readMoment(_ reader: inout WhatsAppStampReader) -> Bool {
        let start = reader
        if readDate(&reader), reader.skipToTime(), readTime(&reader) { return true }
        reader = start
        return readTime(&reader) && reader.skipToTime() && readDate(&reader)
    }

    private mutating func readDate(_ reader: inout WhatsAppStampReader) -> Bool {
        guard var found = reader.date() else { return false }
        found.notation.clock = date.notation.clock
        // WhatsApp did not exist before.
        found.notation.firstYear = 2_009
        date = found
        return true
    }

    private mutating func readTime(_ reader: inout WhatsAppStampReader) -> Bool {
        guard let time = reader.time() else { return false }
        second = time.second
        date.notation.clock = time.clock
        return true
    }
}

/// The separator between time and message, which depends on the phone.
enum WhatsAppStyle: String, Hashable, Sendable {
    /// `[31/12/2022, 11:40:26] Jane: text`, from iPhones.
    case brackets
    /// `31/12/2022, 11:40 - Jane: text`, from other phones.
    case dash
    /// `31/12/2022, 11:40:26: Jane: text`, from iPhones before 2018.
    case colon
}

/// Reads the parts of a date and a time from the beginning of a line.
struct WhatsAppStampReader {
    private let line: Bytes
    private(set) var at = 0

    init(_ line: Bytes) { self.line = line }

    private var rest: Bytes { Bytes(rebasing: line[at...]) }

    mutating func take(_ text: StaticString) -> Bool {
        guard rest.starts(with: text) else { return false }
        at += text.utf8CodeUnitCount
        return true
    }

    /// Skips text direction marks and a byte order mark.
    mutating func skipMarks() {
        guard at < line.count, line[at] >= 0xE2 else { return }
        at += rest.count - rest.withoutMarks.count
    }

    /// Skips blanks of any width, and text direction marks between them.
    mutating func skipBlanks() {
        while HalfOfDay.blanks.contains(where: { take($0) }) {}
        let start = at
        skipMarks()
        if at > start { skipBlanks() }
    }

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

    /// A digit of any script.
    private var digit: (value: Int, length: Int)? {
        guard at < line.count else { return nil }
        if line[at] < 0x80 { return line[at].isDigit ? (Int(line[at] &- 48), 1) : nil }
        let length = line[at] < 0xE0 ? 2 : 3
        guard line[at] >= 0xC2, line[at] < 0xF0, at + length <= line.count else { return nil }
        var scalar = UInt32(line[at] & (length == 2 ? 0x1F : 0x0F))
        for byte in line[(at + 1)..<(at + length)] { scalar = scalar << 6 | UInt32(byte & 0x3F) }
        return WhatsAppStampReader.zeros.first { scalar &- $0 < 10 }.map { (Int(scalar - $0), length) }
    }

    /// The zeros of Arabic, Persian, N'Ko, Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam, Thai,
    /// Lao, Tibetan, Burmese, Khmer, and the wide one of East Asia.
    private static let zeros: [UInt32] = [
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0xF20, 0x1040,
        0x17E0, 0xFF10,
    ]

    /// `31/12/22`, `2024. 2. 1.`
    mutating func date() -> WrittenDate? {
        guard let first = number(upTo: 4), let mark = separator(), let second = number(upTo: 2), separator() == mark,
            let third = number(upTo: 4), first.digits != 3, third.digits != 3, first.digits + third.digits < 8
        else { return nil }
        var date = WrittenDate(parts: (first.value, second.value, third.value))
        date.notation.year = first.digits == 4 ? .first : third.digits == 4 ? .last : .short
        date.notation.mark = mark
        let small = [first, second].filter { $0.value < 10 && $0.digits < 3 }
        if !small.isEmpty { date.isPadded = small.allSatisfy { $0.digits == 2 } }
        return date
    }

    /// `11:40`, `9:40:26 PM`, `오후 9:40`: seconds since midnight.
    mutating func time() -> (second: Int, clock: DateNotation.Clock)? {
        var half = half()
        guard let hour = number(upTo: 2), hour.value < 24, let minute = part(after: "h") else { return nil }
        let second = part(after: "min") ?? 0
        skipUnit()
        half = half ?? self.half()
        return ((half?.half.hour(hour.value) ?? hour.value) * 3_600 + minute * 60 + second, half?.clock ?? .whole)
    }

    /// `/`, `.` or `-`, and the blanks after it.
    mutating func separator() -> UInt8? {
        skipMarks()
        guard at < line.count else { return nil }
        let byte = line[at]
        guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") else { return nil }
        at += 1
        skipBlanks()
        return byte
    }

    /// Skips blanks, commas, and a short word such as `klo` or `BE`, up to a digit or a half of the day.
    mutating func skipToTime() -> Bool {
        let start = at
        for _ in 0..<2 {
            repeat { skipBlanks() } while take(".") || take(",") || take("،") || take("、")
            guard at > start, at < line.count else { return false }
            var ahead = self
            if digit != nil || ahead.half() != nil { return true }
            let word = at
            while at < line.count, at < word + 8, line[at] | 0x20 > 0x60, line[at] != 0x5D { at += 1 }
        }
        return false
    }

    /// `:40`, `.40`, or ` h 40` with a word between the numbers.
    mutating func part(after word: StaticString) -> Int? {
        let start = at
        skipMarks()
        if !take(":"), !take(".") {
            skipBlanks()
            guard take(word) else {
                at = start
                return nil
            }
            skipBlanks()
        }
        guard let number = number(upTo: 2), number.digits == 2, number.value < 60 else {
            at = start
            return nil
        }
        return number.value
    }

    /// Skips a word for hours or seconds after a time, and the blanks before it.
    mutating func skipUnit() {
        let start = at
        skipBlanks()
        let isUnit = WhatsAppStampReader.units.contains { take($0) }
        if !isUnit || at < line.count && line[at].isLetter { at = start }
    }

    private static let units: [StaticString] = ["ч.", "น.", "hodź.", "s"]

    /// `AM`, `p. m.`, `午後`, with the blanks around it.
    mutating func half() -> (half: HalfOfDay, clock: DateNotation.Clock)? {
        let start = at
        skipBlanks()
        guard let found = HalfOfDay.read(rest) else {
            at = start
            return nil
        }
        at += found.length
        skipBlanks()
        return (found.half, found.clock)
    }
}

extension UnsafeRawBufferPointer {
    /// The line without text direction marks and byte order mark at its beginning.
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
