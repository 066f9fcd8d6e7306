import JSON
import Testing

@testable import Formats

/// No message is a blank row: what it consists of apart from a text is named, and what is not read is reported.
struct BlankRowTests {
    private let unread = "message without a text; Kedge does not read its fields: "

    // MARK: - Telegram

    @Test func `a rich message of Telegram has its headings, lists and looks`() throws {
        let message =
            #""id": 1, "type": "message", "date_unixtime": "1704067200", "from": "Ana", "from_id": "user7", "rich_message": {"rtl": false, "blocks": [{"type": "heading", "level": 2, "text": {"type": "plain", "text": "Tides"}}, {"type": "paragraph", "text": {"type": "concat", "text": [{"type": "plain", "text": "Low at "}, {"type": "bold", "text": {"type": "plain", "text": "six"}}]}}, {"type": "list", "items": [{"type": "list_item", "blocks": [{"type": "paragraph", "text": "boats"}]}]}]}"#
        let converted = try TelegramExport.converted(TelegramExport.source(TelegramExport.chat([message])))
        #expect(converted.records["ana"]?.first?["text"] as? String == "**Tides**\nLow at **six**\n- boats")
        #expect(converted.problems.isEmpty)
    }

    @Test func `a field of Telegram that is not known gives its texts and a report`() throws {
        let message =
            #""id": 1, "type": "message", "date_unixtime": "1704067200", "from": "Ana", "from_id": "user7", "text": "", "gift_2027": {"star": "a bear", "count": 3, "notes": []}"#
        let converted = try TelegramExport.converted(TelegramExport.source(TelegramExport.chat([message])))
        #expect(converted.records["ana"]?.first?["text"] as? String == "[gift_2027] a bear")
        #expect(converted.problems.map(\.kind) == [unread + "gift_2027"])
    }

    @Test func `the exporter's own fault after U+2028 is mended`() throws {
        var bytes = Array(TelegramExport.chat([TelegramExport.message(1, #"one\u2028QQtwo\u2029RRthree"#)]).utf8)
        for (mark, last) in [("QQ", UInt8(0xA8)), ("RR", 0xA9)] {
            let place = try #require(bytes.offset(of: mark))
            bytes.replaceSubrange(place..<place + 2, with: [0x80, last])
        }
        let converted = try TelegramExport.converted(Source(["result.json": bytes], isFile: true))
        #expect(converted.records["ana"]?.first?["text"] as? String == "one\u{2028}two\u{2029}three")
        #expect(converted.problems.isEmpty)
    }

    // MARK: - Discord

    @Test(arguments: [
        #"{"title": "", "url": "https://x.org/a.png", "description": "", "fields": []}"#,
        #"{"title": "", "url": null, "images": [{"url": "https://x.org/a.png"}], "fields": []}"#,
        #"{"video": {"url": "https://x.org/a.png"}}"#,
    ]) func `an embed of a picture alone has its address`(embed: String) throws {
        let record = try DiscordSource.record(DiscordSource.message(1, "", "\"embeds\": [\(embed)]"))
        #expect(record["text"] as? String == "https://x.org/a.png")
        let linked = try DiscordSource.record(
            DiscordSource.message(1, "see https://x.org/a.png", "\"embeds\": [\(embed)]"))
        #expect(linked["text"] as? String == "see https://x.org/a.png")
    }

    @Test func `a field of Discord that is not known gives its texts and a report`() throws {
        let message = DiscordSource.message(1, "", #""vote": {"question": "when?", "answers": ["six", "ten"]}"#)
        let file = DiscordSource.file(DiscordSource.Channel(), [message])
        let converted = try Converted(DiscordSource.source(["a.json": file]), by: DiscordFormat())
        #expect(converted.records["general"]?.first?["text"] as? String == "[vote] when? six ten")
        #expect(converted.problems.map(\.kind) == [unread + "vote"])
    }

    // MARK: - Slack

    @Test func `a huddle says who talked, and how long`() throws {
        let room =
            #""subtype":"huddle_thread","text":"","room":{"created_by":"U00000001","date_start":1700000060,"date_end":1700000400,"participant_history":["U00000001","U2"],"call_family":"huddle"}"#
        #expect(try SlackSource.text(room) == "Huddle of @Ana with @U2, 5:40")
    }

    @Test func `an attachment of a picture alone has its address`() throws {
        let text = try SlackSource.text(#""text":"","attachments":[{"image_url":"https://x.org/a.png"}]"#)
        #expect(text == "https://x.org/a.png")
    }

    @Test func `a field of Slack that is not known gives its texts and a report`() throws {
        let message = SlackSource.message(#""text":"","list_2027":{"rows":["a","b"]}"#)
        let converted = try Converted(SlackSource.day(message), by: SlackFormat())
        #expect(converted.records["general"]?.first?["text"] as? String == "[list_2027] a b")
        #expect(converted.problems.map(\.kind) == [unread + "list_2027"])
    }

    // MARK: - Zulip

    @Test func `a preview of Zulip alone has its address, and what says nothing is reported`() throws {
        let preview = #"<div class="message_inline_image"><a href="https://x.org/a.png"></a></div>"#
        let messages = ["<p>first</p>", preview, "<hr/>"].enumerated().map { ZulipSource.message($0 + 1, $1) }
        let converted = try Converted(ZulipSource.source(messages), by: ZulipFormat())
        let texts = converted.records["general"]?.dropFirst().map { $0["text"] as? String }
        #expect(texts == ["https://x.org/a.png", "(empty message)"])
        #expect(converted.problems.map(\.kind) == ["message without a text"])
    }

    // MARK: - Mattermost

    private func mattermost(_ lines: String...) throws -> Converted {
        let text = ([#"{"type":"version","version":1}"#] + lines).joined(separator: "\n")
        return try Converted(Source(["import.jsonl": Array(text.utf8)]), by: MattermostFormat(), chunk: 64)
    }

    @Test(arguments: [false, true]) func `a webhook of Mattermost has its body and its name`(inString: Bool) throws {
        let object =
            #"{"override_username":"Deploy","attachments":[{"fallback":"f","pretext":"build 7","title":"pier","title_link":"https://x.org/","text":"**done**","fields":[{"title":"host","value":"a1"}]}]}"#
        let props = inString ? JSONText(object).text : object
        let converted = try mattermost(
            #"{"type":"post","post":{"team":"t","channel":"c","user":"hook","message":"","props":\#(props),"create_at":1700000000000}}"#
        )
        let record = try #require(converted.records["c"]?.first)
        #expect(record["text"] as? String == "build 7\n[pier](https://x.org/)\n**done**\nhost: a1")
        #expect(converted.people[record["from"] as? String ?? ""] == "Deploy")
    }

    @Test func `posts of channels that no line declares are read`() throws {
        let converted = try mattermost(
            #"{"type":"post","post":{"team":"t","channel":"c","user":"ana","message":"hi","create_at":1700000000000}}"#,
            #"{"type":"direct_post","direct_post":{"channel_members":["cy","ana"],"user":"cy","message":"psst","create_at":1700000000000}}"#
        )
        #expect(converted.records.mapValues(\.count) == ["c": 1, "ana-cy": 1])
        #expect(converted.problems.isEmpty)
    }
}
