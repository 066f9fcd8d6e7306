import TestSupport
import Testing

@testable import Dates

struct NamedTimeTests {
    /// A Wednesday in the middle of the day, two hours east.
    private static let zone = Zone(secondsEast: 7_200)
    private static let now = Timestamp(milliseconds: 1_741_169_733_120)  // 2025-03-05 12:15:33.120 on this wall

    private static func named(_ text: String, near: String? = nil) -> NamedTime? {
        let near = near.flatMap { text in zone.time(named: text, now: now).map { zone.civil($0.start).date } }
        return zone.time(named: text, now: now, near: near)
    }

    /// Start and end in local time, to the second.
    private static func stretch(_ time: NamedTime?) -> String? {
        time.map { time in
            [time.start, time.end].map { moment in
                let civil = zone.civil(moment)
                return "\(civil.date.iso8601) \(civil.clock):\(civil.second < 10 ? "0" : "")\(civil.second)"
            }.joined(separator: " – ")
        }
    }

    private static func days(_ first: String, _ last: String) -> String { "\(first) 00:00:00 – \(last) 00:00:00" }

    @Test(arguments: [
        ("2024-03-01", "2024-03-01"), ("2024/03/01", "2024-03-01"), ("2024.3.1", "2024-03-01"),
        ("1.3.2024", "2024-03-01"), ("01.03.2024", "2024-03-01"), ("2024-3-1", "2024-03-01"),
        ("1 march", "2025-03-01"), ("March 1", "2025-03-01"), ("1 mar 2024", "2024-03-01"),
        ("march 1, 2024", "2024-03-01"), ("MARCH 1st 2024", "2024-03-01"), ("the 2nd of march", "2025-03-02"),
        ("  on   the 3rd  of march,2024 ", "2024-03-03"), ("6 march", "2024-03-06"), ("5 march", "2025-03-05"),
        ("31 december", "2024-12-31"), ("29 february", "2024-02-29"), ("4 sept", "2024-09-04"),
        ("march1", "2025-03-01"),
        ("today", "2025-03-05"), ("yesterday", "2025-03-04"), ("the day before yesterday", "2025-03-03"),
        ("tomorrow", "2025-03-06"), ("day after tomorrow", "2025-03-07"), ("wednesday", "2025-03-05"),
        ("thursday", "2025-02-27"), ("tue", "2025-03-04"), ("on Monday", "2025-03-03"), ("last tuesday", "2025-03-04"),
        ("last wednesday", "2025-02-26"), ("saturday 1 march", "2025-03-01"), ("sunday, march 2, 2025", "2025-03-02"),
        ("3 weeks ago", "2025-02-12"), ("a week ago", "2025-02-26"), ("two days ago", "2025-03-03"),
        ("twelve days ago", "2025-02-21"), ("3d ago", "2025-03-02"), ("3w", "2025-02-12"), ("10d", "2025-02-23"),
        ("a month ago", "2025-02-05"), ("13 months ago", "2024-02-05"), ("a year ago", "2024-03-05"),
        ("2y", "2023-03-05"), ("1mo", "2025-02-05"), ("0 days ago", "2025-03-05"),
    ])
    func `A day is the whole day`(text: String, day: String) throws {
        let date = try #require(Zone.utc.time(named: day, now: Self.now).map { Zone.utc.civil($0.start).date })
        let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
        let time = try #require(Self.named(text))
        #expect(Self.stretch(time) == Self.days(day, next.iso8601))
        #expect(time.description == date.long)
    }

