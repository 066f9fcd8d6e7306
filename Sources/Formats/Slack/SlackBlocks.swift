internal import Emoji
internal import JSON

/// Writes the `blocks` of a message, each on separate lines.
struct SlackBlocks {
    let names: ForeignNames
    /// True if readable content was left out.
    private(set) var isIncomplete = false
    /// The kinds of blocks and parts that are newer than this code.
    private(set) var unread: Set<String> = []

    /// Appends the blocks.
    mutating func append(_ blocks: JSONValue, to out: inout [UInt8]) {
        let start = out.count
        for block in blocks.elements {
            let begin = out.count
            Marks.beginLine(&out, from: start)
            let text = out.count
            write(block, &out)
            Marks.trim(&out, from: text)
            if out.count == text { out.removeLast(text - begin) }
        }
    }

    private mutating func write(_ block: JSONValue, _ out: inout [UInt8]) {
        switch block["type"]?.bytes ?? .empty {
        case "rich_text":
            richText(block, &out)
        case "section": section(block, &out)
        case "header":
            let start = out.count
            out.append("**")
            text(block["text"], &out)
            out.append("**")
            if out.count == start + 4 { out.removeLast(4) }
        case "context": list(block["elements"], " ", &out)
        case "markdown": out += block["text"]?.bytes ?? .empty
        case "table": table(block, &out)
        case "image", "video":
            text(block["title"], &out)
            if block["title"] == nil { out += block["alt_text"]?.bytes ?? .empty }
        case "divider", "": break
        // Buttons and input fields, and what the message has elsewhere.
        case "actions", "input", "file", "call": isIncomplete = true
        case let kind:
            isIncomplete = true
            unread.insert(kind.string)
        }
    }

    private mutating func richText(_ block: JSONValue, _ out: inout [UInt8]) {
        var text = SlackRichText(names: names, start: out.count)
        text.append(block, to: &out)
        isIncomplete = isIncomplete || !text.unread.isEmpty
        unread.formUnion(text.unread)
    }

    private mutating func section(_ block: JSONValue, _ out: inout [UInt8]) {
        let start = out.count
        text(block["text"], &out)
        guard let fields = block["fields"], fields.isArray else { return }
        Marks.beginLine(&out, from: start)
        list(fields, "\n", &out)
    }

    /// Appends texts, and pictures by their descriptions.
    private mutating func list(_ elements: JSONValue?, _ separator: StaticString, _ out: inout [UInt8]) {
        var isFirst = true
        for element in elements.list {
            let begin = out.count
            if !isFirst { out.append(separator) }
            let start = out.count
            text(element, &out)
            if out.count == start { out.removeLast(start - begin) } else { isFirst = false }
        }
    }

    /// A text object: `{type: "mrkdwn" or "plain_text", text}`.
    private mutating func text(_ object: JSONValue?, _ out: inout [UInt8]) {
        guard let object else { return }
        guard let text = object["text"]?.bytes else {
            if let words = object["alt_text"]?.bytes { out += words }
            return
        }
        Mrkdwn(names: names).append(text, to: &out)
    }

    private mutating func table(_ block: JSONValue, _ out: inout [UInt8]) {
        let start = out.count
        for row in block["rows"].list {
            Marks.beginLine(&out, from: start)
            for (index, cell) in row.elements.enumerated() {
                if index > 0 { out.append(" | ") }
                let begin = out.count
                if cell["elements"] != nil {
                    richText(cell, &out)
                } else {
                    text(cell, &out)
                }
                for place in begin..<out.count where out[place] == UInt8(ascii: "\n") { out[place] = 0x20 }
            }
        }
    }
}

/// Writes a `rich_text` block, in which Slack keeps the texts that people write. Its texts are literal: nothing is escaped, and
/// marks are fields.
struct SlackRichText {
    let names: ForeignNames
    /// The byte of `out` at which the text begins.
    let start: Int
    /// The marks that are open.
    private var open = Style()
    /// The kinds of elements that were left out.
    private(set) var unread: Set<String> = []

    private struct Style: OptionSet {
        let rawValue: UInt8
        static let bold = Style(rawValue: 1)
        static let italic = Style(rawValue: 2)
        static let struck = Style(rawValue: 4)
        static let code = Style(rawValue: 8)
    }

