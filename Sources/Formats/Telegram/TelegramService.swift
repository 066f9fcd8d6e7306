internal import Dates
internal import JSON

/// A service message in Telegram's words. The exporter writes only these actions.
struct TelegramService {
    private let record: JSONValue
    private let setting: TelegramSetting
    private let action: String

    init(_ record: JSONValue, _ setting: TelegramSetting) {
        self.record = record
        self.setting = setting
        action = record["action"]?.string ?? ""
    }

    var createsTopic: Bool { action == "topic_created" }

    /// Joins and leaves of the actor. If somebody else invited or removed a person, the export has that person's name, but no ID.
    var presence: String? {
        switch action {
        case "join_group_by_link", "join_group_by_request": "join"
        case "invite_members": isAboutActor ? "join" : nil
        case "remove_members": isAboutActor ? "leave" : nil
        default: nil
        }
    }

    /// The message that this one refers to.
    var target: Int64? {
        guard record["reply_to_peer_id"] == nil else { return nil }
        return (record["message_id"] ?? record["game_message_id"] ?? record["invoice_message_id"])?.integer
    }

    private var isAboutActor: Bool {
        let members = record["members"].list.map(\.string)
        return members.count == 1 && members[0] != nil && members[0] == record["actor"]?.string
    }

    var text: String {
        if action.isEmpty { return record["information_text"]?.string ?? "" }
        let text = (setting.isChannel ? channelText : nil) ?? chatText ?? callText ?? botText
        return text ?? paymentText ?? giftText ?? postText ?? unknown
    }

    /// `Ana: some new action`
    private var unknown: String { "\(actor): \(action.replacing("_", with: " "))" }

    // MARK: - Words

    private var actor: String { TelegramNames.of(record["actor"]) }
    private var title: String { string("title") }
    private var members: String { names("members") }

    private func integer(_ key: StaticString) -> Int64 { record[key]?.integer ?? 0 }
    private func string(_ key: StaticString) -> String { record[key]?.string ?? "" }

    /// `3 times`
    private func count(_ key: StaticString, _ singular: String, _ plural: String) -> String {
        let count = integer(key)
        return "\(count) \(count == 1 ? singular : plural)"
    }

    private func names(_ key: StaticString) -> String {
        TelegramNames.list(record[key].list.map(TelegramNames.of))
    }

    private var channelText: String? {
        switch action {
        case "edit_group_title": "Channel title changed to «\(title)»"
        case "edit_group_photo": "Channel photo changed"
        case "delete_group_photo": "Channel photo removed"
        case "group_call": "Voice chat\(callDuration)"
        case "group_call_scheduled": "Voice chat scheduled\(callDate)"
        case "set_messages_ttl":
            lifetime.map { "New messages will be deleted after \($0)" }
                ?? "New messages will not be deleted"
        case "edit_chat_theme":
            record["emoticon"]?.string.map { "Channel theme changed to \($0)" } ?? "Channel theme disabled"
        case "paid_messages_price_change":
            record["is_broadcast_messages_allowed"]?.isTrue == false ? "Direct messages were disabled" : nil
        default: nil
        }
    }

    private var chatText: String? {
        switch action {
        case "create_group": "\(actor) created the group «\(title)»" + (members.isEmpty ? "" : " with \(members)")
        case "edit_group_title": "\(actor) changed the group's title to «\(title)»"
        case "edit_group_photo": "\(actor) changed the group's photo"
        case "delete_group_photo": "\(actor) removed the group's photo"
        case "invite_members": isAboutActor ? "\(actor) joined the group" : "\(actor) invited \(members)"
        case "remove_members": isAboutActor ? "\(actor) left the group" : "\(actor) removed \(members)"
        case "join_group_by_link": "\(actor) joined the group by a link from \(TelegramNames.of(record["inviter"]))"
        case "join_group_by_request": "\(actor) joined the group by request"
        case "joined_telegram": "\(actor) joined Telegram"
        case "create_channel": setting.isChannel ? "Channel «\(title)» created" : "Group «\(title)» created"
        case "migrate_to_supergroup": "\(actor) converted this group to a supergroup"
        case "migrate_from_group": "\(actor) converted a basic group to this supergroup «\(title)»"
        case "pin_message": "\(actor) pinned a message"
        case "clear_history": "History cleared"
        case "topic_created": "\(actor) created the topic «\(title)»"
        case "topic_edit":
            "\(actor) changed the topic" + (record["new_title"]?.string.map { "'s title to «\($0)»" } ?? "'s icon")
        case "take_screenshot": "\(actor) took a screenshot"
        case "suggest_profile_photo": "\(actor) suggested a profile photo"
        case "set_chat_wallpaper": "\(actor) set a new background for this chat"
        case "set_same_chat_wallpaper": "\(actor) set the same background for this chat"
        case "requested_phone_number": "\(actor) requested your phone number"
        case "boost_apply": "\(actor) boosted the group \(count("boosts", "time", "times"))"
        default: nil
        }
    }

