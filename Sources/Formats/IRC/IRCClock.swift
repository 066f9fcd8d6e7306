internal import Dates

/// Turns days and times of logs into moments. A zone is asked once a day, unless its clocks are changed about that day.
struct IRCClock {
    private let zone: Zone
    private var day = Int.min
    /// Seconds east of UTC on that day; nil if they differ.
    private var east: Int?

    init(_ zone: Zone) { self.zone = zone }

    mutating func moment(day: Int, second: Int, milliseconds: Int, east: Int?) -> Timestamp {
        let wall = day * 86_400 + second
        guard let known = east ?? offset(on: day) else {
            let moment = zone.moment(of: CivilDate(daysSinceEpoch: day), seconds: Int64(second))
            return Timestamp(milliseconds: moment.milliseconds + Int64(milliseconds))
        }
        return Timestamp(milliseconds: Int64(wall - known) * 1_000 + Int64(milliseconds))
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
