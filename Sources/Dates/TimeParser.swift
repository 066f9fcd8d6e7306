/// Parses the name of a time: a day or a longer span, and a time of day, in either order.
///
/// Tries one form after the other at the current token; a form that does not fit takes no tokens. When no form fits the
/// rest, the whole text is refused, so that nothing is half understood.
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

    /// The next token, if it is attached where it has to be.
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

    /// A mark between two numbers, without blanks.
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

    /// The hour of the day when "am" or "pm" follows; 12 am is midnight. Nil without either; a wrong word is left, and
    /// so refused later.
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
        // There are at most nine digits; those after the third are cut.
        let billionths = (digits..<9).reduce(Int64(value)) { value, _ in value * 10 }
        return billionths / 1_000_000
    }
}
