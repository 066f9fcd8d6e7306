internal import Dates

/// Converts the events of a room.
final class MatrixConverter: Converter {
    let feed: Feed
    let setting: MatrixSetting
    private let tree = JSONTree()
    private var names = MatrixNames()
    private let media: MatrixMedia
    /// The number of the next event.
    private var index: Int64
    /// Reactions that may still be taken back: the ID of the event, then what it says.
    private var reactions: [String: (target: String, person: String, emoji: String)] = [:]

    init(_ feed: Feed, state: String?) {
        self.feed = feed
        setting = MatrixSetting(feed.setting)
        media = MatrixMedia(setting.media)
        index = state.flatMap { Int64($0) } ?? 0
    }

    var state: String { "\(index)" }

    /// The place of an event among those of all files: files follow each other, and the first event of some is the newest.
    private var key: Int64 {
        let first = Int64(setting.rank) << 40
        return setting.isDescending ? first + 1 << 39 - index : first + index
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        guard index >= 0 else { return bytes.count }
        var splitter = RecordSplitter(bytes, isEnd: isEnd)
        while let piece = splitter.next() {
            switch piece {
            case .record(let range):
                record(Bytes(rebasing: bytes[range]), at: offset + Int64(range.lowerBound), &writer)
            case .broken(let range, let kind): report(kind, at: offset + Int64(range.lowerBound), &writer)
            }
        }
        // After the bracket nothing is an event.
        if splitter.isArrayEnd { index = -1 }
        return splitter.consumed
    }

    private func report(_ kind: String, at offset: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: feed.file, place: .byte(offset), kind: kind))
    }

    private func record(_ bytes: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        guard let value = tree.parse(bytes, padding: 64) else {
            return report("record is not valid JSON", at: offset, &writer)
        }
        let event = MatrixEvent(value)
        if let room = setting.room, event.room?.bytes?.elementsEqual(room.utf8) != true { return }
        index += 1
        guard let id = event.id, !id.isEmpty, let sender = event.sender, !sender.isEmpty else {
            // Some programs write the names of people before the events.
            if value["type"] != nil { report("event without an ID or a sender", at: offset, &writer) }
            return
        }
        guard let time = event.time else { return report("event without a time", at: offset, &writer) }
        convert(event, id, sender, time, &writer)
    }

    private func convert(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        let type = event.type
        if event.stateKey != nil { return state(event, id, sender, time, &writer) }
        if type == "m.room.message" || type == "m.sticker" || type == "m.room.encrypted" || MatrixPoll.isStart(type) {
            message(event, id, sender, time, &writer)
        } else if type == "m.reaction" {
            reaction(event, id, sender, time, &writer)
        } else if type == "m.room.redaction" {
            redaction(event, id, sender, time, &writer)
        } else if let text = MatrixState.text(of: event, by: names.name(sender)) {
            system(text, id, sender, time, &writer)
        }
    }

    // MARK: - Messages

    private func message(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        if let target = event.target("m.replace"), let content = event.content {
            writer.edit(id: id, of: target, at: time, key: key)
            writer.text("from", sender)
            writer.text("text", MatrixText(content["m.new_content"] ?? content, isEdit: true, isReply: false).bytes)
            return writer.end()
        }
        writer.message(id: id, at: time, key: key)
        writer.text("from", sender)
        if let root = event.target("m.thread"), !root.elementsEqual(id) { writer.text("thread", root) }
        if let target = event.replyTarget { writer.text("replyTo", target) }
        if event.type == "m.room.encrypted" {
            writer.text("text", "(a message that could not be decrypted)")
        } else if event.isRedacted, !MatrixPoll.isStart(event.type) {
            writer.flag("deleted")
            writer.text("text", "")
        } else if let content = event.content {
            body(event, content, time, &writer)
        }
        writer.end()
    }

    private func body(_ event: MatrixEvent, _ content: JSONValue, _ time: Timestamp, _ writer: inout RecordWriter) {
        var newest = content
        if let edit = event.bundledEdit {
            writer.flag("edited")
            if let text = edit["content"]?["m.new_content"] { newest = text }
        }
        if let kind = newest["msgtype"]?.bytes, kind == "m.emote" { writer.text("kind", "action") }
        if let poll = MatrixPoll.text(of: event) {
            writer.text("text", poll)
        } else if let file = media.attachment(of: newest, isSticker: event.type == "m.sticker", at: time) {
            writer.attachments([file])
            writer.text("text", MatrixText.caption(newest, isSticker: event.type == "m.sticker"))
        } else {
            writer.text(
                "text", MatrixText(newest, isEdit: false, isReply: event.relation?["m.in_reply_to"] != nil).bytes)
        }
        if setting.isElement { writer.reactions(MatrixReactions.bundled(event)) }
    }

    private func system(
        _ text: String, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter,
        presence: String? = nil, name: String? = nil
    ) {
        writer.message(id: id, at: time, key: key)
        writer.text("from", sender)
        writer.text("kind", "system")
        if let presence { writer.text("presence", presence) }
        if let name { writer.text("name", name) }
        writer.text("text", text)
        writer.end()
    }

    // MARK: - State

    private func state(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard event.type == "m.room.member", let member = event.stateKey else {
            guard let text = MatrixState.text(of: event, by: names.name(sender)) else { return }
            return system(
                text, id, sender, time, &writer, presence: MatrixState.isMinor(event.type) ? "mode" : nil)
        }
        let change = MatrixMembership(event, names)
        if let name = change.name {
            names.set(member, name)
            Array(name.utf8).withUnsafeBytes { writer.person(member, name: $0) }
        }
        guard let text = change.text else { return }
        system(
            text, id, change.isBySomebodyElse && change.presence == nil ? sender : member, time, &writer,
            presence: change.presence, name: change.presence == "nick" ? change.name : nil)
    }

    // MARK: - Reactions and redactions

    private func reaction(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard let target = event.target("m.annotation"), let emoji = event.relation?["key"]?.bytes, !emoji.isEmpty
        else {
            return
        }
        writer.reaction(id: id, to: target, at: time, key: key)
        writer.text("from", sender)
        writer.text("emoji", emoji)
        writer.end()
        reactions[id.string] = (target.string, sender.string, emoji.string)
    }

    /// The server lets pass only what the sender may redact, so a deletion always counts.
    private func redaction(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard let target = event.content?["redacts"]?.bytes ?? event.value["redacts"]?.bytes else { return }
        if let reaction = reactions.removeValue(forKey: target.string) {
            Array(reaction.target.utf8).withUnsafeBytes { writer.reaction(id: id, to: $0, at: time, key: key) }
            writer.text("from", reaction.person)
            writer.text("emoji", reaction.emoji)
            writer.flag("removed")
        } else {
            writer.delete(id: id, of: target, at: time, key: key)
            writer.text("from", sender)
            writer.text("by", "mod")
        }
        writer.end()
    }
}
