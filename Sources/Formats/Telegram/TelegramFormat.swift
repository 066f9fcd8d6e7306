internal import Files
internal import Dates
internal import JSON

/// Exports of Telegram Desktop in JSON: `result.json`, of one chat or of all.
///
/// Facts ([src]: the exporter's source, telegramdesktop/tdesktop, export_output_json.cpp and
/// export_data_types.cpp; [file]: seen in real files of 2020 to 2025):
/// - One chat is `{name, type, id, messages: […]}`; an export of all chats is
///   `{about, …, chats: {list: […]}, left_chats: {list: […]}}`.
///   `messages` is the last key of a chat, and quotes in texts are escaped, so `"messages":` occurs nowhere else. [src]
/// - A message begins with `"id": N`, then `"type": "message"` (or "service", "unsupported"). No other object does. [src]
/// - Messages are in the order of their IDs; the IDs of a migrated group are lowered by 1,000,000,000 and come first. [src]
/// - `date` is local, without a zone; `date_unixtime` came in 2022. [file]
/// - `from_id` is `user123`, `channel123` or `chat123`; a bare number in 2020. [src, file] A deleted account has the name null.
/// - Control characters are written as `\x01`, which is not JSON; `document_id` was once written without quotes. [src, formats]
/// - `edited` is also written for reactions, and is 1970 for "never" in old files. [file]
/// - A message of a topic in a forum replies to the message `topic_created`; the ID of the topic is not written for real
///   replies, which therefore belong to the topic of their target. [src]
struct TelegramFormat: Format {
    let id = "telegram"
    let name = "Telegram export"
    let version = 2

    func recognise(_ source: Source) -> Recognition {
        var unsure = Recognition.no
        // Folders of other programs contain thousands of JSON files.
        for file in TelegramFile.candidates(source).prefix(20) {
            switch TelegramFile.recognise(file, source) {
            case .certain: return .certain
            case .unsure(let reason): unsure = .unsure(reason)
            case .weak, .no: break
            }
        }
        return unsure
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = ForeignArchive()
        var chats: [TelegramChat] = []
        for file in TelegramFile.candidates(source) where TelegramFile.recognise(file, source) == .certain {
            chats += try TelegramFile.chats(of: file, in: source, &archive)
        }
        archive.people += chats.compactMap(\.person)
        archive.conversations = TelegramChat.conversations(of: chats, me: archive.me)
        return archive
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        TelegramConverter(feed, state: context.state, zone: context.zone)
    }

    /// A message begins like no other object. A message without a date takes the date of the message before, so a converter
    /// cannot begin there; nor anywhere in a forum, where the topic of a reply is that of an earlier message.
    func cut(_ bytes: Bytes, of feed: Feed) -> Int? {
        TelegramSetting(feed.setting).isForum
            ? nil : JSONCursor.firstObject(in: bytes, where: TelegramFormat.isDatedMessage)
    }

    /// `{ "id": 12, "type": "message", "date": "…`, with any blanks.
    private static func isDatedMessage(_ start: JSONCursor) -> Bool {
        var reader = start
        guard reader.take("\"id\"", ":") else { return false }
        _ = reader.take("-")
        guard reader.digits() != nil, reader.take(",", "\"type\"", ":") else { return false }
        guard reader.take("\"message\"") || reader.take("\"service\"") else { return false }
        return reader.take(",", "\"date\"")
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? {
        guard Int64(id) != nil else { return nil }
        return Array((TelegramSetting(feed.setting).isSpaced ? "\"id\": \(id)," : "\"id\":\(id),").utf8)
    }
}

/// Converts the messages of a chat.
final class TelegramConverter: Converter {
    private let setting: TelegramSetting
    private let folder: Substring
    private let reader: JSONArrayReader
    private let tree = JSONTree()
    private var clock: LocalClock
    private var repaired: [UInt8] = []
    private var text = MarkedText()
    /// The time of the last message.
    private var time: Timestamp?
    /// The messages before the first one with a date.
    private var waiting: [Int64] = []
    /// The topics of messages in a forum, by the IDs of the messages.
    private var topics: [Int64: Int64] = [:]

    init(_ feed: Feed, state: String?, zone: Zone) {
        setting = TelegramSetting(feed.setting)
        folder = feed.folder
        clock = LocalClock(zone)
        reader = JSONArrayReader(isDone: state == "done")
    }

    var state: String { reader.isDone ? "done" : "" }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        guard !reader.isDone else { return bytes.count }
        let (consumed, _) = reader.readPieces(bytes, at: offset, isEnd: isEnd, into: &writer) { record($0, &$1) }
        if reader.isDone || isEnd { writeWaiting(at: time ?? Timestamp(milliseconds: 0), &writer) }
        return consumed
    }

    private func record(_ bytes: Bytes, _ writer: inout RecordWriter) -> String? {
        if !TelegramRepair.holdsSeparator(bytes), let record = tree.parse(bytes, padding: 64) {
            return message(TelegramRecord(record), &writer)
        }
        TelegramRepair.repair(bytes, into: &repaired)
        return repaired.withUnsafeBytes { bytes in
            guard let record = tree.parse(bytes) else { return "record is not valid JSON" }
            return message(TelegramRecord(record), &writer)
        }
    }

    // MARK: - Messages

