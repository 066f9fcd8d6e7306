import Dates
import Foundation
import Formats
import Logging
import Messages
import Testing

@testable import Mirror

/// Exports and logs that real programs wrote, compared message by message with another reading of the same files.
@Suite(
    .enabled(if: RealExports.areThere, "shared/data is not beside the repository"))
struct RealExportTests {
    @Test(arguments: RealExports.telegram)
    func `a Telegram export gives every message with its sender, time, reply and text`(name: String) async throws {
        let export = try RealExports(name)
        let data = try Data(contentsOf: URL(fileURLWithPath: export.path + "/result.json"))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let lists = ["chats", "left_chats"].compactMap { (root[$0] as? [String: Any])?["list"] as? [[String: Any]] }
        let messages = lists.joined().flatMap { $0["messages"] as? [[String: Any]] ?? [] }
        let records = try await export.records()
        let (found, expected) = (
            records.map(RealExports.facts).sorted(), messages.map(RealExports.telegramFacts).sorted()
        )
        #expect(found.difference(from: expected).isEmpty)
        let texts = Dictionary(grouping: records, by: RealExports.facts).mapValues {
            $0.map { $0["text"] as? String ?? "" }
        }
        for message in messages where message["type"] as? String == "message" {
            let text = RealExports.telegramText(message["text"])
            let found = texts[RealExports.telegramFacts(message)] ?? []
            #expect(found.contains { RealExports.holds($0, text) }, "\(message["id"] ?? "")")
        }
    }

    @Test func `a Slack export gives every message with its sender, time, thread and reactions`() async throws {
        let export = try RealExports("slack/testarchive.zip")
        let records = try await export.records()
        let messages = try export.unpacked().flatMap { try RealExports.array($0) }.filter { $0["ts"] is String }
        #expect(messages.count > 100)
        #expect(
            records.map { $0["id"] as? String ?? "" }.sorted() == messages.map { $0["ts"] as? String ?? "" }.sorted())
        let byID = Dictionary(records.map { ($0["id"] as? String ?? "", $0) }, uniquingKeysWith: { $1 })
        for message in messages {
            let id = message["ts"] as? String ?? ""
            let record = try #require(byID[id])
            if let user = message["user"] as? String { #expect(record["from"] as? String == user, "\(id)") }
            let seconds = try #require(Timestamp(iso8601: record["at"] as? String ?? "")).milliseconds / 1_000
            #expect(String(seconds) == id.split(separator: ".").first ?? "", "\(id)")
            let thread = message["thread_ts"] as? String
            #expect(record["thread"] as? String == (thread == id ? nil : thread), "\(id)")
            let counts = (message["reactions"] as? [[String: Any]] ?? []).map { $0["count"] as? Int ?? 0 }
            let shown = (record["reactions"] as? [[String: Any]] ?? []).map(RealExports.count)
            #expect(shown == counts, "\(id)")
            if let text = message["text"] as? String, !text.contains(where: { "<&:".contains($0) }) {
                #expect(RealExports.holds(record["text"] as? String ?? "", text), "\(id)")
            }
        }
    }

    @Test func `logs of WeeChat give every line with its sender and text`() async throws {
        let export = try RealExports("irc/weechat")
        let records = try await export.records()
        var expected: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: export.path) where !name.hasPrefix("core.") {
            let text = try String(contentsOfFile: export.path + "/" + name, encoding: .utf8)
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3 else { continue }
                if let notice = parts[2].wholeMatch(of: /Notice\((\w+)\): (.*)/) {
                    expected.append("\(notice.1) \(RealExports.letters(String(notice.2)))")
                    continue
                }
                let isNick = !["-->", "<--", "--", " *", "", "=!="].contains(parts[1])
                expected.append(
                    isNick ? "\(parts[1].drop { "@+%&~".contains($0) }) \(RealExports.letters(String(parts[2])))" : "-")
            }
        }
        let found = records.map { record in
            let isLine = record["kind"] == nil
            return isLine
                ? "\(record["from"] as? String ?? "") \(RealExports.letters(record["text"] as? String ?? ""))" : "-"
        }
        #expect(found.sorted().difference(from: expected.sorted()).isEmpty)
    }

    @Test func `logs of irssi give every line with its sender and text`() async throws {
        let export = try RealExports("irc/irssi")
        let records = try await export.records()
        var (said, others) = ([String](), 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: export.path) {
            let text = try String(contentsOfFile: export.path + "/" + name, encoding: .utf8)
            for line in text.split(separator: "\n") where !line.hasPrefix("--- ") {
                if let match = line.wholeMatch(of: /\d\d:\d\d <[ @+%]?([^>]+)> ?(.*)/) {
                    said.append("\(match.1) \(RealExports.letters(String(match.2)))")
                } else if let notice = line.wholeMatch(of: /\d\d:\d\d -(\w+):#\w+- (.*)/) {
                    said.append("\(notice.1) \(RealExports.letters(String(notice.2)))")
                } else {
                    others += 1
                }
            }
        }
        let lines = records.filter { $0["kind"] == nil }
        let found = lines.map { "\($0["from"] as? String ?? "") \(RealExports.letters($0["text"] as? String ?? ""))" }
        #expect(found.sorted().difference(from: said.sorted()).isEmpty)
        #expect(records.count - lines.count == others)
    }
}
