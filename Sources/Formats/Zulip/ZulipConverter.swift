internal import Dates
internal import JSON

/// Converts the messages of a topic.
final class ZulipMessages {
    private let label: [UInt8]
    /// True for messages of the channel itself, outside of topics.
    private let isMain: Bool
    private var root: Int64?
    private var text = ZulipText()

    init(_ feed: Feed, state: String?) {
        let setting = ZulipSetting(feed.setting)
        isMain = setting.topic.isEmpty
        label = ZulipText.label(setting.topic)
        root = state.flatMap { Int64($0) } ?? setting.root
    }

    var state: String { root.map { "\($0)" } ?? "" }

    // MARK: - Messages

    /// - Returns: the error in the record.
    func write(_ message: JSONValue, into writer: inout RecordWriter) -> String? {
        var (id, time) = (Int64?.none, Int64?.none)
        var (sender, content) = (Bytes.empty, Bytes.empty)
        message.forEachSetField { name, value in
            switch name {
            case "content": content = value.bytes ?? .empty
            case "id": id = value.integer
            case "sender_full_name": sender = value.bytes ?? .empty
            case "timestamp": time = value.integer
            default: break
            }
        }
        guard let id, id > 0 else { return "message without an ID" }
        guard let time, (0..<253_402_300_800).contains(time) else { return "message without a time" }
        root = root ?? id
        writer.message(id: String(id), at: Timestamp(milliseconds: time * 1_000), key: id)
        if !sender.isEmpty {
            writer.text("from", sender)
            writer.person(sender, name: sender)
        }
        text.read(content)
        text.write(id, root: isMain ? nil : root, label: label, isNotice: sender == "Notification Bot", to: &writer)
        if writer.isBlank, let address = HTMLScanner.address(in: content) { writer.text("text", address) }
        let problem = writer.endMessage()
        return content.isEmpty ? nil : problem
    }
}

/// The text of a message: its HTML as Kedge's markup. Zulip's own elements are first replaced by standard HTML.
struct ZulipText {
    private(set) var bytes: [UInt8] = []
    /// The ID of the message to which this one replies. A quote contains it.
    private(set) var quoted: [UInt8]?
    /// The files that the text links to.
    private(set) var files: [ForeignAttachment] = []
    /// The folder of the source that contains the files, with "/" at its end; nil if the export has none.
    var uploads: String?
    private var html: [UInt8] = []
    /// The end tags for the elements that are open.
    private var open: [(name: String, end: StaticString)] = []
    private var language: [UInt8] = []

    private static let uploads: StaticString = "/user_uploads/"

    /// The name of a topic above its first message.
    static func label(_ topic: String) -> [UInt8] {
        var (label, topic) = (MarkedText(), topic)
        topic.withUTF8 { label.add(Bytes($0), .bold) }
        return label.bytes
    }

    /// Writes the text of a message, its place in its topic, and its files.
    /// - Parameters:
    ///   - root: the first message of its topic, which shows the label; nil outside of topics.
    ///   - isNotice: true if Zulip itself wrote it.
    func write(_ id: Int64, root: Int64?, label: [UInt8], isNotice: Bool, to writer: inout RecordWriter) {
        // An action, unless the label of a topic comes before the text.
        let isAction = !isNotice && root != id && bytes.count > 4 && bytes.starts(with: "/me ".utf8)
        if isNotice || isAction { writer.text("kind", isNotice ? "system" : "action") }
        var shown = isAction ? Array(bytes.dropFirst(4)) : bytes
        if root == id {
            shown = label + (shown.isEmpty ? [] : [10]) + shown
        } else if let root {
            writer.text("thread", String(root))
        }
        writer.text("text", shown)
        if let quoted { writer.text("replyTo", quoted) }
        writer.attachments(files)
    }

    mutating func read(_ content: Bytes) {
        (quoted, files) = (nil, [])
        bytes.removeAll(keepingCapacity: true)
        if let plain = ZulipText.plain(content) {
            if plain.offset(of: "&") == nil {
                bytes.append(contentsOf: plain)
            } else {
                bytes = HTMLEntity.decoded(plain)
            }
            return
        }
        if content.starts(with: "<p><span class=\"user-mention") { quoted = ZulipText.quoted(content) }
        guard ZulipText.hasOwnElements(content) else { return bytes = HTMLText.convert(content) }
        generalize(content)
        bytes = html.withUnsafeBytes { HTMLText.convert($0) }
    }

    /// The inside of `<p>…</p>`; nil if it contains elements.
    private static func plain(_ content: Bytes) -> Bytes? {
        guard content.count > 7, content.starts(with: "<p>") else { return content.isEmpty ? content : nil }
        let inside = Bytes(rebasing: content[3..<content.count - 4])
        guard Bytes(rebasing: content[(content.count - 4)...]) == "</p>" else { return nil }
        for byte in inside where byte < 0x20 || byte == UInt8(ascii: "<") { return nil }
        return inside.first == 0x20 || inside.last == 0x20 ? nil : inside
    }

    /// The ID in `<p><span class="user-mention silent">Ana</span> <a href="…/near/123">said</a>:</p>` before a quote.
    private static func quoted(_ content: Bytes) -> [UInt8]? {
        guard let name = content.offset(of: "</span> <a "),
            let link = HTMLTag(content, at: name + 8), let address = link.attribute("href"),
            let end = content.offset(of: "</a>:</p>\n<blockquote>", from: link.range.upperBound),
            content.offset(of: "</", from: link.range.upperBound) == end, content.offset(of: "</span>") == name
        else { return nil }
        let id = address.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
        let isMessage = Array(address.dropLast(id.count).suffix(6)) == Array("/near/".utf8)
        return isMessage && (1...18).contains(id.count) ? Array(id) : nil
    }

