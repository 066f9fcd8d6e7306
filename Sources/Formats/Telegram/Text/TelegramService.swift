/// A service message in the words of Telegram. The actions are all that the exporter writes.
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

    /// Joins and leaves of the actor. A person whom somebody else invited or removed has a name here, but no ID.
    var presence: String? {
        switch action {
        case "join_group_by_link", "join_group_by_request": "join"
        case "invite_members": isAboutActor ? "join" : nil
        case "remove_members": isAboutActor ? "leave" : nil
        default: nil
        }
    }

    /// The message that it is about.
    var target: Int64? {
        guard record["reply_to_peer_id"] == nil else { return nil }
        return (record["message_id"] ?? record["game_message_id"] ?? record["invoice_message_id"])?.integer
    }

    private var isAboutActor: Bool {
        guard let actor = record["actor"]?.string, let members = record["members"]?.elements else { return false }
        let names = Array(members)
        return names.count == 1 && names.first?.string == actor
    }

    var text: String {
        if action.isEmpty { return record["information_text"]?.string ?? "" }
        return (setting.isChannel ? channelText : nil) ?? chatText ?? TelegramEvent(record).text ?? unknown
    }

    /// `Ana: some new action`
    private var unknown: String { "\(actor): \(action.replacing("_", with: " "))" }

    // MARK: - Words

    private var actor: String { TelegramNames.of(record["actor"]) }
    private var title: String { record["title"]?.string ?? "" }

    private var members: String {
        TelegramNames.list((record["members"]?.elements).map { $0.map { TelegramNames.of($0) } } ?? [])
    }

    private var channelText: String? {
        switch action {
        case "edit_group_title": "Channel title changed to «\(title)»"
        case "edit_group_photo": "Channel photo changed"
        case "delete_group_photo": "Channel photo removed"
        case "group_call": "Voice chat\(TelegramEvent(record).callDuration)"
        case "group_call_scheduled": "Voice chat scheduled\(TelegramEvent(record).callDate)"
        case "set_messages_ttl":
            TelegramEvent(record).lifetime.map { "New messages will be deleted after \($0)" }
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
        case "boost_apply": "\(actor) boosted the group \(TelegramEvent(record).count("boosts", "time", "times"))"
        default: nil
        }
    }
}
