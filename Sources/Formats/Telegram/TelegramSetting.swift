internal import Dates
internal import JSON

/// The facts about a chat that its converter needs, as the setting of a feed: `private_supergroup 1234567890 forum spaced`.
struct TelegramSetting {
    let type: String
    let id: Int64
    /// True if the chat has topics.
    let isForum: Bool
    /// True if the export has a blank after the colon of a key.
    let isSpaced: Bool

    init(type: String, id: Int64, isForum: Bool, isSpaced: Bool) {
        (self.type, self.id, self.isForum, self.isSpaced) = (type, id, isForum, isSpaced)
    }

    init(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        type = words.first.map(String.init) ?? ""
        id = words.count > 1 ? Int64(words[1]) ?? 0 : 0
        isForum = words.dropFirst(2).contains("forum")
        isSpaced = words.dropFirst(2).contains("spaced")
    }

    /// The same chat with topics.
    var withTopics: TelegramSetting { TelegramSetting(type: type, id: id, isForum: true, isSpaced: isSpaced) }

    var text: String { "\(type) \(id)" + (isForum ? " forum" : "") + (isSpaced ? " spaced" : "") }

    /// True for a channel, whose service messages name nobody because its members cannot write.
    var isChannel: Bool { type.hasSuffix("_channel") }

    /// The chat's ID as messages write it: `user123`, `chat123`, `channel123`.
    var peer: String {
        switch type {
        case "personal_chat", "bot_chat", "saved_messages", "replies", "verification_codes": "user\(id)"
        case "private_group": "chat\(id)"
        default: "channel\(id)"
        }
    }

    static let types: Set<String> = [
        "saved_messages", "replies", "verification_codes", "personal_chat", "bot_chat", "private_group",
        "private_supergroup", "public_supergroup", "private_channel", "public_channel",
    ]
}

/// The fields that most messages have. Other fields are looked up only if `hasMore` is true.
struct TelegramRecord {
    let value: JSONValue
    private(set) var text: JSONValue?
    private(set) var from: JSONValue?
    private(set) var fromID: JSONValue?
    private(set) var actor: JSONValue?
    private(set) var actorID: JSONValue?
    private(set) var replyTo: JSONValue?
    private(set) var replyToPeer: JSONValue?
    private(set) var reactions: JSONValue?
    private(set) var hasMore = false
    private var id: JSONValue?
    private var type: JSONValue?
    private var localDate: JSONValue?
    private var unixTime: JSONValue?
    private var localEdit: JSONValue?
    private var unixEdit: JSONValue?
    private var entities: JSONValue?

    init(_ value: JSONValue) {
        self.value = value
        value.forEachField { name, value in
            switch name.count {
            case 2 where name == "id": id = value
            case 4 where name == "type": type = value
            case 4 where name == "date": localDate = value
            case 4 where name == "text": text = value
            case 4 where name == "from": from = value
            case 5 where name == "actor": actor = value
            case 6 where name == "edited": localEdit = value
            case 7 where name == "from_id": fromID = value
            case 8 where name == "actor_id": actorID = value
            case 9 where name == "reactions": reactions = value
            case 13 where name == "date_unixtime": unixTime = value
            case 13 where name == "text_entities": entities = value
            case 15 where name == "edited_unixtime": unixEdit = value
            case 16 where name == "reply_to_peer_id": replyToPeer = value
            case 19 where name == "reply_to_message_id": replyTo = value
            default: hasMore = true
            }
            return true
        }
        // The text is missing or null.
        if text?.bytes == nil, text?.isArray != true { text = entities }
    }

    /// Fields that Kedge reads, and fields without content.
    static let known: Set<String> = [
        "id", "type", "date", "date_unixtime", "edited", "edited_unixtime", "from", "from_id", "actor", "actor_id",
        "author", "text", "text_entities", "reply_to_message_id", "reply_to_peer_id", "reactions", "forwarded_from",
        "forwarded_from_id", "saved_from", "saved_from_id", "via_bot", "width", "height",
    ]

    var messageID: Int64? { id?.integer ?? id?.string.flatMap { Int64($0) } }
    var isService: Bool { type?.bytes.map { $0 == "service" } ?? false }
    var isUnsupported: Bool { type?.bytes.map { $0 == "unsupported" } ?? false }

    func date(clock: inout LocalClock) -> Timestamp? {
        if let seconds = TelegramRecord.seconds(unixTime) { return Timestamp(milliseconds: seconds * 1_000) }
        return localDate?.bytes.flatMap { clock.moment($0) }
    }

    /// True if the text was edited.
    ///
    /// Telegram also writes a time of change for a reaction, a pressed button, a vote or a moved place; old files have a time in
    /// 1970 for "never". So a time counts as an edit only if it is later than the message and has no other possible cause. A
    /// missed edit does less harm than a false one.
    var isEdited: Bool {
        guard localEdit != nil || unixEdit != nil, !isService, reactions == nil, !hasMore || !hasOtherChanges else {
            return false
        }
        if let edit = TelegramRecord.seconds(unixEdit), let date = TelegramRecord.seconds(unixTime) {
            return edit > date
        }
        // Local times in one zone, as ISO 8601, which sort as texts.
        guard let edit = localEdit?.bytes, let date = localDate?.bytes else { return false }
        return date.lexicographicallyPrecedes(edit)
    }

    private var hasOtherChanges: Bool {
        value["inline_bot_buttons"] != nil || value["poll"] != nil || value["todo_list"] != nil
            || value["location_information"] != nil || value["invoice_information"] != nil
            || value["game_title"] != nil
    }

    /// Seconds since 1970, as a number or in a string. The limit keeps milliseconds from overflowing.
    static func seconds(_ value: JSONValue?) -> Int64? {
        if let number = value?.integer { return number.magnitude < 1 << 40 ? number : nil }
        guard let digits = value?.bytes, !digits.isEmpty, digits.count <= 12 else { return nil }
        return digits.number(at: 0, digits: digits.count).map(Int64.init)
    }
}