    // MARK: - Calls and settings

    private var callDuration: String {
        record["duration"]?.integer.map { ", \(ForeignDuration.text($0))" } ?? ""
    }

    /// ` for 2024-05-01 18:00 UTC`
    private var callDate: String {
        guard let seconds = TelegramRecord.seconds(record["schedule_date"]) else { return "" }
        return " for \(Zone.utc.minute(Timestamp(milliseconds: seconds * 1_000))) UTC"
    }

    /// `1 day`, the time after which messages are deleted; nil if they are kept.
    private var lifetime: String? {
        let seconds = integer("period")
        guard seconds > 0 else { return nil }
        let units: [(Int64, String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        for (length, name) in units where seconds % length == 0 {
            let count = seconds / length
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return nil
    }

    private var callText: String? {
        switch action {
        case "phone_call", "conference_call": phoneCall(action == "phone_call" ? "call" : "group call")
        case "group_call": "\(actor) started a voice chat\(callDuration)"
        case "group_call_scheduled": "\(actor) scheduled a voice chat\(callDate)"
        case "invite_to_group_call": "\(actor) invited \(members) to the voice chat"
        case "set_messages_ttl":
            lifetime.map { "\(actor) set messages to be deleted after \($0)" }
                ?? "\(actor) set messages not to be deleted"
        case "edit_chat_theme":
            record["emoticon"]?.string.map { "\(actor) changed the chat's theme to \($0)" }
                ?? "\(actor) disabled the chat's theme"
        case "proximity_reached":
            "\(TelegramNames.of(record["from"])) is now within \(distance) of \(TelegramNames.of(record["to"]))"
        default: nil
        }
    }

    private func phoneCall(_ name: String) -> String {
        let isMissed = string("discard_reason") == "missed" || record["is_missed"]?.isTrue == true
        let kind =
            isMissed
            ? "Missed \(name)"
            : string("discard_reason") == "busy" ? "Declined \(name)" : name.prefix(1).uppercased() + name.dropFirst()
        let length = record["duration_seconds"]?.integer.map { ", \(ForeignDuration.text($0))" } ?? ""
        return "\(kind) from \(actor)\(length)"
    }

    private var distance: String {
        let meters = integer("distance")
        return meters >= 1_000 ? "\(Double(meters / 10) / 100) km" : "\(meters) m"
    }

    // MARK: - Bots

    private var botText: String? {
        switch action {
        case "score_in_game": "\(actor) scored \(integer("score")) in a game"
        case "attach_menu_bot_allowed": "You allowed this bot to message you when you added it in the attachment menu"
        case "web_app_bot_allowed": "You allowed this bot to message you in its web app"
        case "allow_sending_messages":
            "You allowed this bot to message you when you "
                + (string("reason_domain").isEmpty
                    ? "opened \(string("reason_app_name"))" : "logged in on \(string("reason_domain"))")
        case "send_passport_values":
            "You sent documents: " + names("values").replacing("_", with: " ")
        case "send_webview_data": "You transferred data from the «\(string("text"))» button to the bot"
        case "requested_peer": "\(actor) shared chats with the bot"
        default: nil
        }
    }

    // MARK: - Payments and gifts

    private var money: String { TelegramMoney.text(record["amount"]?.integer, record["currency"]?.string) }

    private var paymentText: String? {
        switch action {
        case "send_payment":
            string("recurring") == "used"
                ? "You were charged \(money) by a recurring payment"
                : "You transferred \(money)"
                    + (string("recurring") == "init" ? " and allowed recurring payments" : "")
        case "refunded_payment": "\(TelegramNames.of(record["peer_name"])) refunded \(money)"
        case "paid_messages_refund":
            "\(actor) refunded \(count("stars_count", "Star", "Stars")) for \(count("messages_count", "message", "messages"))"
        case "paid_messages_price_change":
            integer("price_stars") == 0
                ? "Messages are now free" : "A message now costs \(count("price_stars", "Star", "Stars"))"
        default: nil
        }
    }

    private var giftText: String? {
        switch action {
        case "send_premium_gift":
            "\(actor) sent a gift" + gift(count("months", "month", "months") + " of Telegram Premium")
        case "send_stars_gift", "send_ton_gift":
            "\(actor) sent a gift"
                + gift(
                    TelegramMoney.text(
                        whole: integer("amount_whole"), billionths: integer("amount_nano"),
                        action == "send_ton_gift" ? "TON" : "Stars"))
        case "send_star_gift":
            ["\(actor) sent a gift of \(count("stars", "Star", "Stars"))", TelegramText.plain(record["gift_text"])]
                .joined(by: ": ")
        case "gift_code_prize": giftCode
        case "giveaway_launch": "A giveaway began"
        case "giveaway_results":
            "The giveaway has \(count("winners", "winner", "winners"))"
                + (integer("unclaimed") > 0 ? ", \(integer("unclaimed")) prizes are unclaimed" : "")
        case "stars_prize":
            "A prize of \(count("stars", "Star", "Stars")) in a giveaway of \(TelegramNames.of(record["boost_peer_name"]))"
        default: nil
        }
    }

    /// The code is worth money, so it is not shown.
    private var giftCode: String {
        let months = count("months", "month", "months")
        let origin = record["via_giveaway"]?.isTrue == true ? "prize in a giveaway" : "gift"
        let claim = record["unclaimed"]?.isTrue == true ? ", unclaimed" : ""
        return "\(months) of Telegram Premium: a \(origin) from a channel\(claim)"
    }

    private func gift(_ contents: String) -> String {
        let cost = string("cost")
        return cost.isEmpty ? "" : " for \(cost): \(contents)"
    }

    /// A number that the exporter writes as a string.
    private func decimal(_ key: StaticString) -> Int64 {
        record[key]?.integer ?? record[key]?.string.flatMap { Int64($0) } ?? 0
    }

    // MARK: - Posts and tasks

    private var postText: String? {
        switch action {
        case "todo_completions": tasks
        case "todo_append_tasks":
            "\(actor) added tasks: "
                + TelegramNames.list(record["items"].list.map { TelegramText.plain($0["text"]) })
        case "process_suggested_post": approval
        case "suggested_post_success": "A paid post was shown for 24 hours; the channel got \(price)"
        case "suggested_post_refund":
            record["user_initiated"]?.isTrue == true
                ? "The user took the payment back, and the post was deleted"
                : "The post was deleted early, and the payment was refunded"
        default: nil
        }
    }

    private var price: String {
        TelegramMoney.text(
            whole: decimal("price_amount_whole"), billionths: decimal("price_amount_nano"), string("price_currency"))
    }

    private var approval: String {
        if record["rejected"]?.isTrue == true {
            return ["\(actor) rejected a suggested post", string("comment")].joined(by: ": ")
        }
        let isPaid = decimal("price_amount_whole") != 0 || decimal("price_amount_nano") != 0
        return "\(actor) approved a suggested post" + (isPaid ? " for \(price)" : "")
    }

    private var tasks: String {
        func list(_ key: StaticString) -> String {
            TelegramNames.list(record[key].list.compactMap { $0.integer.map { String($0) } })
        }
        let (done, open) = (list("completed"), list("incompleted"))
        let parts = [done.isEmpty ? "" : "\(done) as done", open.isEmpty ? "" : "\(open) as not done"]
        return "\(actor) marked tasks: \(parts.joined(by: ", "))"
    }
}
