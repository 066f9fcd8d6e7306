internal import Dates

/// A date as three numbers, as written. Only all dates of a file together show which number is the day: see `DateOrders`.
struct WrittenDate: Equatable {
    /// The numbers, in the order of the text.
    var parts = (0, 0, 0)
    /// The notation, which differs between languages.
    var notation = DateNotation()
    /// True if a day or month below ten has a leading zero; nil if both are above nine.
    var isPadded: Bool?

    static func == (a: WrittenDate, b: WrittenDate) -> Bool { a.parts == b.parts && a.notation == b.notation }

    /// Days since 1970 if read in this order; nil if there is no such day.
    func day(_ order: DateOrder) -> Int? {
        let (year, month, day) =
            switch order {
            case .dayMonthYear: (parts.2, parts.1, parts.0)
            case .monthDayYear: (parts.2, parts.0, parts.1)
            case .yearMonthDay: (parts.0, parts.1, parts.2)
            }
        if notation.year != .short, (notation.year == .first) != (order == .yearMonthDay) { return nil }
        // The Buddhist calendar is 543 years ahead.
        let full = year < 100 ? 2_000 + year : year > 2_500 ? year - 543 : year
        guard full >= notation.firstYear, full < 2_100 else { return nil }
        return CivilDate(checkedYear: full, month: month, day: day)?.daysSinceEpoch
    }
}

/// The notation of dates and times in a language.
struct DateNotation: Hashable {
    enum Year: Hashable { case first, last, short }
    enum Clock: Hashable {
        /// A day of 24 hours.
        case whole
        /// `AM`, as in American English.
        case english
        /// `am`, as in other kinds of English.
        case lower
        /// `午前`: languages in which the year comes first.
        case eastern
        /// A half of the day in any other language.
        case foreign
    }

    /// The place of a year of four digits.
    var year = Year.short
    var mark = UInt8(ascii: "/")
    var clock = Clock.whole
    /// Earlier dates are impossible.
    var firstYear = 1_988

    /// The possible orders of dates in this notation, each with a cost: 0 for the most likely one.
    /// - Parameters:
    ///   - isForeign: true if fixed words in the file are in a language other than English.
    ///   - isChosen: true if the user chose the notation; false if it belongs to a language.
    func orders(isPadded: Bool, isForeign: Bool, isChosen: Bool) -> [DateOrder: Int] {
        if year == .first { return [.yearMonthDay: 0] }
        let isShort = year == .short
        if isChosen, clock == .whole, mark != UInt8(ascii: ".") {
            let both: [DateOrder: Int] = [.dayMonthYear: 0, .monthDayYear: 20]
            return isShort && mark == UInt8(ascii: "-") ? both.merging([.yearMonthDay: 60]) { $1 } : both
        }
        if isShort, clock == .eastern { return [.yearMonthDay: 0, .dayMonthYear: 60] }
        // Only Americans put the month first, and they write 2/1/24, 9:12 AM.
        if mark != UInt8(ascii: "/") {
            return isShort && mark == UInt8(ascii: "-") ? [.dayMonthYear: 0, .yearMonthDay: 60] : [.dayMonthYear: 0]
        }
        let isOther = isForeign || clock == .foreign || clock == .eastern || clock == .whole && isPadded
        if isOther { return [.dayMonthYear: 0] }
        return clock == .english && !isPadded
            ? [.monthDayYear: 0, .dayMonthYear: 1] : [.dayMonthYear: 0, .monthDayYear: 20]
    }
}

/// Finds the order in which the dates of a file are written. If the language of a phone changes, the order changes within the
/// file.
///
/// The notation limits the possible orders. Of these, only orders that give a valid day for every date in the same notation
/// remain; if none does, the notation is ignored. The days themselves decide between the remaining orders: the best reading has
/// the fewest dates that go backwards, and covers the fewest days (the Viterbi algorithm, with the orders as states).
struct DateOrders {
    /// The dates that differ from the one before, with their offsets.
    private var dates: [(start: Int64, date: WrittenDate)] = []
    /// True if fixed words in the file are in a language other than English.
    var isForeign = false
    /// True if the user chose the notation, as in logs; false if it belongs to a language, as on phones.
    var isChosen = false
    /// The order that the user chose.
    private let named: DateOrder?

    private static let all = DateOrder.allCases
    private static let impossible = 1 << 50
    /// A change of language costs more than a year without a message.
    private static let change = 400

    init(named: DateOrder?) { self.named = named }

    mutating func add(_ date: WrittenDate, at offset: Int64) {
        guard dates.last?.date != date, DateOrders.all.contains(where: { date.day($0) != nil }) else { return }
        dates.append((offset, date))
    }

    struct Result {
        /// The order of dates from each of these offsets on.
        var runs: [(start: Int64, order: DateOrder)] = []
        /// Another possible order.
        var other: DateOrder?
    }

    func result() -> Result {
        let groups = Dictionary(grouping: dates.map(\.date), by: \.notation)
        let orders = groups.mapValues { possible($0) }
        var result = Result(runs: runs(orders))
        guard named == nil else { return result }
        // If all dates in a notation were read in one order, another order is also possible unless it goes backwards more often
        // or covers a year more.
        for (notation, group) in groups {
            guard let order = only(notation, result.runs), let known = orders[notation] else { continue }
            let chosen = DateOrders.course(group, order)
            result.other =
                result.other
                ?? known.keys.sorted { $0.rawValue < $1.rawValue }.first { other in
                    let course = DateOrders.course(group, other)
                    return other != order && course.falls <= chosen.falls && course.days <= chosen.days + 400
                        && group.contains { $0.day(other) != $0.day(order) }
                }
        }
        return result
    }

