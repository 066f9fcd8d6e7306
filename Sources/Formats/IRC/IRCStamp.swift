internal import Dates
internal import JSON
import Synchronization

/// The time at the beginning of a line, as written.
struct IRCStamp {
    /// Days since 1970-01-01; nil if the line does not contain its day.
    var day: Int?
    /// The month and the day of the month, if only the year is missing.
    var monthAndDay: (month: Int, day: Int)?
    /// The numbers of the date, if only all dates of the file together show which is the day.
    var date: WrittenDate?
    /// Seconds since midnight.
    var second = 0
    var milliseconds = 0
    /// Seconds east of UTC, if the line contains them.
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
                read(&reader, zone: true), reader.take("\t")
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

    /// True if another line has the same second, or the same minute if lines have no seconds.
    func isInSecond(of other: IRCStamp) -> Bool {
        guard second == other.second, day == other.day, date == other.date else { return false }
        return monthAndDay?.month == other.monthAndDay?.month && monthAndDay?.day == other.monthAndDay?.day
    }

    /// The time of a line that has none of its own.
    init(day: Int, second: Int) {
        self.day = day
        self.second = second
    }

    /// The notation of the hour.
    private var clock = DateNotation.Clock.whole

    /// - Parameter short: true if an hour may have one digit.
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

/// Finds the date in a line by which a program marks a day.
enum IRCDate {
    /// `--- Day changed Sun Mar 29 2026`, `**** BEGIN LOGGING AT Thu May 19 23:59:44 2011`, `--- Sun Mar 29 2026`,
    /// `--- Day changed dim. 29 mars 2026`: a year, a day, and the name of a month, in any order.
    /// - Parameter previous: the day before, to guess the month if its name is unknown.
    static func day(in line: Bytes, after previous: Int?) -> Int? {
        var (year, day, month): (Int?, Int?, Int?) = (nil, nil, nil)
        for part in line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == 0x5D || $0 == 0x5B || $0 == 0x2C }) {
            let word = Bytes(rebasing: part)
            if let date = iso(word) { return date }
            if let number = number(word) {
                if number >= 1_980, number < 10_000 { year = number } else if number <= 31, number > 0 { day = number }
            } else if word.count > 1, !word.contains(UInt8(ascii: ":")) {
                // The weekday comes before the month and may have the same name: `mar. 03 févr. 2026`
                month = MonthNames.month(word) ?? month
            }
        }
        guard let year, let day else { return nil }
        if let month { return CivilDate(checkedYear: year, month: month, day: day)?.daysSinceEpoch }
        guard let previous else { return nil }
        // The next date after the previous one with this day of the month.
        return (previous..<(previous + 62)).first {
            let date = CivilDate(daysSinceEpoch: $0)
            return date.day == day && date.year == year
        }
    }

    /// The time in a line by which a program marks a day: `Thu May 19 23:59:44 2011`.
    static func second(in line: Bytes) -> Int? {
        line.split(whereSeparator: { $0 == 32 || $0 == 9 }).lazy.filter { $0.contains(UInt8(ascii: ":")) }.compactMap {
            // The rest of the line, including AM or PM.
            var reader = IRCStampReader(Bytes(rebasing: line[$0.startIndex...]))
            return reader.timeOfDay(short: true)?.second
        }.first
    }

    /// The date with this month and day that is nearest to another date.
    static func day(month: Int, day: Int, near other: Int) -> Int? {
        let year = CivilDate(daysSinceEpoch: other).year
        return (year - 1...year + 1)
            .compactMap { CivilDate(checkedYear: $0, month: month, day: day)?.daysSinceEpoch }
            .min { abs($0 - other) < abs($1 - other) }
    }

    private static func iso(_ word: Bytes) -> Int? {
        var reader = IRCStampReader(word)
        return word.count >= 10 ? reader.day() : nil
    }

    /// `29`, `29.` or `2026年`
    private static func number(_ word: Bytes) -> Int? {
        var (value, at) = (0, 0)
        while at < word.count, at < 5, word[at].isDigit {
            value = value * 10 + Int(word[at] &- 48)
            at += 1
        }
        let rest = Bytes(rebasing: word[at...])
        return at > 0 && (rest.isEmpty || rest == "." || rest == "年" || rest == "日") ? value : nil
    }
}

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

    /// Skips blanks; there must be one unless the line ends here.
    mutating func skipBlanks() -> Bool {
        let start = at
        while at < line.count, line[at] == UInt8(ascii: " ") || line[at] == UInt8(ascii: "\t") { at += 1 }
        return at > start || at == line.count
    }

    /// Skips the colours with which mIRC begins lines of events.
    mutating func skipColours() {
        while at < line.count, line[at] == 3 {
            at += 1
            while at < line.count, line[at].isDigit { at += 1 }
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
    /// - Parameter separator: nil to accept any of `-`, `/` and `.`.
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

    /// `23:59` or `23:59:44`, `9:12PM`, `09:12 a.m.`, as seconds since midnight. A leap second counts as the second before it.
    /// - Parameter short: true if an hour may have one digit also in a day of 24 hours.
    @inline(__always)
    mutating func timeOfDay(short: Bool = false) -> (second: Int, clock: DateNotation.Clock)? {
        let start = at
        var hour = two()
        if hour == nil {
            while take(" ") {}
            if at < line.count, line[at].isDigit {
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
        // Only AM or PM may come between the time and the bracket or blank at its end.
        if at < line.count, line[at] != UInt8(ascii: "]"), hour > 0, hour <= 12 {
            var ahead = self
            let isApart = ahead.takeBlank()
            if let half = HalfOfDay.read(Bytes(rebasing: line[ahead.at...])) {
                let end = ahead.at + half.length
                // After a time without brackets, a nick can look like AM or PM.
                let isNick =
                    !short && isApart && end + 1 < line.count
                    && (line[end + 1] | 0x20 > 0x60 || line[end + 1].isDigit)
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

    /// Skips a comma, a dash and blanks between a date and a time; false if there are none.
    mutating func skipComma() -> Bool {
        let start = at
        _ = take(",")
        while take(" ") {}
        if take("-") { while take(" ") {} }
        return at > start
    }

    /// `29/03/2026`, `3/29/26`, `29.03.26`: three numbers whose order is unknown. A year of four digits comes last.
    mutating func numbers() -> WrittenDate? {
        var reader = WhatsAppStampReader(Bytes(rebasing: line[at...]))
        guard let date = reader.date(), date.notation.year != .first else { return nil }
        at += reader.at
        return date
    }

    /// `[Sun Mar 29 2026 23:59:44]`, `[29 March 2026] [23:59:44]`, `[2026-03-29] [9:59:44 PM CET]`: a day and the second in it.
    mutating func named() -> (day: Int, second: Int)? {
        guard let date = bracketed(), let day = IRCDate.day(in: date, after: nil) else { return nil }
        if let second = IRCDate.second(in: date) { return (day, second) }
        while take(" ") {}
        guard let time = bracketed(), let second = IRCDate.second(in: time) else { return nil }
        return (day, second)
    }

    /// The text in brackets, with the last bracket, at which a time may end.
    private mutating func bracketed() -> Bytes? {
        guard take("["), let end = line[at...].prefix(64).firstIndex(of: UInt8(ascii: "]")) else { return nil }
        defer { at = end + 1 }
        return Bytes(rebasing: line[at...end])
    }

    /// The digits after a decimal point as milliseconds; 0 without a point.
    @inline(__always)
    mutating func fraction() -> Int {
        guard at + 1 < line.count, line[at] == UInt8(ascii: "."), line[at + 1].isDigit else { return 0 }
        at += 1
        var (value, digits) = (0, 0)
        while at < line.count, line[at].isDigit {
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
        while at < line.count, line[at].isDigit, at < 12 {
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

    /// Reads one or two digits, with the blanks around them.
    mutating func dayOfMonth() -> Int? {
        while take(" ") {}
        var value = 0
        let start = at
        while at < line.count, at < start + 2, line[at].isDigit {
            value = value * 10 + Int(line[at] &- 48)
            at += 1
        }
        guard (1...31).contains(value), take(" ") else { return nil }
        return value
    }
}

/// Short names of months, as programs write them in the languages of their users.
enum MonthNames {
    /// 1 to 12 for the name of a month, in any case, with or without a dot; nil for another word. Logs contain the name in their
    /// own character set; a name alone is enough to recognise that.
    static func month(_ word: Bytes) -> Int? {
        if let month = english(word) { return month }
        guard Charset.isPlain(word) else { return month(undecoded: word) }
        let name = word.string
        if let month = month(name) { return month }
        // The word is in another character set, but was decoded as the usual one.
        let bytes = name.unicodeScalars.map { scalar in
            scalar.value < 0x100 ? UInt8(scalar.value) : usual.firstIndex(of: scalar).map { UInt8(0x80 + $0) } ?? 0
        }
        return bytes.contains { $0 >= 0x80 } ? bytes.withUnsafeBytes { month(undecoded: $0) } : nil
    }

    /// 0x80 to 0x9F of Windows-1252.
    private static let usual = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    private static func month(undecoded word: Bytes) -> Int? { read(undecoded: word)?.month }

    private static func read(undecoded word: Bytes) -> (month: Int, charset: String)? {
        guard word.count <= longest else { return nil }
        return lock.withLock { _ in
            decoders.lazy.compactMap { charset, decoder in
                var text: [UInt8] = []
                decoder.decode(word, to: &text)
                return month(String(decoding: text, as: UTF8.self)).map { ($0, charset) }
            }.first
        }
    }

    /// The most bytes of the name of a month.
    private static let longest = 40
    /// Kept open, since opening one loads a library, and a log may need it for each of its lines. Used only under the lock.
    private nonisolated(unsafe) static let decoders = charsets.map { (charset: $0, decoder: LineDecoder($0)) }
    private static let lock = Mutex(())

    /// The character set in which a word is the name of a month; nil if there is none.
    static func charset(of word: Bytes) -> String? { read(undecoded: word)?.charset }

    private static let charsets = [
        "CP1252", "KOI8-R", "CP1251", "CP1250", "ISO-8859-2", "CP1253", "CP1254", "CP932", "EUC-JP-MS", "CP949",
        "GB18030", "BIG5-HKSCS", "ISO-8859-5", "CP866", "KOI8-U",
    ]

    private static func month(_ name: String) -> Int? {
        let text = name.lowercased().filter { $0 != "." && $0 != "," }
        if let month = others[text] { return month }
        // Long names begin with the short ones; four letters distinguish `juin` from `juillet`.
        guard text.count > 3, text.unicodeScalars.allSatisfy(\.properties.isAlphabetic) else { return nil }
        return (3...5).reversed().lazy.compactMap { others[String(text.prefix($0))] }.first
            ?? Array(text.utf8).withUnsafeBytes { english($0, isLong: true) }
    }

    /// Handles the most frequent case without making a string.
    private static func english(_ word: Bytes, isLong: Bool = false) -> Int? {
        guard word.count == 3 || isLong && word.count > 3 else { return nil }
        let key = UInt32(word[0] | 0x20) << 16 | UInt32(word[1] | 0x20) << 8 | UInt32(word[2] | 0x20)
        return keys.firstIndex(of: key).map { $0 + 1 }
    }

    private static let keys = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        .map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

    /// The abbreviations of the locales of the GNU C library.
    private static let table = [
        [
            "janv", "jän", "jan", "ene", "gen", "gener", "sty", "led", "янв", "січ", "oca", "tammi", "tam", "ян", "ιαν",
            "1月",
        ],
        ["févr", "fév", "fevr", "feb", "fev", "febr", "lut", "úno", "фев", "лют", "şub", "helmi", "hel", "φεβ", "2月"],
        [
            "mars", "mär", "märz", "mrt", "mar", "març", "marc", "maa", "maalis", "bře", "мар", "бер", "μαρ", "márc",
            "3月",
        ],
        ["avr", "abr", "kwi", "dub", "апр", "кві", "nis", "huhti", "huh", "ápr", "απρ", "apr", "4月"],
        ["mai", "mei", "maj", "mag", "maig", "kvě", "май", "мая", "тра", "touko", "tou", "máj", "μαΐ", "5月"],
        [
            "juin", "giu", "jun", "juni", "juny", "cze", "čen", "čer", "июн", "чер", "haz", "kesä", "kes", "jún", "ιου",
            "6月",
        ],
        ["juil", "lug", "jul", "juli", "lip", "čec", "июл", "лип", "tem", "heinä", "hei", "júl", "7月"],
        ["août", "aout", "ago", "aug", "sie", "srp", "авг", "сер", "ağu", "elo", "αυγ", "8月"],
        ["sept", "set", "sep", "wrz", "zář", "сен", "вер", "eyl", "syys", "syy", "szept", "σεπ", "9月"],
        ["oct", "okt", "ott", "out", "paź", "říj", "окт", "жов", "eki", "loka", "lok", "οκτ", "10月"],
        ["nov", "lis", "noe", "ноя", "лис", "kas", "marras", "νοε", "11月"],
        ["déc", "dez", "dic", "dec", "des", "gru", "pro", "дек", "гру", "ara", "joulu", "jou", "δεκ", "12月"],
    ]

    private static let others: [String: Int] = Dictionary(
        table.enumerated().flatMap { index, names in names.map { ($0, index + 1) } },
        uniquingKeysWith: { first, _ in first })
}
