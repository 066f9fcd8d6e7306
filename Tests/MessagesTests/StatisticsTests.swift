import Messages
import TestSupport
import Testing

/// Counts without a disk.
struct StatisticsTests {
    /// As in Berlin in 2024: summer time from 31 March to 27 October, both at 01:00 UTC.
    private static let berlin: Zone = {
        let summer = moment("2024-03-31T01:00:00Z")..<moment("2024-10-27T01:00:00Z")
        return Zone { summer.contains($0) ? 7_200 : 3_600 }
    }()

    private static func moment(_ text: String) -> Timestamp {
        Timestamp(iso8601: text) ?? Timestamp(milliseconds: 0)
    }

    private func count(
        _ messages: [(at: String, from: String?)], zone: Zone = .utc, names: [PersonID: Person] = [:]
    ) -> Statistics {
        var counter = StatisticsCounter(zone: zone)
        for message in messages {
            counter.add(Self.moment(message.at), slot: message.from.map { counter.slot(of: PersonID($0)) })
        }
        return counter.statistics(names: names)
    }

    private func hours(_ counts: [Int: Int]) -> [Int] { (0..<24).map { counts[$0] ?? 0 } }

    private func months(_ statistics: Statistics) -> [String] {
        statistics.months.map { "\($0.month.iso8601) \($0.count)" }
    }

    @Test func `Statistics of no messages are empty`() {
        let statistics = count([])
        #expect(statistics.count == 0 && statistics.first == nil && statistics.last == nil)
        #expect(statistics.months.isEmpty && statistics.people.isEmpty && statistics.hours == hours([:]))
    }

    @Test func `A single message is the first and the last`() {
        let statistics = count([("2024-02-29T23:59:59.999Z", "ana")])
        #expect(statistics.count == 1 && statistics.first == statistics.last)
        #expect(months(statistics) == ["2024-02 1"])
        #expect(statistics.hours == hours([23: 1]))
    }

    @Test
    func
        `A message whose clock runs backwards is counted at its own time, and first and last stay the first and last messages`()
    {
        let statistics = count([
            ("2024-03-01T00:00:00Z", "ana"), ("2024-01-01T05:00:00Z", "ana"), ("2024-02-01T05:30:00Z", "ana"),
            ("2024-03-02T00:00:00Z", "ana"), ("2024-01-31T23:00:00Z", "ana"),
        ])
        #expect(statistics.first == Self.moment("2024-03-01T00:00:00Z"))
        #expect(statistics.last == Self.moment("2024-01-31T23:00:00Z"))
        #expect(months(statistics) == ["2024-01 2", "2024-02 1", "2024-03 2"])
        #expect(statistics.hours == hours([0: 2, 5: 2, 23: 1]))
    }

    @Test
    func
        `The person who wrote most comes first, the lower ID among equals, and messages without a sender belong to nobody`()
    {
        let at = "2024-03-01T00:00:00Z"
        let statistics = count(
            [(at, "ben"), (at, nil), (at, "ana"), (at, "cy"), (at, "cy"), (at, nil), (at, nil)],
            names: [PersonID("cy"): Person(id: PersonID("cy"), name: "Cy Young")])
        #expect(statistics.people.map(\.person.id.rawValue) == ["cy", "ana", "ben"])
        #expect(statistics.people.map(\.person.name) == ["Cy Young", "ana", "ben"])
        #expect(statistics.people.map(\.count) == [2, 1, 1])
        #expect(statistics.senderless == 3 && statistics.count == 7)
    }

    @Test func `Months and hours are local, even on days when clocks change`() {
        let statistics = count(
            [
                ("2024-01-31T23:30:00Z", nil),  // 00:30 in February
                ("2024-03-31T00:59:59Z", nil),  // 01:59, an hour before 03:00
                ("2024-03-31T01:00:00Z", nil),  // 03:00
                ("2024-03-31T22:00:00Z", nil),  // 00:00 in April
                ("2024-10-27T00:30:00Z", nil),  // 02:30, for the first time
                ("2024-10-27T01:30:00Z", nil),  // 02:30, for the second time
                ("2024-10-31T22:30:00Z", nil),  // 23:30, still in October
                ("2024-12-31T23:00:00Z", nil),  // 00:00 in the next year
            ], zone: Self.berlin)
        #expect(
            months(statistics) == ["2024-02 1", "2024-03 2", "2024-04 1", "2024-10 3", "2025-01 1"])
        #expect(statistics.hours == hours([0: 3, 1: 1, 2: 2, 3: 1, 23: 1]))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `The counter agrees with the zone at every moment`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = Self.moment("2023-12-20T00:00:00Z").milliseconds
        var moments = (0..<20_000).map { _ in start + Int64.random(in: 0..<400 * 86_400_000, using: &random) }
        // Around the changes of clocks, before 1970, and far away.
        let change = Self.moment("2024-03-31T01:00:00Z").milliseconds
        moments += (0..<2_000).map { _ in change + Int64.random(in: -90_000_000...90_000_000, using: &random) }
        moments += [-1, -62_135_596_800_000, 253_402_300_799_000, 0, 1]
        if seed > 1 { moments.sort() }
        var counter = StatisticsCounter(zone: Self.berlin)
        var (months, hours): ([String: Int], [Int]) = ([:], self.hours([:]))
        for moment in moments {
            counter.add(Timestamp(milliseconds: moment), slot: nil)
            let civil = Self.berlin.civil(Timestamp(milliseconds: moment))
            months[String(civil.date.iso8601.dropLast(3)), default: 0] += 1
            hours[civil.hour] += 1
        }
        let statistics = counter.statistics(names: [:])
        #expect(statistics.hours == hours)
        #expect(Dictionary(uniqueKeysWithValues: statistics.months.map { ($0.month.iso8601, $0.count) }) == months)
        #expect(statistics.months.map(\.month) == statistics.months.map(\.month).sorted())
    }
}
