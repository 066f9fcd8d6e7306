internal import Dates

/// Converts rows of Signal's database. Telephone numbers are left out.
final class SignalRows {
    private let names: ForeignNames
    /// The person of a row that names nobody but by a telephone number.
    private let title: [UInt8]
    /// How often each time occurred: two people may write in the same millisecond.
    private var times: [Int64: Int] = [:]

    init(names: ForeignNames, title: String) {
        self.names = names
        self.title = Array(title.utf8)
    }

    static func time(of row: JSONValue) -> Int64? {
        let time = row["sent_at"]?.integer ?? row["timestamp"]?.integer
        return time.flatMap { (0..<253_402_300_800_000).contains($0) ? $0 : nil }
    }

    /// The ID of the person who sent a message to the owner.
    static func person(of row: JSONValue) -> String? {
        for field in [row["sourceServiceId"], row["sourceUuid"]] {
            if let id = field?.string, !id.isEmpty, !id.hasPrefix("+") { return id }
        }
        return nil
    }

    /// Fields that hold what a message consists of. The others of the database are about its delivery.
    private static let contents: Set<String> = [
        "body", "sticker", "contact", "preview", "payment", "giftBadge", "storyReplyContext", "poll", "attachments",
    ]

    /// - Returns: what is wrong with the row.
    func write(_ row: JSONValue, into writer: inout RecordWriter) -> String? {
        guard row.isObject, let time = SignalRows.time(of: row) else { return "message without a time" }
        let count = (times[time] ?? 0) + 1
        times[time] = count
        let id = Array((count == 1 ? "\(time)" : "\(time).\(count)").utf8)
        id.withUnsafeBytes { writer.message(id: $0, at: Timestamp(milliseconds: time)) }
        let type = row["type"]?.bytes ?? .empty
        let isMessage = type == "incoming" || type == "outgoing" || type.isEmpty && row["body"]?.isString == true
        if isMessage { writer.text("from", sender(of: row, isMine: type == "outgoing")) }
        if row["deletedForEveryone"]?.isTrue == true {
            writer.flag("deleted")
        } else if isMessage {
            content(of: row, into: &writer)
        } else {
            writer.text("text", event(type))
            writer.text("kind", Bytes("system"))
        }
        guard writer.isBlank else {
            writer.end()
            return nil
        }
        var other: Set<String> = []
        row.forEachSetField { name, _ in
            if !SignalRows.contents.contains(name.string) { other.insert(name.string) }
        }
        return writer.end(row, known: other)
    }

    private func sender(of row: JSONValue, isMine: Bool) -> [UInt8] {
        isMine ? Array("me".utf8) : SignalRows.person(of: row).map { Array($0.utf8) } ?? title
    }

    /// `Group v2 change` for `group-v2-change`
    private func event(_ type: Bytes) -> [UInt8] {
        guard let first = type.first else { return Array("Event".utf8) }
        return [first &- ((first &- 0x61) < 26 ? 0x20 : 0)] + type.dropFirst().map { $0 == 0x2D ? 0x20 : $0 }
    }

    private func content(of row: JSONValue, into writer: inout RecordWriter) {
        writer.text("text", text(of: row))
        if let quoted = quoted(row) { writer.text("replyTo", quoted) }
        if let history = row["editHistory"], history.elements.contains(where: { $0.isObject }) { writer.flag("edited") }
        writer.attachments(
            (row["attachments"]?.elements).map { list in
                list.map { file in
                    ForeignAttachment(
                        name: file["fileName"]?.string ?? file["contentType"]?.string ?? "file",
                        size: file["size"]?.integer)
                }
            } ?? [])
        writer.reactions(reactions(of: row))
    }

    /// The time of the message to which this one replies, by which Signal names it.
    private func quoted(_ row: JSONValue) -> String? {
        guard let id = row["quote"]?["id"] else { return nil }
        let time = id.integer ?? id.string.flatMap { Int64($0) }
        return time.flatMap { $0 > 0 ? String($0) : nil }
    }

    // MARK: - Text

    /// The text with names where Signal keeps U+FFFC for a mention.
    private func text(of row: JSONValue) -> [UInt8] {
        guard let body = row["body"]?.bytes, !body.isEmpty else {
            guard let sticker = row["sticker"], sticker.isObject else { return [] }
            return Array([sticker["emoji"]?.string ?? "", "Sticker"].joined(by: " ").utf8)
        }
        var mentions = mentioned(row)[...]
        var text: [UInt8] = []
        var at = 0
        while at < body.count {
            if body[at] == 0xEF, at + 2 < body.count, body[at + 1] == 0xBF, body[at + 2] == 0xBC,
                let person = mentions.popFirst()
            {
                text.append(UInt8(ascii: "@"))
                text += names.person(person) ?? Array("somebody".utf8)
                at += 3
                continue
            }
            if body[at] >= 32 && body[at] != 127 || body[at] == 9 || body[at] == 10 { text.append(body[at]) }
            at += 1
        }
        return text
    }

    /// The IDs of the people in the text, in their order.
    private func mentioned(_ row: JSONValue) -> [Bytes] {
        guard let ranges = row["bodyRanges"] else { return [] }
        var found: [(start: Int64, person: Bytes)] = []
        for range in ranges.elements {
            guard let person = (range["mentionAci"] ?? range["mentionUuid"])?.bytes else { continue }
            found.append((range["start"]?.integer ?? 0, person))
        }
        return found.sorted { $0.start < $1.start }.map(\.person)
    }

    /// Rows name those who reacted by IDs of conversations, which tell no person.
    private func reactions(of row: JSONValue) -> [ForeignReaction] {
        var reactions = Reactions()
        for reaction in row["reactions"].list { reactions.add(reaction["emoji"]?.string ?? "", by: "") }
        return reactions.list
    }
}
