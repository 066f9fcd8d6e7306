import Glibc

/// Where the clock on the wall hangs: turns UTC into local time and back. Tests give one with a fixed offset.
package struct Zone: Sendable {
    /// Seconds east of UTC at a moment.
    private let offset: @Sendable (Timestamp) -> Int64

    package init(offset: @escaping @Sendable (Timestamp) -> Int64) { self.offset = offset }

    package static let utc = Zone(secondsEast: 0)

    package init(secondsEast: Int64) { self.init { _ in secondsEast } }

    /// The zone of the environment (`TZ`, else the system's), as libc knows it.
    package static let local: Zone = {
        tzset()
        return Zone { moment in
            var seconds = time_t(moment.milliseconds.flooredDivision(by: 1_000))
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil else { return 0 }
            return Int64(parts.tm_gmtoff)
        }
    }()

    package func civil(_ moment: Timestamp) -> CivilTime {
        CivilTime(secondsSinceEpoch: moment.milliseconds.flooredDivision(by: 1_000) + offset(moment))
    }

    /// `2008-04-27 06:00`
    package func minute(_ moment: Timestamp) -> String {
        let civil = civil(moment)
        return "\(civil.date.iso8601) \(civil.clock)"
    }

    /// The moment at which the wall shows this. In the hour that a change of clocks skips or repeats, one of the two.
    package func moment(of date: CivilDate, seconds: Int64 = 0) -> Timestamp {
        let wall = Int64(date.daysSinceEpoch) * 86_400 + seconds
        let guess = Timestamp(milliseconds: (wall - offset(Timestamp(milliseconds: wall * 1_000))) * 1_000)
        return Timestamp(milliseconds: (wall - offset(guess)) * 1_000)
    }

    /// Reads `2008-04-27`, `2008-04-27 06:00` (both on this wall) or a whole ISO 8601 time with its zone.
    package func moment(parsing text: String) -> Timestamp? {
        if let exact = Timestamp(iso8601: text) { return exact }
        var reader = DigitReader(text.utf8)
        guard let date = reader.date() else { return nil }
        if reader.isAtEnd { return moment(of: date) }
        guard reader.take(" ") || reader.take("T"), let time = reader.timeOfDay(), reader.isAtEnd else { return nil }
        return moment(of: date, seconds: time.seconds)
    }
}
