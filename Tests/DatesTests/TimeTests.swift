import TestSupport
import Testing

@testable import Dates

struct TimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("2025-03-01T09:12:33.120Z", 1_740_820_353_120),
        ("2025-03-01T09:12:33.1209Z", 1_740_820_353_120), ("2025-03-01T11:12:33.12+02:00", 1_740_820_353_120),
        ("2025-03-01T09:12:33.1-0030", 1_740_822_153_100), ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T00:00:00Z", 951_782_400_000), ("2016-12-31T23:59:60Z", 1_483_228_799_000),
        ("2025-03-01 09:12Z", 1_740_820_320_000),
    ])
    func `A time in ISO 8601 is read to the millisecond`(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "yesterday", "2025-03-01", "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-03-01T24:00:00Z",
        "2025-03-01T09:60:00Z", "2025-03-01T09:12:33", "2025-03-01T09:12:33.Z", "2025-03-01T09:12:33Zx",
        "25-03-01T09:12:33Z", "2025-03-01T09:12:33+2", "²025-03-01T09:12:33Z",
    ])
    func `A text that is not a time is nil`(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(arguments: [UInt64](1...5))
    func `Writing and reading a time gives the same time, and days count by one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let time = Timestamp(
                milliseconds: Int64.random(in: -62_000_000_000_000...200_000_000_000_000, using: &random))
            #expect(Timestamp(iso8601: time.iso8601) == time, "seed \(seed)")
            let days = Int.random(in: -700_000...2_000_000, using: &random)
            let date = CivilDate(daysSinceEpoch: days)
            #expect(date.daysSinceEpoch == days, "seed \(seed)")
            let next = CivilDate(daysSinceEpoch: days + 1)
            #expect(next.weekday == (date.weekday + 1) % 7, "seed \(seed)")
            #expect(next.day == date.day + 1 || next.day == 1, "seed \(seed)")
        }
    }

    @Test func `Days are named as people name them`() throws {
        let date = try #require(CivilDate(checkedYear: 2008, month: 4, day: 27))
        #expect(date.short == "27 Apr 2008")
        #expect(date.medium == "27 April 2008")
        #expect(date.long == "Sunday 27 April 2008")
        #expect(CivilDate(checkedYear: 2100, month: 2, day: 29) == nil)
    }

    @Test func `A zone changes the local day`() throws {
        let tokyo = Zone(secondsEast: 9 * 3_600)
        let moment = try #require(Timestamp(iso8601: "2025-01-15T20:30:00Z"))
        #expect(tokyo.minute(moment) == "2025-01-16 05:30")
        #expect(Zone.utc.minute(moment) == "2025-01-15 20:30")
    }
}
