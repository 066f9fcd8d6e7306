internal import Dates
internal import JSON

/// Converts the messages of a file that begins with the newest message.
final class MessengerMessages {
    private let folder: Substring
    private let setting: MessengerSetting
    private var count: Int64 = 0
    private var identity = LineIdentity()

    init(_ feed: Feed) {
        folder = feed.folder
        setting = MessengerSetting(feed.setting)
    }

    /// Fields that Kedge reads, and fields without content.
    private static let known: Set<String> = [
        "sender_name", "senderName", "timestamp_ms", "timestamp", "content", "text", "type", "is_unsent", "isUnsent",
        "is_taken_down", "is_geoblocked_for_viewer", "is_unsent_image_by_messenger_kid_parent", "reactions", "ip",
        "bumped_message_metadata", "call_duration", "missed",
    ]

    /// - Returns: the error in the record.
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
        var shown = decoded(text)
        Marks.removeControls(&shown)
        return shown
    }

    /// The time in milliseconds since 1970, within the years that a record can contain.
    private func time(of record: JSONValue) -> Int64? {
        (record["timestamp_ms"] ?? record["timestamp"])?.integer.flatMap { Timestamp.writable.contains($0) ? $0 : nil }
    }

    private func isSystem(_ record: JSONValue) -> Bool {
        guard let type = record["type"]?.bytes else { return record["call_duration"] != nil }
        return type == "Subscribe" || type == "Unsubscribe" || type == "Call"
    }

    /// The text, shared content, and a call in words.
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
        let lists = [
            record["photos"], record["videos"], record["audio_files"], record["files"], record["gifs"], record["media"],
        ]
        return lists.flatMap { $0.list.compactMap(attachment) }
            + [record["sticker"].flatMap(attachment)].compactMap { $0 }
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

    /// The path of a file. Paths are relative to the root of the export, but the source may be a part of it: the chat's folder
    /// shows which.
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
