internal import Dates

/// A `ts`: seconds since 1970 with up to six decimal places, and the ID of a message in its channel.
struct SlackTime {
    let microseconds: Int64

    var timestamp: Timestamp { Timestamp(milliseconds: microseconds.flooredDivision(by: 1_000)) }

    /// Nil for anything but digits with at most one point.
    init?(_ text: Bytes) {
        var (whole, fraction, places) = (Int64(0), Int64(0), -1)
        guard !text.isEmpty, text.count <= 24 else { return nil }
        for byte in text {
            if byte == UInt8(ascii: "."), places < 0, whole >= 0 {
                places = 0
                continue
            }
            let digit = Int64(byte) - 48
            guard (0...9).contains(digit) else { return nil }
            if places < 0 {
                whole = whole * 10 + digit
                guard whole < 1_000_000_000_000 else { return nil }
            } else if places < 6 {
                fraction = fraction * 10 + digit
                places += 1
            }
        }
        while places >= 0, places < 6 {
            fraction *= 10
            places += 1
        }
        microseconds = whole * 1_000_000 + fraction
    }
}
