/// A span of time that a text names: a day, a minute, a year.
package struct NamedTime: Hashable, Sendable {
    package let start: Timestamp
    /// The first moment after the span.
    package let end: Timestamp
    /// `Sunday 27 April 2008 12:30`: shows how the text was understood. The descriptions of days and minutes name the
    /// same span when they are read again.
    package let description: String

    package init(start: Timestamp, end: Timestamp, description: String) {
        (self.start, self.end, self.description) = (start, end, description)
    }

    /// A moment, without any length.
    package init(_ moment: Timestamp) { self.init(start: moment, end: moment, description: moment.iso8601) }
}

extension Zone {
    /// In bytes of UTF-8; a longer text is not read.
    private static let longestName = 200

    /// Reads a time in English: `2024-03-01 12:30`, `1 march`, `last week`, `3 days ago`, `monday 9am`. The time is
    /// local to this zone, unless the text says its own zone.
    ///
    /// The precision of the text decides the length of the span: a minute, a day, a week (from Monday), a month, a
    /// year.
    /// - Parameter near: the day of a text that names only a time of day, and the year of a day without one; today when
    ///   nil. A day without a year is never after today.
    /// - Returns: nil when the text is not a time, names an impossible one (31 february), or one that people read
    ///   differently (1/3/2024).
    package func time(named text: String, now: Timestamp, near: CivilDate? = nil) -> NamedTime? {
        guard text.utf8.count <= Zone.longestName else { return nil }
        if let exact = exactTime(text) { return exact }
        let today = civil(now).date
        guard today.canBeNamed, near?.canBeNamed != false, let tokens = TimeToken.tokens(of: text) else { return nil }
        var parser = TimeParser(tokens: tokens, today: today, near: near)
        guard let phrase = parser.phrase() else { return nil }
        switch (phrase.subject, phrase.time) {
        case (.day(let date), nil):
            return span(from: date, to: date.adding(days: 1), date.long)
        case (.day(let date), let time?): return named(moment(of: date, seconds: time.seconds), time)
        case (nil, let time?): return named(moment(of: near ?? today, seconds: time.seconds), time)
        case (.span(let start, let end, let description), nil): return span(from: start, to: end, description)
        case (.minutesAgo(let minutes), nil): return minute(of: now, minutesAgo: minutes)
        default: return nil
        }
    }

    /// Reads a whole ISO 8601 time with its zone.
    private func exactTime(_ text: String) -> NamedTime? {
        let bytes = Array(text.uppercased().utf8).split(separator: UInt8(ascii: " ")).joined(separator: " ".utf8)
        let text = Array(bytes)
        guard let moment = Timestamp(iso8601: text), civil(moment).date.canBeNamed else { return nil }
        // The date and the time of day are of fixed width.
        let hasSeconds = text.count > 16 && text[16] == UInt8(ascii: ":")
        let hasFraction = hasSeconds && text.count > 19 && text[19] == UInt8(ascii: ".")
        return named(
            moment, TimeOfDay(seconds: 0, precision: hasFraction ? .millisecond : hasSeconds ? .second : .minute))
    }

    private func span(from start: CivilDate, to end: CivilDate, _ description: String) -> NamedTime {
        NamedTime(start: moment(of: start), end: moment(of: end), description: description)
    }

    private func named(_ start: Timestamp, _ time: TimeOfDay) -> NamedTime {
        let civil = civil(start)
        let start = Timestamp(milliseconds: start.milliseconds + time.milliseconds)
        let seconds = time.precision == .minute ? "" : ":" + decimal(civil.second, digits: 2)
        return NamedTime(
            start: start, end: Timestamp(milliseconds: start.milliseconds + time.precision.rawValue),
            description: "\(civil.date.long) \(civil.clock)\(seconds)")
    }

    private func minute(of now: Timestamp, minutesAgo: Int64) -> NamedTime? {
        let (milliseconds, isTooFar) = now.milliseconds.subtractingReportingOverflow(minutesAgo * 60_000)
        guard !isTooFar else { return nil }
        let second = milliseconds.flooredDivision(by: 1_000)
        let civil = civil(Timestamp(milliseconds: milliseconds))
        guard civil.date.canBeNamed else { return nil }
        let start = Timestamp(milliseconds: (second - Int64(civil.second)) * 1_000)
        return named(start, TimeOfDay(seconds: 0, precision: .minute))
    }
}

/// A time of day, with the precision of its text.
struct TimeOfDay: Hashable {
    /// The length in milliseconds.
    enum Precision: Int64 {
        case millisecond = 1
        case second = 1_000
        case minute = 60_000
    }

    /// Since midnight.
    let seconds: Int64
    /// After the full second.
    var milliseconds: Int64 = 0
    let precision: Precision
}

extension CivilDate {
    /// Whether the year has four digits. Texts can name no other years.
    var canBeNamed: Bool { (1_000...9_999).contains(year) }

    func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    /// The same day of another month, or the last day of that month.
    func adding(months: Int) -> CivilDate? {
        let total = year * 12 + (month - 1) + months
        let (year, month) = (total.flooredDivision(by: 12), total - total.flooredDivision(by: 12) * 12 + 1)
        return CivilDate(
            checkedYear: year, month: month, day: min(day, CivilDate.days(inMonth: month, of: year)))
    }

    /// The Monday of the same week.
    var monday: CivilDate { adding(days: -((weekday + 6) % 7)) }
}
