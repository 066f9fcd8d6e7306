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
