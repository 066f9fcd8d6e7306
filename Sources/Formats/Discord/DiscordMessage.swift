internal import Dates

/// Writes the messages of a file as native records. Buffers are kept from one message to the next.
struct DiscordMessage {
    private let names: ForeignNames
    private let root: [UInt8]
    private let title: [UInt8]
    /// The folder of the file, from which paths lead to copies of files.
    private let folder: Substring
    private var text: [UInt8] = []
    private var sender: [UInt8] = []

    init(names: ForeignNames, setting: DiscordSetting, folder: Substring) {
        self.names = names
        root = Array(setting.root.utf8)
        title = Array(setting.title.utf8)
        self.folder = folder
    }

    /// Fields that are read, or say nothing of what a message consists of.
    private static let known: Set<String> = [
        "id", "type", "timestamp", "timestampEdited", "callEndedTimestamp", "isPinned", "content", "author",
        "reactions",
        "mentions", "inlineEmojis", "reference",
    ]

    /// - Returns: what is wrong with the record.
    mutating func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        let fields = DiscordFields(record)
        guard let id = fields.id?.bytes, !id.isEmpty, let time = fields.timestamp?.bytes.flatMap(DiscordTime.moment)
        else {
            return "message without an ID or a time"
        }
        let type = fields.type?.bytes ?? .empty
        let kind = DiscordKind(type)
        let isRoot = id.elementsEqual(root)
        if kind == .starter, !root.isEmpty { return nil }
        let key = DiscordID.number(id) ?? DiscordID.key(of: id, milliseconds: time.milliseconds)
        writer.message(id: id, at: time, key: key)
        writeSender(fields, &writer)
        writeText(fields, type, isRoot: isRoot, &writer)
        writeKind(kind, fields, &writer)
        if !root.isEmpty, !isRoot { writer.text("thread", root) }
        if kind == .reply, let target = fields.reference?["messageId"]?.bytes, !target.isEmpty {
            writer.text("replyTo", target)
        }
        if fields.edited?.isString == true { writer.flag("edited") }
        writeFiles(fields, &writer)
        if let reactions = fields.reactions { writer.reactions(self.reactions(reactions, &writer)) }
        return writer.end(record, known: DiscordMessage.known)
    }

    private func writeKind(_ kind: DiscordKind, _ fields: DiscordFields, _ writer: inout RecordWriter) {
        switch kind {
        case .plain, .reply: return
        case .join, .leave, .service, .starter: writer.text("kind", "system")
        }
        if kind == .join {
            writer.text("presence", "join")
        } else if fields.type?.bytes.map({ $0 == "RecipientRemove" }) == true,
            fields.content?.bytes?.starts(with: "Left ") == true
        {
            writer.text("presence", "leave")
        }
    }

    // MARK: - Sender

    private mutating func writeSender(_ fields: DiscordFields, _ writer: inout RecordWriter) {
        guard let author = fields.author else { return }
        var id, name, nickname, discriminator: Bytes?
        var isBot = false
        author.forEachField { key, value in
            switch key.count {
            case 2: if key == "id" { id = value.bytes }
            case 4: if key == "name" { name = value.bytes }
            case 5: if key == "isBot" { isBot = value.isTrue }
            case 8: if key == "nickname" { nickname = value.bytes }
            case 13: if key == "discriminator" { discriminator = value.bytes }
            default: break
            }
            // Roles and pictures follow.
            return !(key == "isBot")
        }
        let shown = nickname.flatMap { $0.isEmpty ? nil : $0 } ?? name ?? .empty
        guard let id, !id.isEmpty else { return }
        guard isBot, let discriminator, discriminator == "0000", !shown.isEmpty else {
            writer.text("from", id)
            return writer.person(id, name: shown)
        }
        // A webhook speaks under another name each time: for a bridge, or for several people.
        sender.removeAll(keepingCapacity: true)
        sender += id
        sender.append(UInt8(ascii: ":"))
        sender += shown
        writer.text("from", sender)
        sender.withUnsafeBytes { writer.person($0, name: shown) }
    }

    // MARK: - Text

    private mutating func writeText(
        _ fields: DiscordFields, _ type: Bytes, isRoot: Bool, _ writer: inout RecordWriter
    ) {
        text.removeAll(keepingCapacity: true)
        if isRoot, !title.isEmpty {
            text += Array("**".utf8) + title + Array("**\n".utf8)
        }
        let content = fields.content?.bytes ?? .empty
        let converter = DiscordText(names: names, mentions: fields.mentions)
        converter.append(content, to: &text)
        if content.isEmpty, let command = fields.interaction?["name"]?.bytes, !command.isEmpty {
            text += Array("/".utf8) + Array(command)
        }
        if content.isEmpty, let words = DiscordKind.text(of: type) {
            text += UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount)
        }
        if let forwarded = fields.forwarded {
            var quote: [UInt8] = []
            converter.append(forwarded["content"]?.bytes ?? .empty, to: &quote)
            if let embeds = forwarded["embeds"] { DiscordEmbeds(text: converter).append(embeds, to: &quote) }
            Marks.beginLine(&text)
            let start = text.count
            text += quote
            Marks.trim(&text, from: start)
            Marks.quote(&text, from: start)
        }
        if let embeds = fields.embeds { DiscordEmbeds(text: converter).append(embeds, to: &text) }
        if isRoot, !title.isEmpty { Marks.trim(&text, from: 0) }
        writer.text("text", text)
    }

    // MARK: - Files

    private func writeFiles(_ fields: DiscordFields, _ writer: inout RecordWriter) {
        var files: [ForeignAttachment] = []
        for list in [fields.attachments, fields.forwarded?["attachments"]] {
            guard let list else { continue }
            for file in list.elements { files.append(attachment(file)) }
        }
        for list in [fields.stickers, fields.forwarded?["stickers"]] {
            guard let list else { continue }
            for sticker in list.elements {
                files.append(
                    ForeignAttachment(
                        name: "sticker: " + (sticker["name"]?.string ?? ""), path: path(sticker["sourceUrl"]?.string)))
            }
        }
        writer.attachments(files)
    }

    private func attachment(_ file: JSONValue) -> ForeignAttachment {
        let url = file["url"]?.string
        let path = path(url)
        let name = file["fileName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        return ForeignAttachment(
            name: name ?? path.map { String(SourceFile.name(of: $0)) } ?? "file", path: path,
            size: file["fileSizeBytes"]?.integer.flatMap { $0 >= 0 ? $0 : nil })
    }

    /// The path of a copy; nil for an address on the web.
    private func path(_ url: String?) -> String? {
        guard let url, !url.contains("://") else { return nil }
        return Source.inside(url, of: folder)
    }

    // MARK: - Reactions

    private func reactions(_ list: JSONValue, _ writer: inout RecordWriter) -> [ForeignReaction] {
        var result: [ForeignReaction] = []
        for reaction in list.elements {
            guard let emoji = reaction["emoji"], let name = emoji["name"]?.string, !name.isEmpty else { continue }
            let isCustom = emoji["id"]?.bytes?.isEmpty == false
            var people: [String] = []
            if let users = reaction["users"] {
                for user in users.elements {
                    guard let id = user["id"]?.bytes else { continue }
                    people.append(id.string)
                    let nickname = user["nickname"]?.bytes ?? .empty
                    writer.person(id, name: nickname.isEmpty ? user["name"]?.bytes ?? .empty : nickname)
                }
            }
            let count = Int(clamping: reaction["count"]?.integer ?? 0)
            result.append(
                ForeignReaction(emoji: isCustom ? ":\(name):" : name, count: max(count, people.count), people: people))
        }
        return result
    }
}

