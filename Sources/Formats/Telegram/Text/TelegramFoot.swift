/// The lines below a message: the buttons of a bot, and the author of a post in a channel.
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
