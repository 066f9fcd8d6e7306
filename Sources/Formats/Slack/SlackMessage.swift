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

/// Converts the messages of a day, or of a dump.
final class SlackConverter: Converter {
    private let file: String
    private let reader: JSONArrayReader
    private var message: SlackMessage
    /// Whether the file holds an object where an array is expected.
    private var isSingle = false

    init(_ feed: Feed, names: ForeignNames) {
        file = feed.file
        reader = JSONArrayReader(file: feed.file)
        message = SlackMessage(names: names, setting: SlackSetting(feed.setting))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        var start = 0
        if offset == 0 {
            // A byte order mark and the bracket must be there before the first record is looked for.
            guard isEnd || bytes.count >= 16 else { return 0 }
            start = JSONRecords.start(of: bytes, count: bytes.count)
            guard start < bytes.count || isEnd else { return 0 }
            isSingle =
                start < bytes.count && bytes[start] == UInt8(ascii: "{") && !bytes[..<start].contains(UInt8(ascii: "["))
        }
        let records = UnsafeRawBufferPointer(rebasing: bytes[start...])
        let (consumed, isBroken) = reader.read(records, at: offset + Int64(start), isEnd: isEnd, into: &writer) {
            message.write($0, into: &$1)
        }
        if isEnd, !isBroken, !isSingle, !reader.isDone {
            writer.problem(
                ForeignProblem(
                    file: file, place: .byte(offset + Int64(bytes.count)), kind: "the file ends before its array does"))
        }
        return start + consumed
    }
}

/// The fields of a message that Kedge reads, found in one pass.
struct SlackFields {
    var ts, thread, user, bot, username, subtype, text, blocks, attachments, files, file, comment, edited, reactions,
        replies,
        profile, botProfile, hidden, room: JSONValue?

    init(_ record: JSONValue) {
        record.forEachSetField { set($0, $1) }
    }

    private mutating func set(_ name: Bytes, _ value: JSONValue) {
        switch name.count {
        case 2: if name == "ts" { ts = value }
        case 4:
            if name == "text" {
                text = value
            } else if name == "user" {
                user = value
            } else if name == "file" {
                file = value
            } else if name == "room" {
                room = value
            }
        case 5: if name == "files" { files = value }
        case 6:
            if name == "blocks" {
                blocks = value
            } else if name == "bot_id" {
                bot = value
            } else if name == "edited" {
                edited = value
            } else if name == "hidden" {
                hidden = value
            }
        case 7: if name == "subtype" { subtype = value } else if name == "comment" { comment = value }
        case 8: if name == "username" { username = value }
        case 9: if name == "thread_ts" { thread = value } else if name == "reactions" { reactions = value }
        case 11:
            if name == "attachments" { attachments = value } else if name == "bot_profile" { botProfile = value }
        case 12: if name == "user_profile" { profile = value }
        case 24: if name == "slackdump_thread_replies" { replies = value }
        default: break
        }
    }
}

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

/// A `ts`: seconds since 1970 with up to six decimal places, and the ID of a message in its channel.
struct SlackTime {
    let microseconds: Int64

    var timestamp: Timestamp { Timestamp(milliseconds: microseconds.flooredDivision(by: 1_000)) }

    /// Nil for anything but digits with at most one point.
    init?(_ text: Bytes) {
        var (whole, fraction, places) = (Int64(0), Int64(0), -1)
        guard !text.isEmpty, text.count <= 24 else { return nil }
        for byte in text {
            if byte == UInt8(ascii: "."), places < 0, whole >= 0 {
                places = 0
                continue
            }
            let digit = Int64(byte) - 48
            guard (0...9).contains(digit) else { return nil }
            if places < 0 {
                whole = whole * 10 + digit
                guard whole < 1_000_000_000_000 else { return nil }
            } else if places < 6 {
                fraction = fraction * 10 + digit
                places += 1
            }
        }
        while places >= 0, places < 6 {
            fraction *= 10
            places += 1
        }
        microseconds = whole * 1_000_000 + fraction
    }
}
