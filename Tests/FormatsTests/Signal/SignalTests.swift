import Dates
import TestSupport
import Testing

@testable import Formats

@Suite struct SignalTests {
    private let rows = """
        [
        {"id":"a","conversationId":"c1","type":"incoming","sent_at":1600000000000,"sourceServiceId":"u-jane","source":"+15551234567","body":"hello"},
        {"id":"b","conversationId":"c1","type":"outgoing","sent_at":1600000001000,"body":"to \\uFFFC","bodyRanges":[{"start":3,"length":1,"mentionAci":"u-jane"}],"quote":{"id":1600000000000,"text":"hello"},"reactions":[{"emoji":"👍","fromId":"x"},{"emoji":"👍","fromId":"y"}],"editHistory":[{"body":"x"}]},
        {"id":"c","conversationId":"c1","type":"incoming","sent_at":1600000001000,"sourceServiceId":"u-jane","attachments":[{"fileName":"a.jpg","size":7,"path":"ab/cd"}]},
        {"id":"d","conversationId":"c1","type":"keychange","sent_at":1600000002000},
        {"id":"e","conversationId":"c1","type":"incoming","sent_at":1600000003000,"sourceServiceId":"u-jane","deletedForEveryone":true,"body":""},
        {"id":"f","conversationId":"c1","type":"incoming","sourceServiceId":"u-jane","body":"lost"}
        ]
        """
    private let lines = """
        {"date": "2020-09-13T12:26:40", "sender": "Jane", "body": "hello", "quote": "", "sticker": null, "reactions": [["Me", "👍"]], "attachments": [{"name": "a.jpg", "path": "media/a.jpg", "missing_kind": null}], "deleted": false, "call": false, "missed": false}
        {"date": "2020-09-13T12:26:41.500000", "sender": "Me", "body": "yes", "quote": "\\n> hello\\n\\n", "sticker": null, "reactions": [], "attachments": []}
        broken
        {"date": "2020-09-13T12:26:42", "sender": "Jane", "body": "", "quote": "", "sticker": null, "reactions": [], "attachments": [], "deleted": true}

        """

    private func converted(_ file: String, _ text: String, chunk: Int = 1 << 20) throws -> Converted {
        try Converted(Source([file: Array(text.utf8)]), by: SignalFormat(), chunk: chunk)
    }

    @Test(arguments: chunks) func `rows of sigtop`(chunk: Int) throws {
        let converted = try converted("Jane Doe (+15551234567).json", rows, chunk: chunk)
        let conversation = try #require(converted.archive.conversations.first)
        #expect(conversation.id == "jane-doe")
        #expect(conversation.title == "Jane Doe")
        #expect(converted.people["u-jane"] == "Jane Doe")
        let records = try #require(converted.records["jane-doe"])
        #expect(records.count == 5)
        #expect(
            records.map { $0["id"] as? String } == [
                "1600000000000", "1600000001000", "1600000001000.2", "1600000002000", "1600000003000",
            ])
        #expect(records[1]["replyTo"] as? String == "1600000000000")
        #expect((records[1]["text"] as? String)?.hasPrefix("to @") == true)
        #expect(records[1]["from"] as? String == "me")
        #expect(records[1]["edited"] as? Bool == true)
        #expect((records[1]["reactions"] as? [[String: Any]])?.first?["count"] as? Int == 2)
        #expect((records[2]["attachments"] as? [[String: Any]])?.first?["name"] as? String == "a.jpg")
        #expect(IRCRecords.line(records[3]) == "[] Keychange")
        #expect(records[4]["deleted"] as? Bool == true)
        #expect(converted.problems.map(\.kind) == ["message without a time"])
    }

    @Test func `mentions stand in the order of their places`() throws {
        let row = """
            [{"id":"a","conversationId":"c1","type":"incoming","sent_at":1600000000000,"sourceServiceId":"u-jane","body":"\\uFFFC, \\uFFFC","bodyRanges":[{"start":3,"length":1,"mentionAci":"u-x"},{"start":0,"length":1,"mentionAci":"u-jane"}]}]
            """
        let records = try converted("Jane.json", row).records["jane"]
        #expect(records?.first?["text"] as? String == "@Jane, @somebody")
    }

    @Test func `a telephone number is no ID of a person`() throws {
        let row = """
            [{"id":"a","conversationId":"c1","type":"incoming","sent_at":1600000000000,"sourceUuid":"+15551234567","body":"a"}]
            """
        let records = try converted("Jane.json", row).records["jane"]
        #expect(records?.first?["from"] as? String == "Jane")
    }

    @Test func `telephone numbers are in no record`() throws {
        let converted = try converted("Jane Doe (+15551234567).json", rows)
        #expect(
            !"\(converted.records) \(converted.archive)".replacing("Jane Doe (+15551234567).json", with: "").contains(
                "5551234567"))
    }

    @Test(arguments: chunks) func `lines of signal-export`(chunk: Int) throws {
        let converted = try converted("Jane/data.json", lines, chunk: chunk)
        let records = try #require(converted.records["jane"])
        #expect(records.map(IRCRecords.line) == ["Jane: hello", "Me: > hello\nyes", "Jane: -"])
        #expect(records[0]["at"] as? String == "2020-09-13T12:26:40Z")
        #expect((records[0]["attachments"] as? [[String: Any]])?.first?["path"] as? String == "Jane/media/a.jpg")
        #expect((records[0]["reactions"] as? [[String: Any]])?.first?["people"] as? [String] == ["Me"])
        #expect(records[2]["deleted"] as? Bool == true)
        #expect(converted.archive.me == "Me")
        #expect(converted.problems.map(\.kind) == ["record is not valid JSON"])
    }

    @Test func `a file that was cut gives its whole rows`() throws {
        let converted = try converted("Jane.json", String(rows.prefix(rows.count / 2)))
        #expect(converted.records["jane"]?.count == 2)
        #expect(converted.problems.map(\.kind) == ["the file ends within a record"])
    }

    @Test(.timeLimit(.minutes(30))) func `damage breaks nothing`() throws {
        let seed: UInt64 = 185
        var random = SeededGenerator(seed: seed)
        for round in 0..<500 {
            for (file, text) in [("Jane.json", rows), ("Jane/data.json", lines)] {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1..<8, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    if Bool.random(using: &random) {
                        bytes[place] = UInt8.random(in: 0...255, using: &random)
                    } else {
                        bytes.remove(at: place)
                    }
                }
                let source = Source([file: bytes])
                guard SignalFormat().recognise(source) == .certain else { continue }
                #expect(throws: Never.self, "seed \(seed), round \(round)") {
                    try Converted(source, by: SignalFormat(), chunk: 64)
                }
            }
        }
    }

    @Test func `only Signal's files are recognised`() {
        func recognise(_ text: String, _ name: String) -> Recognition {
            SignalFormat().recognise(Source([name: Array(text.utf8)]))
        }
        #expect(recognise(rows, "a.json") == .certain)
        #expect(recognise(lines, "Jane/data.json") == .certain)
        #expect(recognise(lines, "Jane/other.json") == .no)
        #expect(recognise("[]", "a.json") == .no)
        #expect(recognise("[{\"id\": \"a\"}]", "a.json") == .no)
        #expect(recognise("", "data.json") == .no)
    }
}
