internal import Formats

/// Chats that Kedge does not read, by the marks of their files: who opens one is told what it is, instead of a list of formats.
enum UnsupportedSource {
    /// `a slackdump archive (slackdump.sqlite), …`, which completes "this looks like …"; nil for anything else.
    static func look(of source: Source) -> String? {
        for file in source.files.prefix(2_000) {
            guard let head = try? source.read(file, count: 8 << 10) else { continue }
            let text = String(decoding: head, as: UTF8.self)
            if let look = look(of: text, file.name.lowercased()) { return look }
        }
        return nil
    }

    private static func look(of text: String, _ name: String) -> String? {
        if text.hasPrefix("SQLite format 3") {
            switch name {
            case "slackdump.sqlite":
                return "a slackdump archive in SQLite, which Kedge does not read: "
                    + "run `slackdump convert -f export` and open the result"
            case "chat.db":
                return "the database of Apple Messages, which Kedge does not read"
            case "msgstore.db":
                return "the database of WhatsApp, which Kedge does not read: use \"Export chat\" of WhatsApp"
            default: return "an SQLite database, which Kedge does not read: \(name)"
            }
        }
        if text.hasPrefix("From "), text.contains("\nSubject: ") || text.contains("\nFrom: ") {
            return "a mailbox (mbox), which Kedge does not read"
        }
        if text.hasPrefix("AuthorID,Author,Date,Content") || text.hasPrefix("\u{FEFF}AuthorID,Author,Date,Content") {
            return "a CSV file of DiscordChatExporter, which Kedge does not read: export as JSON or HTML"
        }
        if text.hasPrefix("ID,Timestamp,Contents,Attachments") {
            return "the data package of Discord, which Kedge does not read: it holds only your own messages"
        }
        if text.contains("mx_EventTile") {
            return "an HTML export of Element, which Kedge does not read: export as JSON"
        }
        if text.contains("class=\"chatlog__messagegroup\"")
            || text.contains("class=\"chatlog\"") && text.contains("info__")
        {
            return "an old HTML export of DiscordChatExporter, which Kedge does not read: export again as JSON or HTML"
        }
        if text.contains("_a6-g") || text.contains("class=\"pam _3-95") {
            return
                "an HTML export of Facebook, which Kedge does not read: ask for JSON under \"Download your information\""
        }
        if text.contains("\"zerver_realm\"") || name == "realm.json" && text.contains("zerver_") {
            return "an export of a Zulip server, which Kedge does not read: use zulip-archive"
        }
        if text.contains("class=\"message\"") && text.contains("class=\"sent ")
            || text.contains("class=\"sent iMessage\"")
        {
            return "an HTML export of imessage-exporter, which Kedge does not read"
        }
        return nil
    }
}
