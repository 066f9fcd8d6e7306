internal import Dates

/// Converts the lines of signal-export.
final class SignalLineConverter: Converter {
    private let file: String
    private let folder: Substring
    private let tree = JSONTree()
    private var clock: LocalClock
    private var identity = LineIdentity()

    init(_ feed: Feed, zone: Zone) {
        file = feed.file
        folder = feed.file.lastIndex(of: "/").map { feed.file[..<$0] } ?? ""
        clock = LocalClock(zone)
    }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        var at = 0
        while at < bytes.count {
            let rest = Bytes(rebasing: bytes[at...])
            let length = rest.lineLength
            guard length < rest.count || isEnd || rest.count > Record.longest else { break }
            let line = Bytes(rebasing: rest[..<length]).withoutReturn
            if !line.isEmpty {
                // The bytes after a line are its padding: those of the next line, or those after the chunk.
                let record = length > Record.longest ? nil : tree.parse(line, padding: 64)
                if let kind = record.map({ write($0, into: &writer) }) ?? "record is not valid JSON" {
                    writer.problem(ForeignProblem(file: file, place: .byte(offset + Int64(at)), kind: kind))
                }
            }
            at = min(bytes.count, at + length + 1)
        }
        return at
    }

    /// Fields that are read, or say nothing of what a message consists of.
    private static let known: Set<String> = [
        "date", "sender", "body", "quote", "reactions", "deleted", "call", "missed", "outgoing", "edited", "read",
    ]

    /// - Returns: what is wrong with the record.
    private func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        guard let date = record["date"]?.bytes, let sender = record["sender"]?.bytes, !sender.isEmpty,
            let moment = clock.moment(date), let written = IRCStamp(Bytes(rebasing: date[..<19]), .dated),
            let day = written.day
        else { return "message without a sender or a time" }
        let text = text(of: record)
        text.withUnsafeBytes { identity.next(day: day, second: written.second, kind: 0, name: sender, text: $0) }
        identity.id.withUnsafeBytes { writer.message(id: $0, at: moment) }
        writer.text("from", sender)
        writer.person(sender, name: sender)
        if record["deleted"]?.isTrue == true {
            writer.flag("deleted")
        } else {
            writer.text("text", text)
            if record["call"]?.isTrue == true { writer.text("kind", Bytes("system")) }
            writer.attachments(attachments(of: record))
            writer.reactions(reactions(of: record))
        }
        return writer.end(record, known: SignalLineConverter.known)
    }

    /// The quote, which names no message, and the text.
    private func text(of record: JSONValue) -> [UInt8] {
        var text: [UInt8] = []
        for byte in (record["quote"]?.bytes).map(Array.init) ?? [] where !(text.isEmpty && byte == 10) {
            text.append(byte)
        }
        while text.last == 10 { text.removeLast() }
        if !text.isEmpty { text.append(10) }
        text += (record["body"]?.bytes).map(Array.init) ?? []
        // Markdown's line feed: two blanks at the end of each text.
        while text.last == 0x20 || text.last == 0x0A { text.removeLast() }
        if let sticker = record["sticker"], sticker.isObject, text.isEmpty {
            text = Array("Sticker".utf8)
            if let emoji = sticker["emoji"]?.bytes, !emoji.isEmpty { text = Array(emoji) + [0x20] + text }
        }
        if text.isEmpty, record["call"]?.isTrue == true {
            text = Array((record["missed"]?.isTrue == true ? "Missed call" : "Call").utf8)
        }
        text.removeAll { $0 < 32 && $0 != 9 && $0 != 10 || $0 == 127 }
        return text
    }

    private func attachments(of record: JSONValue) -> [ForeignAttachment] {
        guard let list = record["attachments"] else { return [] }
        return list.elements.compactMap { item in
            guard let name = item["name"]?.string else { return nil }
            let missing = item["missing_kind"]?.string
            let isThere = missing == nil
            return ForeignAttachment(
                name: !name.isEmpty ? name : missing.map { "\($0) (not exported)" } ?? "file",
                path: isThere ? item["path"]?.string.flatMap { Source.inside($0, of: folder) } : nil)
        }
    }

    private func reactions(of record: JSONValue) -> [ForeignReaction] {
        guard let list = record["reactions"] else { return [] }
        var (order, people) = ([String](), [String: [String]]())
        for item in list.elements {
            // A pair of a name and an emoji.
            let pair = item.elements.compactMap(\.string)
            guard pair.count == 2, !pair[1].isEmpty else { continue }
            if people[pair[1]] == nil { order.append(pair[1]) }
            people[pair[1], default: []].append(pair[0])
        }
        return order.map { ForeignReaction(emoji: $0, count: people[$0]?.count ?? 1, people: people[$0] ?? []) }
    }
}
