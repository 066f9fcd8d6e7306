/// Finds out in which order the dates of a file are written: by months that do not exist, and by days that never fall. A phone whose
/// language was changed changes the order within the file.
///
/// Of all ways to read the dates, that counts in which the chat takes the fewest days (the algorithm of Viterbi, with the orders as
/// states): a wrong order makes months of days, and falls.
struct WhatsAppDates {
    /// Where dates begin that differ from those before.
    private var starts: [Int64] = []
    /// For each of them and each order, the order of the date before.
    private var origins: [[Int]] = []
    private var costs: [Int] = []
    private var days: [Int?] = []
    private var last = (-1, -1, -1)

    private static let orders = WhatsAppOrder.allCases
    private static let impossible = 1 << 50
    /// A change of the language is rarer than a year without a message.
    private static let change = 400

    mutating func add(_ stamp: WhatsAppStamp, at offset: Int64) {
        guard stamp.parts != last else { return }
        let next = WhatsAppDates.orders.map { stamp.day($0) }
        guard next.contains(where: { $0 != nil }) else { return }
        last = stamp.parts
        starts.append(offset)
        if costs.isEmpty {
            // Nothing but the looks of the first date tells them apart.
            let usual: WhatsAppOrder = stamp.looksAmerican ? .monthDayYear : .dayMonthYear
            costs = zip(WhatsAppDates.orders, next).map { $1 == nil ? WhatsAppDates.impossible : $0 == usual ? 0 : 1 }
            origins.append(Array(next.indices))
        } else {
            step(next, isShort: !stamp.yearFirst && !stamp.yearLast)
        }
        days = next
    }

    /// - Parameter isShort: whether the year has two digits. Hardly any language writes such a year first.
    private mutating func step(_ next: [Int?], isShort: Bool) {
        var (found, from) = ([Int](), [Int]())
        for order in next.indices {
            var best = (cost: WhatsAppDates.impossible, origin: order)
            for origin in next.indices {
                guard let before = days[origin], let day = next[order] else { continue }
                let cost =
                    costs[origin] + WhatsAppDates.cost(from: before, to: day)
                    + (origin == order ? 0 : WhatsAppDates.change)
                if cost < best.cost || cost == best.cost && origin == order { best = (cost, origin) }
            }
            found.append(best.cost)
            from.append(best.origin)
        }
        costs = found
        origins.append(from)
    }

    /// Messages of one day may be a little out of order about midnight. The first lines of a group may tell when it was founded, long
    /// before: a single fall costs less than two changes.
    private static func cost(from before: Int, to day: Int) -> Int {
        day >= before ? min(day - before, 300) : before - day == 1 ? 2 : min(50 + 10 * (before - day), 300)
    }

    /// From which bytes on which order counts.
    var runs: [(start: Int64, order: WhatsAppOrder)] {
        guard var order = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return [] }
        var runs: [(start: Int64, order: WhatsAppOrder)] = []
        for place in starts.indices.reversed() {
            let before = origins[place][order]
            if place == 0 || before != order {
                runs.append((place == 0 ? 0 : starts[place], WhatsAppDates.orders[order]))
            }
            order = before
        }
        return runs.reversed()
    }
}