    /// The possible orders of a group of dates in one notation, with their costs.
    private func possible(_ group: [WrittenDate]) -> [DateOrder: Int] {
        guard let notation = group.first?.notation else { return [:] }
        func fits(_ order: DateOrder) -> Bool { group.allSatisfy { $0.day(order) != nil } }
        if let named, group.contains(where: { $0.day(named) != nil }) { return [named: 0] }
        let isPadded = group.contains { $0.isPadded == true } && !group.contains { $0.isPadded == false }
        let usual = notation.orders(isPadded: isPadded, isForeign: isForeign, isChosen: isChosen)
        let fitting = usual.filter { fits($0.key) }
        if !fitting.isEmpty { return fitting }
        let others = DateOrders.all.filter(fits)
        return Dictionary(
            uniqueKeysWithValues: (others.isEmpty ? DateOrders.all : others).map { ($0, usual[$0] ?? 60) })
    }

    /// The order in which all dates in a notation were read; nil if there are several orders.
    private func only(_ notation: DateNotation, _ runs: [(start: Int64, order: DateOrder)]) -> DateOrder? {
        var (found, run) = (DateOrder?.none, 0)
        for (start, date) in dates {
            while run + 1 < runs.count, runs[run + 1].start <= start { run += 1 }
            guard date.notation == notation, runs.indices.contains(run) else { continue }
            if let found, found != runs[run].order { return nil }
            found = runs[run].order
        }
        return found
    }

    /// The number of dates that are more than a day earlier than the date before, and the number of days that the other steps
    /// cover.
    private static func course(_ group: [WrittenDate], _ order: DateOrder) -> (falls: Int, days: Int) {
        let days = group.map { $0.day(order) ?? 0 }
        let steps = zip(days, days.dropFirst()).map { $1 - $0 }
        return (steps.count { $0 < -1 }, steps.reduce(0) { $0 + max(0, $1) })
    }

    // MARK: - The best way

    private func runs(_ orders: [DateNotation: [DateOrder: Int]]) -> [(start: Int64, order: DateOrder)] {
        var costs: [Int] = []
        var days: [Int?] = []
        /// For each date and order: the best order of the date before.
        var origins: [[Int]] = []
        for (index, (_, date)) in dates.enumerated() {
            let known = orders[date.notation] ?? [:]
            let next = DateOrders.all.map { known[$0] == nil ? nil : date.day($0) }
            let isNew = index == 0 || dates[index - 1].date.notation != date.notation
            let before = DateOrders.all.map { isNew ? known[$0] ?? 0 : 0 }
            if index == 0 {
                costs = zip(next, before).map { $0 == nil ? DateOrders.impossible : $1 }
                origins.append(Array(next.indices))
            } else {
                let step = DateOrders.step(costs, from: days, to: next, change: isNew ? 0 : DateOrders.change)
                costs = zip(step.costs, before).map { $0 + $1 }
                origins.append(step.origins)
            }
            days = next
        }
        return way(back: origins, costs)
    }

    private static func step(
        _ costs: [Int], from days: [Int?], to next: [Int?], change: Int
    ) -> (costs: [Int], origins: [Int]) {
        var (found, from) = ([Int](), [Int]())
        for order in next.indices {
            var best = (cost: impossible, origin: order)
            for origin in next.indices {
                guard let before = days[origin], let day = next[order] else { continue }
                let cost = costs[origin] + self.cost(from: before, to: day) + (origin == order ? 0 : change)
                if cost < best.cost || cost == best.cost && origin == order { best = (cost, origin) }
            }
            found.append(best.cost)
            from.append(best.origin)
        }
        return (found, from)
    }

    /// Around midnight, messages may be slightly out of order. The first lines may contain the date on which a group was founded,
    /// long before: one large step backwards costs less than two changes of order.
    private static func cost(from before: Int, to day: Int) -> Int {
        day >= before ? min(day - before, 300) : before - day == 1 ? 2 : min(50 + 10 * (before - day), 300)
    }

    private func way(back origins: [[Int]], _ costs: [Int]) -> [(start: Int64, order: DateOrder)] {
        guard var order = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return [] }
        var runs: [(start: Int64, order: DateOrder)] = []
        for place in origins.indices.reversed() {
            let before = origins[place][order]
            if place == 0 || before != order {
                runs.append((place == 0 ? 0 : dates[place].start, DateOrders.all[order]))
            }
            order = before
        }
        return runs.reversed()
    }
}

extension DateOrders.Result {
    /// The warning about a file whose dates can be read in two orders.
    func problem(in file: String) -> ForeignProblem? {
        guard let other, let order = runs.first?.order else { return nil }
        return ForeignProblem(
            file: file,
            kind: "its dates can be \(order.name) or \(other.name), and are read as \(order.name); "
                + "--dates \(order.rawValue) or --dates \(other.rawValue) decides")
    }
}
