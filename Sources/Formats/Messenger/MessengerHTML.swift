internal import Dates
internal import JSON

/// Chats of Messenger and Instagram, from "Download your information" in HTML.
///
///     <div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">Ana</h2><div class="_3-95 _a6-p"><div>
///     <div></div><div>low tide</div><div></div><div><ul class="_a6-q"><li>❤Ben</li></ul></div></div></div><div class="_3-94 _a6-o">Jan 01,
///     2024 9:05 am</div></div>
///
/// Facts, from programs that read it: the names of classes are generated, but stay the same for years. A message, its sender, its
/// content and its time have the classes `_a6-g`, `_a6-h`, `_a6-p` and `_a6-o`; until 2021, `_2lej`, `_2lel`, `_2let` and
/// `_2lem`. The newest message comes first, in `message_1.html` and in each file. Days and times are in the language and the zone
/// of the account. Paths of files are relative to the root of the whole export.
struct MessengerHTMLFormat: LogFormat {
    let id = "messenger-html"
    let name = "Messenger or Instagram chats in HTML"
    let order = ForeignConversation.Order.byKey

    /// Other pages of the export have the same classes; in a folder, the name of the file shows that it is a chat.
    func candidates(_ source: Source) -> [SourceFile] {
        source.candidates(".html", ".htm").filter { source.isFile || MessengerHead.number(of: $0) != nil }
    }

