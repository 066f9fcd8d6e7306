internal import Dates

/// Times as the exporter writes them, a few hundred thousand a second: `2026-06-24T19:16:11.316+07:00`.
enum DiscordTime {
    /// Nil for anything but ISO 8601.
    static func moment(_ text: Bytes) -> Timestamp? {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"), let year = text.number(at: 0, digits: 4),
            let month = text.number(at: 5, digits: 2), let day = text.number(at: 8, digits: 2),
            let hour = text.number(at: 11, digits: 2),
            let minute = text.number(at: 14, digits: 2), let second = text.number(at: 17, digits: 2), hour < 24,
            minute < 60, second <= 60,
            let date = CivilDate(checkedYear: year, month: month, day: day)
        else { return nil }
        var (at, fraction, scale) = (19, 0, 100)
        if text[at] == UInt8(ascii: ".") {
            at += 1
            while at < text.count, (48...57).contains(text[at]) {
                fraction += Int(text[at] - 48) * scale
                scale /= 10
                at += 1
            }
        }
        guard let offset = offset(text, at) else { return nil }
        let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3_600 + minute * 60 + min(second, 59)) - offset
        return Timestamp(milliseconds: seconds * 1_000 + Int64(fraction))
    }

    /// `Z`, `+07:00`, in seconds.
    private static func offset(_ text: Bytes, _ at: Int) -> Int64? {
        guard at < text.count else { return nil }
        if text[at] == UInt8(ascii: "Z") { return at + 1 == text.count ? 0 : nil }
        guard text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-"), text.count == at + 6,
            text[at + 3] == UInt8(ascii: ":"), let hours = text.number(at: at + 1, digits: 2),
            let minutes = text.number(at: at + 4, digits: 2)
        else { return nil }
        let seconds = Int64(hours * 3_600 + minutes * 60)
        return text[at] == UInt8(ascii: "-") ? -seconds : seconds
    }
}
