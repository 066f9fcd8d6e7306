internal import Dates
internal import JSON

/// A day and a time of day, as programs write them for people: in any order, with names of months in many languages.
///
///     Jan 01, 2024 9:05:33 am      Wed, May 17 2023 17:03:32      5. Mai 2024, 21:04      12-Mar-19 10:00 PM      2023年5月17日
///
/// If the day is three numbers that can be read in several ways, `day` is the most likely one: see `MomentReader`.
struct WrittenMoment {
    /// Days since 1970.
    private(set) var day: Int?
    /// Since midnight.
    private(set) var second: Int?
    /// Seconds east of UTC, if the text contains the zone.
    private(set) var east: Int?
    /// The day, if it is written as three numbers and does not begin with the year.
    private(set) var numbers: WrittenDate?

    /// - Parameter order: the order of a day written as three numbers.
    init(_ text: some StringProtocol, order: DateOrder? = nil) {
        var bytes = Array(text.utf8)
        bytes.withUnsafeBytes { readClock($0) }
        // The text after the zone is not part of a date.
        bytes.removeSubrange(clock)
        if let zone = bytes.withUnsafeBytes({ $0.offset(of: "UTC" as StaticString) }) { bytes.removeSubrange(zone...) }
        bytes.withUnsafeBytes { readDay($0, order) }
        clock = 0..<0
    }

    private var clock = 0..<0
    private var clockKind = DateNotation.Clock.whole

    /// Parses `9:05`, `9:05:33 pm`, `오후 9:05`, and a zone after it: ` UTC+02:00`.
    private mutating func readClock(_ bytes: Bytes) {
        guard
            let colon = bytes.indices.first(where: { at in
                bytes[at] == UInt8(ascii: ":") && at > 0 && at + 1 < bytes.count && bytes[at - 1].isDigit
                    && bytes[at + 1].isDigit
            })
        else { return }
        var start = colon
        while start > 0, colon - start < 2, bytes[start - 1].isDigit { start -= 1 }
        var (end, numbers) = (start, [Int]())
        while numbers.count < 3 {
            let digits = bytes[end...].prefix(2).prefix { $0.isDigit }
            guard let number = Int(String(decoding: digits, as: UTF8.self)) else { break }
            numbers.append(number)
            end += digits.count
            guard numbers.count < 3, end + 1 < bytes.count, bytes[end] == UInt8(ascii: ":"),
                bytes[end + 1].isDigit
            else { break }
            end += 1
        }
        guard numbers.count >= 2, numbers[0] < 24, numbers[1] < 60, numbers.count < 3 || numbers[2] <= 60 else {
            return
        }
        var hour = numbers[0]
        let after = WrittenMoment.withoutBlanks(bytes, from: end)
        if let half = HalfOfDay.read(Bytes(rebasing: bytes[after...])) {
            (hour, clockKind) = (half.half.hour(hour), half.clock)
            end = after + half.length
        } else if let half = WrittenMoment.half(before: start, in: bytes) {
            (hour, clockKind) = (half.half.hour(hour), .foreign)
            start = half.start
        }
        second = hour * 3_600 + numbers[1] * 60 + (numbers.count > 2 ? min(numbers[2], 59) : 0)
        if let zone = bytes.offset(of: "UTC" as StaticString, from: end) {
            readZone(Bytes(rebasing: bytes[(zone + 3)...]))
        }
        clock = start..<end
    }

    private static func withoutBlanks(_ bytes: Bytes, from start: Int) -> Int {
        var at = start
        while let blank = HalfOfDay.blanks.first(where: { Bytes(rebasing: bytes[at...]).starts(with: $0) }) {
            at += blank.utf8CodeUnitCount
        }
        return at
    }

    /// The half of the day right before a time.
    private static func half(before clock: Int, in bytes: Bytes) -> (half: HalfOfDay, start: Int)? {
        for start in stride(from: clock - 1, through: max(0, clock - 24), by: -1) {
            guard let half = HalfOfDay.read(Bytes(rebasing: bytes[start..<clock])) else { continue }
            let isWhole = withoutBlanks(bytes, from: start + half.length) == clock
            if isWhole, start == 0 || bytes[start] >= 0x80 || bytes[start - 1] <= 0x2F { return (half.half, start) }
        }
        return nil
    }

