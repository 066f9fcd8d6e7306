/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z. Many messages may share one.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}

extension Timestamp {
    /// Reads an ISO 8601 time such as `2025-03-01T09:12:33.120Z` or `…+02:00`: fractions beyond the millisecond are
    /// cut, a leap second counts as the second before it. Nil for anything else, so that a bad record can be reported.
    package init?(iso8601 bytes: some Collection<UInt8>) {
        var reader = DigitReader(bytes)
        guard let date = reader.date(), reader.take("T") || reader.take(" "), let time = reader.timeOfDay(),
            let offset = reader.zoneOffset(), reader.isAtEnd
        else { return nil }
        milliseconds = (Int64(date.daysSinceEpoch) * 86_400 + time.seconds - offset) * 1_000 + time.milliseconds
    }

    package init?(iso8601 text: String) { self.init(iso8601: text.utf8) }

    /// ISO 8601 in UTC; the milliseconds are written only when there are some.
    package var iso8601: String {
        let civil = CivilTime(secondsSinceEpoch: milliseconds.flooredDivision(by: 1_000))
        let fraction = Int(milliseconds - milliseconds.flooredDivision(by: 1_000) * 1_000)
        let tail = fraction == 0 ? "Z" : "." + decimal(fraction, digits: 3) + "Z"
        return "\(civil.date.iso8601)T\(civil.clock):\(decimal(civil.second, digits: 2))\(tail)"
    }
}

/// Reads the digit groups of a time from ASCII bytes without making a string: a scan reads millions of times.
struct DigitReader<Bytes: Collection<UInt8>> where Bytes.Element == UInt8 {
    private let bytes: Bytes
    private var index: Bytes.Index

    init(_ bytes: Bytes) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool { index == bytes.endIndex }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard index != bytes.endIndex, bytes[index] == UInt8(ascii: scalar) else { return false }
        index = bytes.index(after: index)
        return true
    }

    mutating func digit() -> Int? {
        guard index != bytes.endIndex else { return nil }
        let value = Int(bytes[index]) - 48
        guard (0...9).contains(value) else { return nil }
        index = bytes.index(after: index)
        return value
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(checkedYear: year, month: month, day: day)
    }

    mutating func timeOfDay() -> (seconds: Int64, milliseconds: Int64)? {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour < 24, minute < 60 else {
            return nil
        }
        guard take(":") else { return (Int64(hour * 3_600 + minute * 60), 0) }
        guard let second = number(digits: 2), second <= 60 else { return nil }
        let seconds = Int64(hour * 3_600 + minute * 60 + min(second, 59))
        guard take(".") else { return (seconds, 0) }
        guard let fraction = self.fraction() else { return nil }
        return (seconds, fraction)
    }

    /// The digits after the point, as milliseconds: at least one digit; those after the third are cut.
    private mutating func fraction() -> Int64? {
        guard var value = digit() else { return nil }
        var digits = 1
        while let next = digit() {
            if digits < 3 { value = value * 10 + next }
            digits += 1
        }
        while digits < 3 {
            value *= 10
            digits += 1
        }
        return Int64(value)
    }

    /// Seconds east of UTC: "Z", "+02:00" or "+0200".
    mutating func zoneOffset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let east = take("+")
        guard east || take("-"), let hours = number(digits: 2) else { return nil }
        _ = take(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        let seconds = Int64(hours * 3_600 + minutes * 60)
        return east ? seconds : -seconds
    }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// Nil when the calendar does not have the day, or when ISO 8601 has no four digits for the year.
    package init?(checkedYear year: Int, month: Int, day: Int) {
        guard (0...9_999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.days(inMonth: month, of: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The algorithm is Howard Hinnant's `civil_from_days` ("chrono-Compatible Low-Level Date Algorithms").
    package init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The inverse of `init(daysSinceEpoch:)`, by Hinnant's `days_from_civil`.
    package var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.flooredDivision(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 0 is Sunday.
    package var weekday: Int { (daysSinceEpoch + 4) - (daysSinceEpoch + 4).flooredDivision(by: 7) * 7 }

    /// `2025-03-01`
    package var iso8601: String {
        "\(decimal(year, digits: 4))-\(decimal(month, digits: 2))-\(decimal(day, digits: 2))"
    }

    package static func < (a: CivilDate, b: CivilDate) -> Bool { a.daysSinceEpoch < b.daysSinceEpoch }

    static func days(inMonth month: Int, of year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension CivilDate {
    /// `27 Apr 2008`
    package var short: String { "\(day) \(CivilDate.months[month - 1].prefix(3)) \(year)" }

    /// `27 Apr`
    package var dayAndMonth: String { "\(day) \(CivilDate.months[month - 1].prefix(3))" }

    /// `27 April 2008`
    package var medium: String { "\(day) \(CivilDate.months[month - 1]) \(year)" }

    /// `Sunday 27 April 2008`
    package var long: String { "\(CivilDate.weekdays[weekday]) \(medium)" }

    /// `April 2008`
    package var monthAndYear: String { "\(CivilDate.months[month - 1]) \(year)" }

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// Indexed by `weekday`: Sunday comes first.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}

/// A day and a time of day on a local clock.
package struct CivilTime: Hashable, Sendable {
    package let date: CivilDate
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// - Parameter seconds: since 1970-01-01T00:00:00 on the same local clock.
    package init(secondsSinceEpoch seconds: Int64) {
        let days = seconds.flooredDivision(by: 86_400)
        let rest = Int(seconds - days * 86_400)
        date = CivilDate(daysSinceEpoch: Int(days))
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    }

    /// `09:12`
    package var clock: String { "\(decimal(hour, digits: 2)):\(decimal(minute, digits: 2))" }
}

/// Decimal digits with leading zeros, without the cost of a formatter.
package func decimal(_ value: Int, digits: Int) -> String {
    let text = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension BinaryInteger {
    /// Division that rounds towards minus infinity, so that times before 1970 fall on the right day. Inlinable, because
    /// statistics divide millions of times in another module and must not pay for a generic call.
    @inlinable package func flooredDivision(by divisor: Self) -> Self {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

extension CivilDate {
    /// True if the year has four digits. Texts can only contain such years.
    var canBeNamed: Bool { (1_000...9_999).contains(year) }

    func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    /// The same day in another month, or the last day of that month.
    func adding(months: Int) -> CivilDate? {
        let total = year * 12 + (month - 1) + months
        let (year, month) = (total.flooredDivision(by: 12), total - total.flooredDivision(by: 12) * 12 + 1)
        return CivilDate(
            checkedYear: year, month: month, day: min(day, CivilDate.days(inMonth: month, of: year)))
    }

    /// The Monday of the same week.
    var monday: CivilDate { adding(days: -((weekday + 6) % 7)) }
}
