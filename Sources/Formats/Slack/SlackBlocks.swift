internal import Emoji

/// Writes the `blocks` of a message, each on lines of its own.
struct SlackBlocks {
    let names: ForeignNames
    /// Whether something that can be read was left out.
    private(set) var isIncomplete = false

    init(names: ForeignNames) { self.names = names }

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
        guard let type = block["type"]?.bytes else { return }
        if type == "rich_text" {
            var text = SlackRichText(names: names, start: out.count)
            text.append(block, to: &out)
            isIncomplete = isIncomplete || text.isIncomplete
        } else if type == "section" {
            section(block, &out)
        } else if type == "header" {
            let start = out.count
            out += Array("**".utf8)
            text(block["text"], &out)
            out += Array("**".utf8)
            if out.count == start + 4 { out.removeLast(4) }
        } else if type == "context" {
            list(block["elements"], " ", &out)
        } else if type == "markdown" {
            if let markdown = block["text"]?.bytes { out += markdown }
        } else if type == "table" {
            table(block, &out)
        } else if type == "image" || type == "video" {
            text(block["title"], &out)
            if block["title"] == nil, let words = block["alt_text"]?.bytes { out += words }
        } else if !(type == "divider") {
            // Buttons, fields to fill in, and kinds that came later.
            isIncomplete = true
        }
    }

    private mutating func section(_ block: JSONValue, _ out: inout [UInt8]) {
        let start = out.count
        text(block["text"], &out)
        guard let fields = block["fields"], fields.isArray else { return }
        Marks.beginLine(&out, from: start)
        list(fields, "\n", &out)
    }

    /// Texts, and pictures by their descriptions.
    private mutating func list(_ elements: JSONValue?, _ separator: StaticString, _ out: inout [UInt8]) {
        guard let elements else { return }
        var isFirst = true
        for element in elements.elements {
            let begin = out.count
            if !isFirst {
                out.append(
                    contentsOf: UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount))
            }
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
        guard let rows = block["rows"] else { return }
        let start = out.count
        for row in rows.elements {
            Marks.beginLine(&out, from: start)
            for (index, cell) in row.elements.enumerated() {
                if index > 0 { out += Array(" | ".utf8) }
                let begin = out.count
                if cell["elements"] != nil {
                    var text = SlackRichText(names: names, start: out.count)
                    text.append(cell, to: &out)
                } else {
                    text(cell, &out)
                }
                for place in begin..<out.count where out[place] == UInt8(ascii: "\n") { out[place] = 0x20 }
            }
        }
    }
}

/// Writes a `rich_text` block: the form in which Slack keeps the texts that people write. Its texts are literal: nothing in them
/// is escaped, and their marks are fields.
struct SlackRichText {
    let names: ForeignNames
    /// The byte of `out` at which the text begins.
    let start: Int
    /// The marks that are open.
    private var open = Style()
    /// Whether an element was left out.
    private(set) var isIncomplete = false

    private struct Style: OptionSet {
        let rawValue: UInt8
        static let bold = Style(rawValue: 1)
        static let italic = Style(rawValue: 2)
        static let struck = Style(rawValue: 4)
        static let code = Style(rawValue: 8)
    }

    init(names: ForeignNames, start: Int) {
        (self.names, self.start) = (names, start)
    }

    /// Appends the elements of a block.
    mutating func append(_ block: JSONValue, to out: inout [UInt8]) {
        guard let elements = block["elements"] else { return }
        for element in elements.elements {
            Marks.beginLine(&out, from: start)
            guard let type = element["type"]?.bytes else { continue }
            if type == "rich_text_section" {
                inline(element, &out)
            } else if type == "rich_text_list" {
                list(element, &out)
            } else if type == "rich_text_quote" {
                let begin = out.count
                inline(element, &out)
                Marks.trim(&out, from: begin)
                Marks.quote(&out, from: begin)
            } else if type == "rich_text_preformatted" {
                fenced(element, &out)
            } else {
                isIncomplete = true
            }
        }
        Marks.trim(&out, from: start)
    }

    // MARK: - Lists and code

