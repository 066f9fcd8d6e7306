/// The kinds of messages that Slack tells apart by `subtype`.
enum SlackKind {
    case plain, action, join, leave
    /// A line by the service: a new topic, a pin, a new name.
    case service
    case broadcast, comment
    /// The place of a deleted message that has replies.
    case tombstone
    /// An event that repeats another message.
    case echo

    init(_ subtype: Bytes?) {
        guard let subtype else {
            self = .plain
            return
        }
        self = SlackKind.special(subtype) ?? (SlackKind.isService(subtype) ? .service : .plain)
    }

    private static func special(_ subtype: Bytes) -> SlackKind? {
        if subtype == "bot_message" || subtype == "file_share" { return .plain }
        if subtype == "thread_broadcast" || subtype == "reply_broadcast" { return .broadcast }
        if subtype == "channel_join" || subtype == "group_join" || subtype == "app_conversation_join" { return .join }
        if subtype == "channel_leave" || subtype == "group_leave" || subtype == "app_conversation_leave" {
            return .leave
        }
        if subtype == "me_message" { return .action }
        if subtype == "file_comment" { return .comment }
        if subtype == "tombstone" { return .tombstone }
        return subtype == "message_replied" ? .echo : nil
    }

    private static func isService(_ subtype: Bytes) -> Bool {
        subtype.starts(with: "channel_") || subtype.starts(with: "group_") || subtype.starts(with: "bot_add")
            || subtype.starts(with: "bot_remove") || subtype.starts(with: "bot_enable")
            || subtype.starts(with: "bot_disable") || subtype.starts(with: "pinned_")
            || subtype.starts(with: "unpinned_") || subtype.starts(with: "reminder_")
            || subtype.starts(with: "joiner_notification") || subtype == "sh_room_created"
            || subtype == "huddle_thread" || subtype == "ekm_access_denied"
    }
}
