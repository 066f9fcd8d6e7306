import Dates
import TestSupport
import Testing

@testable import Formats

struct MessengerTests {
    private let newest = """
        {
          "participants": [
            {"name": "Micha\\u00c5\\u0082"},
            {"name": "Ana"}
          ],
          "messages": [
            {"sender_name": "Ana", "timestamp_ms": 1600000003000, "content": "\\u00f0\\u009f\\u0091\\u008d ok",
             "reactions": [{"reaction": "\\u00e2\\u009d\\u00a4", "actor": "Micha\\u00c5\\u0082"}]},
            {"sender_name": "Micha\\u00c5\\u0082", "timestamp_ms": 1600000002500, "content": "caf\\u00e9 {\\"title\\": 1}",
             "photos": [{"uri": "your_facebook_activity/messages/inbox/ana_12/photos/a.jpg", "creation_timestamp": 1}]},
            {"sender_name": "Ana", "timestamp_ms": 1600000002000, "is_unsent": true, "content": "x"}
          ],
          "title": "Micha\\u00c5\\u0082 \\"M\\"",
          "is_still_participant": true
        }
        """
    private let oldest = """
        {"participants": [{"name": "Ana"}], "messages": [
          {"sender_name": "Ana", "timestamp_ms": 1600000001000, "content": "same"},
          {"sender_name": "Ana", "timestamp_ms": 1600000001000, "content": "same",
           "share": {"link": "https://example.org/x"}},
          {"sender_name": "Ana", "timestamp_ms": 1600000000000, "content": "Ana called you.", "call_duration": 3},
          {"timestamp_ms": 1}
        ], "title": "ignored"}
        """

    private func converted(chunk: Int = 1 << 20) throws -> Converted {
        try Converted(
            Source([
                "messages/inbox/ana_12/message_1.json": Array(newest.utf8),
                "messages/inbox/ana_12/message_2.json": Array(oldest.utf8),
            ]), by: MessengerFormat(), chunk: chunk)
    }