    @Test(arguments: [
        ("2024-03-01 12:30", "2024-03-01 12:30"), ("2024-03-01T12:30", "2024-03-01 12:30"),
        ("2024-03-01t9:05", "2024-03-01 09:05"), ("1 march 12:30", "2025-03-01 12:30"),
        ("march 1 2024 at 9pm", "2024-03-01 21:00"), ("1.3.2024, 12:30", "2024-03-01 12:30"),
        ("yesterday 12:30", "2025-03-04 12:30"), ("12:30 yesterday", "2025-03-04 12:30"),
        ("at 12:30 on monday", "2025-03-03 12:30"), ("monday 9am", "2025-03-03 09:00"),
        ("9:15 pm", "2025-03-05 21:15"), ("9 A.M.", "2025-03-05 09:00"), ("12am", "2025-03-05 00:00"),
        ("12 pm", "2025-03-05 12:00"), ("noon", "2025-03-05 12:00"), ("midnight yesterday", "2025-03-04 00:00"),
        ("23:59", "2025-03-05 23:59"), ("0:00", "2025-03-05 00:00"), ("now", "2025-03-05 12:15"),
        ("an hour ago", "2025-03-05 11:15"), ("2h", "2025-03-05 10:15"), ("20 minutes ago", "2025-03-05 11:55"),
        ("five mins ago", "2025-03-05 12:10"), ("15min", "2025-03-05 12:00"), ("24 hours ago", "2025-03-04 12:15"),
        ("3 weeks ago at noon", "2025-02-12 12:00"), ("2024-03-01T12:30Z", "2024-03-01 14:30"),
        ("2024-03-01 12:30+02:00", "2024-03-01 12:30"), ("saturday 1 march 2025 12:30", "2025-03-01 12:30"),
    ])
    func `A minute is the whole minute`(text: String, minute: String) throws {
        let time = try #require(Self.named(text))
        #expect(Self.zone.minute(time.start) == minute)
        #expect(time.start.milliseconds % 60_000 == 0)
        #expect(time.end.milliseconds - time.start.milliseconds == 60_000)
        #expect(time.description == "\(Self.zone.civil(time.start).date.long) \(minute.suffix(5))")
    }

    @Test(arguments: [
        ("2024-03-01 12:30:15", 15_000, 1_000, "Friday 1 March 2024 12:30:15"),
        ("2024-03-01T12:30:15.5", 15_500, 1, "Friday 1 March 2024 12:30:15"),
        ("2024-03-01T10:30:15.120Z", 15_120, 1, "Friday 1 March 2024 12:30:15"),
        ("2024-03-01t11:30:15+01:00", 15_000, 1_000, "Friday 1 March 2024 12:30:15"),
        ("12:30:15 pm 1 march 2024", 15_000, 1_000, "Friday 1 March 2024 12:30:15"),
    ])
    func `A time with seconds is as long as its precision`(
        text: String, into: Int64, length: Int64, description: String
    )
        throws
    {
        let time = try #require(Self.named(text))
        #expect(time.start.milliseconds - 1_709_289_000_000 == into)
        #expect(time.end.milliseconds - time.start.milliseconds == length)
        #expect(time.description == description)
    }

    @Test(arguments: [
        ("2024-03", "2024-03-01", "2024-04-01", "March 2024"), ("march 2024", "2024-03-01", "2024-04-01", "March 2024"),
        ("Dec 2024", "2024-12-01", "2025-01-01", "December 2024"), ("april", "2024-04-01", "2024-05-01", "April 2024"),
        ("march", "2025-03-01", "2025-04-01", "March 2025"), ("2024/12", "2024-12-01", "2025-01-01", "December 2024"),
        ("2024", "2024-01-01", "2025-01-01", "2024"), ("1970", "1970-01-01", "1971-01-01", "1970"),
        ("this week", "2025-03-03", "2025-03-10", "the week of 3 March 2025"),
        ("last week", "2025-02-24", "2025-03-03", "the week of 24 February 2025"),
        ("week of 27 April 2008", "2008-04-21", "2008-04-28", "the week of 21 April 2008"),
        ("this month", "2025-03-01", "2025-04-01", "March 2025"),
        ("last month", "2025-02-01", "2025-03-01", "February 2025"),
        ("this year", "2025-01-01", "2026-01-01", "2025"), ("last year", "2024-01-01", "2025-01-01", "2024"),
    ])
    func `A week, a month or a year is the whole span`(text: String, first: String, last: String, description: String)
        throws
    {
        let time = try #require(Self.named(text))
        #expect(Self.stretch(time) == Self.days(first, last))
        #expect(time.description == description)
        #expect(Self.named(description) == time)
    }

