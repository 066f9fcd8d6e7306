import Testing

@testable import Formats

struct DiscordMessageTests {
    private func record(_ type: String = "Default", _ content: String = "text", _ fields: String = "") throws
        -> [String: Any]
    {
        try DiscordSource.record(DiscordSource.message(5, type: type, content, fields))
    }

    @Test func `a message holds its ID, time, sender and text`() throws {
        let record = try record("Default", #"**hi** \uD83E\uDDF1"#)
        #expect(record["id"] as? String == "5")
        #expect(record["at"] as? String == "2024-05-01T08:00:00.120Z")
        #expect(record["from"] as? String == "7")
        #expect(record["text"] as? String == "**hi** 🧱")
        #expect(Set(record.keys) == ["type", "id", "at", "from", "text"])
    }

    @Test(arguments: [
        (
            #""poll": {"question": {"text": "Lunch?"}, "answers": [{"answer_id": 1, "poll_media": {"text": "Pizza"}}]}"#,
            "> Lunch?\n> Pizza"
        ),
        (#""poll": {"question": "Lunch?", "answers": ["Pizza", "Soup"]}"#, "> Lunch?\n> Pizza\n> Soup"),
        (
            #""components": [{"type": 17, "components": [{"type": 10, "content": "*Tides*"}, {"type": 2, "custom_id": "x", "label": "Go"}]}]"#,
            "> *Tides*\n> Go"
        ),
        (
            #""embeds": [{"fields": [{"name": "poll_question_text", "value": "Lunch?"}, {"name": "victor_answer_votes", "value": "3"}, {"name": "total_votes", "value": "5"}, {"name": "victor_answer_text", "value": "Pizza"}]}]"#,
            "> Poll closed: Lunch? – Pizza (3 of 5 votes)"
        ),
        (
            #""embeds": [{"fields": [{"name": "poll_question_text", "value": "Lunch?"}, {"name": "victor_answer_votes", "value": "3"}]}]"#,
            "> Poll closed: Lunch? (3 votes)"
        ),
    ]) func `polls and panels are part of the text`(fields: String, text: String) throws {
        #expect(try record("Default", "see:", fields)["text"] as? String == "see:\n" + text)
    }

    @Test(arguments: [
        ("Default", nil, nil), ("20", nil, nil), ("GuildMemberJoin", "system", "join"), ("7", "system", "join"),
        ("ChannelPinnedMessage", "system", nil), ("ThreadCreated", "system", nil), ("8", "system", nil),
        ("Call", "system", nil),
        ("Reply", nil, nil),
    ])
    func `types become kinds`(type: String, kind: String?, presence: String?) throws {
        let record = try record(type)
        #expect(record["kind"] as? String == kind)
        #expect(record["presence"] as? String == presence)
    }

    @Test(arguments: [("Reply", "3"), ("ChannelPinnedMessage", nil), ("Default", nil)])
    func `a reference is a reply only in a reply`(type: String, target: String?) throws {
        let record = try record(type, "x", #""reference": {"type": "Default", "messageId": "3", "channelId": "100"}"#)
        #expect(record["replyTo"] as? String == target)
    }

    @Test func `a forward shows the text that was forwarded, as a quote`() throws {
        let record = try record(
            "Default", "",
            #""reference": {"type": "Forward", "messageId": "3"}, "forwardedMessage": {"content": "a\nb", "attachments": [{"url": "f\\x.png", "fileName": "x.png", "fileSizeBytes": 3}]}"#
        )
        #expect(record["text"] as? String == "> a\n> b")
        #expect(record["replyTo"] == nil)
        #expect((record["attachments"] as? [[String: Any]])?.first?["path"] as? String == "f/x.png")
    }

    @Test(arguments: [
        (#"dir\\x.png"#, "sub/dir/x.png"), ("x.png", "sub/x.png"), (#"..\\..\\etc"#, nil), ("/etc/passwd", nil),
        (#"C:\\x"#, nil),
        ("https://cdn.example/x.png", nil),
    ])
    func `a copy of a file lies inside the export`(url: String, path: String?) throws {
        let message = DiscordSource.message(
            5, "x",
            "\"attachments\": [{\"id\": \"1\", \"url\": \"\(url)\", \"fileName\": \"x.png\", \"fileSizeBytes\": 3}]")
        let record = try DiscordSource.record(message, in: "sub/a.json")
        let file = try #require((record["attachments"] as? [[String: Any]])?.first)
        #expect(file["path"] as? String == path)
        #expect(file["name"] as? String == "x.png")
    }

    @Test func `reactions keep counts beyond the people that are named`() throws {
        let record = try record(
            "Default", "x",
            #""reactions": [{"emoji": {"id": "", "name": "👍"}, "count": 3, "users": [{"id": "7", "name": "ana", "nickname": "Ana"}]}, {"emoji": {"id": "44", "name": "kek"}, "count": 1}]"#
        )
        let reactions = try #require(record["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["emoji"] as? String } == ["👍", ":kek:"])
        #expect(reactions.map { $0["count"] as? Int } == [3, 1])
        #expect(reactions[0]["people"] as? [String] == ["7"])
    }

    @Test func `an edited message says so, and a sticker has a name`() throws {
        let edited = DiscordSource.message(5, "x", #""stickers": [{"name": "Wave", "sourceUrl": "https://x/y.png"}]"#)
            .replacing("\"timestampEdited\": null", with: "\"timestampEdited\": \"2024-05-02T10:00:00+02:00\"")
        let record = try DiscordSource.record(edited)
        #expect(record["edited"] as? Bool == true)
        #expect((record["attachments"] as? [[String: Any]])?.first?["name"] as? String == "sticker: Wave")
    }

    @Test func `a webhook is a person for each of its names, and a bot is one`() throws {
        let webhook = DiscordSource.message(5).replacing("\"isBot\": false", with: "\"isBot\": true")
        #expect(try DiscordSource.record(webhook)["from"] as? String == "7:Ana")
        let bot = webhook.replacing("\"0000\"", with: "\"1234\"")
        #expect(try DiscordSource.record(bot)["from"] as? String == "7")
    }

    @Test func `embeds follow the text as quotes, and stand alone without one`() throws {
        let embeds =
            #""embeds": [{"title": "T", "url": "https://a.b", "description": "one\ntwo", "fields": [{"name": "n", "value": "v"}]}]"#
        #expect(
            try record("Default", "see", embeds)["text"] as? String == "see\n> [T](https://a.b)\n> one\n> two\n> n: v")
        #expect(try record("Default", "", embeds)["text"] as? String == "[T](https://a.b)\none\ntwo\nn: v")
    }
}
