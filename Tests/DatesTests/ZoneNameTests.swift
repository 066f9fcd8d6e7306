import Testing

@testable import Dates

struct ZoneNameTests {
    private func offset(_ rule: String, _ time: String) throws -> Int64 {
        let rule = try #require(ZoneRule(rule))
        return rule.offset(at: try #require(Timestamp(iso8601: time)).milliseconds / 1_000)
    }

    @Test func `a rule changes the clocks on its days, in both halves of the world`() throws {
        let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
        #expect(try offset(berlin, "2026-03-29T00:59:59Z") == 3_600)
        #expect(try offset(berlin, "2026-03-29T01:00:00Z") == 7_200)
        #expect(try offset(berlin, "2026-10-25T00:59:59Z") == 7_200)
        #expect(try offset(berlin, "2026-10-25T01:00:00Z") == 3_600)
        let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3"
        #expect(try offset(sydney, "2026-01-01T00:00:00Z") == 39_600)
        #expect(try offset(sydney, "2026-07-01T00:00:00Z") == 36_000)
        #expect(try offset("<+0545>-5:45", "2026-07-01T00:00:00Z") == 20_700)
        #expect(ZoneRule("nonsense") == nil)
    }

    @Test func `a zone is known by its offset or by its name`() throws {
        let moment = try #require(Timestamp(iso8601: "2026-07-01T00:00:00Z"))
        #expect(ZoneName.zone("+02:00")?.offset(moment) == 7_200)
        #expect(ZoneName.zone("-0530")?.offset(moment) == -19_800)
        #expect(ZoneName.zone("UTC")?.offset(moment) == 0)
        #expect(ZoneName.zone("../../etc/passwd") == nil)
        #expect(ZoneName.zone("Nowhere/Atlantis") == nil)
    }

    @Test func `a zone file gives the offset before, between and after its changes`() throws {
        // One change at second 1,000, from +1 h to +2 h; the rule after it says +3 h.
        func number(_ value: Int64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        func header(changes: Int64, types: Int64) -> [UInt8] {
            Array("TZif2".utf8) + Array(repeating: 0, count: 15)
                + [0, 0, 0, changes, types, 0].flatMap { number($0, 4) }
        }
        let bytes =
            header(changes: 0, types: 0) + header(changes: 1, types: 2) + number(1_000, 8) + [1]
            + number(3_600, 4) + [0, 0] + number(7_200, 4) + [0, 0] + Array("\nXXX-3\n".utf8)
        let file = try #require(ZoneFile(bytes))
        #expect(file.offset(at: 999) == 3_600)
        #expect(file.offset(at: 1_000) == 10_800)
        #expect(ZoneFile(Array(bytes.dropLast(20))) == nil)
    }
}
