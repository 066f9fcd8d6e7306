internal import Dates

/// Converts the messages of a topic.
final class ZulipConverter: Converter {
    private let reader: JSONArrayReader
    private let label: [UInt8]
    /// Whether the messages are those of the channel itself, without a topic.
    private let isMain: Bool
    private var root: Int64?
    /// Whether the bracket of the array was read.
    private var isInside = false
    private var digits: [UInt8] = []
    private var rootDigits: [UInt8] = []
    private var text = ZulipText()

    init(_ feed: Feed, state: String?) {
        reader = JSONArrayReader(file: feed.file)
        let setting = ZulipSetting(feed.setting)
        isMain = setting.topic.isEmpty
        var label = MarkedText()
        var topic = setting.topic
        topic.withUTF8 { label.add(Bytes($0), .bold) }
        self.label = label.bytes
        root = state.flatMap { Int64($0) } ?? setting.root
        isInside = state != nil
        if let root { ZulipConverter.write(root, to: &rootDigits) }
    }

    var state: String { root.map { "\($0)" } ?? "" }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        var start = 0
        if !isInside {
            start = JSONRecords.start(of: bytes, count: bytes.count)
            isInside = start > 0 && bytes[start - 1] == UInt8(ascii: "[") || bytes.count > 1_024
            // The bytes of a mark of the order, or white space, of which there may be more.
            guard isInside || isEnd else { return 0 }
        }
        return start
            + reader.read(
                Bytes(rebasing: bytes[start...]), at: offset + Int64(start), isEnd: isEnd, into: &writer
            ) { message, writer in
                write(message, into: &writer)
            }.consumed
    }

    // MARK: - Messages

    /// - Returns: the reason why a record is no message.
    private func write(_ message: JSONValue, into writer: inout RecordWriter) -> String? {
        var (id, time) = (Int64?.none, Int64?.none)
        var (sender, content) = (Bytes.empty, Bytes.empty)
        message.forEachField { name, value in
            if name == "content" {
                content = value.bytes ?? .empty
            } else if name == "id" {
                id = value.integer
            } else if name == "sender_full_name" {
                sender = value.bytes ?? .empty
            } else if name == "timestamp" {
                time = value.integer
            }
            return true
        }
        guard let id, id > 0 else { return "message without an ID" }
        guard let time, (0..<253_402_300_800).contains(time) else { return "message without a time" }
        if root == nil {
            root = id
            ZulipConverter.write(id, to: &rootDigits)
        }
        ZulipConverter.write(id, to: &digits)
        digits.withUnsafeBytes {
            writer.message(id: $0, at: Timestamp(milliseconds: time * 1_000), key: id)
        }
        if !sender.isEmpty {
            writer.text("from", sender)
            writer.person(sender, name: sender)
        }
        write(content, isRoot: id == root, isNotice: sender == "Notification Bot", into: &writer)
        if writer.isBlank, let address = HTMLScanner.address(in: content) { writer.text("text", address) }
        let problem = writer.endMessage()
        return content.isEmpty ? nil : problem
    }

    private func write(_ content: Bytes, isRoot: Bool, isNotice: Bool, into writer: inout RecordWriter) {
        text.read(content)
        let isLabelled = isRoot && !isMain
        if isLabelled {
            writer.text("text", text.bytes.isEmpty ? label : label + [UInt8(ascii: "\n")] + text.bytes)
        } else if !isMain {
            writer.text("thread", rootDigits)
        }
        if isNotice { writer.text("kind", "system") }
        if !isLabelled {
            let isAction = text.isAction && !isNotice
            if isAction { writer.text("kind", "action") }
            text.bytes.withUnsafeBytes { bytes in
                writer.text(
                    "text", isAction ? Bytes(rebasing: bytes.dropFirst(ZulipText.action.utf8CodeUnitCount)) : bytes)
            }
        }
        if let quoted = text.quoted { writer.text("replyTo", quoted) }
        writer.attachments(text.files)
    }

    private static func write(_ id: Int64, to digits: inout [UInt8]) {
        digits.removeAll(keepingCapacity: true)
        var rest = id
        repeat {
            digits.append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        digits.reverse()
    }
}

