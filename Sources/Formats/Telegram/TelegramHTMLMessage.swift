internal import JSON
/// The parts of a message, as slices of the file.
struct TelegramHTMLMessage {
    private(set) var id: Bytes?
    private(set) var isService = false
    /// The text of a service message.
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

    /// Reads a part that is not media. Returns true if it was one.
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

    /// The ID of the message in a link.
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

    /// Reads a button: a link around a `<div>` with its text, or the `<div>` alone.
    private mutating func plainTag(_ reader: TelegramHTMLReader) {
        guard !buttons.isEmpty, reactions.isEmpty else { return }
        if reader.isTag("<a") {
            buttonAddress = reader.attribute(" href=\"")
        } else if reader.isTag("<div>") {
            buttons[buttons.count - 1].append((reader.content, buttonAddress))
        }
    }

    // MARK: - Output

    /// The name of a person, without the bot that sent the message.
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
        writer.reactions(TelegramHTMLReaction.list(reactions, &writer))
    }
}

/// A file of a message, or other content that is not text: places, polls, invoices.
struct TelegramHTMLMedia {
    /// The last word of the class, such as `media_voice_message` or `photo_wrap`.
    private var kind = ""
    private var link: Bytes?
    private var title: Bytes?
    private var description: Bytes?
    private var status: Bytes?
    private var lines: [Bytes] = []

    var isCall: Bool { kind == "media_call" }

    mutating func read(_ name: Bytes, _ reader: TelegramHTMLReader) {
        if name.starts(with: "media clearfix pull_left ") {
            // `media_call success` is a call that was answered.
            kind = name.string.split(separator: " ").first { $0.hasPrefix("media_") }.map(String.init) ?? "media_file"
            link = reader.attribute(" href=\"")
        } else if name.starts(with: "photo_wrap") || name.starts(with: "sticker_wrap")
            || name.starts(with: "animated_wrap")
            || name.starts(with: "video_file_wrap")
        {
            kind = String(name.string.prefix { $0 != " " })
            link = reader.attribute(" href=\"")
        } else if name == "media_poll" || name == "media_giveaway" {
            kind = name.string
        } else if kind == "media_poll" || kind == "media_giveaway" {
            if reader.isTag("<div") { lines.append(reader.content) }
        } else if !kind.isEmpty {
            if name == "title bold" { title = reader.content }
            if name == "description" { description = reader.content }
            if name == "status details" { status = reader.content }
        } else if name == "userpic_link" {
            // The new photo of a group.
            kind = "photo_wrap"
            link = reader.attribute(" href=\"")
        }
    }

    private func plain(_ html: Bytes?) -> String { html.map(TelegramHTMLText.plain) ?? "" }

    // MARK: - Files

    func attachments(in folder: Substring) -> [ForeignAttachment] {
        guard isFile else { return [] }
        let path = link.flatMap { TelegramHTMLMedia.path($0, folder) }
        let last = path?.split(separator: "/").last.map(String.init)
        // The title of a file is its name. The title of other media is their kind, or a song.
        let name = kind == "media_file" ? plain(title) : last ?? plain(title)
        return [ForeignAttachment(name: name.isEmpty ? last ?? "File" : name, path: path)]
    }

    private var isFile: Bool {
        switch kind {
        case "photo_wrap", "sticker_wrap", "animated_wrap", "video_file_wrap", "media_photo", "media_video",
            "media_voice_message", "media_audio_file", "media_file":
            true
        case "media_contact": link != nil
        default: false
        }
    }

    /// The path of a file. Links of one chat among several lead out of its folder and back into it:
    /// `../../chats/chat_001/photos/1.jpg`.
    private static func path(_ link: Bytes, _ folder: Substring) -> String? {
        var path = Substring(String(decoding: HTMLEntity.decoded(link), as: UTF8.self))
        var parts = folder.split(separator: "/")
        while path.hasPrefix("../") {
            guard parts.popLast() != nil else { return nil }
            path = path.dropFirst(3)
        }
        return Source.inside(String(path), of: parts.joined(separator: "/")[...])
    }

    // MARK: - Lines

