import Foundation
import TestSupport
import Testing

@testable import Formats

struct SlackFormatTests {
    private let format = SlackFormat()

    // MARK: - Messages

    @Test func `a message holds its ID, time, sender and text`() throws {
        let record = try SlackSource.record(#""text":"hi <@U00000001>""#)
        #expect(record["id"] as? String == "1714550400.000100")
        #expect(record["at"] as? String == "2024-05-01T08:00:00Z")
        #expect(record["from"] as? String == "U00000001")
        #expect(record["text"] as? String == "hi @Ana")
    }

    @Test(arguments: [
        (#""subtype":"channel_join","text":"<@U00000001> has joined the channel""#, "system", "join"),
        (#""subtype":"channel_leave","text":"left""#, "system", "leave"),
        (#""subtype":"channel_topic","text":"set the topic""#, "system", nil),
        (#""subtype":"pinned_item","text":"pinned""#, "system", nil),
        (#""subtype":"me_message","text":"waves""#, "action", nil),
        (#""subtype":"file_share","text":"a file""#, nil, nil),
    ])
    func `subtypes become kinds`(fields: String, kind: String?, presence: String?) throws {
        let record = try SlackSource.record(fields)
        #expect(record["kind"] as? String == kind)
        #expect(record["presence"] as? String == presence)
    }

    @Test func `replies name their root, broadcasts are marked, and the root names nothing`() throws {
        let root = SlackSource.message(#""text":"root","thread_ts":"1.000001""#, ts: "1.000001")
        let reply = SlackSource.message(#""text":"reply","thread_ts":"1.000001""#, ts: "2.000001")
        let broadcast = SlackSource.message(
            #""text":"all","thread_ts":"1.000001","subtype":"thread_broadcast","root":{"ts":"1.000001","text":"root"}"#,
            ts: "3.000001")
        let records = try Converted(SlackSource.day(broadcast, reply, root), by: format).records["general"] ?? []
        #expect(records.map { $0["text"] as? String } == ["root", "reply", "all"])
        #expect(records.map { $0["thread"] as? String } == [nil, "1.000001", "1.000001"])
        #expect(records.map { $0["broadcast"] as? Bool } == [nil, nil, true])
    }

    @Test func `a deleted root keeps its place`() throws {
        let record = try SlackSource.record(
            #""subtype":"tombstone","text":"This message was deleted.","thread_ts":"1714550400.000100""#)
        #expect(record["deleted"] as? Bool == true)
        #expect(record["text"] as? String == "")
    }

    @Test func `reactions keep counts beyond the people that are named, skin tones and custom names`() throws {
        let record = try SlackSource.record(
            #""text":"x","reactions":[{"name":"+1::skin-tone-2","users":["U1","U2"],"count":5},{"name":"our_logo","users":["U1"],"count":1}]"#
        )
        let reactions = try #require(record["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["emoji"] as? String } == ["👍🏻", ":our_logo:"])
        #expect(reactions.map { $0["count"] as? Int } == [5, 1])
        #expect(reactions[0]["people"] as? [String] == ["U1", "U2"])
    }

    @Test func `an edited message says so`() throws {
        #expect(try SlackSource.record(#""text":"x","edited":{"user":"U1","ts":"2.0"}"#)["edited"] as? Bool == true)
        #expect(try SlackSource.record(#""text":"x","edited":null"#)["edited"] == nil)
    }

    @Test func `a bot is a person for each of its names`() throws {
        let converted = try Converted(
            SlackSource.day(
                #"{"type":"message","subtype":"bot_message","bot_id":"B1","username":"irc-ana","text":"x","ts":"1.000001"}"#
            ),
            by: format)
        #expect(converted.records["general"]?.first?["from"] as? String == "B1:irc-ana")
        #expect(converted.people["B1:irc-ana"] == "irc-ana")
    }

    @Test func `a bot that a message does not name has the name of the user that it is`() throws {
        let source = SlackSource.source([
            "channels.json": #"[{"id":"C00000001","name":"general"}]"#,
            "users.json":
                #"[{"id":"U1","name":"deploy","is_bot":true,"profile":{"real_name":"Deploy Bot","bot_id":"B1"}}]"#,
            "general/2024-05-01.json":
                #"[{"type":"message","subtype":"bot_message","bot_id":"B1","text":"x","ts":"1714550400.000100"}]"#,
        ])
        let converted = try Converted(source, by: format)
        #expect(converted.records["general"]?.first?["from"] as? String == "B1")
        #expect(converted.people["B1"] == "Deploy Bot")
    }

    @Test func `the name in a message counts only for people whom the export does not list`() throws {
        let profile = #""user_profile":{"display_name":"","real_name":"Old Name"}"#
        let converted = try Converted(
            SlackSource.day(
                SlackSource.message(#""text":"a","# + profile),
                #"{"type":"message","user":"U9","text":"b","ts":"2.000001","# + profile + "}"), by: format)
        #expect(converted.people["U00000001"] == "Ana")
        #expect(converted.people["U9"] == "Old Name")
    }

    @Test func `files that Slack does not give are named by the reason`() throws {
        let files =
            #""files":[{"id":"F1","name":"a.txt","mode":"tombstone"},{"id":"F2","name":"b.txt","mode":"hidden_by_limit"}]"#
        let attachments = try #require(try SlackSource.record(files)["attachments"] as? [[String: Any]])
        #expect(
            attachments.map { $0["name"] as? String } == [
                "deleted file", "file hidden by the limit of the workspace",
            ])
    }

    @Test func `the event that tells of a reply is no message`() throws {
        let day = SlackSource.day(
            SlackSource.message(#""text":"a""#),
            SlackSource.message(#""text":"a","subtype":"message_replied""#, ts: "1714550401.000100"))
        #expect(try Converted(day, by: SlackFormat()).records["general"]?.count == 1)
    }

    @Test func `a comment on a file is by the person who wrote it`() throws {
        let source = SlackSource.day(
            #"{"type":"message","subtype":"file_comment","text":"<@U1> commented","comment":{"user":"U7","comment":"nice &amp; good"},"ts":"1.000001"}"#
        )
        let record = try #require(try Converted(source, by: format).records["general"]?.first)
        #expect(record["from"] as? String == "U7")
        #expect(record["text"] as? String == "nice & good")
    }

    // MARK: - Secrets

    @Test func `tokens and addresses of files never reach a record`() throws {
        let source = SlackSource.day(
            SlackSource.message(
                #""text":"see <https://files.slack.com/a.txt?t=xoxe-1-2-abc|it>","files":[{"id":"F1","name":"a.txt","size":7,"url_private":"https://files.slack.com/a.txt?t=xoxe-1-2-abc"}],"blocks":[{"type":"actions"}]"#
            ))
        let record = try #require(try Converted(source, by: format).records["general"]?.first)
        #expect(!"\(record)".contains("xoxe"))
        #expect(record["text"] as? String == "see [it](https://files.slack.com/a.txt)")
        let file = try #require((record["attachments"] as? [[String: Any]])?.first)
        #expect(Set(file.keys) == ["name", "bytes"])
    }

    // MARK: - Damage

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `the size of the pieces does not matter`(chunk: Int) throws {
        let messages = (1...9).map { SlackSource.message("\"text\":\"\($0) {[\\\"\"", ts: "\(10 - $0).000001") }
        let source = SlackSource.source([
            "channels.json": #"[{"id":"C00000001","name":"general"}]"#,
            "general/2024-05-01.json": "\u{FEFF}  [\r\n" + messages.joined(separator: ",\r\n") + "]\r\n",
        ])
        let converted = try Converted(source, by: format, chunk: chunk)
        #expect(converted.records["general"]?.count == 9)
        #expect(converted.records["general"]?.first?["text"] as? String == "9 {[\"")
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `a broken message hides no other`(chunk: Int) throws {
        let source = SlackSource.day(
            SlackSource.message(#""text":"a""#, ts: "1.000001"), #"{"ts":"2.000001","text":tru}"#,
            #"{"text":"no time"}"#,
            #"{"ts":12,"text":"a number"}"#, SlackSource.message(#""text":"b""#, ts: "3.000001"))
        let converted = try Converted(source, by: format, chunk: chunk)
        #expect(converted.records["general"]?.map { $0["text"] as? String } == ["a", "b"])
        #expect(
            converted.problems.map(\.kind) == [
                "record is not valid JSON", "message without a time", "message without a time",
            ])
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `of a file that was cut all whole messages are shown, and the cut is reported`(chunk: Int) throws {
        let whole = "[" + SlackSource.message(#""text":"a""#, ts: "1.000001")
        for (rest, problem) in [
            ("", "the file ends before its array does"), (",", "the file ends before its array does"),
            (#",{"ts":"2.0"#, "the file ends within a record"),
        ] {
            let source = SlackSource.source(["general/2024-05-01.json": whole + rest, "channels.json": "[]"])
            let converted = try Converted(source, by: format, chunk: chunk)
            #expect(converted.records["general"]?.count == 1)
            #expect(converted.problems.map(\.kind) == [problem])
        }
    }

    @Test func `a day with a single object in place of an array is read`() throws {
        let source = SlackSource.source([
            "channels.json": #"{"id":"C00000001","name":"general"}"#,
            "general/2024-05-01.json": SlackSource.message(#""text":"a""#),
        ])
        let converted = try Converted(source, by: format)
        #expect(converted.records["general"]?.count == 1)
        #expect(converted.problems.isEmpty)
    }

    // MARK: - Tricky text

    @Test func `characters that fool people and programs arrive as they are`() throws {
        let text = try SlackSource.text(
            #""text":"\u202Etxt\u2028x \u0000\u001b[31m e\u0301\u0301\u0301 \ud83d\udc68\u200d\ud83d\udc69 \ud800 end""#
        )
        #expect(text == "\u{202E}txt\u{2028}x \u{0}\u{1B}[31m e\u{301}\u{301}\u{301} 👨‍👩 \u{FFFD} end")
    }

    @Test func `messages of one second keep their order, and times may run backwards`() throws {
        let source = SlackSource.day(
            SlackSource.message(#""text":"c""#, ts: "1714550400.000300"),
            SlackSource.message(#""text":"a""#, ts: "1714550400.000100"),
            SlackSource.message(#""text":"b""#, ts: "1714550400.0002"))
        let records = try Converted(source, by: format).records["general"] ?? []
        #expect(records.map { $0["text"] as? String } == ["a", "b", "c"])
        #expect(records.map { $0["id"] as? String } == ["1714550400.000100", "1714550400.0002", "1714550400.000300"])
    }

    @Test func `a message of a megabyte is read whole`() throws {
        let text = String(repeating: "word ", count: 200_000)
        #expect(try SlackSource.text("\"text\":\"\(text)\"") == text)
    }

    @Test func `any bytes are read without a crash`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let day = SlackSource.message(
            #""text":"*a* <@U1|x> `b` :+1: &gt;","blocks":[{"type":"rich_text","elements":[{"type":"rich_text_list","indent":9,"elements":[{"elements":[{"type":"text","text":"x","style":{"bold":true}}]}]}]}],"reactions":[{"name":"a","users":[1]}],"files":[{"id":"F"}]"#
        )
        let original = Array("[\(day), \(day)]".utf8)
        for _ in 0..<300 {
            var bytes = Array(original.prefix(Int.random(in: 0...original.count, using: &random)))
            for _ in 0..<4 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let source = Source(
                name: "x", ["general/2024-05-01.json": bytes, "users.json": bytes, "channels.json": bytes])
            _ = format.recognise(source)
            let converted = try Converted(source, by: format, chunk: 64)
            #expect(converted.records.values.allSatisfy { $0.count <= 2 }, "seed \(seed)")
        }
    }
}
