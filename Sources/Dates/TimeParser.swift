/// Parses a time: a day or a longer span, and a time of day, in either order.
///
/// Tries one form after another at the current token; a form that does not fit takes no tokens. If no form fits the rest, the
/// whole text is refused, so that no text is half understood.
struct TimeParser {
    enum Subject {
        case day(CivilDate)
        /// The first day, the day after the last, and a description.
        case span(CivilDate, CivilDate, String)
        case minutesAgo(Int64)
    }

    private let tokens: [TimeToken]
    private var index = 0
    let today: CivilDate
    let near: CivilDate?

    init(tokens: [TimeToken], today: CivilDate, near: CivilDate?) {
        (self.tokens, self.today, self.near) = (tokens, today, near)
    }

    mutating func phrase() -> (subject: Subject?, time: TimeOfDay?)? {
        var subject: Subject?
        var time: TimeOfDay?
        while index < tokens.count {
            if time == nil, let found = attempt({ $0.timeOfDay() }) {
                time = found
            } else if subject == nil, let found = self.subject() {
                subject = found
            } else {
                return nil
            }
        }
        return (subject, time)
    }

    private mutating func subject() -> Subject? {
        if let date = attempt({ $0.day() }) { return date.canBeNamed ? .day(date) : nil }
        if let minutes = attempt({ $0.minutesAgo() }) { return .minutesAgo(minutes) }
        guard let span = attempt({ $0.span() }) else { return nil }
        return span
    }

    private mutating func day() -> CivilDate? {
        attempt { $0.numericDate() } ?? attempt { $0.weekdayAndDate() } ?? attempt { $0.wordedDate() }
            ?? attempt { $0.relativeDay() } ?? attempt { $0.daysAgo() }
    }

    // MARK: - Tokens

    mutating func attempt<Value>(_ form: (inout TimeParser) -> Value?) -> Value? {
        let start = index
        if let value = form(&self) { return value }
        index = start
        return nil
    }

    var isAtAttachedToken: Bool { index < tokens.count && tokens[index].isAttached }

    /// The next token. With `attached`, only a token that is attached to the one before.
    private mutating func next(attached: Bool = false) -> TimeToken.Kind? {
        guard index < tokens.count, !attached || tokens[index].isAttached else { return nil }
        defer { index += 1 }
        return tokens[index].kind
    }

    mutating func number(digits: ClosedRange<Int>, attached: Bool = false) -> Int? {
        attempt { parser in
            guard case .number(let value, let count) = parser.next(attached: attached), digits.contains(count) else {
                return nil
            }
            return value
        }
    }

    mutating func word(attached: Bool = false) -> String? {
        attempt { parser in
            guard case .word(let word) = parser.next(attached: attached) else { return nil }
            return word
        }
    }

    mutating func take(_ words: String...) -> Bool {
        attempt { parser in words.allSatisfy { parser.word() == $0 } ? true : nil } ?? false
    }

    /// Takes a mark between two numbers, without blanks.
    mutating func take(mark: Unicode.Scalar) -> Bool {
        attempt { parser in
            parser.next(attached: true) == .mark(mark) && parser.isAtAttachedToken ? true : nil
        } ?? false
    }

    // MARK: - Times of day

    private mutating func timeOfDay() -> TimeOfDay? {
        if take("noon") { return TimeOfDay(seconds: 12 * 3_600, precision: .minute) }
        if take("midnight") { return TimeOfDay(seconds: 0, precision: .minute) }
        guard let hour = number(digits: 1...2) else { return nil }
        guard take(mark: ":") else {
            return half(hour).map { TimeOfDay(seconds: Int64($0) * 3_600, precision: .minute) }
        }
        guard let minute = number(digits: 2...2), minute < 60 else { return nil }
        var (second, milliseconds, precision) = (0, Int64(0), TimeOfDay.Precision.minute)
        if take(mark: ":") {
            guard let value = number(digits: 2...2), value < 60 else { return nil }
            (second, precision) = (value, .second)
            if let fraction = attempt({ $0.milliseconds() }) { (milliseconds, precision) = (fraction, .millisecond) }
        }
        guard let hour = half(hour) ?? (hour < 24 ? hour : nil) else { return nil }
        return TimeOfDay(
            seconds: Int64(hour * 3_600 + minute * 60 + second), milliseconds: milliseconds, precision: precision)
    }

    /// The hour on a 24-hour clock, if "am" or "pm" follows; 12 am is midnight. Nil without either. A wrong word stays, and is
    /// refused later.
    private mutating func half(_ hour: Int) -> Int? {
        attempt { parser in
            guard (1...12).contains(hour), let half = parser.word() else { return nil }
            let isDotted = half.count == 1 && parser.take(mark: ".") && parser.word(attached: true) == "m"
            if isDotted { _ = parser.attempt { $0.next(attached: true) == .mark(".") ? true : nil } }
            switch isDotted ? half + "m" : half {
            case "am": return hour % 12
            case "pm": return hour % 12 + 12
            default: return nil
            }
        }
    }

