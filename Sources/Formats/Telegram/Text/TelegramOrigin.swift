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