/// The text of a message: its HTML as the marks that Kedge shows. Elements that are Zulip's own become those that all HTML has.
struct ZulipText {
    private(set) var bytes: [UInt8] = []
    /// The message to which this one replies: a quote names it.
    private(set) var quoted: [UInt8]?
    /// The files of the text.
    private(set) var files: [ForeignAttachment] = []
    /// The folder of the source that holds the files, with "/" at its end; nil where they are left out.
    var uploads: String?
    private var html: [UInt8] = []
    /// The end tags for the elements that are open.
    private var open: [(name: String, end: StaticString)] = []
    private var language: [UInt8] = []

    static let action: StaticString = "/me "
    private static let uploads: StaticString = "/user_uploads/"

    /// Whether the text says what its author does.
    var isAction: Bool { bytes.count > 4 && bytes.withUnsafeBytes { $0.starts(with: ZulipText.action) } }

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

    /// The inside of `<p>…</p>` that holds no elements.
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

    /// Whether there is an element that not all HTML has. Mentions and emoji, which are the most frequent, are read as they are.
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
            if let last = open.popLast() { append(last.end) }
        case "code" where !tag.isEnd && !language.isEmpty:
            append("<code class=\"language-")
            html += language
            append("\">")
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
            formula(Bytes(rebasing: content[tag.inside(content)]), isDisplay: isDisplay)
            return tag.elementEnd(in: content)
        }
        html += content[tag.range]
        return nil
    }

    /// A formula as its author wrote it, as code, so that nothing in it is taken for a mark.
    private mutating func formula(_ content: Bytes, isDisplay: Bool) {
        let end: StaticString = "</annotation>"
        guard let start = content.offset(of: "<annotation"), let tag = HTMLTag(content, at: start),
            let stop = content.offset(of: end, from: tag.range.upperBound)
        else { return }
        append(isDisplay ? "<pre><code class=\"language-math\">" : "<code>$$")
        html += content[tag.range.upperBound..<stop]
        append(isDisplay ? "</code></pre>" : "$$</code>")
    }

    private mutating func div(_ tag: HTMLTag, _ content: Bytes) -> Int? {
        if ZulipText.isPreview(tag) { return tag.elementEnd(in: content) }
        html += content[tag.range]
        if tag.hasClass("codehilite") {
            language = (tag.attribute("data-code-language") ?? []).map { $0 | ((0x41...0x5A).contains($0) ? 0x20 : 0) }
            if !language.allSatisfy(Neighborhood.isOfLanguage) { language = [] }
        }
        let isSpoiler = tag.hasClass("spoiler-content")
        if isSpoiler { append("<span class=\"spoiler\">") }
        open.append((tag.name, isSpoiler ? "</span>" : ""))
        return nil
    }

    /// Whether an element shows the target of a link once more.
    private static func isPreview(_ tag: HTMLTag) -> Bool {
        tag.hasClass("message_inline_image") || tag.hasClass("message_inline_ref") || tag.hasClass("message_embed")
            || tag.hasClass("message_inline_video") || tag.hasClass("youtube-video")
            || tag.hasClass("inline-preview-twitter")
    }

    /// Notes a file to which a link leads.
    private mutating func note(_ link: HTMLTag) {
        guard let address = link.attribute("href") else { return }
        let text = String(decoding: address, as: UTF8.self)
        guard text.hasPrefix("/user_uploads/"), let name = text.split(separator: "/").last else { return }
        let path = uploads.flatMap { folder in
            Source.inside(folder + String(percentDecoding: text.dropFirst("/user_uploads/".count)), of: "")
        }
        files.append(ForeignAttachment(name: String(percentDecoding: name), path: path))
    }

    /// Reads a text as it was typed: `@**Ana**` and `#**pier>tides**` are names, `[boat](/user_uploads/…)` is a file.
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

    private mutating func append(_ text: StaticString) {
        html.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
