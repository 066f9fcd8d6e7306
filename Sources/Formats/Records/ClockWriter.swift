internal import Dates

/// Writes times as native records hold them. Successive records mostly share the day, so the last day is kept.
struct ClockWriter {
    private var day = Int64.min
    private var date: [UInt8] = []

    /// Appends `2025-03-01T09:12:33.120Z`; without milliseconds where there are none.
    mutating func write(_ time: Timestamp, to bytes: inout [UInt8]) {
        let day = time.milliseconds.flooredDivision(by: 86_400_000)
        if day != self.day {
            self.day = day
            date = Array(CivilDate(daysSinceEpoch: Int(day)).iso8601.utf8)
        }
        let rest = Int(time.milliseconds - day * 86_400_000)
        bytes += date
        bytes.append(UInt8(ascii: "T"))
        two(rest / 3_600_000, &bytes)
        bytes.append(UInt8(ascii: ":"))
        two(rest / 60_000 % 60, &bytes)
        bytes.append(UInt8(ascii: ":"))
        two(rest / 1_000 % 60, &bytes)
        if rest % 1_000 != 0 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(UInt8(48 + rest % 1_000 / 100))
            two(rest % 100, &bytes)
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    private func two(_ value: Int, _ bytes: inout [UInt8]) {
        bytes.append(UInt8(48 + value / 10))
        bytes.append(UInt8(48 + value % 10))
    }
}
