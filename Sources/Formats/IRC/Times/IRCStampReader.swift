internal import Dates

/// Reads the parts of a time from the beginning of a line.
struct IRCStampReader {
    private let line: Bytes
    private(set) var at = 0

    init(_ line: Bytes) { self.line = line }

    @inline(__always)
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard at < line.count, line[at] == UInt8(ascii: scalar) else { return false }
        at += 1
        return true
    }

    /// Skips blanks, of which there must be one unless the line ends here.
    mutating func skipBlanks() -> Bool {
        let start = at
        while at < line.count, line[at] == UInt8(ascii: " ") || line[at] == UInt8(ascii: "\t") { at += 1 }
        return at > start || at == line.count
    }

    /// Skips the colours with which mIRC begins lines of events.
    mutating func skipColours() {
        while at < line.count, line[at] == 3 {
            at += 1
            while at < line.count, line[at] &- 48 < 10 { at += 1 }
        }
    }

    @inline(__always)
    private mutating func two() -> Int? {
        guard at + 2 <= line.count else { return nil }
        let (a, b) = (line[at] &- 48, line[at + 1] &- 48)
        guard a < 10, b < 10 else { return nil }
        at += 2
        return Int(a) * 10 + Int(b)
    }

    /// `2026-03-29` as days since 1970.
    /// - Parameter separator: nil for any of `-`, `/` and `.`.
    @inline(__always)
    mutating func day(separator: UInt8? = nil) -> Int? {
        guard let century = two(), let year = two(), at < line.count else { return nil }
        let mark = line[at]
        guard mark == separator ?? mark, mark == 0x2D || mark == 0x2F || mark == 0x2E else { return nil }
        at += 1
        guard let month = two(), at < line.count, line[at] == mark else { return nil }
        at += 1
        guard let day = two() else { return nil }
        return CivilDate(checkedYear: century * 100 + year, month: month, day: day)?.daysSinceEpoch
    }

    /// `23:59` or `23:59:44`, `9:12PM`, `09:12 a.m.`, as seconds. A leap second counts as the second before it.
    /// - Parameter short: whether an hour may have one digit also in a day of 24 hours.
    @inline(__always)
    mutating func timeOfDay(short: Bool = false) -> (second: Int, clock: DateNotation.Clock)? {
        let start = at
        var hour = two()
        if hour == nil {
            while take(" ") {}
            if at < line.count, line[at] &- 48 < 10 {
                hour = Int(line[at] &- 48)
                at += 1
            }
        }
        let isShort = at < start + 2
        guard let hour, hour < 24, take(":"), let minute = two(), minute < 60 else { return nil }
        var second = 0
        if take(":") {
            guard let value = two(), value <= 60 else { return nil }
            second = min(value, 59)
        }
        let rest = minute * 60 + second
        // Nothing but a half of the day stands before the bracket or the blank at the end.
        if at < line.count, line[at] != UInt8(ascii: "]"), hour > 0, hour <= 12 {
            var ahead = self
            let isApart = ahead.takeBlank()
            if let half = HalfOfDay.read(Bytes(rebasing: line[ahead.at...])) {
                let end = ahead.at + half.length
                // A nick can have such a name.
                let isNick =
                    isApart && end + 1 < line.count && (line[end + 1] | 0x20 > 0x60 || line[end + 1] &- 48 < 10)
                if end < line.count, line[end] == UInt8(ascii: "]") || line[end] == UInt8(ascii: " ") && !isNick {
                    at = end
                    return (half.half.hour(hour) * 3_600 + rest, half.clock)
                }
            }
        }
        return isShort && !short ? nil : (hour * 3_600 + rest, .whole)
    }

    /// A blank of any width.
    private mutating func takeBlank() -> Bool {
        let rest = Bytes(rebasing: line[at...])
        guard let blank = HalfOfDay.blanks.first(where: { rest.starts(with: $0) }) else { return false }
        at += blank.utf8CodeUnitCount
        return true
    }

    /// A comma, a dash and blanks between a date and a time; false if there are none.
    mutating func skipComma() -> Bool {
        let start = at
        _ = take(",")
        while take(" ") {}
        if take("-") { while take(" ") {} }
        return at > start
    }

    /// `29/03/2026`, `3/29/26`, `29.03.26`, of which nothing tells the order. A year of four digits stands at its end.
    mutating func numbers() -> WrittenDate? {
        var reader = WhatsAppStampReader(Bytes(rebasing: line[at...]))
        guard let date = reader.date(), date.notation.year != .first else { return nil }
        at += reader.at
        return date
    }

    /// `[Sun Mar 29 2026 23:59:44]`, `[29 March 2026] [23:59:44]`, `[2026-03-29] [23:59:44]`: a day and the second in it.
    mutating func named() -> (day: Int, second: Int)? {
        guard take("["), let end = line[at...].prefix(64).firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let date = Bytes(rebasing: line[at..<end])
        guard let day = IRCDate.day(in: date, after: nil) else { return nil }
        if let second = IRCDate.second(in: date) {
            at = end + 1
            return (day, second)
        }
        at = end + 1
        while take(" ") {}
        guard take("["), let (second, _) = timeOfDay(short: true), take("]") else { return nil }
        return (day, second)
    }

    /// The digits after a point as milliseconds; 0 without a point.
    @inline(__always)
    mutating func fraction() -> Int {
        guard at + 1 < line.count, line[at] == UInt8(ascii: "."), line[at + 1] &- 48 < 10 else { return 0 }
        at += 1
        var (value, digits) = (0, 0)
        while at < line.count, line[at] &- 48 < 10 {
            if digits < 3 { value = value * 10 + Int(line[at] &- 48) }
            digits += 1
            at += 1
        }
        while digits < 3 {
            value *= 10
            digits += 1
        }
        return value
    }

    /// `Z`, `+02:00` or `+0200` as seconds; nil if none is written.
    @inline(__always)
    mutating func zone() -> Int? {
        guard at < line.count else { return nil }
        let sign = line[at]
        if sign == UInt8(ascii: "Z") {
            at += 1
            return 0
        }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let start = at
        at += 1
        guard let hours = two() else {
            at = start
            return nil
        }
        _ = take(":")
        let seconds = hours * 3_600 + (two() ?? 0) * 60
        return sign == UInt8(ascii: "+") ? seconds : -seconds
    }

    /// Nine to eleven digits.
    mutating func seconds() -> Int? {
        var value = 0
        while at < line.count, line[at] &- 48 < 10, at < 12 {
            value = value * 10 + Int(line[at] &- 48)
            at += 1
        }
        return (9...11).contains(at) ? value : nil
    }

    /// The name of a month, with the blank after it.
    mutating func month() -> Int? {
        var end = 0
        while end < line.count, end < 16, line[end] != UInt8(ascii: " ") { end += 1 }
        guard end >= 2, end < line.count, let month = MonthNames.month(Bytes(rebasing: line[..<end])) else {
            return nil
        }
        at = end + 1
        return month
    }

    /// One or two digits, with the blanks around them.
    mutating func dayOfMonth() -> Int? {
        while take(" ") {}
        var value = 0
        let start = at
        while at < line.count, at < start + 2, line[at] &- 48 < 10 {
            value = value * 10 + Int(line[at] &- 48)
            at += 1
        }
        guard (1...31).contains(value), take(" ") else { return nil }
        return value
    }
}
