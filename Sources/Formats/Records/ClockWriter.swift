internal import Dates

/// Writes times as native records hold them. Successive records mostly share the day, so the last day is kept.
struct ClockWriter {
    private var day = Int64.min
    private var date: [UInt8] = []

    /// Appends `2025-03-01T09:12:33.120Z`; without milliseconds where there are none.
    mutating func write(_ time: Timestamp, to bytes: inout RecordBuffer) {
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