    @Test(arguments: [
        ("12:30", "2008-04-27", "2008-04-27 12:30"), ("9am", "2008-04-27", "2008-04-27 09:00"),
        ("1 march", "2008-04-27", "2008-03-01 00:00"), ("31 december 8:00", "2008-04-27", "2008-12-31 08:00"),
        ("29 february", "2008-04-27", "2008-02-29 00:00"), ("31 december", "2025-02-01", "2024-12-31 00:00"),
        ("yesterday", "2008-04-27", "2025-03-04 00:00"), ("monday", "2008-04-27", "2025-03-03 00:00"),
        ("april", "2008-04-27", "2008-04-01 00:00"),
    ])
    func `A text without a day or a year takes that of the day nearby`(
        text: String, near: String, start: String
    ) {
        #expect(Self.named(text, near: near).map { Self.zone.minute($0.start) } == start)
    }

    @Test(arguments: [
        "", " ", "the", "at", ",", "31 february", "30 february 2024", "29 february 2023", "2024-02-30", "25:00",
        "24:00",
        "12:60", "12:30:61", "13pm", "0am", "13:00 pm", "9", "12", "1/3/2024", "01-03-2024", "1.3.", "1.3", "1.3.24",
        "1/3", "2024-13", "2024-13-01", "2024-00-01", "0", "00", "1969", "3000", "12345", "20240301", "march 32",
        "march 0",
        "0 march", "1 march 24", "monday 1 march 2025", "next week", "in 3 days", "tomorrowish", "yesterday's",
        "may be",
        "3 weeks", "3m", "thirteen days ago", "-3 days ago", "2024-03-01-05", "2024-03-01 12:30 12:40",
        "today yesterday",
        "march 2024 12:30", "2024 12:30", "now 12:30", "last week 9am", "two hours ago 9am", "12 : 30",
        "2024 - 03 - 01",
        "999999999 years ago", "999999999 hours ago", "99999999999999999999 days ago", "1000 years ago 1 march",
        "0000-01-01", "０３:００", "２０２４", "👍", "2024-03-01👍", "\u{0}", "12:30\u{301}", "ago", "a", "week", "last",
        "week of",
        "2024-03-01T", "2024-03-01T25:00Z", "2024-03-01T12:30+25", "12:30Z", "sunday monday", "1 1 march", "mon tue",
    ])
    func `A text that is not a single time is nil`(text: String) {
        #expect(Self.named(text) == nil)
    }

