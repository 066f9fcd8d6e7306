/// Messages with headings, lists and tables, which Telegram Desktop 7 writes as `rich_message` in place of a text:
/// `{"blocks": [{"type": "heading", "text": {"type": "concat", "text": [{"type": "plain", "text": "…"}, …]}}, …]}`
enum TelegramRich {
    static func add(_ message: JSONValue, to text: inout MarkedText) {
        for block in (message["blocks"] ?? message).elements { add(block: block, to: &text) }
    }

    /// A block, which holds a text, or further blocks: the items of a list, the rows of a table.
    /// - Parameter mark: stands before its first text.
    private static func add(block: JSONValue, mark: String = "", to text: inout MarkedText) {
        if let plain = block.bytes {
            text.endLine()
            text.add(mark)
            return text.add(plain)
        }
        if block.isArray {
            for (place, part) in block.elements.enumerated() {
                add(block: part, mark: place == 0 ? mark : "", to: &text)
            }
            return
        }
        let type = block["type"]?.string ?? ""
        var isFirst = true
        block.forEachSetField { name, value in
            guard !(name == "type"), !(name == "language"), !(name == "href"), !(name == "url") else { return }
            if name == "text" || name == "caption" || name == "title" {
                text.endLine()
                if isFirst, !mark.isEmpty { text.add(mark) }
                isFirst = false
                if type == "heading" || type == "title" {
                    heading(value, to: &text)
                } else if type == "pre" || type == "preformatted" {
                    fence(value, block["language"]?.bytes ?? .empty, to: &text)
                } else if type.contains("quote") {
                    quote(value, to: &text)
                } else {
                    add(inline: value, look: nil, to: &text)
                }
            } else if name == "items" {
                for item in value.elements { add(block: item, mark: "- ", to: &text) }
            } else if value.isArray || value.isObject {
                add(block: value, mark: isFirst ? mark : "", to: &text)
            }
        }
    }

    private static func heading(_ value: JSONValue, to text: inout MarkedText) {
        let words = plain(value)
        words.withUnsafeBytes { text.add($0, .bold) }
    }

    private static func fence(_ value: JSONValue, _ language: Bytes, to text: inout MarkedText) {
        plain(value).withUnsafeBytes { text.addFence($0, language: language) }
    }

    private static func quote(_ value: JSONValue, to text: inout MarkedText) {
        plain(value).withUnsafeBytes { text.addQuote($0) }
    }

    /// A text, an array of texts, or an object that gives a text a look.
    private static func add(inline value: JSONValue, look: MarkedText.Look?, to text: inout MarkedText) {
        if let words = value.bytes {
            if let look { text.add(words, look) } else { text.add(words) }
            return
        }
        for part in value.elements { add(inline: part, look: look, to: &text) }
        guard let inner = value["text"] else { return }
        let type = value["type"]?.bytes ?? .empty
        if type == "code" || type == "fixed" {
            plain(inner).withUnsafeBytes { text.addCode($0) }
        } else if let address = (value["href"] ?? value["url"])?.bytes {
            plain(inner).withUnsafeBytes { text.addLink($0, to: address) }
        } else {
            add(inline: inner, look: self.look(type) ?? look, to: &text)
        }
    }

    private static func look(_ type: Bytes) -> MarkedText.Look? {
        if type == "bold" { return .bold }
        if type == "italic" { return .italic }
        if type == "underline" { return .underlined }
        if type == "strikethrough" { return .struck }
        return type == "spoiler" ? .spoiler : nil
    }

    /// The text without looks.
    private static func plain(_ value: JSONValue) -> [UInt8] {
        if let words = value.bytes { return Array(words) }
        return value.elements.flatMap(plain) + (value["text"].map(plain) ?? [])
    }
}