    /// The styles by their fields, with their marks, in the order in which they open.
    private static let marks: [(field: StaticString, style: Style, mark: StaticString)] = [
        ("strike", .struck, "~~"), ("bold", .bold, "**"), ("italic", .italic, "*"), ("code", .code, "`"),
    ]

    init(names: ForeignNames, start: Int) {
        (self.names, self.start) = (names, start)
    }

    /// Appends the elements of a block.
    mutating func append(_ block: JSONValue, to out: inout [UInt8]) {
        for element in block["elements"].list {
            Marks.beginLine(&out, from: start)
            switch element["type"]?.bytes ?? .empty {
            case "rich_text_section": inline(element, &out)
            case "rich_text_list": list(element, &out)
            case "rich_text_quote":
                let begin = out.count
                inline(element, &out)
                Marks.trim(&out, from: begin)
                Marks.quote(&out, from: begin)
            case "rich_text_preformatted": fenced(element, &out)
            case "": break
            case let kind: unread.insert(kind.string)
            }
        }
        Marks.trim(&out, from: start)
    }

    // MARK: - Lists and code

    private mutating func list(_ element: JSONValue, _ out: inout [UInt8]) {
        let indent = Int(clamping: min(8, max(0, element["indent"]?.integer ?? 0)))
        let isOrdered = element["style"]?.bytes.map { $0 == "ordered" } ?? false
        var number = 1 + max(0, min(1_000_000, element["offset"]?.integer ?? 0))
        for item in element["elements"].list {
            Marks.beginLine(&out, from: start)
            out += [UInt8](repeating: 0x20, count: indent * 4)
            out += isOrdered ? Array("\(number). ".utf8) : Array("• ".utf8)
            let begin = out.count
            inline(item, &out)
            Marks.trim(&out, from: begin)
            number += 1
        }
    }

    private func fenced(_ element: JSONValue, _ out: inout [UInt8]) {
        var code: [UInt8] = []
        for part in element["elements"].list {
            if let text = (part["text"] ?? part["url"])?.bytes { code += text }
        }
        code.withUnsafeBytes { Marks.appendFenced($0, to: &out) { $1.append(contentsOf: $0) } }
    }

    // MARK: - Text

    private mutating func inline(_ element: JSONValue, _ out: inout [UInt8]) {
        for part in element["elements"].list { write(part, &out) }
        close(&out)
    }

    private mutating func write(_ part: JSONValue, _ out: inout [UInt8]) {
        guard let type = part["type"]?.bytes else { return }
        let style = SlackRichText.style(part["style"])
        if type == "text" {
            if let text = part["text"]?.bytes { write(text, style, &out) }
            return
        }
        var piece: [UInt8] = []
        if !append(part, type, &piece) { unread.insert(type.string) }
        piece.withUnsafeBytes { write($0, style, &out) }
    }

    /// - Returns: false for an element without anything to show.
    private func append(_ part: JSONValue, _ type: Bytes, _ piece: inout [UInt8]) -> Bool {
        func field(_ key: StaticString) -> Bytes { part[key]?.bytes ?? .empty }
        switch type {
        case "user": SlackToken.appendPerson(field("user_id"), label: nil, names, to: &piece)
        case "channel": SlackToken.appendChannel(field("channel_id"), label: nil, names, to: &piece)
        case "usergroup", "broadcast":
            piece.append(UInt8(ascii: "@"))
            piece += field(type == "usergroup" ? "usergroup_id" : "range")
        case "emoji": SlackEmoji.append(field("name"), unicode: part["unicode"]?.bytes, to: &piece)
        case "link": link(part, &piece)
        // The file is also among the files of the message.
        case "canvas", "file": break
        default:
            guard let text = (part["text"] ?? part["fallback"] ?? part["value"])?.bytes else { return false }
            piece += text
        }
        return true
    }

    private func link(_ part: JSONValue, _ piece: inout [UInt8]) {
        guard let url = part["url"]?.bytes else { return }
        let text = part["text"]?.bytes ?? .empty
        if text.isEmpty || text.elementsEqual(url) {
            piece += url.starts(with: "mailto:") ? Bytes(rebasing: url.dropFirst(7)) : url
        } else if url.starts(with: "mailto:"), url.dropFirst(7).elementsEqual(text) {
            piece += text
        } else {
            Marks.appendLink(url, label: text, to: &piece)
        }
    }

    // MARK: - Marks

    private static func style(_ style: JSONValue?) -> Style {
        guard let style, style.isObject else { return [] }
        return Style(marks.filter { style[$0.field]?.isTrue == true }.map(\.style))
    }

