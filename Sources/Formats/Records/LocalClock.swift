internal import Dates
internal import JSON

/// Turns local times without a zone into moments. It asks for the zone's offset once a day, or each time on days near a change of
/// clocks.
struct LocalClock {
    private let zone: Zone
    private var day = Int.min
    /// Seconds east of UTC on that day; nil if they differ.
    private var east: Int?

    init(_ zone: Zone) { self.zone = zone }

    /// Parses `2020-01-31T23:59:59`, or the same with a blank instead of the T; nil for anything else.
    mutating func moment(_ text: Bytes) -> Timestamp? {
        text.dayAndSecond.map { moment(day: $0.day, second: $0.second) }
    }

    /// - Parameters:
    ///   - day: since 1970-01-01.
    ///   - second: since midnight.
    ///   - east: the seconds east of UTC, if the text contains them.
    mutating func moment(day: Int, second: Int, milliseconds: Int = 0, east: Int? = nil) -> Timestamp {
        guard let known = east ?? offset(on: day) else {
            let moment = zone.moment(of: CivilDate(daysSinceEpoch: day), seconds: Int64(second))
            return Timestamp(milliseconds: moment.milliseconds + Int64(milliseconds))
        }
        return Timestamp(milliseconds: Int64(day * 86_400 + second - known) * 1_000 + Int64(milliseconds))
    }

    private mutating func offset(on day: Int) -> Int? {
        guard day != self.day else { return east }
        self.day = day
        let before = zone.offset(Timestamp(milliseconds: Int64(day - 1) * 86_400_000))
        let after = zone.offset(Timestamp(milliseconds: Int64(day + 2) * 86_400_000))
        east = before == after ? Int(before) : nil
        return east
    }
}

extension UnsafeRawBufferPointer {
    /// The day since 1970 and the second since midnight in `2020-01-31T23:59:59`, or the same with a blank instead of the T; nil
    /// for anything else.
    var dayAndSecond: (day: Int, second: Int)? {
        guard count >= 19, self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-"), self[13] == UInt8(ascii: ":"),
            self[16] == UInt8(ascii: ":"), let year = number(at: 0, digits: 4), let month = number(at: 5, digits: 2),
            let day = number(at: 8, digits: 2), let hour = number(at: 11, digits: 2),
            let minute = number(at: 14, digits: 2), let second = number(at: 17, digits: 2), hour < 24, minute < 60,
            second <= 60, let date = CivilDate(checkedYear: year, month: month, day: day)
        else { return nil }
        return (date.daysSinceEpoch, hour * 3_600 + minute * 60 + Swift.min(second, 59))
    }
}

extension Timestamp {
    /// The milliseconds since 1970 that a record can contain: years have four digits.
    static let writable: Range<Int64> = 0..<253_402_300_800_000
}

/// Durations as text.
enum ForeignDuration {
    /// `1:02:03` or `2:03`
    static func text(_ seconds: Int64) -> String {
        let seconds = max(0, seconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(seconds % 60)
    }
}

/// Writes times in the form of native records. Most records have the same day as the one before, so the last day is cached.
struct ClockWriter {
    private var day = Int64.min
    private var date: [UInt8] = []

    /// Appends `2025-03-01T09:12:33.120Z`, without the milliseconds if they are zero.
    mutating func write(_ time: Timestamp, to bytes: inout JSONBuffer) {
        let day = time.milliseconds.flooredDivision(by: 86_400_000)
        if day != self.day {
            self.day = day
            date = Array(CivilDate(daysSinceEpoch: Int(day)).iso8601.utf8)
        }
        let rest = Int(time.milliseconds - day * 86_400_000)
        bytes.append(date)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendTwo(rest / 3_600_000)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendTwo(rest / 60_000 % 60)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendTwo(rest / 1_000 % 60)
        if rest % 1_000 != 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(UInt8(48 + rest % 1_000 / 100))
            bytes.appendTwo(rest % 100)
        }
        bytes.append(UInt8(ascii: "Z"))
    }
}
