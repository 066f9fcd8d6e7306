import Dates
import Testing

@testable import Formats

/// A file opens if one of its records is understood, and the rest is reported.
struct UnderstoodPartTests {
    private func converted(_ files: [String: String], by format: any Format) throws -> Converted {
        let source = Source(files.mapValues { Array($0.utf8) })
        #expect(format.recognise(source) != .no)
        return try Converted(source, by: format)
    }

    private func texts(_ converted: Converted) -> [String] {
        converted.archive.conversations.flatMap { converted.records[$0.id] ?? [] }.map { $0["text"] as? String ?? "-" }
    }

    @Test func `events of Matrix between odd lines`() throws {
        let event = """
            {"type":"m.room.message","event_id":"$1","room_id":"!r:x","sender":"@a:x","origin_server_ts":1709629200000,\
            "content":{"msgtype":"m.text","body":"low tide"}}
            """
        let converted = try converted(["room.jsonl": "# dump\n\(event)\n-- end\n"], by: MatrixFormat())
        #expect(texts(converted) == ["low tide"])
        #expect(converted.problems.count == 2)
    }

    @Test func `lines of signal-export after a broken one`() throws {
        let line = """
            {"date":"2024-03-05 09:12:00","sender":"Ana","body":"low tide","quote":"","sticker":"","reactions":[],"attachments":[]}
            """
        let converted = try converted(["Ana/data.json": "oops\n{\n\(line)\n"], by: SignalFormat())
        #expect(texts(converted) == ["low tide"])
        #expect(!converted.problems.isEmpty)
    }

    @Test func `a day of Slack whose first record has a quote too few`() throws {
        let message = "{\"type\":\"message\",\"user\":\"U1\",\"ts\":\"1709629200.000001\",\"text\":\"low tide\"}"
        let converted = try converted(
            [
                "channels.json": "[{\"id\":\"C1000000\",\"name\":\"pier\"}]",
                "pier/2024-03-05.json": "[{\"type\":\"message\",\"ts\":\"x},\n\(message)]",
            ], by: SlackFormat())
        #expect(texts(converted) == ["low tide"])
        #expect(converted.problems.count == 1)
    }

    @Test func `a topic of Zulip whose first record is broken, and lines of Mattermost without their head`() throws {
        let topic = """
            [{"content": , },
            {"content":"<p>low tide</p>","id":5,"sender_full_name":"A","timestamp":1709629200}]
            """
        let zulip = try converted(["1-pier/tides.json": topic], by: ZulipFormat())
        #expect(texts(zulip) == ["**tides**\nlow tide"])
        #expect(zulip.problems.count == 1)
        let post = """
            {"type": "post", "post": {"team":"t","channel":"c","user":"u","message":"low tide","create_at":1709629200000}}
            """
        #expect(try texts(converted(["part.jsonl": post], by: MattermostFormat())) == ["low tide"])
        #expect(MattermostFormat().recognise(Source(["a.jsonl": Array(#"{"type":"post","x":1}"#.utf8)])) == .no)
    }

    @Test func `a log of IRC with one line that is understood, and a chat of WhatsApp with one long message`() throws {
        let noise = String(repeating: "zzz ??? !!!\n", count: 40)
        let irc = try converted(
            ["pier.log": "--- Log opened Tue Mar 05 09:00:00 2024\n\(noise)09:12 < ana> low tide\n"], by: IRCFormat())
        #expect(texts(irc).last == "low tide")
        #expect(irc.problems.allSatisfy { !$0.kind.contains("not an IRC log") })
        let long = (1...100).map { "line \($0)" }.joined(separator: "\n")
        let whatsApp = try converted(
            ["WhatsApp Chat with Ben.txt": "1/13/24, 9:12 AM - Ana: hi\n1/13/24, 9:13 AM - Ben: \(long)\n"],
            by: WhatsAppFormat())
        #expect(texts(whatsApp) == ["hi", long])
        let note = ["notes.txt": noise + "1/13/24, 9:12 AM - Ana: hi\n" + noise]
        let chat = ["chat.txt": "1/13/24, 9:12 AM - Ana: hi\n"]
        let both = try converted(note.merging(chat) { $1 }, by: WhatsAppFormat())
        #expect(both.archive.conversations.count == 1)
    }

    @Test func `a message that holds nothing is named by its kind`() throws {
        let converted = try converted(
            [
                "channels.json": "[{\"id\":\"C1000000\",\"name\":\"pier\"}]",
                "pier/2024-03-05.json": """
                [{"type":"message","user":"U1","ts":"1709629200.000001","text":"","subtype":"reminder_add"},
                {"type":"message","user":"U1","ts":"1709629201.000001","text":""}]
                """,
            ], by: SlackFormat())
        #expect(texts(converted) == ["(message of the kind reminder_add)", "(empty message)"])
    }

    @Test func `notices of Quassel and AdiIRC are nobody's words, and a day stands before the name of a window`() throws
    {
        let quassel = try IRCRecords(
            "[2024-03-05 09:01:00] <ana> hi\n[2024-03-05 09:03:00] <-> ben is now known as ben_\n")
        #expect(quassel.lines.last?.contains("nick ben > ben_") == true)
        let lines = "[09:01:00] <ana> hi\n[09:02:00] * ana sets mode: +v ben\n[09:03:00] * ana sets mode of waves\n"
        let adi = try IRCRecords(["2024-03-05 #pier.log": Array(lines.utf8)])
        #expect(adi.records.map { $0["kind"] as? String } == [nil, "system", "action"])
        #expect(adi.times.first == "2024-03-05T09:01:00Z")
        #expect(IRCFileName("2024-03-05_#pier.log").stem == "#pier")
        #expect(IRCFileName("12345678 boats").day == nil)
    }
}
