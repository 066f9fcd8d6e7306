internal import Dates
internal import JSON

/// Makes IDs of messages from their times. Two people may write in the same millisecond.
struct SignalTimes {
    private var counts: [Int64: Int] = [:]

    mutating func next(_ time: Int64) -> String {
        counts[time, default: 0] += 1
        let count = counts[time] ?? 1
        return count == 1 ? String(time) : "\(time).\(count)"
    }

    /// The time in milliseconds; nil if a record cannot contain its year.
    static func valid(_ time: Int64) -> Int64? { Timestamp.writable.contains(time) ? time : nil }
}

/// Converts rows of Signal's database. Telephone numbers are left out.
final class SignalRows {
    private let names: ForeignNames
    /// The other person's name, for rows that identify people only by telephone number.
    private let title: [UInt8]
    private var times = SignalTimes()

    init(names: ForeignNames, title: String) {
        self.names = names
        self.title = Array(title.utf8)
    }

    static func time(of row: JSONValue) -> Int64? {
        (row["sent_at"]?.integer ?? row["timestamp"]?.integer).flatMap(SignalTimes.valid)
    }

    /// The ID of the person who sent a message to the owner.
    static func person(of row: JSONValue) -> String? {
        for field in [row["sourceServiceId"], row["sourceUuid"]] {
            if let id = field?.string, !id.isEmpty, !id.hasPrefix("+") { return id }
        }
        return nil
    }

    /// Fields with content. The other fields of the database are about delivery.
    private static let contents: Set<String> = [
        "body", "sticker", "contact", "preview", "payment", "giftBadge", "storyReplyContext", "poll", "attachments",
    ]

    /// - Returns: the error in the row.
    func write(_ row: JSONValue, into writer: inout RecordWriter) -> String? {
        guard row.isObject, let time = SignalRows.time(of: row) else { return "message without a time" }
        writer.message(id: times.next(time), at: Timestamp(milliseconds: time))
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
            row["attachments"].list.map { file in
                ForeignAttachment(
                    name: file["fileName"]?.string ?? file["contentType"]?.string ?? "file", size: file["size"]?.integer
                )
            })
        // Rows identify the people who reacted only by IDs of conversations.
        writer.reactions(Reactions(row["reactions"]) { ($0["emoji"]?.string ?? "", "") }.list)
    }

    /// The time of the message that this one quotes; Signal identifies messages by time.
    private func quoted(_ row: JSONValue) -> String? {
        guard let id = row["quote"]?["id"] else { return nil }
        let time = id.integer ?? id.string.flatMap { Int64($0) }
        return time.flatMap { $0 > 0 ? String($0) : nil }
    }

    // MARK: - Text

    private func text(of row: JSONValue) -> [UInt8] {
        guard let body = row["body"]?.bytes, !body.isEmpty else {
            guard let sticker = row["sticker"], sticker.isObject else { return [] }
            return Array([sticker["emoji"]?.string ?? "", "Sticker"].joined(by: " ").utf8)
        }
        let shown = SignalRows.text(body.string, mentioning: row["bodyRanges"]) { person in
            names.person(person).map { String(decoding: $0, as: UTF8.self) }
        }
        var text = Array(shown.utf8)
        Marks.removeControls(&text)
        return text
    }

    /// A text with a name instead of each U+FFFC, which Signal writes for a mention.
    /// - Parameter name: returns the name of a mentioned person; nil if it is unknown.
    static func text(_ body: String, mentioning ranges: JSONValue?, _ name: (Bytes) -> String?) -> String {
        let mentions = ranges.list.compactMap { range in
            (range["mentionAci"] ?? range["mentionUuid"])?.bytes.map { (start: range["start"]?.integer ?? 0, id: $0) }
        }
        guard !mentions.isEmpty else { return body }
        var rest = mentions.sorted { $0.start < $1.start }[...]
        return body.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "\u{FFFC}", let mention = rest.popFirst() {
                text += "@" + (name(mention.id) ?? "somebody")
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