    private func message(_ record: TelegramRecord, _ writer: inout RecordWriter) -> String? {
        guard let id = record.messageID else { return "message without an ID" }
        if record.isUnsupported {
            if let time { writeUnsupported(id, at: time, &writer) } else { waiting.append(id) }
            return nil
        }
        let date = record.date(clock: &clock)
        if date == nil { writer.report("message without a date") }
        let time = date ?? self.time ?? Timestamp(milliseconds: 0)
        self.time = time
        writeWaiting(at: time, &writer)
        writer.message(id: String(id), at: time, key: id)
        if record.isService {
            service(record, id, &writer)
        } else {
            person(record.from, record.fromID, &writer)
            reply(record, id, &writer)
            body(record, &writer)
        }
        if record.isEdited { writer.flag("edited") }
        if let reactions = record.reactions { TelegramReactions.write(reactions, to: &writer) }
        return writer.end(record.value, known: TelegramRecord.known)
    }

    private func writeWaiting(at time: Timestamp, _ writer: inout RecordWriter) {
        guard !waiting.isEmpty else { return }
        for id in waiting { writeUnsupported(id, at: time, &writer) }
        waiting = []
    }

    private func writeUnsupported(_ id: Int64, at time: Timestamp, _ writer: inout RecordWriter) {
        writer.message(id: String(id), at: time, key: id)
        writer.text("kind", "system")
        writer.text("text", "A message of a kind that Telegram Desktop could not export")
        writer.end()
    }

    private func person(_ name: JSONValue?, _ id: JSONValue?, _ writer: inout RecordWriter) {
        let name = name?.bytes ?? .empty
        if let id = id?.bytes, !id.isEmpty {
            person(id, name, &writer)
        } else if let id = id?.integer {
            // Files of 2020 leave out the kind of sender: these senders are users.
            var id = "user" + String(id)
            id.withUTF8 { person(Bytes($0), name, &writer) }
        } else if !name.isEmpty {
            person(name, name, &writer)
        }
    }

    private func person(_ id: Bytes, _ name: Bytes, _ writer: inout RecordWriter) {
        writer.text("from", id)
        writer.person(id, name: name.isEmpty ? Bytes("Deleted Account" as StaticString) : name)
    }

    // MARK: - Replies and topics

    private func reply(_ record: TelegramRecord, _ id: Int64, _ writer: inout RecordWriter) {
        guard let target = record.replyTo?.integer else { return }
        if let peer = record.replyToPeer?.bytes, !peer.elementsEqual(setting.peer.utf8) { return }
        guard setting.isForum, let topic = topics[target] else { return writer.text("replyTo", String(target)) }
        topics[id] = topic
        if topic != target { writer.text("replyTo", String(target)) }
        writer.text("thread", String(topic))
    }

    private func service(_ record: TelegramRecord, _ id: Int64, _ writer: inout RecordWriter) {
        let action = TelegramService(record.value, setting)
        person(record.actor, record.actorID, &writer)
        writer.text("kind", "system")
        if let presence = action.presence { writer.text("presence", presence) }
        if let target = action.target { writer.text("replyTo", String(target)) }
        if action.createsTopic {
            topics[id] = id
            if !setting.isForum { writer.betterSetting = setting.withTopics.text }
        }
        text.clear()
        text.addLine(action.text)
        TelegramMedia(record: record.value, folder: folder).attach(to: &writer)
        TelegramText.add(record.text, to: &text)
        writer.text("text", text.bytes)
    }

    private func body(_ record: TelegramRecord, _ writer: inout RecordWriter) {
        if !record.hasMore, let plain = record.text?.bytes { return writer.text("text", plain) }
        text.clear()
        if record.hasMore {
            let media = TelegramMedia(record: record.value, folder: folder)
            media.attach(to: &writer)
            TelegramOrigin.add(record.value, to: &text)
            media.describe(in: &text)
        }
        TelegramText.add(record.text, to: &text)
        if record.hasMore, let rich = record.value["rich_message"] { TelegramRich.add(rich, to: &text) }
        if record.hasMore { TelegramFoot.add(record.value, to: &text) }
        writer.text("text", text.bytes)
    }
}

/// Reads reactions: counts, and the latest people. Channels list no people.
enum TelegramReactions {
    static func write(_ value: JSONValue, to writer: inout RecordWriter) {
        var reactions = Reactions()
        for item in value.elements {
            guard let emoji = emoji(item) else { continue }
            var people: [String] = []
            for person in item["recent"].list {
                guard let id = person["from_id"]?.bytes, !id.isEmpty else { continue }
                writer.person(id, name: person["from"]?.bytes ?? .empty)
                if !people.contains(id.string) { people.append(id.string) }
            }
            // All custom emoji without names are counted together.
            reactions.add(emoji, count: Int(clamping: item["count"]?.integer ?? 0), by: people)
        }
        writer.reactions(reactions.list)
    }

    private static func emoji(_ item: JSONValue) -> String? {
        switch item["type"]?.string {
        case "paid": "⭐"
        case "custom_emoji": custom(item["document_id"]?.string ?? "")
        default: item["emoji"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// `:sticker-62:` for `stickers/sticker (62).webp`: the export's only name for a custom emoji is that of its file.
    private static func custom(_ document: String) -> String {
        guard !TelegramMedia.isMissing(document) else { return ":custom-emoji:" }
        let name = document.split(separator: "/").last ?? ""
        let slug = Slug.of(String(name.prefix { $0 != "." }))
        return slug.isEmpty ? ":custom-emoji:" : ":\(slug):"
    }
}
