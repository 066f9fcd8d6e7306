import Display
import Foundation
import Messages
import Testing

@testable import kedge

struct StatsTests {
    private func page(_ moments: [(at: String, from: String)]) throws -> StatsPage {
        var counter = StatisticsCounter(zone: .utc)
        for moment in moments {
            counter.add(try #require(Timestamp(iso8601: moment.at)), slot: counter.slot(of: PersonID(moment.from)))
        }
        let conversation = Conversation(id: ConversationID("general"), title: "General", topic: nil)
        return StatsPage(conversation, counter.statistics(names: [:]), zone: .utc)
    }

    @Test func `Statistics fit into 40 columns`() throws {
        let page = try page([
            ("2024-01-31T10:00:00Z", "ana"), ("2024-01-31T10:00:00Z", "ana"), ("2024-03-01T11:30:00Z", "ben"),
        ])
        let lines = page.lines(columns: 40, ink: .blocks, hasColor: false)
        #expect(
            lines.prefix(12).joined(separator: "\n") == """
                General
                3 messages
                2024-01-31 10:00 to 2024-03-01 11:30

                Messages by month
                2024-01  2  ███████████████████████████
                2024-02  0
                2024-03  1  █████████████▌

                By person
                ana  2  66.7%  ████████████████████████
                ben  1  33.3%  ████████████
                """)
        #expect(lines.count == 14 + 24)
        #expect(lines[14 + 10] == "10  2  ████████████████████████████████")
    }

    @Test(arguments: [40, 100, 200])
    func `No line of statistics is wider than the terminal`(columns: Int) throws {
        let people = (0..<30).map { "somebody with a very long name \($0) 佐藤由紀" }
        let page = try page((0..<3_000).map { ("20\(10 + $0 % 17)-03-01T11:30:00Z", people[$0 % 30]) })
        let lines = page.lines(columns: columns, ink: .blocks, hasColor: false).map { CleanText($0) }
        #expect(lines.map(\.columns).max() == columns - 1)
        #expect(lines.contains("and 10 more people: 1,000"))
        #expect(lines.count { $0.string.contains("%") } == 20)
    }

    @Test(arguments: [
        (["2024-01", "2028-12"], "month", 60, "2024-01", "2028-12"),
        (["2024-01", "2029-01"], "quarter", 21, "2024 Q1", "2029 Q1"),
        (["2010-06", "2024-12"], "quarter", 59, "2010 Q2", "2024 Q4"),
        (["1970-01", "2024-12"], "year", 55, "1970", "2024"),
        (["1901-01", "2024-12"], "decade", 13, "1900 to 1909", "2020 to 2029"),
        (["0001-01", "9999-12"], "century", 100, "0 to 99", "9900 to 9999"),
    ])
    func `Many months are joined to longer spans`(
        months: [String], name: String, rows: Int, first: String, last: String
    ) throws {
        let lines = try page(months.map { ($0 + "-15T12:00:00Z", "ana") })
            .lines(columns: 80, ink: .blocks, hasColor: false)
        let start = try #require(lines.firstIndex(of: "Messages by \(name)"))
        let end = try #require(lines.firstIndex(of: "By person")) - 1
        #expect(end - start - 1 == rows)
        #expect(lines[start + 1].hasPrefix(first) && lines[end - 1].hasPrefix(last))
    }

    @Test func `Statistics have no escapes without colour, and only ASCII without UTF-8`() throws {
        let page = try page([("2024-01-31T10:00:00Z", "ana")])
        #expect(page.lines(columns: 40, ink: .blocks, hasColor: true).contains { $0.contains("\u{1B}[36m") })
        let plain = page.lines(columns: 40, ink: .ascii, hasColor: false).joined()
        #expect(plain.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
        #expect(plain.contains("1 message, 2024-01-31 10:00"))
    }

    @Test func `On a pipe statistics are lines of section, key and count, in the local zone`() throws {
        let result = try Program.kedge(
            "stats", "general", "--archive", Program.demo, environment: ["TZ": "Europe/Berlin"])
        #expect(result.status == 0 && result.errors.isEmpty)
        let rows = result.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.allSatisfy { $0.count == 3 && Int($0[2]) != nil })
        #expect(rows.contains(["total", "messages", "3300"]))
        #expect(rows.filter { $0[0] == "month" }.reduce(0) { $0 + (Int($1[2]) ?? 0) } == 3_300)
        #expect(rows.filter { $0[0] == "hour" }.count == 24)
        #expect(rows.first == ["first", "2024-09-02 09:21", "1"])
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func `Statistics as JSON are one object`() throws {
        let result = try Program.kedge("stats", "general", "--json", "--archive", Program.demo)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(Set(object.keys) == ["id", "title", "count", "presence", "first", "last", "months", "people", "hours"])
        let hours = try #require(object["hours"] as? [Int])
        #expect(hours.count == 24 && hours.reduce(0, +) == 3_300 && object["count"] as? Int == 3_300)
        let months = try #require(object["months"] as? [[String: Any]])
        #expect(months.first?["month"] as? String == "2024-09" && months.first?["count"] as? Int == 379)
        let people = try #require(object["people"] as? [[String: Any]])
        #expect(people.first?["name"] as? String == "Łukasz Wójcik" && people.first?["id"] as? String == "lukasz")
    }

    @Test func `An empty conversation has no first and no last message`() throws {
        let result = try Program.kedge("stats", "empty", "--json", "--archive", Program.demo)
        #expect(result.status == 0)
        #expect(result.output.contains(#""count":0,"first":null,"#))
        #expect(
            try Program.kedge("stats", "empty", "--archive", Program.demo).output.hasPrefix("total\tmessages\t0\nhour"))
    }

    @Test func `On a terminal the bars are as wide as the terminal`() throws {
        let tmux = try Tmux(
            columns: 60, rows: 90, command: "\"$KEDGE\" stats general --archive \(Program.quoted(Program.demo))")
        let screen = try tmux.waitUntilStill("counted") { $0.contains { $0.hasPrefix("23 ") } }
        #expect(screen.contains { $0.hasPrefix("2025-01  564  ██████") && $0.count == 59 })
        #expect(try tmux.hasColors())
    }
}
