package import Dates

/// Exports of Telegram Desktop in JSON: `result.json`, of one chat or of all.
///
/// Facts ([src]: the exporter's source, telegramdesktop/tdesktop, export_output_json.cpp and
/// export_data_types.cpp; [file]: seen in real files of 2020 to 2025):
/// - One chat is `{name, type, id, messages: […]}`; all chats are `{about, …, chats: {list: […]}, left_chats: {list: […]}}`.
///   `messages` is the last key of a chat, and quotes in texts are escaped: `"messages":` stands nowhere else. [src]
/// - A message begins with `"id": N`, then `"type": "message"` (or "service", "unsupported"). No other object does. [src]
/// - Messages stand in the order of their IDs; those of a migrated group are lowered by 1,000,000,000 and come first. [src]
/// - `date` is local, without a zone; `date_unixtime` came in 2022. [file]
/// - `from_id` is `user123`, `channel123` or `chat123`; a bare number in 2020. [src, file] A deleted account has the name null.
/// - Controls are written as `\x01`, which is no JSON; `document_id` was once written without quotes. [src, formats]
/// - `edited` is written for reactions too, and is 1970 for "never" in old files. [file]
/// - A message of a topic in a forum replies to the message `topic_created`; the ID of the topic is not written for real
///   replies, which therefore belong to the topic of their target. [src]
package struct TelegramFormat: Format {
    package let id = "telegram"
    package let name = "Telegram export"
    package let version = 2

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        var unsure = Recognition.no
        // Folders of other programs hold thousands of JSON files.
        for file in TelegramFile.candidates(source).prefix(20) {
            switch TelegramFile.recognise(file, source) {
            case .certain: return .certain
            case .unsure(let reason): unsure = .unsure(reason)
            case .weak, .no: break
            }
        }
        return unsure
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive()
        var chats: [TelegramChat] = []
        for file in TelegramFile.candidates(source) where TelegramFile.recognise(file, source) == .certain {
            let contents = try TelegramFile.contents(of: file, in: source)
            chats += contents.chats
            archive.problems += contents.problems
            if let me = contents.me {
                archive.me = me.id
                if !me.name.isEmpty { archive.people.append(me) }
            }
        }
        archive.people += chats.compactMap(\.person)
        archive.conversations = TelegramChat.conversations(of: chats, me: archive.me)
        return archive
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        TelegramConverter(feed, state: state, zone: zone)
    }

    /// A message begins as no other object does. A message without a date takes that of the message before it, and is no
    /// place to begin; nor is any place in a forum, where the topic of a reply is that of an earlier message.
    package func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? {
        TelegramSetting(feed.setting).isForum ? nil : TelegramCut.first(in: bytes)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? {
        guard Int64(id) != nil else { return nil }
        return Array((TelegramSetting(feed.setting).isSpaced ? "\"id\": \(id)," : "\"id\":\(id),").utf8)
    }
}

/// Converts the messages of a chat.
final class TelegramConverter: Converter {
    let feed: Feed
    let setting: TelegramSetting
    private let folder: Substring
    private let tree = JSONTree()
    private var clock: LocalClock
    private var repaired: [UInt8] = []
    private var text = MarkedText()
    private var number: [UInt8] = []
    private var otherNumber: [UInt8] = []
    /// The time of the last message.
    private var time: Timestamp?
    /// Messages without a date before the first message that has one.
    private var waiting: [Int64] = []
    /// The topic of each message of a forum that belongs to one.
    private var topics: [Int64: Int64] = [:]
    private var isDone: Bool

    init(_ feed: Feed, state: String?, zone: Zone) {
        self.feed = feed
        setting = TelegramSetting(feed.setting)
        folder = SourceFile(path: feed.file, size: 0).folder
        clock = LocalClock(zone)
        isDone = state == "done"
    }

