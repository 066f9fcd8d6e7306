/// The size of a file or of a text in words.
enum ByteCount {
    /// `1.2 kB`
    static func label(_ count: Int64) -> String {
        guard count >= 1_000 else { return "\(max(0, count)) B" }
        var value = count / 100
        for unit in ["kB", "MB", "GB"] {
            if value < 10_000 { return value < 100 ? "\(value / 10).\(value % 10) \(unit)" : "\(value / 10) \(unit)" }
            value /= 1_000
        }
        return "\(value / 10) TB"
    }
}
