/// The number of messages of a conversation: by month, by person, by hour of the day.
package struct Statistics: Hashable, Sendable {
    package struct Month: Hashable, Comparable, Sendable {
        package let year: Int
        /// 1 to 12.
        package let month: Int

        package init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

        /// `2024-03`
        package var iso8601: String { "\(decimal(year, digits: 4))-\(decimal(month, digits: 2))" }

        package static func < (a: Month, b: Month) -> Bool { (a.year, a.month) < (b.year, b.month) }
    }

    package struct MonthCount: Hashable, Sendable {
        package let month: Month
        package let count: Int

        package init(_ month: Month, _ count: Int) { (self.month, self.count) = (month, count) }
    }

    package struct PersonCount: Hashable, Sendable {
        package let person: Person
        package let count: Int

        package init(_ person: Person, _ count: Int) { (self.person, self.count) = (person, count) }
    }

    /// All messages: text, action and system, thread replies and tombstones.
    package let count: Int
    /// The number of presence lines among the messages.
    package let presence: Int
    /// The times of the first and the last message of the conversation. If clocks ran backwards, other messages may be outside of
    /// these.
    package let first: Timestamp?
    package let last: Timestamp?
    /// In order of time, without months that have no messages.
    package let months: [MonthCount]
    /// Sorted by the number of messages, the most first, then by ID.
    package let people: [PersonCount]
    /// Messages without a sender.
    package let senderless: Int
    /// For each hour of the day, from midnight on: 24 numbers.
    package let hours: [Int]
}

/// Counts messages one by one, in any order of time. If a change of clocks repeats an hour, both count as the same hour.
package struct StatisticsCounter: Sendable {
    private var clock: MonthClock
    private var count = 0
    private var first: Timestamp?
    private var last: Timestamp?
    private var hours = [Int](repeating: 0, count: 24)
    private var months: [Statistics.Month: Int] = [:]
    /// The month of the latest messages and their number: most messages have the same month as the one before.
    private var run: (month: Statistics.Month, count: Int)?
    private var people: [PersonID] = []
    private var counts: [Int] = []
    private var slots: [PersonID: Int] = [:]
    private var senderless = 0
    private var presence = 0

    /// - Parameter zone: the zone that decides the month and the hour of a message.
    package init(zone: Zone) { clock = MonthClock(zone) }

    /// The index of a person's counter. A source with its own numbers for people needs to ask only once for each.
    package mutating func slot(of person: PersonID) -> Int {
        if let slot = slots[person] { return slot }
        slots[person] = people.count
        people.append(person)
        counts.append(0)
        return people.count - 1
    }

    /// - Parameter slot: the index of the sender; nil for none.
    package mutating func add(_ at: Timestamp, slot: Int?, isPresence: Bool = false) {
        count += 1
        if isPresence { presence += 1 }
        first = first ?? at
        last = at
        let (month, hour) = clock.monthAndHour(at)
        hours[hour] += 1
        if run?.month == month {
            run?.count += 1
        } else {
            endRun()
            run = (month, 1)
        }
        if let slot { counts[slot] += 1 } else { senderless += 1 }
    }

    /// The people who have been counted.
    package var senders: Set<PersonID> { Set(people) }

    /// - Parameter names: the senders by ID. A sender without an entry is shown by ID.
    package func statistics(names: [PersonID: Person]) -> Statistics {
        var months = months
        if let run { months[run.month, default: 0] += run.count }
        let people = zip(people, counts).filter { $0.1 > 0 }.map { id, count in
            Statistics.PersonCount(names[id] ?? Person(id: id, name: id.rawValue), count)
        }
        return Statistics(
            count: count, presence: presence, first: first, last: last,
            months: months.map { Statistics.MonthCount($0.key, $0.value) }.sorted { $0.month < $1.month },
            people: people.sorted { ($1.count, $0.person.id.rawValue) < ($0.count, $1.person.id.rawValue) },
            senderless: senderless, hours: hours)
    }

    private mutating func endRun() {
        if let run { months[run.month, default: 0] += run.count }
    }
}

/// Finds the months and hours of millions of mostly ascending moments, without asking the zone each time.
struct MonthClock: Sendable {
    private static let day: Int64 = 86_400

    private let zone: Zone
    /// The last used day, in UTC, during which the zone's offset does not change.
    private var steady: (day: Int64, offset: Int64)?
    /// The last local day that was used.
    private var local: (day: Int64, month: Statistics.Month)?

    init(_ zone: Zone) { self.zone = zone }

    mutating func monthAndHour(_ moment: Timestamp) -> (Statistics.Month, hour: Int) {
        let seconds = moment.milliseconds.flooredDivision(by: 1_000)
        let wall = seconds + offset(at: seconds, moment)
        let day = wall.flooredDivision(by: MonthClock.day)
        let hour = Int((wall - day * MonthClock.day) / 3_600)
        if let local, local.day == day { return (local.month, hour) }
        let date = CivilDate(daysSinceEpoch: Int(day))
        let month = Statistics.Month(year: date.year, month: date.month)
        local = (day, month)
        return (month, hour)
    }

    private mutating func offset(at seconds: Int64, _ moment: Timestamp) -> Int64 {
        let day = seconds.flooredDivision(by: MonthClock.day)
        if let steady, steady.day == day { return steady.offset }
        // Clocks do not change twice on a day.
        let start = zone.offset(Timestamp(milliseconds: day * MonthClock.day * 1_000))
        let end = zone.offset(Timestamp(milliseconds: (day + 1) * MonthClock.day * 1_000 - 1))
        guard start == end else { return zone.offset(moment) }
        steady = (day, start)
        return start
    }
}
