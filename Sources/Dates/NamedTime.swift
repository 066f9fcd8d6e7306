/// A span of time, such as a day, a minute or a year, from a text.
package struct NamedTime: Hashable, Sendable {
    package let start: Timestamp
    /// The first moment after the span.
    package let end: Timestamp
    /// `Sunday 27 April 2008 12:30`: shows how the text was understood. If the description of a day or a minute is parsed again,
    /// it gives the same span.
    package let description: String

    package init(start: Timestamp, end: Timestamp, description: String) {
        (self.start, self.end, self.description) = (start, end, description)
    }

    /// A moment, with a length of zero.
    package init(_ moment: Timestamp) { self.init(start: moment, end: moment, description: moment.iso8601) }
}

extension Zone {
    /// In bytes of UTF-8. A longer text is not parsed.
    private static let longestName = 200

    /// Parses a time in English: `2024-03-01 12:30`, `1 march`, `last week`, `3 days ago`, `monday 9am`. The time is local in
    /// this zone, unless the text contains a zone.
    ///
    /// The precision of the text determines the length of the span: a minute, a day, a week (from Monday), a month, or a year.
    /// - Parameter near: the day for a text with only a time of day, and the year for a day without one; nil for today. A day
    ///   without a year is never after today.
    /// - Returns: nil if the text is not a time, or is an impossible one (31 february), or one that people read differently
    ///   (1/3/2024).
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

    /// Parses a complete ISO 8601 time with its zone.
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
