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

    /// The inverse, by Hinnant's `days_from_civil`.
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
    /// statistics divide millions of times in another room and must not pay for a generic call.
    @inlinable package func flooredDivision(by divisor: Self) -> Self {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
