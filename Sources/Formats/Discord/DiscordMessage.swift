internal import Dates
internal import JSON

/// Writes the messages of a file as native records. The text's buffer is kept from one message to the next.
struct DiscordMessage {
    private let names: ForeignNames
    private let setting: DiscordSetting
    /// The folder of the file, from which paths lead to copies of files.
    private let folder: Substring
    private var text: [UInt8] = []

    init(names: ForeignNames, setting: DiscordSetting, folder: Substring) {
        (self.names, self.setting, self.folder) = (names, setting, folder)
    }

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "id", "type", "timestamp", "timestampEdited", "callEndedTimestamp", "isPinned", "content", "author",
        "reactions", "mentions", "inlineEmojis", "reference",
    ]

    /// - Returns: the error in the record.
    mutating func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        let fields = DiscordFields(record)
        guard let id = fields.id?.bytes, !id.isEmpty, let time = fields.timestamp?.bytes.flatMap(DiscordTime.moment)
        else {
            return "message without an ID or a time"
        }
        let type = fields.type?.bytes ?? .empty
        let kind = DiscordKind(type)
        let isRoot = id.elementsEqual(setting.root.utf8)
        if kind == .starter, !setting.root.isEmpty { return nil }
        let key = DiscordID.number(id) ?? DiscordID.key(of: id, milliseconds: time.milliseconds)
        writer.message(id: id, at: time, key: key)
        writeSender(fields, &writer)
        writeText(fields, type, isRoot: isRoot, &writer)
        writeKind(kind, fields, &writer)
        if !setting.root.isEmpty, !isRoot { writer.text("thread", setting.root) }
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
        case .join, .service, .starter: writer.text("kind", "system")
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

    private func writeSender(_ fields: DiscordFields, _ writer: inout RecordWriter) {
        guard let author = fields.author else { return }
        var id, name, nickname, discriminator: Bytes?
        var isBot = false
        author.forEachField { key, value in
            switch key {
            case "id": id = value.bytes
            case "name": name = value.bytes
            case "isBot": isBot = value.isTrue
            case "nickname": nickname = value.bytes
            case "discriminator": discriminator = value.bytes
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
        // A webhook, such as a bridge, uses another name for each message.
        writer.sender(id, nowNamed: shown)
    }

    // MARK: - Text

    private mutating func writeText(
        _ fields: DiscordFields, _ type: Bytes, isRoot: Bool, _ writer: inout RecordWriter
    ) {
        text.removeAll(keepingCapacity: true)
        if isRoot { text += setting.label }
        let content = fields.content?.bytes ?? .empty
        let converter = DiscordText(names: names, mentions: fields.mentions)
        converter.append(content, to: &text)
        if content.isEmpty, let command = fields.interaction?["name"]?.bytes, !command.isEmpty {
            text += Array("/".utf8) + Array(command)
        }
        if content.isEmpty, let words = DiscordKind.text(of: type) {
            text.append(words)
        }
        if let forwarded = fields.forwarded {
            var quote: [UInt8] = []
            converter.append(forwarded["content"]?.bytes ?? .empty, to: &quote)
            if let embeds = forwarded["embeds"] { converter.appendEmbeds(embeds, to: &quote) }
            Marks.appendBlock(quote, isQuote: true, to: &text)
        }
        if let embeds = fields.embeds { converter.appendEmbeds(embeds, to: &text) }
        for part in [fields.poll, fields.components] {
            var piece: [UInt8] = []
            if let part { appendWords(part, by: converter, to: &piece) }
            Marks.appendBlock(piece, isQuote: !text.isEmpty, to: &text)
        }
        if isRoot, !setting.title.isEmpty { Marks.trim(&text, from: 0) }
        writer.text("text", text)
    }

    /// Appends the texts of a poll, or of panels and buttons, each in a line of its own.
    /// - Parameter isText: true if a text is one to show; others are IDs, addresses and styles.
    private func appendWords(
        _ value: JSONValue, isText: Bool = false, by converter: DiscordText, to out: inout [UInt8]
    ) {
        if isText, let words = value.bytes, !words.isEmpty {
            Marks.beginLine(&out)
            converter.append(words, to: &out)
        }
        for element in value.elements { appendWords(element, isText: isText, by: converter, to: &out) }
        value.forEachField { key, value in
            let isText = DiscordMessage.shown.contains { key == $0 }
            appendWords(value, isText: isText, by: converter, to: &out)
            return true
        }
    }

    private static let shown: [StaticString] = [
        "question", "answers", "text", "content", "label", "title", "description", "placeholder",
    ]

    // MARK: - Files

    private func writeFiles(_ fields: DiscordFields, _ writer: inout RecordWriter) {
        let files = [fields.attachments, fields.forwarded?["attachments"]].flatMap(\.list).map(attachment)
        let stickers = [fields.stickers, fields.forwarded?["stickers"]].flatMap(\.list).map { sticker in
            ForeignAttachment(
                name: "sticker: " + (sticker["name"]?.string ?? ""), path: path(sticker["sourceUrl"]?.string))
        }
        writer.attachments(files + stickers)
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
            for user in reaction["users"].list {
                guard let id = user["id"]?.bytes else { continue }
                people.append(id.string)
                let nickname = user["nickname"]?.bytes ?? .empty
                writer.person(id, name: nickname.isEmpty ? user["name"]?.bytes ?? .empty : nickname)
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
    var id, type, timestamp, edited, content, author, attachments, embeds, stickers, reactions: JSONValue?
    var mentions, reference, forwarded, interaction, poll, components: JSONValue?

    init(_ record: JSONValue) {
        record.forEachSetField { name, value in
            switch name.count {
            case 2 where name == "id": id = value
            case 4 where name == "type": type = value
            case 4 where name == "poll": poll = value
            case 6 where name == "author": author = value
            case 6 where name == "embeds": embeds = value
            case 7 where name == "content": content = value
            case 8 where name == "stickers": stickers = value
            case 8 where name == "mentions": mentions = value
            case 9 where name == "timestamp": timestamp = value
            case 9 where name == "reactions": reactions = value
            case 9 where name == "reference": reference = value
            case 11 where name == "attachments": attachments = value
            case 10 where name == "components": components = value
            case 11 where name == "interaction": interaction = value
            case 15 where name == "timestampEdited": edited = value
            case 16 where name == "forwardedMessage": forwarded = value
            default: break
            }
        }
    }
}

/// The kinds of messages, by names or by numbers.
enum DiscordKind {
    case plain, reply, join, service
    /// The first line of a thread, which repeats the message from which the thread was started.
    case starter

    init(_ type: Bytes) {
        switch type {
        case "Default": self = .plain
        case "Reply", "19": self = .reply
        case "GuildMemberJoin", "7": self = .join
        case "21", "ThreadStarterMessage": self = .starter
        case "RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange",
            "ChannelPinnedMessage", "ThreadCreated":
            self = .service
        default:
            // Discord's kinds 1 to 18 except for joins; boosts and stages are among them.
            let number = DiscordID.number(type) ?? 0
            self = (1...18).contains(number) || number == 22 || (25...46).contains(number) ? .service : .plain
        }
    }

    /// The text for a service line that the exporter leaves empty; nil for other lines.
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

/// Parses times as the exporter writes them, some hundred thousand a second: `2026-06-24T19:16:11.316+07:00`.
enum DiscordTime {
    /// Nil for anything but ISO 8601.
    static func moment(_ text: Bytes) -> Timestamp? {
        guard text.count >= 20, text[10] == UInt8(ascii: "T"), let (day, second) = text.dayAndSecond else { return nil }
        var (at, fraction, scale) = (19, 0, 100)
        if text[at] == UInt8(ascii: ".") {
            at += 1
            while at < text.count, text[at].isDigit {
                fraction += Int(text[at] - 48) * scale
                scale /= 10
                at += 1
            }
        }
        guard let offset = offset(text, at) else { return nil }
        let seconds = Int64(day) * 86_400 + Int64(second) - offset
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
