internal import Formats

/// Recognises chats that Kedge does not read, so that the error can name them instead of listing formats.
enum UnsupportedSource {
    /// `the database of Apple Messages, …`, which completes "this looks like …"; nil for anything else.
    static func look(of source: Source) -> String? {
        source.files.prefix(2_000).lazy.compactMap { look(of: $0, in: source) }.first
    }

    /// The same for a format that understands a source: nil if it also understands the source without the chats that Kedge does
    /// not read.
    /// - Parameter isCertain: true if the format is certain. Then only chats in lines of text count, which look like logs.
    static func look(of source: Source, understoodBy format: any Format, isCertain: Bool) -> String? {
        var looks: [String: String] = [:]
        for file in source.files.prefix(isCertain ? 24 : 2_000) {
            looks[file.path] = look(of: file, in: source, onlyLines: isCertain)
        }
        guard let look = looks.sorted(by: { $0.key < $1.key }).first?.value else { return nil }
        let others = source.renamed { looks[$0.path] == nil ? $0.path : nil }
        return format.recognise(others) == .no ? look : nil
    }

    private static func look(of file: SourceFile, in source: Source, onlyLines: Bool = false) -> String? {
        guard let head = try? source.read(file, count: onlyLines ? 200 : 8 << 10) else { return nil }
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return lines(text) ?? (onlyLines ? nil : look(of: text, file.name.lowercased()))
    }

    /// Chats in lines of text, by their first line.
    private static func lines(_ text: Substring) -> String? {
        if text.hasPrefix("[LINE] ") { return "a chat of LINE, which Kedge does not read" }
        let isKakao = text.hasPrefix("KakaoTalk Chats with ") || text.prefix { $0 != "\n" }.contains("님과 카카오톡 대화")
        return isKakao ? "a chat of KakaoTalk, which Kedge does not read" : nil
    }

    /// A log may contain any words, so only special kinds of files are checked.
    private static func look(of text: Substring, _ name: String) -> String? {
        if text.hasPrefix("SQLite format 3") { return database(name) }
        if text.hasPrefix("<?xml"), text.contains("<smses ") {
            return "a copy of SMS Backup & Restore, which Kedge does not read"
        }
        if name.hasPrefix("msgstore"), name.contains(".crypt") {
            return "an encrypted copy of WhatsApp, which Kedge does not read: use \"Export chat\" in WhatsApp"
        }
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
        (["_id", "rid", "msg", "_updatedAt"], "messages of Rocket.Chat, which Kedge does not read"),
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
