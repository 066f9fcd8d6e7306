internal import Dates

/// Converts the messages of a file, the newest of which stands first.
final class MessengerConverter: Converter {
    private let reader: JSONArrayReader
    private let folder: Substring
    /// The number of the file: the newest is 1.
    private let number: Int64
    private var count: Int64 = 0
    private var identity = LineIdentity()

    init(_ feed: Feed) {
        reader = JSONArrayReader(file: feed.file)
        folder = feed.file.lastIndex(of: "/").map { feed.file[..<$0] } ?? ""
        number = Int64(feed.setting) ?? 1
    }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        reader.read(bytes, at: offset, isEnd: isEnd, into: &writer) { record, writer in
            write(record, into: &writer) ? nil : "message without a sender or a time"
        }.consumed
    }

    private func write(_ record: JSONValue, into writer: inout RecordWriter) -> Bool {
        guard record.isObject, let name = record["sender_name"]?.bytes, let time = time(of: record) else {
            return false
        }
        count += 1
        let sender = MessengerText.decoded(name)
        let text = text(of: record)
        let seconds = time.flooredDivision(by: 1_000)
        let day = seconds.flooredDivision(by: 86_400)
        sender.withUnsafeBytes { sender in
            text.withUnsafeBytes { text in
                identity.next(day: Int(day), second: Int(seconds - day * 86_400), kind: 0, name: sender, text: text)
            }
        }
        identity.id.withUnsafeBytes {
            writer.message(id: $0, at: Timestamp(milliseconds: time), key: -(number << 40 + count))
        }
        writer.text("from", sender)
        sender.withUnsafeBytes { writer.person($0, name: $0) }
        if record["is_unsent"]?.isTrue == true {
            writer.flag("deleted")
        } else {
            writer.text("text", text)
            if isSystem(record) { writer.text("kind", Bytes("system")) }
            writer.attachments(attachments(of: record))
            writer.reactions(reactions(of: record))
        }
        writer.end()
        return true
    }

    /// In milliseconds since 1970, within the years that a day can be written in.
    private func time(of record: JSONValue) -> Int64? {
        guard let time = record["timestamp_ms"]?.integer, (0..<253_402_300_800_000).contains(time) else { return nil }
        return time
    }

    private func isSystem(_ record: JSONValue) -> Bool {
        guard let type = record["type"]?.bytes else { return record["call_duration"] != nil }
        return type == "Subscribe" || type == "Unsubscribe" || type == "Call"
    }

    /// The text, and the link of something that was shared.
    private func text(of record: JSONValue) -> [UInt8] {
        var text = record["content"]?.bytes.map { MessengerText.shown($0) } ?? []
        guard let link = record["share"]?["link"]?.bytes.map({ MessengerText.shown($0) }), !link.isEmpty,
            !String(decoding: text, as: UTF8.self).contains(String(decoding: link, as: UTF8.self))
        else { return text }
        if !text.isEmpty { text.append(10) }
        return text + link
    }

    // MARK: - Files and reactions

    private func attachments(of record: JSONValue) -> [ForeignAttachment] {
        var list: [ForeignAttachment] = []
        for value in [record["photos"], record["videos"], record["audio_files"], record["files"], record["gifs"]] {
            guard let value else { continue }
            list += value.elements.compactMap { attachment($0) }
        }
        if let sticker = record["sticker"], let file = attachment(sticker) { list.append(file) }
        return list
    }

    private func attachment(_ item: JSONValue) -> ForeignAttachment? {
        guard let bytes = item["uri"]?.bytes else { return nil }
        let uri = String(decoding: MessengerText.decoded(bytes), as: UTF8.self)
        let path = uri.contains("://") ? nil : path(of: uri)
        return ForeignAttachment(name: String(uri.split(separator: "/").last ?? "file"), path: path)
    }

    /// Paths are seen from the root of the export, of which the source may be a part: the folder of the chat tells where.
    private func path(of uri: String) -> String? {
        let thread = folder.split(separator: "/").last ?? ""
        if !thread.isEmpty, let place = uri.firstRange(of: "/" + thread + "/") {
            return Source.inside(String(uri[place.upperBound...]), of: folder)
        }
        guard let messages = folder.firstRange(of: "messages/"), let place = uri.firstRange(of: "messages/") else {
            return nil
        }
        return Source.inside(String(uri[place.lowerBound...]), of: folder[..<messages.lowerBound])
    }

    private func reactions(of record: JSONValue) -> [ForeignReaction] {
        var order: [String] = []
        var people: [String: [String]] = [:]
        guard let list = record["reactions"] else { return [] }
        for reaction in list.elements {
            guard
                let emoji = reaction["reaction"]?.bytes.map({ String(decoding: MessengerText.shown($0), as: UTF8.self) }
                ),
                !emoji.isEmpty
            else { continue }
            if people[emoji] == nil { order.append(emoji) }
            let actor = reaction["actor"]?.bytes.map { String(decoding: MessengerText.decoded($0), as: UTF8.self) }
            people[emoji, default: []] += actor.map { [$0] } ?? []
        }
        return order.map { ForeignReaction(emoji: $0, count: max(1, people[$0]?.count ?? 0), people: people[$0] ?? []) }
    }
}
