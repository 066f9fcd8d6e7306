internal import Dates
internal import JSON

/// Converts a group: messages of one author.
struct DiscordHTMLGroup {
    private let setting: DiscordSetting
    private let folder: Substring
    /// The ID and the name of the author, for all messages of the group.
    private var author: (id: [UInt8], name: [UInt8]) = ([], [])
    private var message: Message?
    /// Reads the time of a group whose messages have no IDs; and that time.
    private let times: MomentReader
    private var time: Timestamp?
    private var identity = LineIdentity()
    /// The number of messages without an ID so far.
    private var count: Int64 = 0

    /// A message while its parts are read.
    private struct Message {
        var id: [UInt8]
        var text: [UInt8] = []
        var embeds: [[UInt8]] = []
        var replyTo: [UInt8] = []
        var isSystem = false
        var isEdited = false
        var files: [ForeignAttachment] = []
        var reactions: [ForeignReaction] = []
    }

    init(setting: DiscordSetting, folder: Substring, times: MomentReader) {
        (self.setting, self.folder, self.times) = (setting, folder, times)
    }

    mutating func convert(_ html: Bytes, into writer: inout RecordWriter) {
        author = ([], [])
        time = nil
        func report(_ tag: HTMLTag) {
            writer.report(
                "message without a Discord ID or a time",
                at: writer.place.lowerBound + Int64(tag.range.lowerBound))
        }
        let hasIDs = html.offset(of: "data-message-id" as StaticString) != nil
        var scanner = HTMLScanner(html)
        while let tag = scanner.nextTag() {
            guard tag.name == "div" || tag.name == "span" else { continue }
            if tag.name == "div", let id = tag.attribute("data-message-id") {
                end(&writer)
                message = Message(id: id)
                if id.withUnsafeBytes({ DiscordID.number($0) }) == nil {
                    message = nil
                    report(tag)
                }
            } else if let part = Part.of(tag) {
                let inside = tag.inside(html)
                if !hasIDs, !begin(with: part, &writer) { report(tag) }
                read(part, tag, Bytes(rebasing: html[inside]))
                scanner = HTMLScanner(html, from: inside.upperBound)
            }
        }
        end(&writer)
    }

    /// Begins a message without an ID, if this part cannot belong to the current message.
    /// - Returns: false if the group has no time.
    private mutating func begin(with part: Part, _ writer: inout RecordWriter) -> Bool {
        switch part {
        case .content: break
        case .attachment, .embed, .sticker: if message != nil, message?.reactions.isEmpty == true { return true }
        case .author, .system, .reply, .forwarded, .reaction, .time: return true
        }
        end(&writer)
        message = time == nil ? nil : Message(id: [])
        return time != nil
    }

    // MARK: - Parts

    /// The elements of a message that Kedge reads.
    private enum Part {
        case author, system, reply, content, forwarded, attachment, embed, sticker, reaction, time

        static func of(_ tag: HTMLTag) -> Part? {
            tag.encoded("class")?.split(separator: 0x20).lazy.compactMap { Part(name: Bytes(rebasing: $0)) }.first
        }

        private init?(name: Bytes) {
            switch name {
            case "chatlog__author", "chatlog__author-name", "chatlog__system-notification-author": self = .author
            case "chatlog__system-notification-content": self = .system
            case "chatlog__reply", "chatlog__reference": self = .reply
            case "chatlog__content": self = .content
            case "chatlog__forwarded": self = .forwarded
            case "chatlog__attachment": self = .attachment
            case "chatlog__embed": self = .embed
            case "chatlog__sticker": self = .sticker
            case "chatlog__reaction": self = .reaction
            case "chatlog__timestamp": self = .time
            default: return nil
            }
        }
    }