    /// Appends a text. Marks go next to characters, not next to blanks, and never beyond the end of a line.
    private mutating func write(_ text: Bytes, _ style: Style, _ out: inout [UInt8]) {
        if style != open { close(&out) }
        if style.isEmpty { return out.append(contentsOf: text) }
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                close(&out)
                out.append(UInt8(ascii: "\n"))
            }
            guard let first = line.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else {
                out += line
                continue
            }
            if style != open {
                out += line[..<first]
                begin(style, &out)
                out += line[first...]
            } else {
                out += line
            }
        }
    }

    private mutating func begin(_ style: Style, _ out: inout [UInt8]) {
        open = style
        for (_, part, mark) in SlackRichText.marks where style.contains(part) { out.append(mark) }
    }

    /// Closes the open marks, before the blanks at the end.
    private mutating func close(_ out: inout [UInt8]) {
        guard !open.isEmpty else { return }
        var blanks: [UInt8] = []
        while out.count > start, let last = out.last, last == 0x20 || last == 0x09 {
            blanks.append(out.removeLast())
        }
        for (_, part, mark) in SlackRichText.marks.reversed() where open.contains(part) { out.append(mark) }
        out += blanks.reversed()
        open = []
    }
}

/// Writes the `attachments` of a message: previews of links, shared messages, and the contents of bots' messages.
struct SlackUnfurls {
    let names: ForeignNames
    /// The kinds of blocks and parts that are newer than this code.
    private(set) var unread: Set<String> = []

    /// Appends the attachments, as quotes if the message has a text.
    mutating func append(_ attachments: JSONValue, to out: inout [UInt8]) {
        let isQuote = !out.isEmpty
        for attachment in attachments.elements {
            var piece: [UInt8] = []
            write(attachment, &piece)
            Marks.appendBlock(piece, isQuote: isQuote, to: &out)
        }
    }

    private mutating func write(_ attachment: JSONValue, _ out: inout [UInt8]) {
        line(attachment["pretext"], &out)
        line(attachment["author_name"] ?? attachment["author_subname"], &out)
        title(attachment, &out)
        let body = out.count
        if let blocks = blocks(of: attachment) {
            Marks.beginLine(&out)
            var writer = SlackBlocks(names: names)
            writer.append(blocks, to: &out)
            unread.formUnion(writer.unread)
        }
        if out.count == body { line(attachment["text"], &out) }
        fields(attachment["fields"], &out)
        if out.isEmpty { line(attachment["fallback"], &out) }
        for address in [
            attachment["image_url"], attachment["thumb_url"], attachment["from_url"], attachment["original_url"],
        ]
        where out.isEmpty {
            out += address?.bytes ?? .empty
        }
    }

    private func line(_ value: JSONValue?, _ out: inout [UInt8]) {
        guard let text = value?.bytes, !text.isEmpty else { return }
        Marks.beginLine(&out)
        Mrkdwn(names: names).append(text, to: &out)
    }

    private func title(_ attachment: JSONValue, _ out: inout [UInt8]) {
        guard let title = attachment["title"]?.bytes, !title.isEmpty else { return }
        Marks.beginLine(&out)
        var text: [UInt8] = []
        Mrkdwn(names: names).append(title, to: &text)
        guard let address = (attachment["title_link"] ?? attachment["from_url"])?.bytes, !address.isEmpty
        else { return out += text }
        text.withUnsafeBytes { Marks.appendLink(address, label: $0, to: &out) }
    }

    /// The blocks of the attachment, or of the message that it shares.
    private func blocks(of attachment: JSONValue) -> JSONValue? {
        if let blocks = attachment["blocks"], blocks.isArray { return blocks }
        return attachment["message_blocks"].list.lazy.compactMap { $0["message"]?["blocks"] }.first(where: \.isArray)
    }

    private func fields(_ fields: JSONValue?, _ out: inout [UInt8]) {
        for field in fields.list {
            let title = field["title"]?.bytes ?? .empty
            let value = field["value"]?.bytes ?? .empty
            guard !title.isEmpty || !value.isEmpty else { continue }
            Marks.beginLine(&out)
            Mrkdwn(names: names).append(title, to: &out)
            if !title.isEmpty, !value.isEmpty { out.append(": ") }
            Mrkdwn(names: names).append(value, to: &out)
        }
    }
}
