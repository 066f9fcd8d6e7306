import Glibc

/// Turns UTC into local time and back. Tests use a zone with a fixed offset.
package struct Zone: Sendable {
    /// Seconds east of UTC at a moment.
    package let offset: @Sendable (Timestamp) -> Int64
    /// True if a clock shows 9:12 PM for 21:12. Times with a date in digits always have 24 hours.
    package var hasTwelveHours = false

    package init(offset: @escaping @Sendable (Timestamp) -> Int64) { self.offset = offset }

    package static let utc = Zone(secondsEast: 0)

    package init(secondsEast: Int64) { self.init { _ in secondsEast } }

    /// The zone of the environment (`TZ`, else the system's), from libc.
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

/// A zone as the system's zone files describe it (TZif, RFC 8536): the changes of its clocks in the past, and the rule after
/// them.
struct ZoneFile {
    /// The moments at which clocks change, in seconds since 1970.
    private let changes: [Int64]
    /// The offset after each change, in seconds east of UTC.
    private let offsets: [Int64]
    /// The offset before the first change.
    private let first: Int64
    /// The rule after the last change; nil if the last offset stays.
    private let rule: ZoneRule?

    /// Nil unless the bytes are a zone file of version 2 or later.
    init?(_ bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0), let header = Header(bytes, at: 44 + old.size(ofTimes: 4)) else {
            return nil
        }
        let start = 44 + old.size(ofTimes: 4) + 44
        guard bytes.count >= start + header.size(ofTimes: 8), header.types > 0 else { return nil }
        func number(_ at: Int, _ count: Int) -> Int64 {
            let value = bytes[at..<at + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }
        let (kinds, types) = (start + 8 * header.changes, start + 9 * header.changes)
        let all = (0..<header.types).map { number(types + 6 * $0, 4) }
        changes = (0..<header.changes).map { number(start + 8 * $0, 8) }
        var offsets: [Int64] = []
        for index in 0..<header.changes {
            let kind = Int(bytes[kinds + index])
            guard kind < all.count else { return nil }
            offsets.append(all[kind])
        }
        self.offsets = offsets
        first = all[0]
        let footer = bytes[(start + header.size(ofTimes: 8))...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
        rule = ZoneRule(String(decoding: footer, as: UTF8.self))
    }

    /// Seconds east of UTC.
    func offset(at seconds: Int64) -> Int64 {
        guard let last = changes.last, seconds < last else { return rule?.offset(at: seconds) ?? offsets.last ?? first }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    private struct Header {
        let changes: Int
        let types: Int
        private let others: Int
        private let leaps: Int
        private let names: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start >= 0, bytes.count >= start + 44, bytes[start..<start + 4].elementsEqual("TZif".utf8),
                bytes[start + 4] >= 0x32
            else { return nil }
            func count(_ at: Int) -> Int { bytes[start + at..<start + at + 4].reduce(0) { $0 << 8 | Int($1) } }
            (others, leaps, changes) = (count(20) + count(24), count(28), count(32))
            (types, names) = (count(36), count(40))
        }

        func size(ofTimes width: Int) -> Int {
            changes * (width + 1) + types * 6 + names + leaps * (width + 4) + others
        }
    }
}

/// Finds a zone by its name.
package enum ZoneName {
    /// - Parameter name: `Europe/Berlin`, as in the system's zone files; `UTC`, `Z`, `+02:00`, `-0530`.
    /// - Returns: nil for a zone that this machine does not know.
    package static func zone(_ name: String) -> Zone? {
        if name == "UTC" || name == "Z" { return .utc }
        if let seconds = offset(name) { return Zone(secondsEast: seconds) }
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains(".."), !name.utf8.contains(0) else {
            return nil
        }
        for folder in ["/usr/share/zoneinfo", "/etc/zoneinfo", "/usr/lib/zoneinfo"] {
            guard let file = ZoneFile(bytes(of: folder + "/" + name)) else { continue }
            return Zone { file.offset(at: $0.milliseconds.flooredDivision(by: 1_000)) }
        }
        return nil
    }

    private static func offset(_ name: String) -> Int64? {
        guard name.hasPrefix("+") || name.hasPrefix("-") else { return nil }
        let digits = name.dropFirst().filter { $0 != ":" }
        guard digits.count == 4 || digits.count == 2, let number = Int64(digits) else { return nil }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 14, minutes < 60 else { return nil }
        return (name.hasPrefix("-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// The bytes of a zone file: a few kilobytes.
    private static func bytes(of path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
    }
}

/// The days of each year on which clocks change, by the rule of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule {
    /// Seconds east of UTC in winter.
    private let standard: Int64
    private let summer: Summer?

    private struct Summer {
        let offset: Int64
        let start: Day
        let end: Day
    }

    /// A day of a year, and the seconds after its midnight.
    private struct Day {
        enum Kind {
            /// The last (5) or an earlier such weekday of a month; 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
            /// Counted from 1, without 29 February.
            case julian(Int)
            /// Counted from 0.
            case plain(Int)
        }

        let kind: Kind
        let seconds: Int64
    }

    /// Nil unless the text is a rule.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard ZoneRule.takeName(&rest), let west = ZoneRule.takeTime(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard ZoneRule.takeName(&rest) else { return nil }
        let offset = ZoneRule.takeTime(&rest).map { -$0 } ?? standard + 3_600
        guard let start = ZoneRule.takeDay(&rest), let end = ZoneRule.takeDay(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// Seconds east of UTC at a moment in seconds since 1970.
    func offset(at seconds: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = CivilTime(secondsSinceEpoch: seconds + standard).date.year
        let start = ZoneRule.moment(of: summer.start, in: year) - standard
        let end = ZoneRule.moment(of: summer.end, in: year) - summer.offset
        let isSummer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
        return isSummer ? summer.offset : standard
    }

    /// The local time of a change, in seconds since 1970 on the local clock.
    private static func moment(of day: Day, in year: Int) -> Int64 {
        let first = CivilDate(checkedYear: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
        let number: Int
        switch day.kind {
        case .plain(let index): number = first + index
        case .julian(let index):
            let isLeap = CivilDate(checkedYear: year, month: 2, day: 29) != nil
            number = first + index - 1 + (isLeap && index > 59 ? 1 : 0)
        case .weekday(let month, let week, let weekday):
            guard let date = CivilDate(checkedYear: year, month: month, day: 1) else { return 0 }
            let length = CivilDate.days(inMonth: month, of: year)
            var day = (weekday - date.weekday + 7) % 7 + 7 * (week - 1)
            while day >= length { day -= 7 }
            number = date.daysSinceEpoch + day
        }
        return Int64(number) * 86_400 + day.seconds
    }

    // MARK: - Reading

    private static func takeName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let count: Int
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            count = end - rest.startIndex + 1
        } else {
            count = rest.prefix { ($0 | 32) >= UInt8(ascii: "a") && ($0 | 32) <= UInt8(ascii: "z") }.count
        }
        rest = rest.dropFirst(count)
        return count > 2
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix { $0 >= 48 && $0 < 58 }
        guard !digits.isEmpty, digits.count < 5 else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// `-1`, `5:30`, in seconds.
    private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let isNegative = take("-", &rest)
        if !isNegative { _ = take("+", &rest) }
        guard let hours = takeNumber(&rest) else { return nil }
        var seconds = Int64(hours) * 3_600
        for unit in [60, 1] as [Int64] {
            guard take(":", &rest) else { break }
            guard let part = takeNumber(&rest) else { return nil }
            seconds += Int64(part) * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func takeDay(_ rest: inout ArraySlice<UInt8>) -> Day? {
        guard take(",", &rest) else { return nil }
        let kind: Day.Kind
        if take("M", &rest) {
            guard let month = takeNumber(&rest), take(".", &rest), let week = takeNumber(&rest), take(".", &rest),
                let day = takeNumber(&rest), (1...12).contains(month), (1...5).contains(week), day < 7
            else { return nil }
            kind = .weekday(month: month, week: week, day: day)
        } else {
            let isJulian = take("J", &rest)
            guard let number = takeNumber(&rest), number <= 366 else { return nil }
            kind = isJulian ? .julian(number) : .plain(number)
        }
        guard take("/", &rest) else { return Day(kind: kind, seconds: 7_200) }
        return takeTime(&rest).map { Day(kind: kind, seconds: $0) }
    }
}
