/// A chat in a file.
struct TelegramChat {
    let file: SourceFile
    /// Nil for a chat that has none, such as that with a deleted account.
    let name: String?
    let setting: TelegramSetting
    /// The bytes of its messages; without an end, they end with the file.
    let start: Int64
    let end: Int64?

    /// The person of a chat of two.
    var person: ForeignPerson? {
        guard let name, setting.type == "personal_chat" || setting.type == "bot_chat" else { return nil }
        return ForeignPerson(id: setting.peer, name: name)
    }

    private var title: String {
        switch setting.type {
        case "saved_messages": "Saved Messages"
        case "replies": "Replies"
        case "verification_codes": "Verification Codes"
        case "personal_chat", "bot_chat": name ?? "Deleted Account"
        default: name ?? "Unnamed"
        }
    }

    /// Conversations, each with the messages of all files that hold the chat.
    ///
    /// The ID of a conversation is made of its name, which people type: `ana-petrova`. Where several chats of the export would
    /// have the same, each carries its own ID too (`ana-petrova-123`), and none of them depends on the order of the chats. The
    /// ID of the service and `type-ID`, which outlive a new name, are aliases.
    static func conversations(of chats: [TelegramChat], me: String?) -> [ForeignConversation] {
        var order: [String] = []
        var groups: [String: [TelegramChat]] = [:]
        for chat in chats {
            if groups[chat.setting.peer] == nil { order.append(chat.setting.peer) }
            groups[chat.setting.peer, default: []].append(chat)
        }
        let merged = order.compactMap { groups[$0] }.map { group in
            group.sorted { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
        }
        var uses: [String: Int] = [:]
        for group in merged { uses[slug(group), default: 0] += 1 }
        return merged.compactMap { group in
            let slug = slug(group)
            return conversation(group, uses[slug] == 1 ? slug : nil, me)
        }
    }

    private static func slug(_ group: [TelegramChat]) -> String {
        let newest = group.last { $0.name != nil } ?? group.last
        let slug = Slug.of(newest?.title ?? "")
        return slug.isEmpty ? newest?.setting.type.replacing("_", with: "-") ?? "" : slug
    }

    private static func conversation(_ group: [TelegramChat], _ free: String?, _ me: String?) -> ForeignConversation? {
        guard let newest = group.last else { return nil }
        let (setting, title) = (newest.setting, (group.last { $0.name != nil } ?? newest).title)
        var conversation = ForeignConversation(id: free ?? "\(slug(group))-\(setting.id)", title: title)
        conversation.aliases = ["\(setting.id)", "\(setting.type)-\(setting.id)"]
        if setting.peer.hasPrefix("user") {
            conversation.members = me == setting.peer ? [setting.peer] : [me, setting.peer].compactMap { $0 }
        }
        conversation.order = group.count > 1 ? .byKey : .sequence
        conversation.feeds = group.enumerated().map { rank, chat in
            Feed(file: chat.file.path, start: chat.start, end: chat.end, setting: chat.setting.text, rank: rank)
        }
        return conversation
    }
}