    private mutating func read(_ part: Part, _ tag: HTMLTag, _ html: Bytes) {
        switch part {
        case .author: author = DiscordHTMLGroup.author(tag, html)
        case .system:
            message?.isSystem = true
            message?.text = DiscordHTMLText.convert(html)
        case .reply: message?.replyTo = DiscordHTMLGroup.target(html)
        case .content: content(html)
        case .forwarded: forwarded(html)
        case .attachment: files(html)
        case .embed:
            var text = DiscordHTMLGroup.embed(html)
            // A picture or video without text: its address is the text, unless the text already contains it.
            if text.isEmpty, let address = HTMLScanner.address(in: html),
                (message?.text ?? []).offset(of: address) == nil
            {
                text = address
            }
            if !text.isEmpty { message?.embeds.append(text) }
        case .sticker:
            let name = tag.attribute("title") ?? []
            message?.files.append(ForeignAttachment(name: "sticker: " + String(decoding: name, as: UTF8.self)))
        case .reaction: reaction(html)
        case .time: time = time ?? times.moment(HTMLText.string(html))
        }
    }

    /// A webhook, whose full name ends with #0000, uses another name for each message.
    private static func author(_ tag: HTMLTag, _ html: Bytes) -> (id: [UInt8], name: [UInt8]) {
        let name = HTMLText.convert(html)
        let full = tag.attribute("title") ?? []
        let id = tag.attribute("data-user-id") ?? full
        let isWebhook = full.suffix(5).elementsEqual("#0000".utf8)
        return (isWebhook ? id + [UInt8(ascii: ":")] + name : id.isEmpty ? name : id, name.isEmpty ? full : name)
    }

    /// The ID in `scrollToMessage(event, '1')`.
    private static func target(_ html: Bytes) -> [UInt8] {
        var scanner = HTMLScanner(html)
        while let piece = scanner.next() {
            guard case .tag(let tag) = piece, let action = tag.attribute("onclick"),
                let start = action.offset(of: "scrollToMessage(")
            else { continue }
            let digits = action[start...].drop { !(48...57).contains($0) }
            return Array(digits.prefix { (48...57).contains($0) })
        }
        return []
    }

    private mutating func content(_ html: Bytes) {
        let (text, isEdited) = DiscordHTMLText.content(html)
        message?.text = text
        if isEdited { message?.isEdited = true }
    }

    private mutating func forwarded(_ html: Bytes) {
        var scanner = HTMLScanner(html)
        while let tag = scanner.nextTag() {
            guard tag.name == "div" else { continue }
            if tag.hasClass("chatlog__forwarded-content") {
                var text = DiscordHTMLText.content(tag.content(of: html)).text
                Marks.quote(&text, from: 0)
                message?.embeds.append(text)
            } else if tag.hasClass("chatlog__forwarded-attachments") {
                files(tag.content(of: html))
            } else if tag.hasClass("chatlog__sticker") {
                read(.sticker, tag, .empty)
            }
        }
    }

    /// The file named in `title="Image: x.png (3 KB)"` next to an address, or by a link whose text is the name of the file.
    private mutating func files(_ html: Bytes) {
        var scanner = HTMLScanner(html)
        var address: [UInt8]?
        let known = message?.files.count
        while let tag = scanner.nextTag() {
            if tag.name == "a" {
                address = tag.attribute("href")
                let name = HTMLText.convert(tag.content(of: html))
                let holdsImage = tag.content(of: html).contains(UInt8(ascii: "<"))
                let words = String(decoding: name, as: UTF8.self)
                if !holdsImage, !name.isEmpty {
                    add(words.hasPrefix("Attachment: ") ? Self.named(words) : words, address)
                }
            } else if tag.name == "img" || tag.name == "source", let title = tag.attribute("title") {
                add(Self.named(String(decoding: title, as: UTF8.self)), tag.attribute("src") ?? address)
            }
        }
        if message?.files.count == known, let address {
            let path = String(decoding: address, as: UTF8.self).prefix { $0 != "?" }
            add(String(percentDecoding: path.split(separator: "/").last ?? ""), address)
        }
    }