    private static let message: [StaticString] = ["_a6-g", "_2lej"]

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let head = try? source.read(file, count: 256 << 10) else { return nil }
        let found = head.withUnsafeBytes { bytes -> (title: String, time: String)? in
            let starts = HTMLScanner.tags(ofClass: MessengerHTMLFormat.message, in: bytes)
            for (index, start) in starts.enumerated() {
                let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
                let parts = Parts(Bytes(rebasing: bytes[start..<end]))
                let time = String(decoding: parts.time, as: UTF8.self)
                guard !parts.sender.isEmpty, WrittenMoment(time).second != nil else { continue }
                return (MessengerHTMLFormat.title(Bytes(rebasing: bytes[..<start])), time)
            }
            return nil
        }
        guard let found else { return nil }
        let number = MessengerHead.number(of: file) ?? 1
        let (order, problems) = MomentReader.setting(of: file, in: source, sample: found.time) {
            MessengerHTMLFormat.converter(Feed(file: file.path, setting: "1"), $0)
        }
        let thread = SourceFile.name(of: String(file.folder))
        return ForeignLog(
            feed: Feed(file: file.path, setting: "\(number) \(order)"),
            title: found.title.isEmpty ? String(thread.isEmpty ? file.name.prefix { $0 != "." } : thread) : found.title,
            place: MessengerHead.number(of: file) == nil ? file.path : String(file.folder), number: number,
            aliases: [String(thread)], problems: problems)
    }

    private static func title(_ head: Bytes) -> String {
        var scanner = HTMLScanner(head)
        while let tag = scanner.nextTag() {
            guard tag.name == "title" else { continue }
            return HTMLEntity.string(tag.content(of: head).trimmed)
        }
        return ""
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let order = feed.setting.split(separator: " ").dropFirst().first ?? ""
        return MessengerHTMLFormat.converter(feed, MomentReader(context.zone, setting: String(order)))
    }

    private static func converter(_ feed: Feed, _ times: MomentReader) -> BlockConverter {
        let number = Int64(feed.setting.prefix { $0 != " " }) ?? 1
        let folder = feed.folder
        var (count, identity) = (Int64(0), LineIdentity())
        return BlockConverter(starts: { HTMLScanner.tags(ofClass: message, in: $0) }) { block, writer in
            let parts = Parts(block)
            // This element lists the participants of the chat.
            if parts.sender.isEmpty && parts.time.isEmpty || parts.time.isEmpty && count == 0 { return nil }
            guard let time = times.moment(String(decoding: parts.time, as: UTF8.self)) else {
                return "message without a time"
            }
            count += 1
            let content = Content(parts.content, folder)
            let id = identity.next(at: time, name: parts.sender, text: content.text)
            writer.message(id: id, at: time, key: -(number << 40) - count)
            writer.sender(parts.sender)
            if parts.sender.isEmpty { writer.text("kind", "system") }
            writer.text("text", content.text)
            writer.attachments(content.files)
            writer.reactions(content.reactions.list)
            return writer.endMessage()
        }
    }

    /// The parts of a message.
    private struct Parts {
        var (sender, time) = ([UInt8](), [UInt8]())
        var content = Bytes.empty

        init(_ block: Bytes) {
            var scanner = HTMLScanner(block)
            _ = scanner.next()
            while let tag = scanner.nextTag() {
                let isContent = tag.hasClass("_a6-p") || tag.hasClass("_2let")
                let isSender = tag.hasClass("_a6-h") || tag.hasClass("_2lel")
                guard isContent || isSender || tag.hasClass("_a6-o") || tag.hasClass("_2lem") else { continue }
                let range = tag.inside(block)
                let inside = Bytes(rebasing: block[range])
                if isContent {
                    content = inside
                } else if isSender {
                    sender = HTMLText.convert(inside)
                } else {
                    time = HTMLText.convert(Bytes(rebasing: MessengerHTMLFormat.unlinked(inside)))
                }
                scanner = HTMLScanner(block, from: range.upperBound)
            }
        }
    }

    /// The text in a link around the time.
    private static func unlinked(_ html: Bytes) -> Slice<Bytes> {
        var scanner = HTMLScanner(html)
        while let piece = scanner.next() {
            if case .text(let range) = piece, !Bytes(rebasing: html[range]).trimmed.isEmpty { return html[range] }
        }
        return html[..<0]
    }

    /// The parts of a message's content.
    private struct Content {
        var text: [UInt8] = []
        var files: [ForeignAttachment] = []
        var reactions = Reactions()

        init(_ html: Bytes, _ folder: Substring) {
            var scanner = HTMLScanner(html)
            var rest: [UInt8] = []
            while let piece = scanner.next() {
                guard case .tag(let tag) = piece else {
                    if case .text(let range) = piece { rest += html[range] }
                    continue
                }
                if tag.name == "ul", !tag.isEnd {
                    add(reactions: tag.content(of: html))
                    scanner = HTMLScanner(html, from: tag.elementEnd(in: html))
                } else if !tag.isEnd, let path = tag.attribute("src") ?? tag.attribute("href"),
                    add(file: String(decoding: path, as: UTF8.self), folder)
                {
                    // The name of the element says it.
                    if tag.name == "a" || tag.name == "video" || tag.name == "audio" {
                        scanner = HTMLScanner(html, from: tag.elementEnd(in: html))
                    }
                } else if tag.name != "img" {
                    rest += html[tag.range]
                }
            }
            text = rest.withUnsafeBytes { HTMLText.convert($0) }
        }

        /// Adds a reaction such as `❤Ben`: the emoji is everything before the first letter.
        private mutating func add(reactions html: Bytes) {
            for item in HTMLScanner.elements(in: html, where: { $0.name == "li" }) {
                let words = HTMLText.string(item)
                let emoji = words.prefix { !$0.isLetter && !$0.isNumber }
                // Some exports write the time after the name.
                let name = words[emoji.endIndex...].prefix { $0 != "(" }
                reactions.add(emoji.filter { !$0.isWhitespace }, by: name.split(separator: " ").joined(separator: " "))
            }
        }

        /// Adds a copy of a file; false for a web address.
        private mutating func add(file path: String, _ folder: Substring) -> Bool {
            guard !path.contains("://"), !path.hasPrefix("#"), !path.hasPrefix("mailto:"), !path.isEmpty else {
                return false
            }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard !files.contains(where: { $0.name == name }) else { return true }
            files.append(ForeignAttachment(name: name, path: MessengerMessages.path(of: path, in: folder)))
            return true
        }
    }
}
