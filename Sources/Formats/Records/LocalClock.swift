internal import Dates

/// Turns local times without a zone into moments. Most messages share the quarter of an hour of the one before, whose offset is kept.
struct LocalClock {
    private let zone: Zone
    private var quarter = Int64.min
    /// From the local time to UTC, in seconds.
    private var shift: Int64 = 0

    init(_ zone: Zone) { self.zone = zone }

    /// Reads `2020-01-31T23:59:59`, or with a blank for the T; nil for anything else.
    mutating func moment(_ text: Bytes) -> Timestamp? {
        guard text.count >= 19, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), let year = number(text, 0, 4), let month = number(text, 5, 2),
            let day = number(text, 8, 2), let hour = number(text, 11, 2), let minute = number(text, 14, 2),
            let second = number(text, 17, 2), hour < 24, minute < 60, second <= 60,
            let date = CivilDate(checkedYear: year, month: month, day: day)
        else { return nil }
        return moment(of: date, seconds: Int64(hour * 3_600 + minute * 60 + min(second, 59)))
    }

    /// - Parameter seconds: since midnight.
    mutating func moment(of date: CivilDate, seconds: Int64) -> Timestamp {
        let wall = Int64(date.daysSinceEpoch) * 86_400 + seconds
        // Clocks change at the beginning of one.
        let quarter = wall.flooredDivision(by: 900)
        if quarter != self.quarter {
            self.quarter = quarter
            shift = zone.moment(of: date, seconds: seconds).milliseconds / 1_000 - wall
        }
        return Timestamp(milliseconds: (wall + shift) * 1_000)
    }

    private func number(_ text: Bytes, _ start: Int, _ count: Int) -> Int? {
        var value = 0
        for byte in text[start..<start + count] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        return value
    }
}