/// The fields of a message that Kedge reads, found in one pass.
struct DiscordFields {
    var id, type, timestamp, edited, content, author, attachments, embeds, stickers, reactions, mentions, reference,
        forwarded,
        interaction: JSONValue?

    init(_ record: JSONValue) {
        record.forEachSetField { set($0, $1) }
    }

    private mutating func set(_ name: Bytes, _ value: JSONValue) {
        switch name.count {
        case 2: if name == "id" { id = value }
        case 4: if name == "type" { type = value }
        case 6:
            if name == "author" { author = value } else if name == "embeds" { embeds = value }
        case 7: if name == "content" { content = value }
        case 8:
            if name == "stickers" { stickers = value } else if name == "mentions" { mentions = value }
        case 9:
            if name == "timestamp" {
                timestamp = value
            } else if name == "reactions" {
                reactions = value
            } else if name == "reference" {
                reference = value
            }
        case 11:
            if name == "attachments" { attachments = value } else if name == "interaction" { interaction = value }
        case 15: if name == "timestampEdited" { edited = value }
        case 16: if name == "forwardedMessage" { forwarded = value }
        default: break
        }
    }
}

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

/// Times as the exporter writes them, a few hundred thousand a second: `2026-06-24T19:16:11.316+07:00`.
enum DiscordTime {
    /// Nil for anything but ISO 8601.
    static func moment(_ text: Bytes) -> Timestamp? {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"), let year = text.number(at: 0, digits: 4),
            let month = text.number(at: 5, digits: 2), let day = text.number(at: 8, digits: 2),
            let hour = text.number(at: 11, digits: 2),
            let minute = text.number(at: 14, digits: 2), let second = text.number(at: 17, digits: 2), hour < 24,
            minute < 60, second <= 60,
            let date = CivilDate(checkedYear: year, month: month, day: day)
        else { return nil }
        var (at, fraction, scale) = (19, 0, 100)
        if text[at] == UInt8(ascii: ".") {
            at += 1
            while at < text.count, (48...57).contains(text[at]) {
                fraction += Int(text[at] - 48) * scale
                scale /= 10
                at += 1
            }
        }
        guard let offset = offset(text, at) else { return nil }
        let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3_600 + minute * 60 + min(second, 59)) - offset
        return Timestamp(milliseconds: seconds * 1_000 + Int64(fraction))
    }

    /// `Z`, `+07:00`, in seconds.
    private static func offset(_ text: Bytes, _ at: Int) -> Int64? {
        guard at < text.count else { return nil }
        if text[at] == UInt8(ascii: "Z") { return at + 1 == text.count ? 0 : nil }
        guard text[at] == UInt8(ascii: "+") || text[at] == UInt8(ascii: "-"), text.count == at + 6,
            text[at + 3] == UInt8(ascii: ":"), let hours = text.number(at: at + 1, digits: 2),
            let minutes = text.number(at: at + 4, digits: 2)
        else { return nil }
        let seconds = Int64(hours * 3_600 + minutes * 60)
        return text[at] == UInt8(ascii: "-") ? -seconds : seconds
    }
}
