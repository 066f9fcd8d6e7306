internal import Dates

/// Finds the date in a line by which a program marks a day.
enum IRCDate {
    /// `--- Day changed Sun Mar 29 2026`, `**** BEGIN LOGGING AT Thu May 19 23:59:44 2011`, `--- Sun Mar 29 2026`,
    /// `--- Day changed dim. 29 mars 2026`: a year, a day, and the name of a month, in any order.
    /// - Parameter previous: the day before, from which an unknown name of a month is guessed.
    static func day(in line: Bytes, after previous: Int?) -> Int? {
        var (year, day, month): (Int?, Int?, Int?) = (nil, nil, nil)
        for part in line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == 0x5D || $0 == 0x5B || $0 == 0x2C }) {
            let word = Bytes(rebasing: part)
            if let date = iso(word) { return date }
            if let number = number(word) {
                if number >= 1_980, number < 10_000 { year = number } else if number <= 31, number > 0 { day = number }
            } else if word.count > 1, !word.contains(UInt8(ascii: ":")) {
                // The name of the day stands before that of the month, and can be the same: `mar. 03 févr. 2026`
                month = MonthNames.month(word) ?? month
            }
        }
        guard let year, let day else { return nil }
        if let month { return CivilDate(checkedYear: year, month: month, day: day)?.daysSinceEpoch }
        guard let previous else { return nil }
        // The next day with this number after the one before.
        return (previous..<(previous + 62)).first {
            let date = CivilDate(daysSinceEpoch: $0)
            return date.day == day && date.year == year
        }
    }

    /// The time in a line by which a program marks a day: `Thu May 19 23:59:44 2011`.
    static func second(in line: Bytes) -> Int? {
        line.split(whereSeparator: { $0 == 32 || $0 == 9 }).lazy.filter { $0.contains(UInt8(ascii: ":")) }.compactMap {
            // The rest of the line, with the half of the day.
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
        while at < word.count, at < 5, word[at] &- 48 < 10 {
            value = value * 10 + Int(word[at] &- 48)
            at += 1
        }
        let rest = Bytes(rebasing: word[at...])
        return at > 0 && (rest.isEmpty || rest == "." || rest == "年" || rest == "日") ? value : nil
    }
}