    @Test func `Counting years and months back stays in the calendar`() {
        let zone = Zone.utc
        for (now, text, day) in [
            ("2024-03-31", "a month ago", "2024-02-29"), ("2023-03-31", "1 month ago", "2023-02-28"),
            ("2024-02-29", "a year ago", "2023-02-28"), ("2024-01-15", "last month", "2023-12-01"),
            ("2024-01-01", "last week", "2023-12-25"), ("2024-01-15", "15 months ago", "2022-10-15"),
        ] {
            let today = Timestamp(iso8601: now + "T12:00:00Z") ?? Self.now
            #expect(
                zone.time(named: text, now: today).map { zone.civil($0.start).date.iso8601 } == day, "\(now) \(text)")
        }
    }

    /// Clocks go from 00:00 to 01:00 on 4 November 2018 and back from 00:00 to 23:00 on 17 February 2019, as in São Paulo.
    private static let brazil = Zone { moment in
        (1_541_300_400_000..<1_550_368_800_000).contains(moment.milliseconds) ? -7_200 : -10_800
    }
    /// From 02:00 to 03:00 on 31 March 2024 and back from 03:00 to 02:00 on 27 October 2024, as in Berlin.
    private static let berlin = Zone { moment in
        (1_711_846_800_000..<1_729_990_800_000).contains(moment.milliseconds) ? 7_200 : 3_600
    }

    @Test func `A change of clocks makes days shorter and longer, and neither loses an hour`() throws {
        for (zone, day, start, hours) in [
            (Self.brazil, "2018-11-04", "2018-11-04 01:00", Int64(23)),
            (Self.brazil, "2018-11-03", "2018-11-03 00:00", 24),
            (Self.brazil, "2019-02-16", "2019-02-16 00:00", 25), (Self.brazil, "2019-02-17", "2019-02-17 00:00", 24),
            (Self.berlin, "2024-03-31", "2024-03-31 00:00", 23), (Self.berlin, "2024-10-27", "2024-10-27 00:00", 25),
        ] {
            let time = try #require(zone.time(named: day, now: Self.now))
            #expect(zone.minute(time.start) == start, "\(day)")
            #expect(time.end.milliseconds - time.start.milliseconds == hours * 3_600_000, "\(day)")
        }
        // A time that comes twice is the first of both; a skipped time is after the change.
        let twice = try #require(Self.berlin.time(named: "2024-10-27 02:30", now: Self.now))
        #expect(twice.start.iso8601 == "2024-10-27T00:30:00Z")
        let never = try #require(Self.berlin.time(named: "2024-03-31 02:30", now: Self.now))
        #expect(never.start.iso8601 == "2024-03-31T01:30:00Z")
        #expect(never.description == "Sunday 31 March 2024 03:30")
    }

    @Test(arguments: [UInt64](1...4))
    func `The description of a day or a minute names the same time`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let moment = Timestamp(
                milliseconds: Int64.random(in: -30_000_000_000_000...200_000_000_000_000, using: &random))
            let near =
                Bool.random(using: &random)
                ? CivilDate(daysSinceEpoch: Int.random(in: 0...30_000, using: &random)) : nil
            let date = Self.zone.civil(moment).date
            for text in [date.iso8601, Self.zone.minute(moment)] {
                let time = try #require(Self.named(text), "seed \(seed): \(text)")
                let again = Self.zone.time(named: time.description, now: Self.now, near: near)
                #expect(again == time, "seed \(seed): \(text)")
                #expect((time.start.milliseconds..<time.end.milliseconds).contains(moment.milliseconds), "seed \(seed)")
            }
        }
    }

    @Test(arguments: [UInt64](1...4))
    func `Random texts crash nothing, and any time that is found makes sense`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "2024", "03", "-", "/", ".", ":", "T", "Z", " ", ",", "1", "31", "march", "feb", "monday", "last", "this",
            "week",
            "month", "year", "of", "ago", "a", "3", "days", "h", "mo", "am", "pm", "a.m.", "noon", "day", "before",
            "yesterday",
            "now", "999999999", "9999", "1000", "0", "00", "th", "👍", "é", "\u{301}", "+02:00", "99999999999999999999",
        ]
        let extremes = [Int64.min, .max, 0, -1, 253_402_300_799_999, -30_610_224_000_000, Self.now.milliseconds]
        var found = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }.joined()
            let now = Timestamp(milliseconds: extremes.randomElement(using: &random) ?? 0)
            let near =
                Bool.random(using: &random)
                ? CivilDate(daysSinceEpoch: Int.random(in: -900_000...4_000_000, using: &random)) : nil
            guard let time = Self.zone.time(named: text, now: now, near: near) else { continue }
            found += 1
            #expect(time.start < time.end && !time.description.isEmpty, "seed \(seed): \(text)")
        }
        #expect(found > 100)
        for text in ["9", "a", " ", ":", "👍", "last "] {
            #expect(Self.named(String(repeating: text, count: 10_000)) == nil)
        }
    }
}
