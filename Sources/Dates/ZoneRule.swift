/// When clocks change in each year, by the rule of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule {
    /// Seconds east of UTC in winter.
    private let standard: Int64
    private let summer: Summer?

    private struct Summer {
        let offset: Int64
        let start: Day
        let end: Day
    }

    /// A day of a year, and the seconds after its midnight.
    private struct Day {
        enum Kind {
            /// The last (5) or an earlier such weekday of a month; 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
            /// Counted from 1, without 29 February.
            case julian(Int)
            /// Counted from 0.
            case plain(Int)
        }

        let kind: Kind
        let seconds: Int64
    }

    /// Nil unless the text is a rule.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard ZoneRule.takeName(&rest), let west = ZoneRule.takeTime(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard ZoneRule.takeName(&rest) else { return nil }
        let offset = ZoneRule.takeTime(&rest).map { -$0 } ?? standard + 3_600
        guard let start = ZoneRule.takeDay(&rest), let end = ZoneRule.takeDay(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// Seconds east of UTC at a moment in seconds since 1970.
    func offset(at seconds: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = CivilTime(secondsSinceEpoch: seconds + standard).date.year
        let start = ZoneRule.moment(of: summer.start, in: year) - standard
        let end = ZoneRule.moment(of: summer.end, in: year) - summer.offset
        let isSummer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
        return isSummer ? summer.offset : standard
    }

    /// Seconds of the local clock since its 1970.
    private static func moment(of day: Day, in year: Int) -> Int64 {
        let first = CivilDate(checkedYear: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
        let number: Int
        switch day.kind {
        case .plain(let index): number = first + index
        case .julian(let index):
            let isLeap = CivilDate(checkedYear: year, month: 2, day: 29) != nil
            number = first + index - 1 + (isLeap && index > 59 ? 1 : 0)
        case .weekday(let month, let week, let weekday):
            guard let date = CivilDate(checkedYear: year, month: month, day: 1) else { return 0 }
            let length = CivilDate.days(inMonth: month, of: year)
            var day = (weekday - date.weekday + 7) % 7 + 7 * (week - 1)
            while day >= length { day -= 7 }
            number = date.daysSinceEpoch + day
        }
        return Int64(number) * 86_400 + day.seconds
    }

    // MARK: - Reading

    private static func takeName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let count: Int
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            count = end - rest.startIndex + 1
        } else {
            count = rest.prefix { ($0 | 32) >= UInt8(ascii: "a") && ($0 | 32) <= UInt8(ascii: "z") }.count
        }
        rest = rest.dropFirst(count)
        return count > 2
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix { $0 >= 48 && $0 < 58 }
        guard !digits.isEmpty, digits.count < 5 else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// `-1`, `5:30`, in seconds.
    private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let isNegative = take("-", &rest)
        if !isNegative { _ = take("+", &rest) }
        guard let hours = takeNumber(&rest) else { return nil }
        var seconds = Int64(hours) * 3_600
        for unit in [60, 1] as [Int64] {
            guard take(":", &rest) else { break }
            guard let part = takeNumber(&rest) else { return nil }
            seconds += Int64(part) * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func takeDay(_ rest: inout ArraySlice<UInt8>) -> Day? {
        guard take(",", &rest) else { return nil }
        let kind: Day.Kind
        if take("M", &rest) {
            guard let month = takeNumber(&rest), take(".", &rest), let week = takeNumber(&rest), take(".", &rest),
                let day = takeNumber(&rest), (1...12).contains(month), (1...5).contains(week), day < 7
            else { return nil }
            kind = .weekday(month: month, week: week, day: day)
        } else {
            let isJulian = take("J", &rest)
            guard let number = takeNumber(&rest), number <= 366 else { return nil }
            kind = isJulian ? .julian(number) : .plain(number)
        }
        guard take("/", &rest) else { return Day(kind: kind, seconds: 7_200) }
        return takeTime(&rest).map { Day(kind: kind, seconds: $0) }
    }
}
