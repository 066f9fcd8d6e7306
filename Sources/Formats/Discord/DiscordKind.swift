/// The kinds of messages, by names or by numbers.
enum DiscordKind {
    case plain, reply, join, leave, service
    /// The first line of a thread, which repeats the message that the thread began with.
    case starter

    init(_ type: Bytes) {
        if type == "Default" {
            self = .plain
        } else if type == "Reply" || type == "19" {
            self = .reply
        } else if type == "GuildMemberJoin" || type == "7" {
            self = .join
        } else if type == "21" || type == "ThreadStarterMessage" {
            self = .starter
        } else {
            self = DiscordKind.isService(type) ? .service : .plain
        }
    }

    /// Discord's kinds from 1 to 18, except the join; boosts and stages among them.
    private static func isService(_ type: Bytes) -> Bool {
        if let number = DiscordID.number(type) {
            return (1...18).contains(number) || number == 22 || (25...46).contains(number)
        }
        return type == "RecipientAdd" || type == "RecipientRemove" || type == "Call" || type == "ChannelNameChange"
            || type == "ChannelIconChange" || type == "ChannelPinnedMessage" || type == "ThreadCreated"
    }

    /// The words for a line that the exporter leaves empty; nil for other lines.
    static func text(of type: Bytes) -> StaticString? {
        switch DiscordID.number(type) {
        case 8: "Boosted the server."
        case 9: "Boosted the server to level 1."
        case 10: "Boosted the server to level 2."
        case 11: "Boosted the server to level 3."
        case 12: "Followed a channel."
        default: nil
        }
    }
}
