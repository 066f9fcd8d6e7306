import Testing

@testable import Formats

struct TelegramServiceTests {
    private func record(_ action: String, _ more: String = "", type: String = "personal_chat") throws -> [String: Any] {
        let text = TelegramExport.chat([TelegramExport.service(1, action, more)], type: type)
        return try #require(try TelegramExport.records(text).first)
    }

    @Test(arguments: [
        (
            "create_group", #""title": "G", "members": ["Ben", null, "Cem"]"#,
            "Ana created the group «G» with Ben, Deleted Account and Cem"
        ),
        ("edit_group_title", #""title": "G""#, "Ana changed the group's title to «G»"),
        ("invite_members", #""members": ["Ben"]"#, "Ana invited Ben"),
        ("remove_members", #""members": ["Ben"]"#, "Ana removed Ben"),
        ("migrate_to_supergroup", "", "Ana converted this group to a supergroup"),
        ("phone_call", #""discard_reason": "missed""#, "Missed call from Ana"),
        ("phone_call", #""discard_reason": "hangup", "duration_seconds": 77"#, "Call from Ana, 1:17"),
        ("group_call", #""duration": 60"#, "Ana started a voice chat, 1:00"),
        ("set_messages_ttl", #""period": 604800"#, "Ana set messages to be deleted after 7 days"),
        ("set_messages_ttl", #""period": 0"#, "Ana set messages not to be deleted"),
        ("score_in_game", #""score": 7, "game_message_id": 3"#, "Ana scored 7 in a game"),
        ("send_payment", #""amount": 100, "currency": "USD""#, "You transferred 1.00 USD"),
        ("send_stars_gift", #""cost": "$1", "amount_whole": 50, "amount_nano": 0"#, "Ana sent a gift for $1: 50 Stars"),
        (
            "send_star_gift", #""stars": 15, "gift_text": [{"type": "plain", "text": "hi"}]"#,
            "Ana sent a gift of 15 Stars: hi"
        ),
        ("boost_apply", #""boosts": 1"#, "Ana boosted the group 1 time"),
        (
            "todo_completions", #""completed": [1, 2], "incompleted": [3]"#,
            "Ana marked tasks: 1 and 2 as done, 3 as not done"
        ),
        ("proximity_reached", #""from": "Ben", "to": "Cem", "distance": 50"#, "Ben is now within 50 m of Cem"),
        (
            "suggested_post_success",
            #""price_amount_whole": "2", "price_amount_nano": "500000000", "price_currency": "TON""#,
            "A paid post was shown for 24 hours; the channel got 2.5 TON"
        ),
        ("something_new", "", "Ana: something new"),
    ])
    func `an action is told in words`(action: String, more: String, text: String) throws {
        let record = try record(action, more)
        #expect(record["text"] as? String == text)
        #expect(record["kind"] as? String == "system")
        #expect(record["from"] as? String == "user7")
    }

    @Test func `the lines of a channel name nobody`() throws {
        let record = try record("edit_group_title", #""title": "News""#, type: "public_channel")
        #expect(record["text"] as? String == "Channel title changed to «News»")
    }

    @Test(arguments: [
        ("join_group_by_link", #""inviter": "Ben""#, "join", "Ana joined the group by a link from Ben"),
        ("join_group_by_request", "", "join", "Ana joined the group by request"),
        ("invite_members", #""members": ["Ana"]"#, "join", "Ana joined the group"),
        ("remove_members", #""members": ["Ana"]"#, "leave", "Ana left the group"),
    ])
    func `a person who joins or leaves alone has a presence`(
        action: String, more: String, presence: String, text: String
    ) throws {
        let record = try record(action, more)
        #expect(record["presence"] as? String == presence)
        #expect(record["text"] as? String == text)
    }

    @Test func `an invitation by somebody else is no presence of that person`() throws {
        #expect(try record("invite_members", #""members": ["Ben"]"#)["presence"] == nil)
    }

    @Test func `a pinned message can be found`() throws {
        #expect(try record("pin_message", #""message_id": 3"#)["replyTo"] as? String == "3")
        #expect(try record("pin_message", #""message_id": 3, "reply_to_peer_id": "channel9""#)["replyTo"] == nil)
    }

    @Test func `the code of a gift, which is worth money, is not written`() throws {
        let record = try record("gift_code_prize", #""gift_code": "SECRET", "months": 3"#)
        #expect(record["text"] as? String == "3 months of Telegram Premium: a gift from a channel")
        #expect(!"\(record)".contains("SECRET"))
    }

    @Test func `a line of the service itself is kept`() throws {
        let message =
            #""id": 1, "type": "service", "date_unixtime": "5", "actor": "Ana", "actor_id": "user7", "information_text": "Welcome", "text": """#
        #expect(try TelegramExport.records(TelegramExport.chat([message])).first?["text"] as? String == "Welcome")
    }
}
