/// The facts about a chat that its converter needs, as a feed carries them: `private_supergroup 1234567890 forum spaced`.
struct TelegramSetting {
    let type: String
    let id: Int64
    /// Whether it has topics.
    let isForum: Bool
    /// Whether a blank stands after the colon of a key.
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

    /// Members of a channel do not write to it: its service lines name nobody.
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