    /// `x.png` of `Image: x.png (3 KB)`
    private static func named(_ words: String) -> String {
        let name = words.split(separator: ": ", maxSplits: 1).last ?? ""
        let end = name.lastIndex(of: "(").map { name[..<$0] } ?? name
        return end.hasSuffix(" ") ? String(end.dropLast()) : String(end)
    }

    private mutating func add(_ name: String, _ address: [UInt8]?) {
        let url = address.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let path = url.contains("://") ? nil : Source.inside(String(percentDecoding: url), of: folder)
        message?.files.append(ForeignAttachment(name: name.isEmpty ? "file" : name, path: path))
    }

    private static func embed(_ html: Bytes) -> [UInt8] {
        var scanner = HTMLScanner(html)
        var out: [UInt8] = []
        while let tag = scanner.nextTag() {
            guard tag.name == "div" || tag.name == "span" else { continue }
            let isTitle = tag.hasClass("chatlog__embed-title")
            guard
                isTitle || tag.hasClass("chatlog__embed-author") || tag.hasClass("chatlog__embed-description")
                    || tag.hasClass("chatlog__embed-field-name") || tag.hasClass("chatlog__embed-field-value")
                    || tag.hasClass("chatlog__embed-footer-text")
            else { continue }
            let inside = tag.inside(html)
            var text = DiscordHTMLText.convert(Bytes(rebasing: html[inside]))
            Marks.trim(&text, from: 0)
            if !text.isEmpty {
                Marks.beginLine(&out)
                out += text
            }
            scanner = HTMLScanner(html, from: inside.upperBound)
        }
        return out
    }

    private mutating func reaction(_ html: Bytes) {
        var scanner = HTMLScanner(html)
        var (emoji, count) = (String(), 1)
        while let piece = scanner.next() {
            switch piece {
            case .tag(let tag):
                if tag.name == "img", let name = tag.attribute("alt") ?? tag.attribute("title") {
                    emoji = String(decoding: DiscordHTMLText.emoji(name), as: UTF8.self)
                }
            case .text(let range):
                let digits = html[range].filter { (48...57).contains($0) }
                if let number = Int(String(decoding: digits, as: UTF8.self)) { count = number }
            }
        }
        if !emoji.isEmpty { message?.reactions.append(ForeignReaction(emoji: emoji, count: count)) }
    }

    // MARK: - Records

    private mutating func end(_ writer: inout RecordWriter) {
        defer { message = nil }
        guard let message else { return }
        if let key = message.id.withUnsafeBytes({ DiscordID.number($0) }) {
            writer.message(id: message.id, at: Timestamp(milliseconds: (key >> 22) + 1_420_070_400_000), key: key)
        } else if let time {
            let id = identity.next(at: time, name: author.id, text: message.text)
            count += 1
            let key = max(0, time.milliseconds - 1_420_070_400_000) << 22 | count & 0x3F_FFFF
            writer.message(id: id, at: time, key: key)
        } else {
            return
        }
        let isRoot = !setting.root.isEmpty && message.id.elementsEqual(setting.root.utf8)
        writer.sender(author.id, name: author.name)
        var text = (isRoot ? setting.label : []) + message.text
        for embed in message.embeds { Marks.appendBlock(embed, isQuote: !message.text.isEmpty, to: &text) }
        writer.text("text", text)
        if message.isSystem {
            writer.text("kind", "system")
            if message.text.starts(with: "joined the ".utf8) { writer.text("presence", "join") }
            if message.text.starts(with: "left the ".utf8) { writer.text("presence", "leave") }
        }
        if !setting.root.isEmpty, !isRoot { writer.text("thread", setting.root) }
        if !message.replyTo.isEmpty { writer.text("replyTo", message.replyTo) }
        if message.isEdited { writer.flag("edited") }
        writer.attachments(message.files)
        writer.reactions(message.reactions)
        writer.end()
    }
}