    // MARK: - Elements

    /// True if there is an element that is not standard HTML. Mentions and emoji are the most frequent ones, and are read without
    /// this.
    private static func hasOwnElements(_ content: Bytes) -> Bool {
        let mark: StaticString = " class=\""
        let known: [StaticString] = ["user-mention", "emoji", "stream", "user-group-mention", "topic-mention"]
        var at = 0
        while let place = content.offset(of: mark, from: at) {
            at = place + mark.utf8CodeUnitCount
            let name = Bytes(rebasing: content[at...])
            if !known.contains(where: { name.starts(with: $0) }) { return true }
        }
        return content.offset(of: uploads) != nil
    }

    private mutating func generalize(_ content: Bytes) {
        html.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        language = []
        var scanner = HTMLScanner(content)
        while let piece = scanner.next() {
            switch piece {
            case .text(let range): html += content[range]
            case .tag(let tag):
                if let end = replace(tag, content) { scanner = HTMLScanner(content, from: end) }
            }
        }
    }

    /// Writes a tag, or the element that it begins.
    /// - Returns: the place after that element.
    private mutating func replace(_ tag: HTMLTag, _ content: Bytes) -> Int? {
        switch tag.name {
        case "span" where !tag.isEnd: return span(tag, content)
        case "div":
            if !tag.isEnd { return div(tag, content) }
            if let last = open.popLast() { html.append(last.end) }
        case "code" where !tag.isEnd && !language.isEmpty:
            html.append("<code class=\"language-")
            html += language
            html.append("\">")
            language = []
            return nil
        case "a" where !tag.isEnd: note(tag)
        default: break
        }
        html += content[tag.range]
        return nil
    }

    private mutating func span(_ tag: HTMLTag, _ content: Bytes) -> Int? {
        let isDisplay = tag.hasClass("katex-display")
        if isDisplay || tag.hasClass("katex") {
            formula(tag.content(of: content), isDisplay: isDisplay)
            return tag.elementEnd(in: content)
        }
        html += content[tag.range]
        return nil
    }

    /// Writes a formula as its author wrote it, as code, so that nothing in it is read as a mark.
    private mutating func formula(_ content: Bytes, isDisplay: Bool) {
        let end: StaticString = "</annotation>"
        guard let start = content.offset(of: "<annotation"), let tag = HTMLTag(content, at: start),
            let stop = content.offset(of: end, from: tag.range.upperBound)
        else { return }
        html.append(isDisplay ? "<pre><code class=\"language-math\">" : "<code>$$")
        html += content[tag.range.upperBound..<stop]
        html.append(isDisplay ? "</code></pre>" : "$$</code>")
    }

    private mutating func div(_ tag: HTMLTag, _ content: Bytes) -> Int? {
        if ZulipText.isPreview(tag) { return tag.elementEnd(in: content) }
        html += content[tag.range]
        if tag.hasClass("codehilite") {
            language = (tag.attribute("data-code-language") ?? []).map { $0 | ((0x41...0x5A).contains($0) ? 0x20 : 0) }
            if !language.allSatisfy(Neighborhood.isOfLanguage) { language = [] }
        }
        let isSpoiler = tag.hasClass("spoiler-content")
        if isSpoiler { html.append("<span class=\"spoiler\">") }
        open.append((tag.name, isSpoiler ? "</span>" : ""))
        return nil
    }

    /// True if an element only previews the target of a link.
    private static func isPreview(_ tag: HTMLTag) -> Bool {
        tag.hasClass("message_inline_image") || tag.hasClass("message_inline_ref") || tag.hasClass("message_embed")
            || tag.hasClass("message_inline_video") || tag.hasClass("youtube-video")
            || tag.hasClass("inline-preview-twitter")
    }

    /// Records the file in a link.
    private mutating func note(_ link: HTMLTag) {
        guard let address = link.attribute("href") else { return }
        let text = String(decoding: address, as: UTF8.self)
        guard text.hasPrefix("/user_uploads/"), let name = text.split(separator: "/").last else { return }
        let path = uploads.flatMap { folder in
            Source.inside(folder + String(percentDecoding: text.dropFirst("/user_uploads/".count)), of: "")
        }
        files.append(ForeignAttachment(name: String(percentDecoding: name), path: path))
    }

    /// Parses the text as it was typed: `@**Ana**` and `#**pier>tides**` are names, `[boat](/user_uploads/…)` is a file.
    mutating func read(markdown: Bytes) {
        (quoted, files) = (nil, [])
        var rest = markdown.string[...]
        var plain = ""
        while let mark = rest.firstRange(of: "**") {
            let before = rest[..<mark.lowerBound]
            let isName = before.hasSuffix("@") || before.hasSuffix("@_") || before.hasSuffix("#")
            guard isName, let end = rest[mark.upperBound...].firstRange(of: "**") else {
                plain += rest[..<mark.upperBound]
                rest = rest[mark.upperBound...]
                continue
            }
            // `@**Ana|12**`
            plain +=
                (before.hasSuffix("_") ? before.dropLast() : before)
                + rest[mark.upperBound..<end.lowerBound].prefix { $0 != "|" }
            rest = rest[end.upperBound...]
        }
        plain += rest
        for part in plain.ranges(of: "](/user_uploads/") {
            let address = plain[part.upperBound...].prefix { $0 != ")" }
            let path = uploads.flatMap { Source.inside($0 + String(percentDecoding: address), of: "") }
            let name = address.split(separator: "/").last.map { String(percentDecoding: $0) } ?? "file"
            files.append(ForeignAttachment(name: name, path: path))
        }
        bytes.removeAll(keepingCapacity: true)
        plain.withUTF8 { ShortCodes.append(Bytes($0), to: &bytes) }
    }
}