    func describe(in text: inout MarkedText) {
        switch kind {
        case "sticker_wrap": text.addLine("Sticker")
        case "media_photo": if plain(title) == "Sticker" { text.addLine([sticker, "Sticker"].joined(by: " ")) }
        case "media_video":
            if plain(title) == "Video message" { text.addLine(["Video message", duration].joined(by: ", ")) }
        case "media_voice_message": text.addLine(["Voice message", duration].joined(by: ", "))
        case "media_audio_file": text.addLine([plain(title), duration].joined(by: ", "))
        // The status of a contact is a phone number.
        case "media_contact": text.addLine(["Contact", plain(title)].joined(by: ": "))
        case "media_location", "media_live_location": text.addLine([plain(title), plain(status)].joined(by: ": "))
        case "media_venue": text.addLine("Location: " + [plain(title), plain(description)].joined(by: ", "))
        case "media_game": text.addLine(["Game: \(plain(title))", plain(description), plain(status)].joined(by: "\n"))
        case "media_invoice":
            text.addLine(
                ["Invoice: " + [plain(title), plain(status)].joined(by: ", "), plain(description)].joined(by: "\n"))
        case "media_call": text.addLine(["Call", plain(status)].joined(by: ": "))
        case "media_poll": describePoll(in: &text)
        case "media_giveaway": text.addLine("Giveaway: " + lines.map { plain($0) }.joined(by: " "))
        default: break
        }
    }

    /// The emoji of a sticker, which comes before the size of its file.
    private var sticker: String {
        let first = plain(status).split(separator: ",").first.map(String.init) ?? ""
        return first.contains(where: \.isNumber) ? "" : first
    }

    /// The duration, which comes before the size of the file.
    private var duration: String { plain(status).split(separator: ",").first.map(String.init) ?? "" }

    /// Adds a poll: its question, kind, answers and number of votes; or a list of tasks.
    private func describePoll(in text: inout MarkedText) {
        var lines = lines.map { plain($0) }
        guard !lines.isEmpty else { return }
        let question = lines.removeFirst()
        let kind = lines.isEmpty ? "" : lines.removeFirst()
        text.addLine(kind == "To-do List" ? "To-do list: \(question)" : "Poll: \(question)")
        for line in lines.map({ kind == "Final results" && $0 == lines.last ? "\($0), final results" : $0 }) {
            text.addLine(line)
        }
    }
}

/// A reaction, as slices of the file.
struct TelegramHTMLReaction {
    var emoji: Bytes?
    var count: Bytes?
    var people: [Bytes] = []

    /// Reactions with counts. If all people are listed, the export has no count.
    static func list(_ reactions: [TelegramHTMLReaction], _ writer: inout RecordWriter) -> [ForeignReaction] {
        var list = Reactions()
        for reaction in reactions {
            guard let emoji = reaction.emoji.map(emoji) else { continue }
            var people: [String] = []
            for person in reaction.people {
                let name = HTMLEntity.decoded(person.trimmed)
                name.withUnsafeBytes { writer.person($0, name: $0) }
                let text = String(decoding: name, as: UTF8.self)
                if !text.isEmpty, !people.contains(text) { people.append(text) }
            }
            let count = reaction.count.flatMap { Int($0.trimmed.string) } ?? reaction.people.count
            list.add(emoji, count: count, by: people)
        }
        return list.list
    }

    /// A custom emoji is a link around a waving hand.
    private static func emoji(_ html: Bytes) -> String {
        html.contains(UInt8(ascii: "<"))
            ? ":custom-emoji:" : String(decoding: HTMLEntity.decoded(html.trimmed), as: UTF8.self)
    }
}

/// A service message, which consists only of words.
struct TelegramHTMLService {
    let text: String
    /// `join`, `leave`.
    let presence: String?
    /// The name of the person who joined or left; nil for other service messages.
    let actor: String?

    init(_ body: Bytes) {
        text = TelegramHTMLText.plain(body)
        var (presence, actor): (String?, String?) = (nil, nil)
        if let place = text.firstRange(of: " joined group by ") {
            (presence, actor) = ("join", String(text[..<place.lowerBound]))
        } else {
            for (verb, kind) in [(" invited ", "join"), (" removed ", "leave")] {
                guard let place = text.firstRange(of: verb), text[..<place.lowerBound] == text[place.upperBound...]
                else {
                    continue
                }
                (presence, actor) = (kind, String(text[..<place.lowerBound]))
            }
        }
        (self.presence, self.actor) = (presence, actor)
    }
}

/// Texts of messages, in which `<br>` is a line feed and blanks are kept.
enum TelegramHTMLText {
    static func add(_ html: Bytes, to text: inout MarkedText) {
        if html.contains(UInt8(ascii: "<")) || html.contains(UInt8(ascii: "&")) {
            HTMLText.convert(html, keepsBlanks: true).withUnsafeBytes { text.add($0) }
        } else {
            text.add(html)
        }
    }

    /// The text of a name, a title or a service message.
    static func plain(_ html: Bytes) -> String {
        HTMLText.string(html.trimmed, keepsBlanks: true)
    }
}
