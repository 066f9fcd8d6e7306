internal import Dates

/// Turns the events of a room into native records, in their order. Remembers the names and the reactions of the events before.
///
/// Events come from anybody: what has no ID, no sender or no time is no record, and fields of another kind than the
/// specification says count as missing.
package final class MatrixEvents {
    private var names = MatrixNames()
    private let media: MatrixMedia
    /// Whether the events themselves tell the reactions to them.
    private let countsReactions: Bool
    /// Reactions that may still be taken back, by the ID of the event.
    private var reactions: [String: MatrixReaction] = [:]
    /// Reactions that have been taken back: their redactions are no records.
    private var withdrawn: Set<String> = []
    /// The answers of polls, and the texts of the answers that people have given last.
    private var polls: [String: MatrixPoll.Answers] = [:]
    private var votes: [String: [String: [String]]] = [:]
    /// Find the answers of a poll, and those that a person has given, among the records of earlier runs.
    package var recallAnswers: ((_ room: String, _ poll: String) -> MatrixPoll.Answers?)?
    package var recallVotes: ((_ room: String, _ poll: String, _ person: String) -> [String])?
    /// The ID of the room whose events come next.
    package var room = ""
    /// Finds a reaction among the records of earlier runs, by the IDs of the room and of its event.
    private let recall: ((_ room: String, _ id: String) -> MatrixReaction?)?
    /// While older events are converted: the people whom these have named.
    private var namedLater: Set<String>?
    /// The place of the current event among those of its conversation.
    private var key: Int64 = 0

    /// For the events of an export.
    init(_ setting: MatrixSetting) {
        media = MatrixMedia(.copies(setting.media))
        countsReactions = setting.isElement
        recall = nil
    }

    /// For the events of a server.
    /// - Parameter recall: finds a reaction among the records of earlier runs, by the IDs of the room and of its event.
    package init(recall: @escaping (_ room: String, _ id: String) -> MatrixReaction?) {
        media = MatrixMedia(.server)
        countsReactions = false
        self.recall = recall
    }

    /// Sets the name of a person for the lines that name them.
    package func name(_ person: String, _ name: String) { names.set(person, name) }

    /// The name of a person; nil if no event has told it.
    package func knownName(_ person: String) -> String? { names.known(person) }

    /// Converts events that are older than others that were converted: they name only people who had no name before.
    /// - Parameter state: the members whom the server sends beside them.
    /// - Returns: the names that are new.
    package func convertOlder(state: JSONValue?, _ body: () -> Void) -> [ForeignPerson] {
        namedLater = []
        defer { namedLater = nil }
        for value in state?.elements.map({ $0 }) ?? [] {
            let event = MatrixEvent(value)
            guard event.type == "m.room.member", let id = event.stateKey?.string else { continue }
            if let name = event.content?["displayname"]?.string?.visibleName, mayName(id) { names.set(id, name) }
        }
        body()
        return (namedLater ?? []).sorted().map { ForeignPerson(id: $0, name: names.name($0)) }
    }

    /// Whether an event of now may name a person.
    private func mayName(_ person: String) -> Bool {
        guard let named = namedLater, !named.contains(person) else { return true }
        guard names.known(person) == nil else { return false }
        namedLater?.insert(person)
        return true
    }

    /// The name of a person in lines.
    package func name(_ person: String) -> String { names.name(person) }

    /// Writes the record of an event; none if people do not see such an event.
    /// - Parameter key: its place among the events of its conversation, where these are ordered by keys.
    /// - Returns: the reason why it is none, if something is wrong with it.
    package func convert(_ event: MatrixEvent, key: Int64 = 0, into writer: inout RecordWriter) -> String? {
        guard let id = event.id, !id.isEmpty, let sender = event.sender, !sender.isEmpty else {
            // Some programs write the names of people before the events.
            return event.value["type"] == nil ? nil : "event without an ID or a sender"
        }
        guard let time = event.time else { return "event without a time" }
        self.key = key
        convert(event, id, sender, time, &writer)
        return nil
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
        } else if MatrixPoll.isResponse(type) {
            vote(event, id, sender, time, &writer)
        } else if let text = MatrixState.text(of: event, by: names.name(sender)) {
            system(text, id, sender, time, &writer)
        }
    }

    // MARK: - Messages

    private func message(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        if let target = event.target("m.replace") {
            // An edit that cannot be read changes nothing.
            let isReadable = !(event.type == "m.room.encrypted")
            guard isReadable, let text = MatrixText.edited(event) else { return }
            writer.edit(id: id, of: target, at: time, key: key)
            writer.text("from", sender)
            writer.text("text", text)
            if let transaction = event.transaction { writer.text("transaction", transaction) }
            return writer.end()
        }
        writer.message(id: id, at: time, key: key)
        writer.text("from", sender)
        if let root = event.target("m.thread"), !root.elementsEqual(id) { writer.text("thread", root) }
        if let target = event.replyTarget { writer.text("replyTo", target) }
        if let transaction = event.transaction { writer.text("transaction", transaction) }
        writer.texts("mentions", event.mentions)
        if event.type == "m.room.encrypted" {
            writer.text("text", "(encrypted message)")
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
        if let edit = event.bundledEdit.map({ MatrixEvent($0) }), MatrixText.edited(edit) != nil {
            writer.flag("edited")
            newest = edit.content?["m.new_content"] ?? newest
        }
        if let kind = newest["msgtype"]?.bytes, kind == "m.emote" { writer.text("kind", "action") }
        if let poll = MatrixPoll.text(of: event) {
            writer.text("text", poll)
            if let id = event.id?.string {
                let answers = MatrixPoll.Answers(content)
                if polls.count >= MatrixEvents.mostPolls { polls.removeAll() }
                polls[id] = answers
                writer.texts("answers", answers.fields)
            }
        } else if let file = media.attachment(of: newest, isSticker: event.type == "m.sticker", at: time) {
            writer.attachments([file])
            writer.text("text", MatrixText.caption(newest, isSticker: event.type == "m.sticker"))
        } else {
            let text = MatrixText(newest, isEdit: false, isReply: event.relation?["m.in_reply_to"] != nil)
            writer.text("text", text.isBlank ? MatrixText.name(ofEmpty: newest) : text.bytes)
        }
        if countsReactions { writer.reactions(MatrixReactions.bundled(event)) }
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
        if let name = change.name, mayName(member.string) {
            names.set(member.string, name)
            Array(name.utf8).withUnsafeBytes { writer.person(member, name: $0) }
        }
        guard let text = change.text else { return }
        system(
            text, id, change.isBySomebodyElse && change.presence == nil ? sender : member, time, &writer,
            presence: change.presence, name: change.presence == "nick" ? change.name : nil)
    }

    // MARK: - Votes

    /// How many polls are remembered: older ones are recalled.
    private static let mostPolls = 1_000

    /// A vote is a reaction to the poll whose text is the answer. It takes the place of the one before it. Without the poll, which may be
    /// older than all that is here, it is only known that there is one.
    private func vote(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard let poll = event.target("m.reference")?.string, let chosen = MatrixPoll.selections(event) else { return }
        if polls[poll] == nil { polls[poll] = recallAnswers?(room, poll) }
        let person = sender.string
        let new = polls[poll].map { $0.texts(of: chosen) } ?? (chosen.isEmpty ? [] : ["vote"])
        let old = votes[poll]?[person] ?? recallVotes?(room, poll, person) ?? []
        votes[poll, default: [:]][person] = new
        var number = 0
        func write(_ text: String, isRemoved: Bool) {
            let record = number == 0 ? id.string : "\(id.string)/\(number)"
            number += 1
            Array(record.utf8).withUnsafeBytes { record in
                Array(poll.utf8).withUnsafeBytes { writer.reaction(id: record, to: $0, at: time, key: key) }
            }
            writer.text("from", sender)
            writer.text("emoji", text)
            if isRemoved { writer.flag("removed") }
            writer.end()
            if !isRemoved { reactions[record] = MatrixReaction(target: poll, person: person, emoji: text) }
        }
        for text in new where !old.contains(text) { write(text, isRemoved: false) }
        for text in old where !new.contains(text) { write(text, isRemoved: true) }
    }

    // MARK: - Reactions and redactions

    /// How many reactions of a server are remembered: older ones are recalled.
    private static let mostReactions = 50_000

    private func reaction(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard let target = event.target("m.annotation"), let key = event.relation?["key"]?.string, !key.isEmpty else {
            if event.isRedacted { withdrawn.insert(id.string) }
            return
        }
        let emoji = MatrixReaction.shown(key, event.content)
        writer.reaction(id: id, to: target, at: time, key: self.key)
        writer.text("from", sender)
        writer.text("emoji", emoji)
        if let transaction = event.transaction { writer.text("transaction", transaction) }
        writer.end()
        if recall != nil, reactions.count >= MatrixEvents.mostReactions { reactions.removeAll() }
        reactions[id.string] = MatrixReaction(target: target.string, person: sender.string, emoji: emoji)
    }

    /// The server lets pass only what the sender may redact, so a deletion always counts.
    private func redaction(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard let target = event.content?["redacts"]?.bytes ?? event.value["redacts"]?.bytes else { return }
        if withdrawn.remove(target.string) != nil { return }
        if let reaction = reactions.removeValue(forKey: target.string) ?? recall?(room, target.string) {
            Array(reaction.target.utf8).withUnsafeBytes { writer.reaction(id: id, to: $0, at: time, key: key) }
            writer.text("from", reaction.person)
            writer.text("emoji", reaction.emoji)
            writer.flag("removed")
        } else {
            writer.delete(id: id, of: target, at: time, key: key)
            writer.text("from", sender)
            writer.text("by", "mod")
        }
        if let transaction = event.transaction { writer.text("transaction", transaction) }
        writer.end()
    }
}
