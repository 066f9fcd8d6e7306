internal import JSON
/// Texts of messages: a string, or an array of strings and `{type, text, …}`, which together make the text.
enum TelegramText {
    static func add(_ text: JSONValue?, to result: inout MarkedText) {
        guard let text else { return }
        if let plain = text.bytes { return result.add(plain) }
        for piece in text.elements {
            if let plain = piece.bytes {
                result.add(plain)
            } else if let text = piece["text"]?.bytes {
                add(text, piece, to: &result)
            }
        }
    }

    private static func add(_ text: Bytes, _ piece: JSONValue, to result: inout MarkedText) {
        guard let type = piece["type"]?.bytes else { return result.add(text) }
        switch type.count {
        case 3 where type == "pre": result.addFence(text, language: piece["language"]?.bytes ?? .empty)
        case 4 where type == "bold": result.add(text, .bold)
        case 4 where type == "code": result.addCode(text)
        case 6 where type == "italic": result.add(text, .italic)
        case 7 where type == "spoiler": result.add(text, .spoiler)
        case 9 where type == "underline": result.add(text, .underlined)
        case 9 where type == "text_link": result.addLink(text, to: piece["href"]?.bytes ?? .empty)
        case 10 where type == "blockquote": result.addQuote(text)
        case 12 where type == "mention_name": addMention(text, to: &result)
        case 13 where type == "strikethrough": result.add(text, .struck)
        default: result.add(text)
        }
    }

    /// Adds a mention. The export has no "@" before a person without a user name.
    private static func addMention(_ text: Bytes, to result: inout MarkedText) {
        if text.first != UInt8(ascii: "@") { result.add("@") }
        result.add(text)
    }

    /// The text without marks, for use inside a line.
    static func plain(_ text: JSONValue?) -> String {
        var result = MarkedText()
        add(text, to: &result)
        return String(decoding: result.bytes, as: UTF8.self)
    }
}

/// Messages with headings, lists and tables, which Telegram Desktop 7 writes as `rich_message` in place of a text:
/// `{"blocks": [{"type": "heading", "text": {"type": "concat", "text": [{"type": "plain", "text": "…"}, …]}}, …]}`
enum TelegramRich {
    static func add(_ message: JSONValue, to text: inout MarkedText) {
        for block in (message["blocks"] ?? message).elements { add(block: block, to: &text) }
    }

    /// Adds a block: a text, or further blocks such as the items of a list or the rows of a table.
    /// - Parameter mark: inserted before its first text.
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
                    plain(value).withUnsafeBytes { text.add($0, .bold) }
                } else if type == "pre" || type == "preformatted" {
                    let language = block["language"]?.bytes ?? .empty
                    plain(value).withUnsafeBytes { text.addFence($0, language: language) }
                } else if type.contains("quote") {
                    plain(value).withUnsafeBytes { text.addQuote($0) }
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

    /// Adds a text, an array of texts, or an object that gives a look to a text.
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

/// The lines below a message: a bot's buttons, and the author of a post in a channel.
enum TelegramFoot {
    static func add(_ record: JSONValue, to text: inout MarkedText) {
        for row in record["inline_bot_buttons"].list {
            var isFirst = true
            text.endLine()
            for button in row.elements {
                guard let title = button["text"]?.bytes, !title.isEmpty else { continue }
                if !isFirst { text.add(" ") }
                isFirst = false
                add(button, title, to: &text)
            }
        }
        if let author = record["author"]?.string, !author.isEmpty {
            text.endLine()
            text.addLine("— \(author)")
        }
    }

    private static func add(_ button: JSONValue, _ title: Bytes, to text: inout MarkedText) {
        if button["type"]?.string == "url", let address = button["data"]?.bytes {
            text.addLink(title, to: address)
        } else {
            text.add("[")
            text.add(title)
            text.add("]")
        }
    }
}

/// Formats amounts, which Telegram counts in a currency's smallest units.
enum TelegramMoney {
    private static let withoutUnits: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "UGX", "UYI", "VND", "VUV",
        "XAF", "XOF", "XPF",
    ]

    /// `12.50 EUR`; `XTR` stands for Telegram Stars.
    static func text(_ amount: Int64?, _ currency: String?) -> String {
        guard let amount, let currency else { return "" }
        if currency == "XTR" { return "\(amount) Stars" }
        if withoutUnits.contains(currency) { return "\(amount) \(currency)" }
        let (units, rest) = (amount.magnitude / 100, amount.magnitude % 100)
        return "\(amount < 0 ? "-" : "")\(units).\(rest < 10 ? "0" : "")\(rest) \(currency)"
    }

    /// An amount from whole units and billionths: `2.5 TON`.
    static func text(whole: Int64, billionths: Int64, _ unit: String) -> String {
        guard billionths != 0 else { return "\(whole) \(unit)" }
        var digits = String(billionths.magnitude)
        digits = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits) \(unit)"
    }
}

/// Names for people whom the export does not name.
enum TelegramNames {
    static let deletedName = "Deleted Account"

    static func of(_ value: JSONValue?) -> String {
        guard let name = value?.string, !name.isEmpty else { return deletedName }
        return name
    }

    /// `Ana, Ben and Cem`
    static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// The line above a message that comes from somewhere else.
enum TelegramOrigin {
    static func add(_ record: JSONValue, to text: inout MarkedText) {
        let bot = record["via_bot"]?.string.map { "via \($0)" }
        let source: String? =
            if let name = record["forwarded_from"] {
                "Forwarded from \(name.string ?? TelegramNames.deletedName)"
            } else if let name = record["saved_from"] {
                "Saved from \(name.string ?? TelegramNames.deletedName)"
            } else { nil }
        text.addLine([source, bot].compactMap { $0 }.joined(separator: " "))
    }
}
