import Dates
import Testing

@testable import Formats

struct TelegramMessageTests {
    private func record(_ message: String) throws -> [String: Any] {
        try #require(try TelegramExport.records(TelegramExport.chat([message])).first)
    }

    private func text(_ pieces: String) throws -> String? {
        try record(TelegramExport.pieces(pieces))["text"] as? String
    }

    @Test func `a message keeps its ID, its time, its sender and its text`() throws {
        let record = try record(TelegramExport.message(12, "one two"))
        #expect(record["id"] as? String == "12")
        #expect(record["at"] as? String == "2024-01-01T00:00:00Z")
        #expect(record["from"] as? String == "user7")
        #expect(record["text"] as? String == "one two")
        #expect(record["edited"] == nil && record["kind"] == nil)
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `pieces of any size give the same records`(chunk: Int) throws {
        let messages = (1...40).map { TelegramExport.message($0, String(repeating: "x\\n}", count: $0)) }
        let source = TelegramExport.source(TelegramExport.chat(messages))
        let records = try Converted(source, by: TelegramFormat(), chunk: chunk).records["ana"] ?? []
        #expect(records.count == 40)
        #expect(records.map { $0["id"] as? String } == (1...40).map { "\($0)" })
        #expect(records.last?["text"] as? String == String(repeating: "x\n}", count: 40))
    }

    @Test func `a date without a zone is local`() throws {
        let message =
            #""id": 1, "type": "message", "date": "2020-07-01T12:00:00", "from": "Ana", "from_id": 7, "text": "x""#
        let source = TelegramExport.source(TelegramExport.chat([message]))
        let converted = try Converted(source, by: TelegramFormat(), zone: Zone(secondsEast: 7_200))
        #expect(converted.records["ana"]?.first?["at"] as? String == "2020-07-01T10:00:00Z")
    }

    @Test func `a sender without a kind is a user`() throws {
        let message = #""id": 1, "type": "message", "date_unixtime": "5", "from": "Ana", "from_id": 7, "text": "x""#
        #expect(try record(message)["from"] as? String == "user7")
    }

    @Test func `a sender without a name is a deleted account`() throws {
        let message =
            #""id": 1, "type": "message", "date_unixtime": "5", "from": null, "from_id": "user9", "text": "x""#
        let converted = try TelegramExport.converted(TelegramExport.source(TelegramExport.chat([message])))
        #expect(converted.people["user9"] == "Deleted Account")
    }

    @Test func `a later name of a person replaces the earlier one`() throws {
        let later = TelegramExport.message(2).replacing("\"Ana\"", with: "\"Anna\"")
        let converted = try TelegramExport.converted(
            TelegramExport.source(TelegramExport.chat([TelegramExport.message(1), later])))
        #expect(converted.people["user7"] == "Anna")
    }

    @Test func `an ID beyond the digits of a double survives`() throws {
        #expect(try record(TelegramExport.message(9_007_199_254_740_993))["id"] as? String == "9007199254740993")
    }

    // MARK: - Texts

    @Test(arguments: [
        (#""a ", {"type": "bold", "text": "b"}, " c""#, "a **b** c"),
        (#"{"type": "italic", "text": "a"}, ".""#, "*a*."),
        (#"{"type": "underline", "text": "a"}"#, "_a_"),
        (#"{"type": "strikethrough", "text": "a"}"#, "~~a~~"),
        (#"{"type": "spoiler", "text": "a"}"#, "||a||"),
        (#"{"type": "code", "text": "a"}"#, "`a`"),
        (#"{"type": "code", "text": "a`b"}"#, "``a`b``"),
        (#"{"type": "text_link", "text": "a", "href": "https://example.org/x y"}"#, "[a](https://example.org/x%20y)"),
        (#"{"type": "text_link", "text": "a", "href": "tg://user?id=1"}"#, "a (tg://user?id=1)"),
        (#"{"type": "link", "text": "https://example.org"}"#, "https://example.org"),
        (#"{"type": "mention", "text": "@ben"}"#, "@ben"),
        (#"{"type": "mention_name", "text": "Ben", "user_id": 5}"#, "@Ben"),
        (##"{"type": "hashtag", "text": "#x"}, " ", {"type": "cashtag", "text": "$EUR"}"##, "#x $EUR"),
        (#"{"type": "custom_emoji", "text": "😁", "document_id": "1"}"#, "😁"),
        (#"{"type": "pre", "text": "let x = 1", "language": "swift"}"#, "```swift\nlet x = 1\n```"),
        (#""see", {"type": "blockquote", "text": "a\nb", "collapsed": true}, "c""#, "see\n> a\n> b\nc"),
        (#"{"type": "something new", "text": "a"}"#, "a"),
    ])
    func `a piece of a text becomes light marks`(pieces: String, text: String) throws {
        #expect(try self.text(pieces) == text)
    }

    @Test func `pieces make the text where it is given only once`() throws {
        let message =
            #""id": 1, "type": "message", "date_unixtime": "5", "text_entities": [{"type": "plain", "text": "a"}]"#
        #expect(try record(message)["text"] as? String == "a")
    }

    // MARK: - Origins, replies, reactions

    @Test(arguments: [
        (#""forwarded_from": "Ben""#, "Forwarded from Ben\nhello"),
        (#""forwarded_from": null"#, "Forwarded from Deleted Account\nhello"),
        (#""saved_from": "News""#, "Saved from News\nhello"),
        (#""via_bot": "@gif""#, "via @gif\nhello"),
        (#""forwarded_from": "Ben", "via_bot": "@gif""#, "Forwarded from Ben via @gif\nhello"),
        (#""author": "Editor""#, "hello\n— Editor"),
        (
            #""inline_bot_buttons": [[{"type": "url", "text": "Go", "data": "https://example.org"}, {"type": "callback", "text": "No", "dataBase64": "eA"}]]"#,
            "hello\n[Go](https://example.org) [No]"
        ),
    ])
    func `a line tells where a message comes from, and what hangs below it`(more: String, text: String) throws {
        #expect(try record(TelegramExport.message(1, "hello", more))["text"] as? String == text)
    }

    @Test func `a reply names its target`() throws {
        #expect(try record(TelegramExport.message(5, "x", #""reply_to_message_id": 3"#))["replyTo"] as? String == "3")
    }

    @Test func `a reply to a message of another chat names none`() throws {
        let other = #""reply_to_message_id": 3, "reply_to_peer_id": "channel99""#
        #expect(try record(TelegramExport.message(5, "x", other))["replyTo"] == nil)
        let same = #""reply_to_message_id": 3, "reply_to_peer_id": "user7""#
        #expect(try record(TelegramExport.message(5, "x", same))["replyTo"] as? String == "3")
    }

    @Test func `counts of reactions survive where few people or none are named`() throws {
        let more = #"""
            "reactions": [
             {"type": "emoji", "count": 9, "emoji": "👍", "recent": [{"from": "Ben", "from_id": "user2", "date": ""}]},
             {"type": "paid", "count": 3},
             {"type": "custom_emoji", "count": 1, "document_id": "stickers/sticker (2).webp"},
             {"type": "custom_emoji", "count": 1, "document_id": "(File not included. Change data exporting settings to download.)"},
             {"type": "custom_emoji", "count": 2, "document_id": "(File not included. Change data exporting settings to download.)"}]
            """#
        let reactions = try #require(record(TelegramExport.message(1, "x", more))["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["emoji"] as? String } == ["👍", "⭐", ":sticker-2:", ":custom-emoji:"])
        #expect(reactions.map { $0["count"] as? Int } == [9, 3, 1, 3])
        #expect(reactions.map { ($0["people"] as? [String])?.count } == [1, 0, 0, 0])
    }

    @Test func `people count where the number of a reaction is too small`() throws {
        let more = #"""
            "reactions": [{"type": "emoji", "count": 1, "emoji": "👍",
             "recent": [{"from": "Ben", "from_id": "user2"}, {"from": "Cy", "from_id": "user3"}]}]
            """#
        let reactions = try #require(record(TelegramExport.message(1, "x", more))["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["count"] as? Int } == [2])
    }

    // MARK: - Edits

    @Test(arguments: [
        (#""edited_unixtime": "1704067300""#, true),
        (#""edited_unixtime": "1704067200""#, false),
        (#""edited": "1970-01-01T01:00:00""#, false),
        (#""edited": "2024-01-01T01:00:01""#, true),
        (#""edited_unixtime": "1704067300", "reactions": [{"type": "emoji", "count": 1, "emoji": "👍"}]"#, false),
        (#""edited_unixtime": "1704067300", "poll": {"question": "?"}"#, false),
    ])
    func `a message is edited if nothing else can have changed it`(more: String, isEdited: Bool) throws {
        #expect(try record(TelegramExport.message(1, "x", more))["edited"] as? Bool == (isEdited ? true : nil))
    }
}
