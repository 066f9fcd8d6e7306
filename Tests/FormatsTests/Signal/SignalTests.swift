import Dates
import TestSupport
import Testing

@testable import Formats

struct SignalTests {
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

    @Test func `a sticker, a call and a file that was not exported have words`() throws {
        let rows = [
            #""body": "  ", "sticker": {"id": "1", "emoji": "😀"}, "attachments": []"#,
            #""body": "  ", "sticker": {"id": "1"}, "attachments": []"#,
            #""body": "", "call": true, "missed": true, "attachments": []"#,
            #""body": "tide  ", "attachments": []"#,
            #""body": "", "attachments": [{"name": "", "path": "", "missing_kind": "media"}]"#,
            #""body": "", "attachments": [], "poll": {"question": "when?"}"#,
        ].map { #"{"date": "2020-09-13T12:26:40", "sender": "Jane", "reactions": [], "quote": "", \#($0)}"# }
        let converted = try converted("Jane/data.json", rows.joined(separator: "\n"))
        let records = try #require(converted.records["jane"])
        #expect(
            records.map(IRCRecords.line) == [
                "Jane: 😀 Sticker", "Jane: Sticker", "[Jane] Missed call", "Jane: tide", "Jane: ", "Jane: [poll] when?",
            ])
        #expect((records[4]["attachments"] as? [[String: Any]])?.first?["name"] as? String == "media (not exported)")
        #expect(converted.problems.map(\.kind) == ["message without a text; Kedge does not read its fields: poll"])
    }

    private let text = """
        Conversation: Ben Ito (+4917000000)

        From: Ben Ito (+4917000000)
        Type: incoming
        Sent: Tue, 21 Jun 2022 18:10:00 +0200
        Received: Tue, 21 Jun 2022 18:10:01 +0200
        Reaction: 👍 from You

        low tide

        From: me

        From: You
        Type: outgoing
        Sent: Tue, 21 Jun 2022 18:11:00 +0200
        Attachment: pier one.jpg (image/jpeg, 5 bytes)
        >
        > From: Ben Ito (+4917000000)
        > Sent: Tue, 21 Jun 2022 18:10:00 +0200
        >
        > low tide

        thanks

        From: Ben Ito (+4917000000)
        Type: keychange
        Sent: Tue, 21 Jun 2022 18:12:00 +0200

        """