    /// Parses `+02`, `+0200`, `-03:30`.
    private mutating func readZone(_ bytes: Bytes) {
        east = 0
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return }
        let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }.prefix { $0.isDigit }.prefix(4)
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return }
        let minutes = digits.count > 2 ? number / 100 * 60 + number % 100 : number * 60
        if minutes <= 15 * 60 { east = minutes * (sign == UInt8(ascii: "-") ? -60 : 60) }
    }

    private mutating func readDay(_ bytes: Bytes, _ order: DateOrder?) {
        var numbers: [(value: Int, digits: Int, at: Int)] = []
        var months: [(month: Int, at: Int)] = []
        var at = 0
        while at < bytes.count {
            let isDigit = bytes[at].isDigit
            guard isDigit || bytes[at] >= 0x80 || bytes[at].isLetter else {
                at += 1
                continue
            }
            let start = at
            while at < bytes.count, isDigit ? bytes[at].isDigit : WrittenMoment.isLetter(bytes[at]) {
                at += 1
            }
            let word = Bytes(rebasing: bytes[start..<at])
            if isDigit {
                if let value = Int(word.string), word.count <= 4 { numbers.append((value, word.count, start)) }
            } else if let month = MonthNames.month(word) {
                months.append((month, start))
            }
        }
        // A weekday may have the same name as a month: `mar. 5 nov. 2024`. The weekday comes first.
        if let month = months.last, numbers.count >= 2 {
            let year = numbers.firstIndex { $0.digits > 2 || $0.value > 31 } ?? 1
            let day = numbers[year == 0 ? 1 : 0].value
            let value = numbers[year].value
            self.day = WrittenMoment.date(value < 100 ? 2_000 + value : value, month.month, day)
        } else if numbers.count >= 3 {
            let mark = numbers[0].at + numbers[0].digits
            var date = WrittenDate()
            date.parts = (numbers[0].value, numbers[1].value, numbers[2].value)
            date.notation.clock = clockKind
            if mark < bytes.count { date.notation.mark = bytes[mark] }
            let small = numbers.prefix(2).filter { $0.value < 10 }
            date.isPadded = small.isEmpty ? nil : small.contains { $0.digits > 1 }
            if numbers[0].digits > 2 {
                date.notation.year = .first
                self.day = date.day(.yearMonthDay)
            } else {
                date.notation.year = numbers[2].digits > 2 ? .last : .short
                self.numbers = date
                let orders = (order.map { [$0] } ?? []) + [DateOrder.dayMonthYear, .monthDayYear, .yearMonthDay]
                self.day = orders.lazy.compactMap { date.day($0) }.first
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || byte.isLetter }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1_900...2_200).contains(year) else { return nil }
        return CivilDate(checkedYear: year, month: month, day: day)?.daysSinceEpoch
    }
}

/// Parses the times of a file. If days are written as three numbers, all of them together decide which number is the day.
final class MomentReader {
    private var clock: LocalClock
    private let order: DateOrder?
    private var dates = DateOrders(named: nil)
    private var count: Int64 = 0

    /// - Parameter setting: from `setting(of:in:_:)`.
    init(_ zone: Zone, setting: String = "") {
        clock = LocalClock(zone)
        order = DateOrder(rawValue: setting)
    }

    /// The moment; nil if the text does not contain day and time.
    /// - Parameter day: the day from another text, in days since 1970.
    func moment(_ text: some StringProtocol, day: Int? = nil) -> Timestamp? {
        let found = read(text)
        guard let day = found.day ?? day, let second = found.second else { return nil }
        return clock.moment(day: day, second: second, east: found.east)
    }

    /// The day in a text, in days since 1970.
    func day(_ text: some StringProtocol) -> Int? { read(text).day }

    private func read(_ text: some StringProtocol) -> WrittenMoment {
        let found = WrittenMoment(text, order: order)
        if order == nil, let numbers = found.numbers {
            count += 1
            dates.add(numbers, at: count)
        }
        return found
    }

    /// The order of day, month and year in the times of a file, and a warning if the times can be read in two ways.
    /// - Parameters:
    ///   - sample: one of the times. The others are read only if its day is written as numbers.
    ///   - make: makes a converter that parses the file's times with this reader.
    static func setting(
        of file: SourceFile, in source: Source, sample: String?, _ make: (MomentReader) -> any Converter
    ) -> (setting: String, problems: [ForeignProblem]) {
        guard let sample, WrittenMoment(sample).numbers != nil else { return ("", []) }
        let times = MomentReader(.utc)
        times.dates = DateOrders(named: source.options.dates)
        _ = try? source.pass(file, through: make(times))
        let result = times.dates.result()
        return (result.runs.first?.order.rawValue ?? "", result.problem(in: file.path).map { [$0] } ?? [])
    }
}
