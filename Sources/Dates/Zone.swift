import Glibc

/// Turns UTC into local time and back. Tests use a zone with a fixed offset.
package struct Zone: Sendable {
    /// Seconds east of UTC at a moment.
    package let offset: @Sendable (Timestamp) -> Int64
    /// Whether a clock shows 9:12 PM for 21:12. Times with a date in digits always have 24 hours.
    package var hasTwelveHours = false

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

    /// `06:00`, `6:00 AM`
    package func clock(_ time: CivilTime) -> String {
        guard hasTwelveHours else { return time.clock }
        return "\((time.hour + 11) % 12 + 1):\(decimal(time.minute, digits: 2)) \(time.hour < 12 ? "AM" : "PM")"
    }

    /// The columns of the longest clock.
    package var clockColumns: Int { hasTwelveHours ? 8 : 5 }

    /// `2008-04-27 06:00`
    package func minute(_ moment: Timestamp) -> String {
        let civil = civil(moment)
        return "\(civil.date.iso8601) \(civil.clock)"
    }

    /// `2008-04-27 06:00:59 +02:00`
    package func second(_ moment: Timestamp) -> String {
        let minutes = offset(moment).flooredDivision(by: 60)
        let (sign, east) = (minutes < 0 ? "-" : "+", Int(minutes.magnitude))
        let second = decimal(civil(moment).second, digits: 2)
        return "\(minute(moment)):\(second) \(sign)\(decimal(east / 60, digits: 2)):\(decimal(east % 60, digits: 2))"
    }

    /// The moment at which a local clock shows this time. In the hour that a change of clocks repeats, it is the first
    /// such moment. In the hour that a change skips, it is as long after the change as the time is after the start of
    /// that hour: a day without a midnight begins with its first hour.
    package func moment(of date: CivilDate, seconds: Int64 = 0) -> Timestamp {
        let wall = Int64(date.daysSinceEpoch) * 86_400 + seconds
        // Clocks change more than two days apart, so no other offset is possible.
        let offsets = [wall - 86_400, wall + 86_400].map { offset(Timestamp(milliseconds: $0 * 1_000)) }
        let candidates = offsets.map { Timestamp(milliseconds: (wall - $0) * 1_000) }.sorted()
        return candidates.first { $0.milliseconds / 1_000 + offset($0) == wall } ?? candidates[1]
    }
}