    private mutating func list(_ element: JSONValue, _ out: inout [UInt8]) {
        let indent = Int(clamping: min(8, max(0, element["indent"]?.integer ?? 0)))
        let isOrdered = element["style"]?.bytes.map { $0 == "ordered" } ?? false
        var number = 1 + max(0, min(1_000_000, element["offset"]?.integer ?? 0))
        guard let items = element["elements"] else { return }
        for item in items.elements {
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
        guard let elements = element["elements"] else { return }
        for part in elements.elements {
            if let text = (part["text"] ?? part["url"])?.bytes { code += text }
        }
        code.withUnsafeBytes { Marks.appendFenced($0, to: &out) { $1.append(contentsOf: $0) } }
    }

    // MARK: - Text

    private mutating func inline(_ element: JSONValue, _ out: inout [UInt8]) {
        guard let elements = element["elements"] else { return }
        for part in elements.elements { write(part, &out) }
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
        if !mention(part, type, &piece), !other(part, type, &piece) { isIncomplete = true }
        piece.withUnsafeBytes { write($0, style, &out) }
    }

    private func mention(_ part: JSONValue, _ type: Bytes, _ piece: inout [UInt8]) -> Bool {
        if type == "user" {
            SlackToken.appendPerson(part["user_id"]?.bytes ?? .empty, label: nil, names, to: &piece)
        } else if type == "channel" {
            SlackToken.appendChannel(part["channel_id"]?.bytes ?? .empty, label: nil, names, to: &piece)
        } else if type == "usergroup" {
            piece.append(UInt8(ascii: "@"))
            piece += part["usergroup_id"]?.bytes ?? .empty
        } else if type == "broadcast" {
            piece.append(UInt8(ascii: "@"))
            piece += part["range"]?.bytes ?? .empty
        } else {
            return false
        }
        return true
    }

    /// - Returns: false for an element of which nothing can be shown.
    private func other(_ part: JSONValue, _ type: Bytes, _ piece: inout [UInt8]) -> Bool {
        if type == "emoji" {
            SlackEmoji.append(part["name"]?.bytes ?? .empty, unicode: part["unicode"]?.bytes, to: &piece)
        } else if type == "link" {
            link(part, &piece)
        } else if type == "canvas" || type == "file" {
            // It is among the files of the message.
        } else if let text = (part["text"] ?? part["fallback"] ?? part["value"])?.bytes {
            piece += text
        } else {
            return false
        }
        return true
    }

    private func link(_ part: JSONValue, _ piece: inout [UInt8]) {
        guard let url = part["url"]?.bytes else { return }
        let text = part["text"]?.bytes ?? .empty
        if text.isEmpty || text.elementsEqual(url) {
            piece += url.starts(with: "mailto:") ? UnsafeRawBufferPointer(rebasing: url.dropFirst(7)) : url
        } else if url.starts(with: "mailto:"), url.dropFirst(7).elementsEqual(text) {
            piece += text
        } else {
            Marks.appendLink(url, label: text, to: &piece)
        }
    }

    // MARK: - Marks

    private static func style(_ style: JSONValue?) -> Style {
        guard let style, style.isObject else { return [] }
        var result: Style = []
        if style["bold"]?.isTrue == true { result.insert(.bold) }
        if style["italic"]?.isTrue == true { result.insert(.italic) }
        if style["strike"]?.isTrue == true { result.insert(.struck) }
        if style["code"]?.isTrue == true { result.insert(.code) }
        return result
    }

    /// Appends a text. Marks stand beside its characters, not beside blanks, and never reach over the end of a line.
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
        if style.contains(.struck) { out += Array("~~".utf8) }
        if style.contains(.bold) { out += Array("**".utf8) }
        if style.contains(.italic) { out.append(UInt8(ascii: "*")) }
        if style.contains(.code) { out.append(UInt8(ascii: "`")) }
    }

    /// Closes the open marks before the blanks at the end.
    private mutating func close(_ out: inout [UInt8]) {
        guard !open.isEmpty else { return }
        var blanks: [UInt8] = []
        while out.count > start, let last = out.last, last == 0x20 || last == 0x09 {
            blanks.append(out.removeLast())
        }
        if open.contains(.code) { out.append(UInt8(ascii: "`")) }
        if open.contains(.italic) { out.append(UInt8(ascii: "*")) }
        if open.contains(.bold) { out += Array("**".utf8) }
        if open.contains(.struck) { out += Array("~~".utf8) }
        out += blanks.reversed()
        open = []
    }
}

/// Writes the `attachments` of a message: previews of links, messages that were shared, and the bodies of bots.
struct SlackUnfurls {
    let names: ForeignNames

    /// Appends them, as quotes if the message has a text of its own.
    func append(_ attachments: JSONValue, to out: inout [UInt8], start: Int) {
        let isQuote = out.count > start
        for attachment in attachments.elements {
            var piece: [UInt8] = []
            write(attachment, &piece)
            Marks.trim(&piece, from: 0)
            guard !piece.isEmpty else { continue }
            Marks.beginLine(&out, from: start)
            let begin = out.count
            out += piece
            if isQuote { Marks.quote(&out, from: begin) }
        }
    }

    private func write(_ attachment: JSONValue, _ out: inout [UInt8]) {
        line(attachment["pretext"], &out)
        line(attachment["author_name"] ?? attachment["author_subname"], &out)
        title(attachment, &out)
        let body = out.count
        if let blocks = blocks(of: attachment) {
            Marks.beginLine(&out)
            var writer = SlackBlocks(names: names)
            writer.append(blocks, to: &out)
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

    /// The blocks of the attachment, or of the message that was shared.
    private func blocks(of attachment: JSONValue) -> JSONValue? {
        if let blocks = attachment["blocks"], blocks.isArray { return blocks }
        if let shared = attachment["message_blocks"] {
            for part in shared.elements {
                if let blocks = part["message"]?["blocks"], blocks.isArray { return blocks }
            }
        }
        return nil
    }

    private func fields(_ fields: JSONValue?, _ out: inout [UInt8]) {
        guard let fields else { return }
        for field in fields.elements {
            let title = field["title"]?.bytes ?? .empty
            let value = field["value"]?.bytes ?? .empty
            guard !title.isEmpty || !value.isEmpty else { continue }
            Marks.beginLine(&out)
            Mrkdwn(names: names).append(title, to: &out)
            if !title.isEmpty, !value.isEmpty { out += Array(": ".utf8) }
            Mrkdwn(names: names).append(value, to: &out)
        }
    }
}
