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

    /// `23:59` or `23:59:44`, perhaps with `AM` or `PM`, as seconds. A leap second counts as the second before it.
    @inline(__always)
    mutating func timeOfDay() -> Int? {
        guard var hour = two(), hour < 24, take(":"), let minute = two(), minute < 60 else { return nil }
        var second = 0
        if take(":") {
            guard let value = two(), value <= 60 else { return nil }
            second = min(value, 59)
        }
        if at + 2 < line.count, line[at] == UInt8(ascii: " "), line[at + 2] | 0x20 == UInt8(ascii: "m") {
            let half = line[at + 1] | 0x20
            guard half == UInt8(ascii: "a") || half == UInt8(ascii: "p"), hour <= 12, at + 3 < line.count,
                line[at + 3] == UInt8(ascii: "]") || line[at + 3] == UInt8(ascii: " ")
            else { return hour * 3_600 + minute * 60 + second }
            hour = hour % 12 + (half == UInt8(ascii: "p") ? 12 : 0)
            at += 3
        }
        return hour * 3_600 + minute * 60 + second
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
