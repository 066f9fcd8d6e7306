internal import Dates
internal import JSON

/// Writes the messages of a feed as native records. The text's buffer is kept from one message to the next.
struct SlackMessage {
    private let names: ForeignNames
    private let setting: SlackSetting
    private var text: [UInt8] = []

    init(names: ForeignNames, setting: SlackSetting) {
        (self.names, self.setting) = (names, setting)
    }

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "type", "subtype", "ts", "event_ts", "user", "team", "user_team", "source_team", "user_profile",
        "client_msg_id", "thread_ts", "parent_user_id", "reply_count", "reply_users_count", "reply_users",
        "latest_reply", "replies", "is_locked", "subscribed", "last_read", "unread_count", "edited", "reactions",
        "bot_id", "app_id", "username", "bot_profile", "icons", "icon_url", "upload", "upload_reply_to",
        "display_as_bot", "text", "channel", "hidden", "no_notifications", "permalink", "is_starred", "pinned_to",
        "pinned_info", "inviter", "is_intro", "saved", "root", "metadata", "slackdump_thread_replies", "x_files",
    ]

    /// Writes a message, and the replies that slackdump keeps inside it.
    /// - Returns: the error in it.
    mutating func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        let fields = SlackFields(record)
        guard let id = fields.ts?.bytes, let time = SlackTime(id) else { return "message without a time" }
        let kind = SlackKind(fields.subtype?.bytes)
        if kind == .echo { return nil }
        writer.message(id: id, at: time.timestamp, key: time.microseconds)
        writeSender(fields, kind, &writer)
        let parts = writeText(fields, kind, &writer)
        writeKind(kind, &writer)
        if let thread = fields.thread?.bytes, !thread.isEmpty, !thread.elementsEqual(id) {
            writer.text("thread", thread)
            if kind == .broadcast { writer.flag("broadcast") }
        }
        if fields.edited?.isObject == true { writer.flag("edited") }
        if let files = fields.files ?? fields.file { writer.attachments(attachments(files)) }
        if let reactions = fields.reactions { writer.reactions(SlackMessage.reactions(reactions)) }
        var unread = writer.end(record, known: SlackMessage.known)
        if unread == nil, !parts.isEmpty {
            unread = "message with parts that Kedge does not read: " + parts.sorted().joined(separator: ", ")
        }
        for reply in fields.replies.list { unread = write(reply, into: &writer) ?? unread }
        return unread
    }

    private func writeKind(_ kind: SlackKind, _ writer: inout RecordWriter) {
        switch kind {
        case .action: writer.text("kind", "action")
        case .service: writer.text("kind", "system")
        case .join, .leave:
            writer.text("kind", "system")
            writer.text("presence", kind == .join ? "join" : "leave")
        case .tombstone: writer.flag("deleted")
        default: break
        }
    }

    // MARK: - Sender

    private func writeSender(_ fields: SlackFields, _ kind: SlackKind, _ writer: inout RecordWriter) {
        let user = kind == .comment ? fields.comment?["user"]?.bytes ?? fields.user?.bytes : fields.user?.bytes
        if let user, !user.isEmpty {
            writer.text("from", user)
            if names.person(user) == nil { note(user, fields, &writer) }
        } else if let name = fields.username?.bytes, !name.isEmpty {
            // Each message of a bot contains a name: a bridge writes for many people under one ID.
            writer.sender(fields.bot?.bytes ?? .empty, nowNamed: name)
        } else if let bot = fields.bot?.bytes, !bot.isEmpty {
            writer.text("from", bot)
            if let name = fields.botProfile?["name"]?.bytes { writer.person(bot, name: name) }
        }
    }

    /// Records the name of a person who is not in the list of users, usually a guest from another workspace.
    private func note(_ user: Bytes, _ fields: SlackFields, _ writer: inout RecordWriter) {
        if let profile = fields.profile {
            for name in [profile["display_name"], profile["real_name"], profile["name"]] {
                if let name = name?.bytes, !name.isEmpty { return writer.person(user, name: name) }
            }
        }
        if let name = fields.botProfile?["name"]?.bytes ?? fields.username?.bytes { writer.person(user, name: name) }
    }

    // MARK: - Text

    /// - Returns: the kinds of blocks and parts that were left out.
    private mutating func writeText(
        _ fields: SlackFields, _ kind: SlackKind, _ writer: inout RecordWriter
    ) -> Set<String> {
        text.removeAll(keepingCapacity: true)
        guard kind != .tombstone else {
            writer.text("text", text)
            return []
        }
        var converter = SlackBlocks(names: names)
        if let blocks = fields.blocks, blocks.isArray { converter.append(blocks, to: &text) }
        let original = kind == .comment ? fields.comment?["comment"]?.bytes ?? fields.text?.bytes : fields.text?.bytes
        if text.isEmpty, let original { Mrkdwn(names: names).append(original, to: &text) }
        var previews = SlackUnfurls(names: names)
        if let unfurls = fields.attachments { previews.append(unfurls, to: &text) }
        if text.isEmpty, let room = fields.room { writeRoom(room) }
        SlackSecret.remove(from: &text)
        writer.text("text", text)
        if converter.isIncomplete, let original, !original.isEmpty { writeSource(original, &writer) }
        return converter.unread.union(previews.unread)
    }

    /// `Huddle of @ana with @ben, 5:40`
    private mutating func writeRoom(_ room: JSONValue) {
        let isHuddle = room["call_family"]?.bytes.map { $0 == "huddle" } ?? true
        text += Array((isHuddle ? "Huddle" : "Call").utf8)
        let creator = room["created_by"]?.bytes ?? .empty
        if !creator.isEmpty {
            text.append(" of @")
            text += names.person(creator) ?? Array(creator)
        }
        var isFirst = true
        for list in [room["participant_history"], room["participants"]] where isFirst {
            for person in list.list {
                guard let id = person.bytes, !id.isEmpty, !id.elementsEqual(creator) else { continue }
                text += Array((isFirst ? " with @" : ", @").utf8)
                isFirst = false
                text += names.person(id) ?? Array(id)
            }
        }
        if let start = room["date_start"]?.integer, let end = room["date_end"]?.integer, end > start, start > 0 {
            text += Array(", \(ForeignDuration.text(end - start))".utf8)
        }
    }

    private mutating func writeSource(_ original: Bytes, _ writer: inout RecordWriter) {
        text.removeAll(keepingCapacity: true)
        text += original
        SlackSecret.remove(from: &text)
        writer.text("source", text)
    }

    // MARK: - Files and reactions

    private func attachments(_ files: JSONValue) -> [ForeignAttachment] {
        files.isObject ? [attachment(files)] : files.elements.map(attachment)
    }

    private func attachment(_ file: JSONValue) -> ForeignAttachment {
        let id = file["id"]?.string ?? ""
        let size = file["size"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        let mode = file["mode"]?.bytes ?? .empty
        if mode == "tombstone" { return ForeignAttachment(name: "deleted file") }
        if mode == "hidden_by_limit" { return ForeignAttachment(name: "file hidden by the limit of the workspace") }
        let name = file["name"]?.string ?? ""
        let title = file["title"]?.string ?? ""
        // Slack names a canvas "Untitled", whatever its title.
        let shown = mode == "quip" && !title.isEmpty ? title : !name.isEmpty ? name : !title.isEmpty ? title : id
        let isCopied =
            !(mode == "external") && !(mode == "quip") && file["is_external"]?.isTrue != true && !name.isEmpty
        return ForeignAttachment(
            name: shown, path: isCopied ? setting.path(id: id, name: name) : nil, size: size)
    }

    private static func reactions(_ list: JSONValue) -> [ForeignReaction] {
        list.elements.compactMap { reaction in
            guard let name = reaction["name"]?.bytes, !name.isEmpty else { return nil }
            var emoji: [UInt8] = []
            SlackEmoji.append(name, to: &emoji)
            let people = reaction["users"].map { $0.elements.compactMap(\.string) } ?? []
            return ForeignReaction(
                emoji: String(decoding: emoji, as: UTF8.self),
                count: max(people.count, Int(clamping: reaction["count"]?.integer ?? 0)), people: people)
        }
    }
}

