internal import Dates

/// Writes posts and their replies as native records.
struct MattermostPost {
    private let folder: Substring
    private var id: [UInt8] = []
    private var text: [UInt8] = []

    init(folder: Substring) { self.folder = folder }

    /// - Returns: false for a post without a time.
    mutating func write(_ post: JSONValue, into writer: inout RecordWriter) -> Bool {
        guard let root = write(post, thread: nil, into: &writer) else { return false }
        guard let replies = post["replies"] else { return true }
        var isWhole = true
        for reply in replies.elements where write(reply, thread: root, into: &writer) == nil { isWhole = false }
        return isWhole
    }

    /// - Returns: the ID of the record.
    private mutating func write(_ post: JSONValue, thread: [UInt8]?, into writer: inout RecordWriter) -> [UInt8]? {
        guard let time = post["create_at"]?.integer, time > 0, time < 4_000_000_000_000 else { return nil }
        let user = post["user"]?.bytes ?? .empty
        let message = post["message"]?.bytes ?? .empty
        var hash = LineHash()
        hash.add(user)
        hash.add(message)
        identify(time, hash.value)
        let key = time << 20 | Int64(hash.value & 0xF_FFFF)
        id.withUnsafeBytes { writer.message(id: $0, at: Timestamp(milliseconds: time), key: key) }
        if !user.isEmpty { writer.text("from", user) }
        text.removeAll(keepingCapacity: true)
        ShortCodes.append(message, to: &text)
        writer.text("text", text)
        writeKind(post["type"]?.bytes ?? .empty, &writer)
        if let thread { writer.text("thread", thread) }
        if post["edit_at"]?.integer ?? 0 > 0 { writer.flag("edited") }
        if let files = post["attachments"] { writer.attachments(files.elements.compactMap(attachment)) }
        if let reactions = post["reactions"] { writer.reactions(MattermostPost.reactions(reactions)) }
        writer.end()
        return id
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

    /// The reactions of all people, by emoji in the order of their first.
    private static func reactions(_ list: JSONValue) -> [ForeignReaction] {
        var order: [String] = []
        var people: [String: [String]] = [:]
        for reaction in list.elements {
            guard let name = reaction["emoji_name"]?.bytes, !name.isEmpty else { continue }
            var emoji: [UInt8] = []
            SlackEmoji.append(name, to: &emoji)
            let text = String(decoding: emoji, as: UTF8.self)
            if people[text] == nil { order.append(text) }
            people[text, default: []].append(reaction["user"]?.string ?? "")
        }
        return order.map { emoji in
            let all = people[emoji] ?? []
            return ForeignReaction(emoji: emoji, count: all.count, people: all.filter { !$0.isEmpty })
        }
    }
}