    private mutating func milliseconds() -> Int64? {
        guard take(mark: "."), case .number(let value, let digits) = next(attached: true) else { return nil }
        // There are at most nine digits; those after the third are dropped.
        let billionths = (digits..<9).reduce(Int64(value)) { value, _ in value * 10 }
        return billionths / 1_000_000
    }
}

/// Days and longer spans.
extension TimeParser {
    /// `2024-03-01`, `2024/03/01`, `2024.3.1` and `1.3.2024`. A date that begins with the day must have dots: with other marks,
    /// half of the world reads the month first.
    mutating func numericDate() -> CivilDate? {
        if let year = fullYear() {
            for mark in ["-", "/", "."] as [Unicode.Scalar] where take(mark: mark) {
                guard let month = number(digits: 1...2, attached: true), take(mark: mark),
                    let day = number(digits: 1...2, attached: true)
                else { return nil }
                // In ISO 8601, a T comes before the time of day.
                _ = attempt { $0.word(attached: true) == "t" && $0.isAtAttachedToken ? true : nil }
                return CivilDate(checkedYear: year, month: month, day: day)
            }
            return nil
        }
        guard let day = number(digits: 1...2), take(mark: "."), let month = number(digits: 1...2, attached: true),
            take(mark: "."), let year = fullYear()
        else { return nil }
        return CivilDate(checkedYear: year, month: month, day: day)
    }

    /// `1 march`, `march 1, 2024`.
    mutating func wordedDate() -> CivilDate? {
        let dayFirst = number(digits: 1...2)
        guard let month = month(), let day = dayFirst ?? number(digits: 1...2) else { return nil }
        if let year = fullYear() { return CivilDate(checkedYear: year, month: month, day: day) }
        return latest(month: month, day: day)
    }

    /// `monday`, `last monday`, `monday 3 march`.
    mutating func weekdayAndDate() -> CivilDate? {
        let mustBePast = take("last")
        guard let weekday = word().flatMap({ TimeParser.index(of: $0, in: CivilDate.weekdays) }) else { return nil }
        if !mustBePast, let date = attempt({ $0.numericDate() }) ?? attempt({ $0.wordedDate() }) {
            return date.weekday == weekday ? date : nil
        }
        let back = (today.weekday - weekday + 7) % 7
        return today.adding(days: -(mustBePast && back == 0 ? 7 : back))
    }

    mutating func relativeDay() -> CivilDate? {
        if take("today") { return today }
        if take("yesterday") { return today.adding(days: -1) }
        if take("tomorrow") { return today.adding(days: 1) }
        if take("day", "before", "yesterday") { return today.adding(days: -2) }
        if take("day", "after", "tomorrow") { return today.adding(days: 2) }
        return nil
    }

    /// `3 weeks ago`, `a year ago`, `3d`.
    mutating func daysAgo() -> CivilDate? {
        guard let (count, unit) = ago() else { return nil }
        switch unit {
        case .minute, .hour: return nil
        case .day: return today.adding(days: -count)
        case .week: return today.adding(days: -7 * count)
        case .month: return today.adding(months: -count)
        case .year: return today.adding(months: -12 * count)
        }
    }

    /// `now`, `5 minutes ago`, `2h`.
    mutating func minutesAgo() -> Int64? {
        if take("now") { return 0 }
        guard let (count, unit) = ago() else { return nil }
        switch unit {
        case .minute: return Int64(count)
        case .hour: return Int64(count) * 60
        case .day, .week, .month, .year: return nil
        }
    }

    /// `2024`, `2024-03`, `march 2024`, `march`, `last week`, `week of 21 april`.
    mutating func span() -> Subject? {
        if take("last") { return period(-1) }
        if take("this") { return period(0) }
        if take("week") {
            let date = attempt { $0.numericDate() } ?? attempt { $0.weekdayAndDate() } ?? attempt { $0.wordedDate() }
            return date.flatMap(TimeParser.week)
        }
        if let month = month() {
            if let year = fullYear() { return TimeParser.month(month, of: year) }
            return latest(month: month, day: 1).flatMap { TimeParser.month(month, of: $0.year) }
        }
        guard let year = fullYear() else { return nil }
        if take(mark: "-") || take(mark: "/") {
            return number(digits: 1...2, attached: true).flatMap { TimeParser.month($0, of: year) }
        }
        // Other numbers of four digits probably mean something else.
        return (1970...2999).contains(year) ? TimeParser.year(year) : nil
    }

    // MARK: - Parts

    private enum Unit {
        case minute, hour, day, week, month, year
    }

    /// Units with their names. A short name needs no "ago" if it comes right after the number (`3d`).
    private static let units: [(unit: Unit, names: Set<String>, shortNames: Set<String>)] = [
        (.minute, ["minute", "minutes", "mins"], ["min"]), (.hour, ["hour", "hours", "hr", "hrs"], ["h"]),
        (.day, ["day", "days"], ["d"]), (.week, ["week", "weeks", "wk", "wks"], ["w"]),
        (.month, ["month", "months", "mos"], ["mo"]), (.year, ["year", "years", "yr", "yrs"], ["y"]),
    ]
    private static let counts = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    private mutating func ago() -> (count: Int, unit: Unit)? {
        guard let count = number(digits: 1...9) ?? count() else { return nil }
        let isAttached = isAtAttachedToken
        guard let name = word(),
            let entry = TimeParser.units.first(where: { $0.names.contains(name) || $0.shortNames.contains(name) })
        else { return nil }
        guard take("ago") || (isAttached && entry.shortNames.contains(name)) else { return nil }
        return (count, entry.unit)
    }