    @Test(arguments: chunks) func `text of sigtop`(chunk: Int) throws {
        let source = Source(["any name": Array(text.utf8)], isFile: true)
        let converted = try Converted(source, by: SignalFormat(), chunk: chunk)
        #expect(converted.archive.conversations.map(\.title) == ["Ben Ito"])
        #expect(converted.archive.me == "You")
        let records = try #require(converted.records["ben-ito"])
        #expect(
            records.map(IRCRecords.line) == ["Ben Ito: low tide\n\nFrom: me", "You: thanks", "[] keychange"])
        #expect(records[0]["at"] as? String == "2022-06-21T16:10:00Z")
        #expect((records[0]["reactions"] as? [[String: Any]])?.first?["people"] as? [String] == ["You"])
        #expect(records[1]["replyTo"] as? String == records[0]["id"] as? String)
        let file = (records[1]["attachments"] as? [[String: Any]])?.first
        #expect(file?["name"] as? String == "pier one.jpg")
        #expect(file?["bytes"] as? Int == 5)
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: chunks) func `text of signal-export`(chunk: Int) throws {
        let text = """
            [2026-03-01 10:00] Ana: low: tide\u{20}\u{20}

            [2026-03-01 10:01:00] Me: at six\u{20}\u{20}

            (- Ana: 👍, Ben: 👍 -)

            [2026-03-01 10:02:00] Ana: two
            lines ![a b.jpg](x)\u{20}\u{20}
            ![a b.jpg](./media/a%20b.jpg)\u{20}\u{20}
            """
        let converted = try converted("Ana/chat.md", text, chunk: chunk)
        let records = try #require(converted.records["ana"])
        #expect(
            records.map(IRCRecords.line) == ["Ana: low: tide", "Me: at six", "Ana: two\nlines ![a b.jpg](x)"])
        #expect(records[0]["at"] as? String == "2026-03-01T10:00:00Z")
        #expect((records[1]["reactions"] as? [[String: Any]])?.first?["count"] as? Int == 2)
        #expect((records[2]["attachments"] as? [[String: Any]])?.first?["path"] as? String == "Ana/media/a b.jpg")
        #expect(converted.archive.me == "Me")
        #expect(converted.problems.isEmpty)
    }

    @Test func `lines of signal-export are read instead of the text beside them`() throws {
        let files = ["Jane/data.json": lines, "Jane/chat.md": "[2026-03-01 10:00:00] Ana: x  \n\n"]
        let converted = try Converted(Source(files.mapValues { Array($0.utf8) }), by: SignalFormat())
        #expect(converted.archive.conversations.map(\.id) == ["jane"])
        #expect(converted.records["jane"]?.count == 3)
    }

    private static func item(_ chat: Int, _ author: Int, _ time: Int, _ fields: String) -> String {
        #"{"chatItem": {"chatId": "\#(chat)", "authorId": "\#(author)", "dateSent": "\#(time)", \#(fields)}}"#
    }

    private let native = [
        #"{"version": "1", "backupTimeMs": "1767225600000", "mediaRootBackupKey": ""}"#,
        #"{"account": {"profileKey": "", "givenName": "Ana", "familyName": "Ruiz"}}"#,
        #"{"recipient": {"id": "1", "self": {}}}"#,
        #"{"recipient": {"id": "2", "contact": {"aci": "YWNp==", "e164": "4917000000", "profileGivenName": "Ben"}}}"#,
        #"{"recipient": {"id": "3", "group": {"snapshot": {"title": {"title": "The pier"}, "members": [{"userId": "YWNp=="}]}}}}"#,
        #"{"chat": {"id": "10", "recipientId": "2"}}"#,
        #"{"chat": {"id": "11", "recipientId": "3"}}"#,
        item(
            10, 2, 1_767_000_000_000,
            #""standardMessage": {"text": {"body": "low"}, "reactions": [{"emoji": "👍", "authorId": "1"}]}"#),
        item(
            11, 1, 1_767_000_000_000,
            #""standardMessage": {"text": {"body": "hi \#u{FFFC}", "bodyRanges": [{"start": 3, "length": 1, "mentionAci": "YWNp=="}]}}"#
        ),
        item(
            10, 1, 1_767_000_060_000,
            #""standardMessage": {"quote": {"targetSentTimestamp": "1767000000000"}, "text": {"body": "six"}}, "revisions": [{"dateSent": "1"}]"#
        ),
        item(10, 2, 1_767_000_060_000, #""stickerMessage": {"sticker": {"emoji": "😀"}}"#),
        item(10, 2, 1_767_000_070_000, #""remoteDeletedMessage": {}"#),
        item(
            10, 2, 1_767_000_080_000, #""updateMessage": {"individualCall": {"type": "VIDEO_CALL", "state": "MISSED"}}"#
        ),
        item(
            10, 2, 1_767_000_090_000,
            #""standardMessage": {"attachments": [{"pointer": {"contentType": "image/jpeg", "fileName": "a.jpg"}}]}"#),
        item(
            10, 2, 1_767_000_095_000,
            #""contactMessage": {"contact": {"name": {"givenName": "Cy"}, "number": [{"value": "+491"}]}}"#),
        item(10, 2, 1_767_000_099_000, #""newThing": {"words": ["what", "it says"]}"#),
        "broken",
    ].joined(separator: "\n")

    @Test(arguments: chunks) func `Signal's own export`(chunk: Int) throws {
        let converted = try converted("main.jsonl", native, chunk: chunk)
        #expect(converted.archive.conversations.map(\.id) == ["ben", "the-pier"])
        #expect(converted.archive.me == "1")
        #expect(converted.people == ["1": "Ana Ruiz", "2": "Ben"])
        let records = try #require(converted.records["ben"])
        #expect(
            records.map(IRCRecords.line) == [
                "2: low", "1: six", "2: 😀 Sticker", "2: -", "[2] Missed video call", "2: ", "2: Contact: Cy",
                "2: [newThing] what it says",
            ])
        #expect(records[0]["id"] as? String == "1767000000000")
        #expect(records[1]["replyTo"] as? String == "1767000000000")
        #expect(records[1]["edited"] as? Bool == true)
        #expect(records[2]["id"] as? String == "1767000060000.2")
        #expect(records[3]["deleted"] as? Bool == true)
        #expect((records[5]["attachments"] as? [[String: Any]])?.first?["name"] as? String == "a.jpg")
        #expect(converted.records["the-pier"]?.map(IRCRecords.line) == ["1: hi @Ben"])
        #expect(
            converted.problems.map(\.kind) == [
                "record is not valid JSON", "message without a text; Kedge does not read its fields: newThing",
            ])
        #expect(!"\(converted.records) \(converted.people)".contains("491"))
    }

    @Test func `a file that was cut gives its whole rows`() throws {
        let converted = try converted("Jane.json", String(rows.prefix(rows.count / 2)))
        #expect(converted.records["jane"]?.count == 2)
        #expect(converted.problems.map(\.kind) == ["the file ends within a record"])
    }

    @Test func `damage breaks nothing`() throws {
        let seed: UInt64 = 185
        var random = SeededGenerator(seed: seed)
        for round in 0..<500 {
            for (file, text) in [
                ("Jane.json", rows), ("Jane/data.json", lines), ("main.jsonl", native), ("Ben.txt", self.text),
            ] {
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
        #expect(recognise(lines, "Jane/other.json") == .certain)
        #expect(recognise("[2020-09-13 12:26:40] ana: a log\n", "log.txt") == .no)
        #expect(recognise("[]", "a.json") == .no)
        #expect(recognise("[{\"id\": \"a\"}]", "a.json") == .no)
        #expect(recognise("", "data.json") == .no)
    }
}