/// The fields of a message that Kedge reads, found in one pass.
struct SlackFields {
    var ts, thread, user, bot, username, subtype, text, blocks, attachments, files, file, comment: JSONValue?
    var edited, reactions, replies, profile, botProfile, room: JSONValue?

    init(_ record: JSONValue) {
        record.forEachSetField { name, value in
            switch name.count {
            case 2 where name == "ts": ts = value
            case 4 where name == "text": text = value
            case 4 where name == "user": user = value
            case 4 where name == "file": file = value
            case 4 where name == "room": room = value
            case 5 where name == "files": files = value
            case 6 where name == "blocks": blocks = value
            case 6 where name == "bot_id": bot = value
            case 6 where name == "edited": edited = value
            case 7 where name == "subtype": subtype = value
            case 7 where name == "comment": comment = value
            case 8 where name == "username": username = value
            case 9 where name == "thread_ts": thread = value
            case 9 where name == "reactions": reactions = value
            case 11 where name == "attachments": attachments = value
            case 11 where name == "bot_profile": botProfile = value
            case 12 where name == "user_profile": profile = value
            case 24 where name == "slackdump_thread_replies": replies = value
            default: break
            }
        }
    }
}

/// The kinds of messages that Slack distinguishes by `subtype`.
enum SlackKind {
    case plain, action, join, leave
    /// A line by the service: a new topic, a pin, a new name.
    case service
    case broadcast, comment
    /// Replaces a deleted message that has replies.
    case tombstone
    /// An event that repeats another message.
    case echo

