internal import Dates
internal import JSON

/// Writes posts and their replies as native records.
struct MattermostPost {
    private let folder: Substring
    private var id: [UInt8] = []
    private var text: [UInt8] = []
    private let tree = JSONTree()

    init(folder: Substring) { self.folder = folder }

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "team", "channel", "channel_members", "participants", "user", "type", "message", "create_at", "edit_at",
        "delete_at", "reactions", "replies", "flagged_by", "is_pinned", "thread_followers", "id",
    ]

    /// - Returns: the error in the post or its replies.
    mutating func write(_ post: JSONValue, into writer: inout RecordWriter) -> String? {
        var problem = write(post, thread: nil, into: &writer)
        guard problem != MattermostPost.timeless else { return problem }
        let root = id
        for reply in post["replies"].list { problem = write(reply, thread: root, into: &writer) ?? problem }
        return problem
    }

    private static let timeless = "post without a time"

    private mutating func write(_ post: JSONValue, thread: [UInt8]?, into writer: inout RecordWriter) -> String? {
        guard let time = post["create_at"]?.integer, time > 0, time < 4_000_000_000_000 else {
            return MattermostPost.timeless
        }
        let user = post["user"]?.bytes ?? .empty
        let message = post["message"]?.bytes ?? .empty
        var hash = LineHash()
        hash.add(user)
        hash.add(message)
        identify(time, hash.value)
        let key = time << 20 | Int64(hash.value & 0xF_FFFF)
        id.withUnsafeBytes { writer.message(id: $0, at: Timestamp(milliseconds: time), key: key) }
        // The props are an object, or a string that contains an object.
        let props = post["props"].flatMap { $0.bytes.map { tree.parse($0) } ?? $0 }
        writeSender(user, props, &writer)
        text.removeAll(keepingCapacity: true)
        ShortCodes.append(message, to: &text)
        append((props?["attachments"]).list)
        writer.text("text", text)
        writeKind(post["type"]?.bytes ?? .empty, &writer)
        if let thread { writer.text("thread", thread) }
        if post["edit_at"]?.integer ?? 0 > 0 { writer.flag("edited") }
        writer.attachments(post["attachments"].list.compactMap(attachment))
        writer.reactions(MattermostPost.reactions(post["reactions"].list))
        return writer.end(post, known: MattermostPost.known)
    }

    /// Writes the sender. A webhook or a bot has its own name in each post.
    private func writeSender(_ user: Bytes, _ props: JSONValue?, _ writer: inout RecordWriter) {
        guard let name = props?["override_username"]?.bytes ?? props?["webhook_display_name"]?.bytes, !name.isEmpty
        else {
            if !user.isEmpty { writer.text("from", user) }
            return
        }
        writer.sender(user, nowNamed: name)
    }

    /// Appends the contents of webhooks' and bots' posts, as quotes if the post has a text.
    private mutating func append(_ attachments: JSONValue.Elements) {
        let isQuote = !text.isEmpty
        for attachment in attachments {
            var piece: [UInt8] = []
            func line(_ value: JSONValue?, link: Bytes = .empty) {
                guard let words = value?.bytes, !words.isEmpty else { return }
                Marks.beginLine(&piece)
                if link.isEmpty {
                    ShortCodes.append(words, to: &piece)
                } else {
                    Marks.appendLink(link, label: words, to: &piece)
                }
            }
            line(attachment["pretext"])
            line(attachment["author_name"], link: attachment["author_link"]?.bytes ?? .empty)
            line(attachment["title"], link: attachment["title_link"]?.bytes ?? .empty)
            line(attachment["text"])
            for field in attachment["fields"].list {
                let title = field["title"]?.bytes ?? .empty
                let value = field["value"].flatMap { $0.string ?? $0.integer.map(String.init) } ?? ""
                guard !title.isEmpty || !value.isEmpty else { continue }
                Marks.beginLine(&piece)
                ShortCodes.append(title, to: &piece)
                piece += Array((title.isEmpty || value.isEmpty ? value : ": " + value).utf8)
            }
            line(attachment["footer"])
            for value in [attachment["fallback"], attachment["image_url"], attachment["thumb_url"]] where piece.isEmpty
            {
                line(value)
            }
            Marks.appendBlock(piece, isQuote: isQuote, to: &text)
        }
    }

    /// `1714550400000-qbdtza`
    private mutating func identify(_ time: Int64, _ hash: UInt64) {
        id = Array("\(time)-".utf8)
        var rest = hash
        for _ in 0..<6 {
            id.append(UInt8(97 + rest % 26))
            rest /= 26
        }
    }

    private func writeKind(_ type: Bytes, _ writer: inout RecordWriter) {
        if type == "me" || type == "slash_me" { return writer.text("kind", "action") }
        guard type.starts(with: "system_") else { return }
        writer.text("kind", "system")
        if type.starts(with: "system_join_") { writer.text("presence", "join") }
        if type.starts(with: "system_leave_") { writer.text("presence", "leave") }
    }

    private func attachment(_ file: JSONValue) -> ForeignAttachment? {
        guard let path = file["path"]?.string, !path.isEmpty else { return nil }
        let inside = Source.inside(path, of: folder.isEmpty ? "data" : folder + "/data")
        return ForeignAttachment(
            name: String(SourceFile.name(of: path)),
            path: path.hasPrefix("data/") ? Source.inside(path, of: folder) : inside)
    }

    /// The reactions of all people, in the order in which each emoji was first used.
    private static func reactions(_ list: JSONValue.Elements) -> [ForeignReaction] {
        var reactions = Reactions()
        for reaction in list {
            var emoji: [UInt8] = []
            if let name = reaction["emoji_name"]?.bytes, !name.isEmpty { SlackEmoji.append(name, to: &emoji) }
            reactions.add(String(decoding: emoji, as: UTF8.self), by: reaction["user"]?.string ?? "")
        }
        return reactions.list
    }
}
