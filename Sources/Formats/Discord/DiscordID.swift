/// Snowflakes: IDs that hold the time of their making, and so are ordered.
enum DiscordID {
    /// The ID as a number; nil for anything else, and for what does not fit.
    static func number(_ text: Bytes) -> Int64? {
        guard !text.isEmpty, text.count <= 19 else { return nil }
        var value = Int64(0)
        for byte in text {
            let digit = Int64(byte) - 48
            guard (0...9).contains(digit) else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(digit)
            guard !overflows, !overflowsToo else { return nil }
            value = sum
        }
        return value
    }

    /// The place of a message without such an ID: by its time, and by a hash of its ID within the millisecond. Tools that
    /// replace names and IDs write such.
    static func key(of id: Bytes, milliseconds: Int64) -> Int64 {
        let time = min(max(0, milliseconds - 1_420_070_400_000), Int64.max >> 22)
        return time << 22 | Int64(Fingerprint.of(id) & 0x3F_FFFF)
    }
}