    init(_ subtype: Bytes?) {
        guard let subtype else {
            self = .plain
            return
        }
        switch subtype {
        case "bot_message", "file_share": self = .plain
        case "thread_broadcast", "reply_broadcast": self = .broadcast
        case "channel_join", "group_join", "app_conversation_join": self = .join
        case "channel_leave", "group_leave", "app_conversation_leave": self = .leave
        case "me_message": self = .action
        case "file_comment": self = .comment
        case "tombstone": self = .tombstone
        case "message_replied": self = .echo
        case "sh_room_created", "huddle_thread", "ekm_access_denied": self = .service
        default: self = SlackKind.services.contains { subtype.starts(with: $0) } ? .service : .plain
        }
    }

    /// The beginnings of the kinds of lines by the service.
    private static let services: [StaticString] = [
        "channel_", "group_", "bot_add", "bot_remove", "bot_enable", "bot_disable", "pinned_", "unpinned_", "reminder_",
        "joiner_notification",
    ]
}

/// A `ts`: seconds since 1970 with up to six decimal places. It is the ID of a message in its channel.
struct SlackTime {
    let microseconds: Int64

    var timestamp: Timestamp { Timestamp(milliseconds: microseconds.flooredDivision(by: 1_000)) }

    /// Nil for anything but digits with at most one decimal point.
    init?(_ text: Bytes) {
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
        let decimals = text.dropFirst(point + 1)
        guard !text.isEmpty, text.count <= 24, point <= 18, let whole = text.number(at: 0, digits: point),
            whole < 1_000_000_000_000, decimals.allSatisfy({ $0.isDigit })
        else { return nil }
        var fraction = decimals.prefix(6).reduce(0) { $0 * 10 + Int64($1 - 48) }
        for _ in 0..<max(0, 6 - decimals.count) { fraction *= 10 }
        microseconds = Int64(whole) * 1_000_000 + fraction
    }
}
