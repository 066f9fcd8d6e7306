internal import Dates
internal import JSON

/// Converts the lines of signal-export.
final class SignalLines {
    private let folder: Substring
    private var clock: LocalClock
    private var identity = LineIdentity()

    init(_ feed: Feed, zone: Zone) {
        folder = feed.folder
        clock = LocalClock(zone)
    }

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "date", "sender", "body", "quote", "reactions", "deleted", "call", "missed", "outgoing", "edited", "read",
    ]

    /// - Returns: the error in the record.
    func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        guard let date = record["date"]?.bytes, let sender = record["sender"]?.bytes, !sender.isEmpty,
            let (day, second) = date.dayAndSecond
        else { return "message without a sender or a time" }
        let text = text(of: record)
        let name = Array(sender)
        writer.message(
            id: identity.next(day: day, second: second, name: name, text: text),
            at: clock.moment(day: day, second: second))
        writer.sender(name)
        if record["deleted"]?.isTrue == true {
            writer.flag("deleted")
        } else {
            writer.text("text", text)
            if record["call"]?.isTrue == true { writer.text("kind", Bytes("system")) }
            writer.attachments(attachments(of: record))
            let reactions = Reactions(record["reactions"]) { reaction in
                let pair = reaction.elements.compactMap(\.string)
                return pair.count == 2 ? (pair[1], pair[0]) : ("", "")
            }
            writer.reactions(reactions.list)
        }
        return writer.end(record, known: SignalLines.known)
    }

    /// The text, after the quote, which does not identify the quoted message.
    private func text(of record: JSONValue) -> [UInt8] {
        var text: [UInt8] = []
        for byte in (record["quote"]?.bytes).map(Array.init) ?? [] where !(text.isEmpty && byte == 10) {
            text.append(byte)
        }
        while text.last == 10 { text.removeLast() }
        if !text.isEmpty { text.append(10) }
        text += (record["body"]?.bytes).map(Array.init) ?? []
        // Every text ends with a line break of Markdown: two blanks.
        while text.last == 0x20 || text.last == 0x0A { text.removeLast() }
        if let sticker = record["sticker"], sticker.isObject, text.isEmpty {
            text = Array("Sticker".utf8)
            if let emoji = sticker["emoji"]?.bytes, !emoji.isEmpty { text = Array(emoji) + [0x20] + text }
        }
        if text.isEmpty, record["call"]?.isTrue == true {
            text = Array((record["missed"]?.isTrue == true ? "Missed call" : "Call").utf8)
        }
        Marks.removeControls(&text)
        return text
    }

    private func attachments(of record: JSONValue) -> [ForeignAttachment] {
        record["attachments"].list.compactMap { item in
            guard let name = item["name"]?.string else { return nil }
            let missing = item["missing_kind"]?.string
            let isThere = missing == nil
            return ForeignAttachment(
                name: !name.isEmpty ? name : missing.map { "\($0) (not exported)" } ?? "file",
                path: isThere ? item["path"]?.string.flatMap { Source.inside($0, of: folder) } : nil)
        }
    }
}
