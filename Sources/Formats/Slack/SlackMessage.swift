internal import Dates

/// Writes the messages of a feed as native records. Buffers are kept from one message to the next.
struct SlackMessage {
    private let names: ForeignNames
    private let setting: SlackSetting
    private var text: [UInt8] = []
    private var sender: [UInt8] = []

    init(names: ForeignNames, setting: SlackSetting) {
        (self.names, self.setting) = (names, setting)
    }

    /// Fields that are read, or say nothing of what a message consists of.
    private static let known: Set<String> = [
        "type", "subtype", "ts", "event_ts", "user", "team", "user_team", "source_team", "user_profile",
        "client_msg_id",
        "thread_ts", "parent_user_id", "reply_count", "reply_users_count", "reply_users", "latest_reply", "replies",
        "is_locked", "subscribed", "last_read", "unread_count", "edited", "reactions", "bot_id", "app_id", "username",
        "bot_profile", "icons", "icon_url", "upload", "upload_reply_to", "display_as_bot", "text", "channel", "hidden",
        "no_notifications", "permalink", "is_starred", "pinned_to", "pinned_info", "inviter", "is_intro", "saved",
        "root",
        "metadata", "slackdump_thread_replies", "x_files",
    ]

    /// Writes a message, and the replies that slackdump keeps inside it.
    /// - Returns: what is wrong with it.
    mutating func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        let fields = SlackFields(record)
        guard let id = fields.ts?.bytes, let time = SlackTime(id) else { return "message without a time" }
        let kind = SlackKind(fields.subtype?.bytes)
        if kind == .echo { return nil }
        writer.message(id: id, at: time.timestamp, key: time.microseconds)
        writeSender(fields, kind, &writer)
        writeText(fields, kind, &writer)
        writeKind(kind, &writer)
        if let thread = fields.thread?.bytes, !thread.isEmpty, !thread.elementsEqual(id) {
            writer.text("thread", thread)
            if kind == .broadcast { writer.flag("broadcast") }
        }
        if fields.edited?.isObject == true { writer.flag("edited") }
        if let files = fields.files ?? fields.file { writer.attachments(attachments(files)) }
        if let reactions = fields.reactions { writer.reactions(SlackMessage.reactions(reactions)) }
        var unread = writer.end(record, known: SlackMessage.known)
        if let replies = fields.replies {
            for reply in replies.elements { unread = write(reply, into: &writer) ?? unread }
        }
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

    private mutating func writeSender(_ fields: SlackFields, _ kind: SlackKind, _ writer: inout RecordWriter) {
        let user = kind == .comment ? fields.comment?["user"]?.bytes ?? fields.user?.bytes : fields.user?.bytes
        if let user, !user.isEmpty {
            writer.text("from", user)
            if names.person(user) == nil { note(user, fields, &writer) }
        } else if let name = fields.username?.bytes, !name.isEmpty {
            // Bots name themselves with each message: a bridge speaks for many people under one ID.
            sender.removeAll(keepingCapacity: true)
            if let bot = fields.bot?.bytes, !bot.isEmpty {
                sender += bot
                sender.append(UInt8(ascii: ":"))
            }
            sender += name
            writer.text("from", sender)
            sender.withUnsafeBytes { writer.person($0, name: name) }
        } else if let bot = fields.bot?.bytes, !bot.isEmpty {
            writer.text("from", bot)
            if let name = fields.botProfile?["name"]?.bytes { writer.person(bot, name: name) }
        }
    }

    /// Notes the name of somebody who is not among the users, mostly a guest of another workspace.
    private func note(_ user: Bytes, _ fields: SlackFields, _ writer: inout RecordWriter) {
        if let profile = fields.profile {
            for name in [profile["display_name"], profile["real_name"], profile["name"]] {
                if let name = name?.bytes, !name.isEmpty { return writer.person(user, name: name) }
            }
        }
        if let name = fields.botProfile?["name"]?.bytes ?? fields.username?.bytes { writer.person(user, name: name) }
    }

    // MARK: - Text

    private mutating func writeText(_ fields: SlackFields, _ kind: SlackKind, _ writer: inout RecordWriter) {
        text.removeAll(keepingCapacity: true)
        guard kind != .tombstone else { return writer.text("text", text) }
        var isIncomplete = false
        if let blocks = fields.blocks, blocks.isArray {
            var converter = SlackBlocks(names: names)
            converter.append(blocks, to: &text)
            isIncomplete = converter.isIncomplete
        }
        let original = kind == .comment ? fields.comment?["comment"]?.bytes ?? fields.text?.bytes : fields.text?.bytes
        if text.isEmpty, let original { Mrkdwn(names: names).append(original, to: &text) }
        if let unfurls = fields.attachments { SlackUnfurls(names: names).append(unfurls, to: &text, start: 0) }
        if text.isEmpty, let room = fields.room { writeRoom(room) }
        SlackSecret.remove(from: &text)
        writer.text("text", text)
        if isIncomplete, let original, !original.isEmpty { writeSource(original, &writer) }
    }

    /// `Huddle of @ana with @ben, 5:40`
    private mutating func writeRoom(_ room: JSONValue) {
        let isHuddle = room["call_family"]?.bytes.map { $0 == "huddle" } ?? true
        text += Array((isHuddle ? "Huddle" : "Call").utf8)
        let creator = room["created_by"]?.bytes ?? .empty
        if !creator.isEmpty {
            text += Array(" of @".utf8)
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
        // A canvas is named "Untitled", whatever its title is.
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
