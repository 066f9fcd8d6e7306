internal import Dates

/// The time at the beginning of a line, as it is written there.
struct IRCStamp {
    /// Days since 1970-01-01; nil if the line does not tell its day.
    var day: Int?
    /// The month and the day of the month, where only the year is missing.
    var monthAndDay: (month: Int, day: Int)?
    /// The numbers of the date, where only all dates of the file tell which is the day.
    var date: WrittenDate?
    /// Seconds since midnight.
    var second = 0
    var milliseconds = 0
    /// Seconds east of UTC, where the line tells them.
    var east: Int?
    /// The number of its bytes, with the blanks after it.
    var length = 0

    enum Style: Hashable, Sendable {
        /// `2026-03-29 00:00:06⇥`, `2026-03-29 00:00:06.123456Z⇥`, and with a `T` for the blank
        case tabbed
        /// `2026-03-29T00:00:06  `, `[2026-03-29 00:00:06] `, `[2026-03-29T00:00:06+0200] `
        case dated
        /// `May 19 23:59:44 `
        case month
        /// `23:59 `, `23:59:44 `
        case time
        /// `[23:59] `, `[23:59:44] `
        case bracketed
        /// `[29/03/2026 23:59:44] `, `29.03.26 23:59 `, `[3/29/26, 9:12 PM] `
        case numeric
        /// `[Sun Mar 29 2026 23:59:44] `, `[29 March 2026] [23:59:44] `
        case named
        /// `1774742406 `: seconds since 1970 in UTC.
        case epoch
    }

    /// Reads the time at the beginning of a line; nil if there is none of this style.
    init?(_ line: Bytes, _ style: Style) {
        var reader = IRCStampReader(line)
        switch style {
        case .tabbed:
            guard let day = reader.day(separator: UInt8(ascii: "-")), reader.take(" ") || reader.take("T"),
                read(&reader, zone: true),
                reader.take("\t")
            else { return nil }
            self.day = day
        case .dated:
            let isBracketed = reader.take("[")
            guard let day = reader.day(), reader.take("T") || reader.skipComma(), read(&reader, zone: true),
                !isBracketed || reader.take("]"), reader.skipBlanks()
            else { return nil }
            self.day = day
        case .month:
            guard let month = reader.month(), let day = reader.dayOfMonth(), read(&reader, zone: false),
                reader.skipBlanks()
            else { return nil }
            monthAndDay = (month, day)
        case .time:
            guard read(&reader, zone: false), reader.skipBlanks() else { return nil }
        case .bracketed:
            reader.skipColours()
            guard reader.take("["), read(&reader, zone: false, short: true), reader.take("]"), reader.skipBlanks()
            else { return nil }
        case .numeric:
            let isBracketed = reader.take("[")
            guard let found = reader.numbers(), reader.skipComma(), read(&reader, zone: false, short: true),
                !isBracketed || reader.take("]"), reader.skipBlanks()
            else { return nil }
            date = found
            date?.notation.clock = clock
        case .named:
            guard let (day, second) = reader.named(), reader.skipBlanks() else { return nil }
            (self.day, self.second) = (day, second)
        case .epoch:
            guard let seconds = reader.seconds(), reader.skipBlanks() else { return nil }
            day = seconds / 86_400
            second = seconds % 86_400
            east = 0
        }
        length = reader.at
    }

    /// Whether another line was written in the same second, or in the same minute where lines have no seconds.
    func isInSecond(of other: IRCStamp) -> Bool {
        guard second == other.second, day == other.day, date == other.date else { return false }
        return monthAndDay?.month == other.monthAndDay?.month && monthAndDay?.day == other.monthAndDay?.day
    }

    /// A time without a line of its own.
    init(day: Int, second: Int) {
        self.day = day
        self.second = second
    }

    /// How the hours are written.
    private var clock = DateNotation.Clock.whole

    /// - Parameter short: whether an hour may have one digit.
    @inline(__always)
    private mutating func read(_ reader: inout IRCStampReader, zone: Bool, short: Bool = false) -> Bool {
        guard let (second, clock) = reader.timeOfDay(short: short) else { return false }
        (self.second, self.clock) = (second, clock)
        guard zone else { return true }
        milliseconds = reader.fraction()
        east = reader.zone()
        return true
    }
}