    @Test(arguments: chunks) func `the newest message comes last, and texts are repaired`(chunk: Int) throws {
        let converted = try converted(chunk: chunk)
        let conversation = try #require(converted.archive.conversations.first)
        #expect(conversation.id == "michał-m")
        #expect(conversation.title == "Michał \"M\"")
        #expect(conversation.members == ["Michał", "Ana"])
        #expect(conversation.aliases == ["ana_12"])
        let records = try #require(converted.records[conversation.id])
        #expect(
            records.map(IRCRecords.line) == [
                "[Ana] Ana called you.", "Ana: same\nhttps://example.org/x", "Ana: same", "Ana: -",
                "Michał: café {\"title\": 1}", "Ana: 👍 ok",
            ])
        #expect(records[3]["deleted"] as? Bool == true)
        #expect(Set(records.compactMap { $0["id"] as? String }).count == 6)
        #expect(records[4]["at"] as? String == "2020-09-13T12:26:42.500Z")
        let file = (records[4]["attachments"] as? [[String: Any]])?.first
        #expect(file?["path"] as? String == "messages/inbox/ana_12/photos/a.jpg")
        let reaction = (records[5]["reactions"] as? [[String: Any]])?.first
        #expect(reaction?["emoji"] as? String == "❤")
        #expect(reaction?["people"] as? [String] == ["Michał"])
        #expect(converted.problems.map(\.kind) == ["message without a sender or a time"])
    }

    @Test func `a chat that opens with its own folder finds its files`() throws {
        let converted = try Converted(Source(["ana_12/message_1.json": Array(newest.utf8)]), by: MessengerFormat())
        let records = converted.records.values.flatMap { $0 }
        let file = records.compactMap { ($0["attachments"] as? [[String: Any]])?.first }.first
        #expect(file?["path"] as? String == "ana_12/photos/a.jpg")
    }

    @Test func `a reaction that names nobody counts once`() throws {
        let file = """
            {"participants": [{"name": "Ana"}], "messages": [{"sender_name": "Ana", "timestamp_ms": 1600000001000,
             "content": "a", "reactions": [{"reaction": "!"}]}], "title": "Ana"}
            """
        let converted = try Converted(
            Source(["messages/inbox/ana_1/message_1.json": Array(file.utf8)]), by: MessengerFormat())
        let reactions = try #require(converted.records.first?.value.first?["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["count"] as? Int } == [1])
    }

    private func lines(_ file: String, _ text: String) throws -> [String] {
        let converted = try Converted(Source([file: Array(text.utf8)]), by: MessengerFormat())
        #expect(converted.problems.isEmpty)
        return converted.records.values.flatMap { $0 }.map(IRCRecords.line)
    }

    @Test func `calls have words`() throws {
        let file = """
            {"participants": [{"name": "Ana"}], "messages": [
              {"sender_name": "Ana", "timestamp_ms": 1600000003000, "type": "Call", "call_duration": 3723},
              {"sender_name": "Ana", "timestamp_ms": 1600000002000, "call_duration": 0, "missed": true},
              {"sender_name": "Ana", "timestamp_ms": 1600000001000, "call_duration": 0}
            ], "title": "Ana"}
            """
        #expect(try lines("a/message_1.json", file) == ["[Ana] Call", "[Ana] Missed call", "[Ana] Call, 1:02:03"])
    }

    @Test func `a chat that begins with its oldest message keeps its order, whatever its name`() throws {
        let file = """
            {"messages": [
              {"sender_name": "Ana", "timestamp_ms": 1600000001000, "content": "one"},
              {"sender_name": "Ana", "timestamp_ms": 1600000002000, "content": "two"}
            ], "title": "Ana", "participants": [{"name": "Ana"}]}
            """
        #expect(try lines("saved chat.json", file) == ["Ana: one", "Ana: two"])
    }

    @Test func `end-to-end encrypted chats are a file each, with texts as they are`() throws {
        let file = """
            {"participants": ["Zoë", "Ben"], "threadName": "Ben_17", "messages": [
              {"isUnsent": false, "media": [], "reactions": [], "senderName": "Zoë", "text": "Ã©", "timestamp": 1600000001000,
               "type": "text"},
              {"isUnsent": false, "media": [{"uri": "./media/a.jpg"}], "reactions": [{"actor": "Zoë", "reaction": "👍"}],
               "senderName": "Ben", "text": "", "timestamp": 1600000002000, "type": "media"},
              {"isUnsent": true, "media": [], "reactions": [], "senderName": "Ben", "text": "", "timestamp": 1600000003000,
               "type": "text"}
            ]}
            """
        let converted = try Converted(Source(["messages/Ben_17.json": Array(file.utf8)]), by: MessengerFormat())
        let conversation = try #require(converted.archive.conversations.first)
        #expect(conversation.title == "Ben")
        #expect(conversation.members == ["Zoë", "Ben"])
        let records = try #require(converted.records[conversation.id])
        #expect(records.map(IRCRecords.line) == ["Zoë: Ã©", "Ben: ", "Ben: -"])
        #expect((records[1]["attachments"] as? [[String: Any]])?.first?["path"] as? String == "messages/media/a.jpg")
        #expect((records[1]["reactions"] as? [[String: Any]])?.first?["people"] as? [String] == ["Zoë"])
        #expect(records[2]["deleted"] as? Bool == true)
        #expect(converted.problems.isEmpty)
    }

    @Test func `a file that was cut gives its whole messages`() throws {
        let bytes = Array(newest.utf8.prefix(newest.utf8.count * 2 / 3))
        let converted = try Converted(Source(["a/message_1.json": bytes]), by: MessengerFormat())
        #expect(converted.records.values.flatMap { $0 }.count >= 1)
        #expect(converted.problems.map(\.kind) == ["the file ends within a record"])
    }

    @Test func `damage breaks nothing`() throws {
        let seed: UInt64 = 184
        var random = SeededGenerator(seed: seed)
        for round in 0..<500 {
            var bytes = Array(newest.utf8)
            for _ in 0..<Int.random(in: 1..<8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.remove(at: place)
                }
            }
            let source = Source(["a/message_1.json": bytes])
            guard MessengerFormat().recognise(source) == .certain else { continue }
            #expect(throws: Never.self, "seed \(seed), round \(round)") {
                try Converted(source, by: MessengerFormat(), chunk: 64)
            }
        }
    }

    @Test func `only files of messages are recognised`() {
        func recognise(_ text: String, _ name: String = "a/message_1.json") -> Recognition {
            MessengerFormat().recognise(Source([name: Array(text.utf8)]))
        }
        #expect(recognise(newest) == .certain)
        #expect(recognise(newest, "a/message_1 (1).json") == .certain)
        #expect(recognise(newest, "a/other.json") == .certain)
        #expect(recognise("{\"participants\": [], \"messages\": []}", "a/other.json") == .no)
        #expect(recognise("{\"messages\": []}") == .no)
        #expect(recognise("") == .no)
    }
}