    var state: String { isDone ? "done" : "" }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        guard !isDone else { return bytes.count }
        var splitter = RecordSplitter(bytes, isEnd: isEnd)
        while let piece = splitter.next() {
            switch piece {
            case .record(let range):
                record(Bytes(rebasing: bytes[range]), at: offset + Int64(range.lowerBound), &writer)
            case .broken(let range, let kind): report(kind, at: offset + Int64(range.lowerBound), &writer)
            }
        }
        isDone = splitter.isArrayEnd
        if isDone || isEnd { writeWaiting(at: time ?? Timestamp(milliseconds: 0), &writer) }
        return splitter.consumed
    }

    private func record(_ bytes: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        if !TelegramRepair.holdsSeparator(bytes), let record = tree.parse(bytes, padding: 64) {
            return message(TelegramRecord(record), at: offset, &writer)
        }
        TelegramRepair.repair(bytes, into: &repaired)
        let isRepaired = repaired.withUnsafeBytes { bytes -> Bool in
            guard let record = tree.parse(bytes) else { return false }
            message(TelegramRecord(record), at: offset, &writer)
            return true
        }
        if !isRepaired { report("record is not valid JSON", at: offset, &writer) }
    }

    private func report(_ kind: String, at offset: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: feed.file, place: .byte(offset), kind: kind))
    }

    // MARK: - Messages

    private func message(_ record: TelegramRecord, at offset: Int64, _ writer: inout RecordWriter) {
        guard let id = record.messageID else { return report("message without an ID", at: offset, &writer) }
        if record.isUnsupported {
            guard let time else { return waiting.append(id) }
            return writeUnsupported(id, at: time, &writer)
        }
        let date = record.date(clock: &clock)
        if date == nil { report("message without a date", at: offset, &writer) }
        let time = date ?? self.time ?? Timestamp(milliseconds: 0)
        self.time = time
        writeWaiting(at: time, &writer)
        begin(id, at: time, &writer)
        if record.isService {
            service(record, id, &writer)
        } else {
            person(record.from, record.fromID, &writer)
            reply(record, id, &writer)
            body(record, &writer)
        }
        if record.isEdited { writer.flag("edited") }
        if let reactions = record.reactions { TelegramReactions.write(reactions, to: &writer) }
        if let unread = writer.end(record.value, known: TelegramRecord.known) { report(unread, at: offset, &writer) }
    }

    private func begin(_ id: Int64, at time: Timestamp, _ writer: inout RecordWriter) {
        number.writeDecimal(id)
        number.withUnsafeBytes { writer.message(id: $0, at: time, key: id) }
    }

    private func writeWaiting(at time: Timestamp, _ writer: inout RecordWriter) {
        guard !waiting.isEmpty else { return }
        for id in waiting { writeUnsupported(id, at: time, &writer) }
        waiting = []
    }

    private func writeUnsupported(_ id: Int64, at time: Timestamp, _ writer: inout RecordWriter) {
        begin(id, at: time, &writer)
        writer.text("kind", "system")
        writer.text("text", "A message of a kind that Telegram Desktop could not export")
        writer.end()
    }

    private func person(_ name: JSONValue?, _ id: JSONValue?, _ writer: inout RecordWriter) {
        let name = name?.bytes ?? .empty
        if let id = id?.bytes, !id.isEmpty {
            person(id, name, &writer)
        } else if let id = id?.integer {
            // Files of 2020 leave out the kind of the sender, which was a user.
            otherNumber.writeDecimal(id, after: "user")
            otherNumber.withUnsafeBytes { person($0, name, &writer) }
        } else if !name.isEmpty {
            person(name, name, &writer)
        }
    }

    private func person(_ id: Bytes, _ name: Bytes, _ writer: inout RecordWriter) {
        writer.text("from", id)
        writer.person(id, name: name.isEmpty ? TelegramNames.deletedBytes : name)
    }

    // MARK: - Replies and topics

    private func reply(_ record: TelegramRecord, _ id: Int64, _ writer: inout RecordWriter) {
        guard let target = record.replyTo?.integer else { return }
        if let peer = record.replyToPeer?.bytes, !peer.elementsEqual(setting.peer.utf8) { return }
        otherNumber.writeDecimal(target)
        guard setting.isForum, let topic = topics[target] else {
            return otherNumber.withUnsafeBytes { writer.text("replyTo", $0) }
        }
        topics[id] = topic
        if topic != target { otherNumber.withUnsafeBytes { writer.text("replyTo", $0) } }
        otherNumber.writeDecimal(topic)
        otherNumber.withUnsafeBytes { writer.text("thread", $0) }
    }

    private func service(_ record: TelegramRecord, _ id: Int64, _ writer: inout RecordWriter) {
        let action = TelegramService(record.value, setting)
        person(record.actor, record.actorID, &writer)
        writer.text("kind", "system")
        if let presence = action.presence { writer.text("presence", presence) }
        if let target = action.target {
            otherNumber.writeDecimal(target)
            otherNumber.withUnsafeBytes { writer.text("replyTo", $0) }
        }
        if action.createsTopic {
            topics[id] = id
            if !setting.isForum { writer.betterSetting = setting.withTopics.text }
        }
        text.clear()
        text.addLine(action.text)
        let media = TelegramMedia(record.value, folder)
        media.attach(to: &writer)
        TelegramText.add(record.text, to: &text)
        writer.text("text", text.bytes)
    }

    private func body(_ record: TelegramRecord, _ writer: inout RecordWriter) {
        if !record.hasMore, let plain = record.text?.bytes { return writer.text("text", plain) }
        text.clear()
        if record.hasMore {
            let media = TelegramMedia(record.value, folder)
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

extension [UInt8] {
    /// Replaces the bytes by the decimal digits of a number.
    fileprivate mutating func writeDecimal(_ number: Int64, after prefix: StaticString = "") {
        removeAll(keepingCapacity: true)
        append(contentsOf: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        if number < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = number.magnitude
        repeat {
            append(UInt8(48 + rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}

/// Reactions: counts, and the latest people. Channels name nobody.
enum TelegramReactions {
    static func write(_ value: JSONValue, to writer: inout RecordWriter) {
        var reactions: [ForeignReaction] = []
        for item in value.elements {
            guard let emoji = emoji(item) else { continue }
            var people: [String] = []
            for person in item["recent"].list {
                guard let id = person["from_id"]?.bytes, !id.isEmpty else { continue }
                writer.person(id, name: person["from"]?.bytes ?? .empty)
                if !people.contains(id.string) { people.append(id.string) }
            }
            let count = max(Int(clamping: item["count"]?.integer ?? 0), people.count)
            guard count > 0 else { continue }
            let reaction = ForeignReaction(emoji: emoji, count: count, people: people)
            add(reaction, to: &reactions)
        }
        writer.reactions(reactions)
    }

    /// Custom emoji without a name of their own count together.
    private static func add(_ reaction: ForeignReaction, to list: inout [ForeignReaction]) {
        guard let index = list.firstIndex(where: { $0.emoji == reaction.emoji }) else { return list.append(reaction) }
        let old = list[index]
        let (sum, isTooMuch) = old.count.addingReportingOverflow(reaction.count)
        list[index] = ForeignReaction(
            emoji: old.emoji, count: isTooMuch ? .max : sum,
            people: old.people + reaction.people.filter { !old.people.contains($0) })
    }

    private static func emoji(_ item: JSONValue) -> String? {
        switch item["type"]?.string {
        case "paid": "⭐"
        case "custom_emoji": custom(item["document_id"]?.string ?? "")
        default: item["emoji"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// `:sticker-62:` for `stickers/sticker (62).webp`: the export has no name for a custom emoji but that of its file.
    private static func custom(_ document: String) -> String {
        guard !TelegramMedia.isMissing(document) else { return ":custom-emoji:" }
        let name = document.split(separator: "/").last ?? ""
        let slug = Slug.of(String(name.prefix { $0 != "." }))
        return slug.isEmpty ? ":custom-emoji:" : ":\(slug):"
    }
}
