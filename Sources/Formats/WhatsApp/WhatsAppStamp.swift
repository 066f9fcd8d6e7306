internal import Dates

/// The date and time at the beginning of a message, as it is written there: the order of day, month and year is not known yet.
struct WhatsAppStamp {
    /// The numbers of the date, in their order.
    private(set) var parts = (0, 0, 0)
    /// Whether the first number, or the last, has the four digits of a year.
    private(set) var yearFirst = false
    private(set) var yearLast = false
    /// Seconds since midnight.
    private(set) var second = 0
    /// Whether it looks as Americans write it: `6/30/23, 4:13 PM`
    private(set) var looksAmerican = false
    private(set) var style = WhatsAppStyle.dash
    /// The number of its bytes, with what separates it from the message.
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

    /// The date and the time; in a few languages the time stands first.
    private mutating func readMoment(_ reader: inout WhatsAppStampReader) -> Bool {
        let start = reader
        if readDate(&reader), reader.skipToTime(), readTime(&reader) { return true }
        reader = start
        return readTime(&reader) && reader.skipToTime() && readDate(&reader)
    }

    private mutating func readDate(_ reader: inout WhatsAppStampReader) -> Bool {
        guard let first = reader.number(upTo: 4), let mark = reader.separator(), let second = reader.number(upTo: 2),
            reader.separator() == mark, let third = reader.number(upTo: 4)
        else { return false }
        guard first.digits != 3, third.digits != 3, !(first.digits == 4 && third.digits == 4) else { return false }
        parts = (first.value, second.value, third.value)
        (yearFirst, yearLast) = (first.digits == 4, third.digits == 4)
        looksAmerican = mark == UInt8(ascii: "/") && third.digits == 2
        return true
    }

    private mutating func readTime(_ reader: inout WhatsAppStampReader) -> Bool {
        var half = reader.half()
        guard let hour = reader.number(upTo: 2), hour.value < 24, let minute = reader.minute() else { return false }
        let second = reader.minute() ?? 0
        half = half ?? reader.half()
        var hours = hour.value
        if let half, hours <= 12 { hours = hours % 12 + (half == .afternoon ? 12 : 0) }
        looksAmerican = looksAmerican && half != nil
        self.second = hours * 3_600 + minute * 60 + second
        return true
    }

    /// The day in some order; nil if there is no such day.
    func day(_ order: WhatsAppOrder) -> Int? {
        let (year, month, day) =
            switch order {
            case .dayMonthYear: (parts.2, parts.1, parts.0)
            case .monthDayYear: (parts.2, parts.0, parts.1)
            case .yearMonthDay: (parts.0, parts.1, parts.2)
            case .yearDayMonth: (parts.0, parts.2, parts.1)
            }
        if yearFirst != (order == .yearMonthDay || order == .yearDayMonth), yearFirst || yearLast { return nil }
        // The Buddhist calendar is 543 years ahead. WhatsApp is younger than 2009.
        let full = year < 100 ? 2_000 + year : year > 2_500 ? year - 543 : year
        guard full >= 2_009, full < 2_100 else { return nil }
        return CivilDate(checkedYear: full, month: month, day: day)?.daysSinceEpoch
    }
}

/// How a phone separates the time from the message.
enum WhatsAppStyle: String, Hashable, Sendable {
    /// `[31/12/2022, 11:40:26] Jane: text`, from iPhones.
    case brackets
    /// `31/12/2022, 11:40 - Jane: text`, from other phones.
    case dash
    /// `31/12/2022, 11:40:26: Jane: text`, from iPhones before 2018.
    case colon
}

/// The order of the numbers of a date.
enum WhatsAppOrder: String, Hashable, Sendable, CaseIterable {
    case dayMonthYear = "dmy"
    case monthDayYear = "mdy"
    case yearMonthDay = "ymd"
    case yearDayMonth = "ydm"
}
