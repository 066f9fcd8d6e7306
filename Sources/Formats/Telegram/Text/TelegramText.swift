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
        case 3 where type == "pre": addPre(text, piece, to: &result)
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

    private static func addPre(_ text: Bytes, _ piece: JSONValue, to result: inout MarkedText) {
        result.addFence(text, language: piece["language"]?.bytes ?? .empty)
    }

    /// The mention of a person without a user name is written without "@".
    private static func addMention(_ text: Bytes, to result: inout MarkedText) {
        if text.first != UInt8(ascii: "@") { result.add("@") }
        result.add(text)
    }

    /// The text without marks, for a line of something else.
    static func plain(_ text: JSONValue?) -> String {
        var result = MarkedText()
        add(text, to: &result)
        return String(decoding: result.bytes, as: UTF8.self)
    }
}
