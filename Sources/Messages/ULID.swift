/// Unique IDs that sort by the time at which they were made: 48 bits of milliseconds and 80 random bits, as 26
/// characters (https://github.com/ulid/spec).
package enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A time before 1970 or after the year 10889 counts as the nearest time that has an ID.
    package static func make(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(min(max(0, time.milliseconds), (1 << 48) - 1))
        var digits = stride(from: 45, through: 0, by: -5).map { milliseconds >> UInt64($0) & 31 }
        for _ in 0..<16 { digits.append(generator.next(upperBound: UInt64(32))) }
        return String(decoding: digits.map { alphabet[Int($0)] }, as: UTF8.self)
    }
}
