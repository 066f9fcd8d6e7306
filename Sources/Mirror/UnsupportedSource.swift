internal import Formats

/// Recognises chats that Kedge does not read, so that the error can name them instead of listing formats.
enum UnsupportedSource {
    /// `the database of Apple Messages, …`, which completes "this looks like …"; nil for anything else.
    static func look(of source: Source) -> String? {
        for file in source.files.prefix(2_000) {
            guard let head = try? source.read(file, count: 8 << 10) else { continue }
            let text = String(decoding: head, as: UTF8.self)
            if let look = look(of: text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }, file.name.lowercased()) {
                return look
            }
        }
        return nil
    }

    /// A log may contain any words, so only special kinds of files are checked.
    private static func look(of text: Substring, _ name: String) -> String? {
        if text.hasPrefix("SQLite format 3") { return database(name) }
        if text.hasPrefix("[LINE] ") { return "a chat of LINE, which Kedge does not read" }
        if text.hasPrefix("{") || text.hasPrefix("[") {
            return records.first { $0.marks.allSatisfy { text.contains("\"\($0)\"") } }?.look
        }
        let beginning = text.prefix(512).lowercased()
        if beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html") {
            return pages.first { $0.marks.allSatisfy { text.contains($0) } }?.look
        }
        return nil
    }

    private static func database(_ name: String) -> String {
        switch name {
        case "chat.db":
            "the database of Apple Messages, which Kedge does not read: convert it with imessage-exporter"
        case "msgstore.db": "the database of WhatsApp, which Kedge does not read: use \"Export chat\" in WhatsApp"
        case "main.db": "the database of Skype, which Kedge does not read"
        case "slackdump.sqlite":
            "a slackdump archive with tables that Kedge does not know: run `slackdump convert -f export`"
        default: "an SQLite database, which Kedge does not read: \(name)"
        }
    }

    /// Recognised by the keys of their records.
    private static let records: [(marks: [String], look: String)] = [
        (["userId", "exportDate", "conversations"], "an export of Skype, which Kedge does not read"),
        (["creator", "created_date", "topic_id"], "an export of Google Chat, which Kedge does not read"),
        (
            ["conversation_id", "chat_id", "participant_data"],
            "an export of Google Hangouts, which Kedge does not read"
        ),
        (["Media Type", "Created", "IsSender"], "an export of Snapchat, which Kedge does not read"),
    ]

    /// Recognised by the classes of their elements.
    private static let pages: [(marks: [String], look: String)] = [
        (
            ["class=\"thread\"", "class=\"message_header\""],
            "an HTML export of Facebook from before 2018, which Kedge does not read: ask for JSON under \"Download your information\""
        ),
        (
            ["class=\"msg\"", "class=\"msg-"],
            "an HTML export of DiscordChatExporter from before 2019, which Kedge does not read: export again as JSON"
        ),
        (["class=\"mx_"], "a page of Element without messages; export as JSON"),
        (["_a6-g"], "a page of Facebook or Instagram that holds no chat"),
    ]
}