    private mutating func count() -> Int? {
        guard let word = word() else { return nil }
        if word == "a" || word == "an" { return 1 }
        return TimeParser.counts.firstIndex(of: word).map { $0 + 1 }
    }

    private mutating func fullYear() -> Int? {
        attempt { parser in parser.number(digits: 4...4).flatMap { $0 >= 1_000 ? $0 : nil } }
    }

    private mutating func month() -> Int? {
        attempt { parser in parser.word().flatMap { TimeParser.index(of: $0, in: CivilDate.months) }.map { $0 + 1 } }
    }

    /// The index of a name, which may be abbreviated to three letters or more.
    private static func index(of word: String, in names: [String]) -> Int? {
        guard word.count >= 3 else { return nil }
        return names.firstIndex { $0.lowercased().hasPrefix(word) }
    }

    /// The day in the year of `near`, or in the latest year before that has this day, but not after today.
    private func latest(month: Int, day: Int) -> CivilDate? {
        let year = (near ?? today).year
        // Eight years lie between 29 February 1896 and the next.
        return (0...8).lazy.compactMap { CivilDate(checkedYear: year - $0, month: month, day: day) }
            .first { $0 <= today }
    }

    // MARK: - Spans

    private mutating func period(_ offset: Int) -> Subject? {
        if take("week") { return TimeParser.week(today.adding(days: 7 * offset)) }
        if take("month") { return today.adding(months: offset).flatMap { TimeParser.month($0.month, of: $0.year) } }
        if take("year") { return TimeParser.year(today.year + offset) }
        return nil
    }

    private static func week(_ date: CivilDate) -> Subject? {
        let monday = date.monday
        guard monday.canBeNamed else { return nil }
        return .span(monday, monday.adding(days: 7), "the week of \(monday.medium)")
    }

    private static func month(_ month: Int, of year: Int) -> Subject? {
        guard let first = CivilDate(checkedYear: year, month: month, day: 1), first.canBeNamed,
            let next = first.adding(months: 1)
        else { return nil }
        return .span(first, next, first.monthAndYear)
    }

    private static func year(_ year: Int) -> Subject? {
        guard let first = CivilDate(checkedYear: year, month: 1, day: 1), first.canBeNamed,
            let next = first.adding(months: 12)
        else { return nil }
        return .span(first, next, "\(year)")
    }
}

/// A token of a text that names a time.
struct TimeToken: Hashable {
    enum Kind: Hashable {
        case number(Int, digits: Int)
        /// In lower case.
        case word(String)
        case mark(Unicode.Scalar)
    }

    let kind: Kind
    /// True if it directly follows the token before.
    let isAttached: Bool

    /// A longer number is not a day, a year or a count.
    private static let mostDigits = 9
    private static let fillers: Set<String> = ["at", "on", "the", "of"]
    private static let ordinals: Set<String> = ["st", "nd", "rd", "th"]
    private static let marks: Set<Unicode.Scalar> = ["-", "/", ".", ":"]

    /// Splits a text into tokens, without blanks, commas, fillers and the endings of ordinals. Nil when it contains a
    /// character that no name of a time has.
    static func tokens(of text: String) -> [TimeToken]? {
        var tokens: [TimeToken] = []
        var isAttached = false
        var rest = Substring(text.lowercased()).unicodeScalars
        while let first = rest.first {
            if isBlank(first) {
                rest.removeFirst()
                isAttached = false
                continue
            }
            guard let kind = take(from: &rest) else { return nil }
            let isSilent = isSilent(kind, isAttached: isAttached)
            if !isSilent { tokens.append(TimeToken(kind: kind, isAttached: isAttached)) }
            isAttached = !isSilent
        }
        return tokens
    }

    private static func take(from rest: inout Substring.UnicodeScalarView) -> Kind? {
        let digits = rest.prefix(while: isDigit)
        if !digits.isEmpty {
            rest = rest.dropFirst(digits.count)
            guard digits.count <= mostDigits else { return nil }
            return Int(String(digits)).map { .number($0, digits: digits.count) }
        }
        let letters = rest.prefix(while: isLetter)
        if !letters.isEmpty {
            rest = rest.dropFirst(letters.count)
            return .word(String(letters))
        }
        return rest.popFirst().flatMap { marks.contains($0) ? .mark($0) : nil }
    }

    private static func isSilent(_ kind: Kind, isAttached: Bool) -> Bool {
        guard case .word(let word) = kind else { return false }
        return fillers.contains(word) || (isAttached && ordinals.contains(word))
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "," }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
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
    /// The milliseconds after the last full second.
    var milliseconds: Int64 = 0
    let precision: Precision
}
