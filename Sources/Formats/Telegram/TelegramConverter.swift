internal import Dates

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
