internal import Dates

/// Converts the messages of a file, the newest of which stands first.
final class MessengerMessages {
    private let folder: Substring
    private let setting: MessengerSetting
    private var count: Int64 = 0
    private var identity = LineIdentity()

    init(_ feed: Feed) {
        folder = SourceFile.folder(of: feed.file)
        setting = MessengerSetting(feed.setting)
    }

    /// Fields that are read, or say nothing of what a message consists of.
    private static let known: Set<String> = [
        "sender_name", "senderName", "timestamp_ms", "timestamp", "content", "text", "type", "is_unsent", "isUnsent",
        "is_taken_down", "is_geoblocked_for_viewer", "is_unsent_image_by_messenger_kid_parent", "reactions", "ip",
        "bumped_message_metadata", "call_duration", "missed",
    ]

    /// - Returns: what is wrong with the record.
    func write(_ record: JSONValue, into writer: inout RecordWriter) -> String? {
        guard record.isObject, let name = (record["sender_name"] ?? record["senderName"])?.bytes,
            let time = time(of: record)
        else { return "message without a sender or a time" }
        count += 1
        let sender = decoded(name)
        let text = text(of: record)
        let moment = Timestamp(milliseconds: time)
        let key = -(Int64(clamping: setting.number) << 40) + (setting.isOldestFirst ? count : -count)
        writer.message(id: identity.next(at: moment, name: sender, text: text), at: moment, key: key)
        writer.sender(sender)
        if (record["is_unsent"] ?? record["isUnsent"])?.isTrue == true {
            writer.flag("deleted")
        } else {
            writer.text("text", text)
            if isSystem(record) { writer.text("kind", Bytes("system")) }
            writer.attachments(attachments(of: record))
            writer.reactions(reactions(of: record))
        }
        return writer.end(record, known: MessengerMessages.known)
    }

    private func decoded(_ text: Bytes) -> [UInt8] { setting.isEncrypted ? Array(text) : MessengerText.decoded(text) }

    private func shown(_ text: Bytes) -> [UInt8] {
        guard setting.isEncrypted else { return MessengerText.shown(text) }
        return text.filter { $0 >= 32 && $0 != 127 || $0 == 9 || $0 == 10 }
    }

    /// In milliseconds since 1970, within the years that a day can be written in.
    private func time(of record: JSONValue) -> Int64? {
        guard let time = (record["timestamp_ms"] ?? record["timestamp"])?.integer,
            (0..<253_402_300_800_000).contains(time)
        else { return nil }
        return time
    }

    private func isSystem(_ record: JSONValue) -> Bool {
        guard let type = record["type"]?.bytes else { return record["call_duration"] != nil }
        return type == "Subscribe" || type == "Unsubscribe" || type == "Call"
    }

    /// The text, what was shared with it, and a call in words.
    private func text(of record: JSONValue) -> [UInt8] {
        var text = (record["content"] ?? record["text"])?.bytes.map { shown($0) } ?? []
        let share = record["share"]
        for field in [share?["link"], share?["share_text"]] {
            guard let words = field?.bytes.map({ shown($0) }), !words.isEmpty,
                text.withUnsafeBytes({ $0.offset(of: String(decoding: words, as: UTF8.self)) }) == nil
            else { continue }
            if !text.isEmpty { text.append(10) }
            text += words
        }
        return text.isEmpty && isSystem(record) ? Array(call(record).utf8) : text
    }

    /// `Missed call`, or `Call, 3:12`
    private func call(_ record: JSONValue) -> String {
        guard record["type"]?.bytes.map({ $0 == "Call" }) ?? true else { return "" }
        if record["missed"]?.isTrue == true { return "Missed call" }
        guard let seconds = record["call_duration"]?.integer, seconds > 0 else { return "Call" }
        return "Call, \(ForeignDuration.text(seconds))"
    }

    // MARK: - Files and reactions

    private func attachments(of record: JSONValue) -> [ForeignAttachment] {
        var list: [ForeignAttachment] = []
        for value in [
            record["photos"], record["videos"], record["audio_files"], record["files"], record["gifs"], record["media"],
        ] {
            guard let value else { continue }
            list += value.elements.compactMap { attachment($0) }
        }
        if let sticker = record["sticker"], let file = attachment(sticker) { list.append(file) }
        return list
    }

    private func attachment(_ item: JSONValue) -> ForeignAttachment? {
        guard let bytes = item["uri"]?.bytes else { return nil }
        let uri = String(decoding: decoded(bytes), as: UTF8.self)
        let path =
            uri.contains("://")
            ? nil
            : setting.isEncrypted ? Source.inside(uri, of: folder) : MessengerMessages.path(of: uri, in: folder)
        return ForeignAttachment(name: String(uri.split(separator: "/").last ?? "file"), path: path)
    }

    /// Paths are seen from the root of the export, of which the source may be a part: the folder of the chat tells where.
    static func path(of uri: String, in folder: Substring) -> String? {
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
        var reactions = Reactions()
        for reaction in record["reactions"].list {
            let emoji = reaction["reaction"]?.bytes.map { shown($0) } ?? []
            let actor = reaction["actor"]?.bytes.map { decoded($0) } ?? []
            reactions.add(String(decoding: emoji, as: UTF8.self), by: String(decoding: actor, as: UTF8.self))
        }
        return reactions.list
    }
}
