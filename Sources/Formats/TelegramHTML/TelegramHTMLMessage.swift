/// The parts of a message, as bytes of the file.
struct TelegramHTMLMessage {
    private(set) var id: Bytes?
    private(set) var isService = false
    /// The line of the service.
    private(set) var body: Bytes?
    private(set) var time: Bytes?
    private(set) var sender: Bytes?
    private(set) var replyTo: Bytes?
    private(set) var text: Bytes?
    private(set) var media = TelegramHTMLMedia()
    private var forwarded: Bytes?
    private var isForwarded = false
    private var signature: Bytes?
    private var reactions: [TelegramHTMLReaction] = []
    /// Rows of buttons: each with its text and its address.
    private var buttons: [[(text: Bytes, address: Bytes?)]] = []
    private var buttonAddress: Bytes?

    /// Reads a message from its first tag on.
    mutating func read(_ record: Bytes) {
        self = TelegramHTMLMessage()
        var reader = TelegramHTMLReader(record)
        while reader.nextTag() {
            guard let name = reader.attribute(" class=\"") else {
                plainTag(reader)
                continue
            }
            if !part(name, reader) { media.read(name, reader) }
        }
    }

    /// Reads a part that is no medium. Returns whether it was one.
    private mutating func part(_ name: Bytes, _ reader: TelegramHTMLReader) -> Bool {
        switch name.count {
        case 15 where name == "message service":
            isService = true
            id = reader.attribute(" id=\"message")
        case 12 where name == "body details": serviceLine(reader)
        case 23 where name == "pull_right date details": time = reader.attribute(" title=\"")
        case 9 where name == "from_name":
            if isForwarded { forwarded = reader.content } else { sender = reader.content }
        case 14 where name == "forwarded body": isForwarded = true
        case 16 where name == "reply_to details": replyTo = TelegramHTMLMessage.target(reader.content)
        case 4 where name == "text": text = reader.line
        case 17 where name == "signature details": signature = reader.content
        case 14 where name == "bot_button_row": buttons.append([])
        default:
            if name.starts(with: "message default") {
                id = reader.attribute(" id=\"message")
                return true
            }
            return reaction(name, reader)
        }
        return true
    }

    private mutating func serviceLine(_ reader: TelegramHTMLReader) {
        guard isService else { return }
        body = reader.content
        replyTo = body.flatMap(TelegramHTMLMessage.target)
    }

    /// The message to which a link goes.
    private static func target(_ html: Bytes) -> Bytes? {
        let key: StaticString = "#go_to_message"
        guard let place = html.offset(of: key) else { return nil }
        let rest = Bytes(rebasing: html[(place + key.utf8CodeUnitCount)...])
        let id = rest.prefix { $0 == UInt8(ascii: "-") || (48...57).contains($0) }
        return id.isEmpty ? nil : Bytes(rebasing: id)
    }

    // MARK: - Reactions and buttons

    private mutating func reaction(_ name: Bytes, _ reader: TelegramHTMLReader) -> Bool {
        if name == "reactions" { return true }
        if name.starts(with: "reaction") {
            reactions.append(TelegramHTMLReaction())
            return true
        }
        guard !reactions.isEmpty else { return false }
        let last = reactions.count - 1
        if name == "emoji" {
            reactions[last].emoji = reader.span
        } else if name == "count" {
            reactions[last].count = reader.span
        } else if name == "initials", let person = reader.attribute(" title=\"") {
            reactions[last].people.append(person)
        }
        return true
    }

    /// A button is a link, or none, around a `<div>` with its text.
    private mutating func plainTag(_ reader: TelegramHTMLReader) {
        guard !buttons.isEmpty, reactions.isEmpty else { return }
        if reader.isTag("<a") {
            buttonAddress = reader.attribute(" href=\"")
        } else if reader.isTag("<div>") {
            buttons[buttons.count - 1].append((reader.content, buttonAddress))
        }
    }

    // MARK: - Output

    var isCall: Bool { media.isCall }

    func attachments(in folder: Substring) -> [ForeignAttachment] { media.attachments(in: folder) }

    func addMedia(to text: inout MarkedText) { media.describe(in: &text) }

    /// The name of a person, without the bot by which a message was sent.
    static func name(_ html: Bytes) -> [UInt8] {
        let end = html.offset(of: "<") ?? html.count
        let name = Bytes(rebasing: html[..<end])
        let via = name.offset(of: " via @") ?? name.count
        return HTMLEntity.decoded(Bytes(rebasing: name[..<via]).trimmed)
    }

    /// ` via @gif` after a name.
    private static func bot(_ html: Bytes?) -> String? {
        guard let html, let place = html.offset(of: " via @") else { return nil }
        let rest = Bytes(rebasing: html[(place + 1)...])
        return Bytes(rebasing: rest[..<(rest.offset(of: "<") ?? rest.count)]).trimmed.string
    }

    func addOrigin(to text: inout MarkedText) {
        let source =
            isForwarded
            ? forwarded.map { "Forwarded from " + String(decoding: TelegramHTMLMessage.name($0), as: UTF8.self) }
                ?? "Forwarded" : nil
        let bot = TelegramHTMLMessage.bot(sender) ?? TelegramHTMLMessage.bot(forwarded)
        text.addLine([source, bot].compactMap { $0 }.joined(separator: " "))
    }

    func addFoot(to text: inout MarkedText) {
        for row in buttons where !row.isEmpty {
            text.endLine()
            for (index, button) in row.enumerated() {
                if index > 0 { text.add(" ") }
                let title = HTMLEntity.decoded(button.text.trimmed)
                if let address = button.address {
                    title.withUnsafeBytes { title in
                        HTMLEntity.decoded(address).withUnsafeBytes { text.addLink(title, to: $0) }
                    }
                } else {
                    text.add("[\(String(decoding: title, as: UTF8.self))]")
                }
            }
        }
        if let signature { text.endLine(); text.addLine("— \(TelegramHTMLText.plain(signature))") }
    }

    func writeReactions(to writer: inout RecordWriter) {
        guard !reactions.isEmpty else { return }
        writer.reactions(TelegramHTMLReaction.list(reactions, &writer))
    }
}
