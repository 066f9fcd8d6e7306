/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z. Many messages may share one.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}

extension Timestamp {
    /// Reads an ISO 8601 time such as `2025-03-01T09:12:33.120Z` or `…+02:00`: fractions beyond the millisecond are
    /// cut, a leap second counts as the second before it. Nil for anything else, so that a bad record can be reported.
    package init?(iso8601 bytes: some Collection<UInt8>) {
        var reader = DigitReader(bytes)
        guard let date = reader.date(), reader.take("T") || reader.take(" "), let time = reader.timeOfDay(),
            let offset = reader.zoneOffset(), reader.isAtEnd
        else { return nil }
        milliseconds = (Int64(date.daysSinceEpoch) * 86_400 + time.seconds - offset) * 1_000 + time.milliseconds
    }

    package init?(iso8601 text: String) { self.init(iso8601: text.utf8) }

    /// ISO 8601 in UTC; the milliseconds are written only when there are some.
    package var iso8601: String {
        let civil = CivilTime(secondsSinceEpoch: milliseconds.flooredDivision(by: 1_000))
        let fraction = Int(milliseconds - milliseconds.flooredDivision(by: 1_000) * 1_000)
        let tail = fraction == 0 ? "Z" : "." + decimal(fraction, digits: 3) + "Z"
        return "\(civil.date.iso8601)T\(civil.clock):\(decimal(civil.second, digits: 2))\(tail)"
    }
}

/// Reads the digit groups of a time from ASCII bytes without making a string: a scan reads millions of times.
struct DigitReader<Bytes: Collection<UInt8>> where Bytes.Element == UInt8 {
    private let bytes: Bytes
    private var index: Bytes.Index

    init(_ bytes: Bytes) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool { index == bytes.endIndex }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard index != bytes.endIndex, bytes[index] == UInt8(ascii: scalar) else { return false }
        index = bytes.index(after: index)
        return true
    }

    mutating func digit() -> Int? {
        guard index != bytes.endIndex else { return nil }
        let value = Int(bytes[index]) - 48
        guard (0...9).contains(value) else { return nil }
        index = bytes.index(after: index)
        return value
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(checkedYear: year, month: month, day: day)
    }

    mutating func timeOfDay() -> (seconds: Int64, milliseconds: Int64)? {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour < 24, minute < 60 else {
            return nil
        }
        guard take(":") else { return (Int64(hour * 3_600 + minute * 60), 0) }
        guard let second = number(digits: 2), second <= 60 else { return nil }
        let seconds = Int64(hour * 3_600 + minute * 60 + min(second, 59))
        guard take(".") else { return (seconds, 0) }
        guard let fraction = self.fraction() else { return nil }
        return (seconds, fraction)
    }

    /// The digits after the point, as milliseconds: at least one digit; those after the third are cut.
    private mutating func fraction() -> Int64? {
        guard var value = digit() else { return nil }
        var digits = 1
        while let next = digit() {
            if digits < 3 { value = value * 10 + next }
            digits += 1
        }
        while digits < 3 {
            value *= 10
            digits += 1
        }
        return Int64(value)
    }

    /// Seconds east of UTC: "Z", "+02:00" or "+0200".
    mutating func zoneOffset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let east = take("+")
        guard east || take("-"), let hours = number(digits: 2) else { return nil }
        _ = take(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        let seconds = Int64(hours * 3_600 + minutes * 60)
        return east ? seconds : -seconds
    }
}
