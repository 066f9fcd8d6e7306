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
    package var recallVotes: ((_ room: String, _ poll: String, _ person: String) -> [String]?)?
    /// Is told of a poll that stands among older events: votes on it may be known.
    package var foundPoll: ((_ poll: String, _ answers: MatrixPoll.Answers) -> Void)?
    /// The ID of the room whose events come next: people have the names of this room.
    package var room: String {
        get { names.room }
        set { names.room = newValue }
    }
    /// Whether a member event of now has told the name of a person in a room.
    package var isNamed: ((_ room: String, _ person: String) -> Bool)?
    /// Finds a reaction among the records of earlier runs, by the IDs of the room and of its event.
    private let recall: ((_ room: String, _ id: String) -> MatrixReaction?)?
    /// Older events that are converted after newer ones: these have the last word.
    private struct OlderEvents {
        /// The people whom they have named, and those of them whose name counts everywhere.
        var named: Set<String> = []
        var everywhere: Set<String> = []
        /// The votes that they have told, and the polls that they have ended.
        var votes: Set<[String]> = []
        var ended: Set<String> = []
    }
    /// Nil while events come in their order.
    private var older: OlderEvents?
    /// The people whom older events have named, by their rooms: still older ones do not name them again.
    private var namedBefore: [String: Set<String>] = [:]
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

    /// Sets the name of a person in the room, for the lines that name them.
    /// - Returns: whether it counts in all rooms where no other is known.
    @discardableResult
    package func name(_ person: String, _ name: String) -> Bool { names.set(person, name) }

    /// Sets the name of a person in all rooms where no other is known.
    package func nameEverywhere(_ person: String, _ name: String) { names.setEverywhere(person, name) }

    /// The names that people have in a room, where these differ from those that count elsewhere.
    package func ownNames(in room: String) -> [String: String] { names.own(in: room) }

    package func setOwnNames(_ own: [String: String], in room: String) { names.set(own: own, in: room) }

    /// The name of a person in the room; nil if no event has told it.
    package func knownName(_ person: String) -> String? { names.known(person) }

    /// Converts events that are older than others that were converted: they name only people who had no name in the room before.
    /// - Parameter state: the members whom the server sends beside them.
    /// - Returns: the names that are new, and count in all rooms where no other is known.
    package func convertOlder(state: LongJSON?, _ body: () -> Void) -> [ForeignPerson] {
        older = OlderEvents()
        defer { older = nil }
        for text in state.map({ Array($0.elements.prefix(LongJSON.mostElements)) }) ?? [] {
            guard let event = text.value.map({ MatrixEvent($0) }), event.type == "m.room.member",
                let id = event.stateKey?.string
            else { continue }
            if let name = names.given(by: event) { take(name, of: id) }
        }
        body()
        return (older?.everywhere ?? []).sorted().map { ForeignPerson(id: $0, name: names.name($0)) }
    }

    /// Takes the name that a member event gives to a person in the room, unless the event is older than another that has named them.
    private func take(_ name: String, of person: String) {
        guard let older else {
            names.set(person, name)
            return
        }
        if !older.named.contains(person) {
            let isNamed =
                room.isEmpty || isNamed?(room, person) == true || namedBefore[room]?.contains(person) == true
            if names.known(person) != nil, isNamed { return }
            self.older?.named.insert(person)
            namedBefore[room, default: []].insert(person)
        }
        let before = names.everywhere(person)
        // These events have set it themselves, and the last of them counts.
        if older.everywhere.contains(person) { names.setEverywhere(person, name) }
        if names.set(person, name), before != name { self.older?.everywhere.insert(person) }
    }

    /// The name that a member event gives to a person in the room; nil if it gives none.
    package func name(givenBy event: MatrixEvent) -> String? { names.given(by: event) }

    /// The name of a person in the lines of the room.
    package func name(_ person: String) -> String { names.name(person) }

    /// The name of a person in the lines of a room.
    package func name(_ person: String, in room: String) -> String { names.own(in: room)[person] ?? everywhere(person) }

    /// The name of a person where no other is known.
    package func everywhere(_ person: String) -> String {
        names.everywhere(person) ?? names.name(person)
    }

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
        } else if MatrixPoll.isEnd(type) {
            endPoll(event, id, sender, time, &writer)
        } else if let text = MatrixState.text(of: event, by: names.name(sender)) {
            system(text, id, sender, time, &writer, presence: MatrixState.isMinor(type) ? "mode" : nil)
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
                let answers = MatrixPoll.Answers(content, author: event.sender?.string ?? "")
                if polls.count >= MatrixEvents.mostPolls { polls.removeAll() }
                polls[id] = answers
                if older != nil { foundPoll?(id, answers) }
                writer.texts("answers", answers.fields)
            }
        } else if let file = media.attachment(of: newest, isSticker: event.type == "m.sticker", at: time) {
            writer.attachments([file])
            writer.text("text", MatrixText.caption(newest, isSticker: event.type == "m.sticker"))
        } else {
            let text = MatrixText(newest, isReply: event.relation?["m.in_reply_to"] != nil)
            writer.text("text", text.isBlank ? MatrixText.name(ofEmpty: newest) : text.bytes)
        }
        if countsReactions { writer.reactions(MatrixReactions.bundled(event)) }
    }

    private func system(
        _ text: String, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter,
        presence: String? = nil, name: String? = nil, ends: String? = nil
    ) {
        writer.message(id: id, at: time, key: key)
        writer.text("from", sender)
        writer.text("kind", "system")
        if let presence { writer.text("presence", presence) }
        if let name { writer.text("name", name) }
        if let ends { writer.text("ends", ends) }
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
            take(name, of: member.string)
            // A name in one room only is a fact about the room.
            if names.everywhere(member.string) == name {
                Array(name.utf8).withUnsafeBytes { writer.person(member, name: $0) }
            }
        }
        guard let text = change.text else { return }
        system(
            text, id, change.isBySomebodyElse && change.presence == nil ? sender : member, time, &writer,
            presence: change.presence, name: change.presence == "nick" ? change.name : nil)
    }

    // MARK: - Votes

    /// How many polls are remembered: older ones are recalled.
    private static let mostPolls = 1_000

    /// Lets a poll, its end and the votes on it be found among the records again.
    package func forget(poll: String) { (polls[poll], votes[poll]) = (nil, nil) }

    /// A poll that an event speaks of, with its answers.
    private func answers(of poll: String) -> MatrixPoll.Answers? {
        if polls[poll] == nil { polls[poll] = recallAnswers?(room, poll) }
        return polls[poll]
    }

    /// A vote is a reaction to the poll whose text is the answer. It takes the place of the one before it; after the end of the poll it
    /// counts for nothing. Without the poll, which may be older than all that is here, it is only known that there is one.
    private func vote(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        guard let poll = event.target("m.reference")?.string, let chosen = MatrixPoll.selections(event) else { return }
        let (answers, person) = (answers(of: poll), sender.string)
        let known = votes[poll]?[person] ?? recallVotes?(room, poll, person)
        if let older {
            // A later vote of this person is known.
            if known != nil, !older.votes.contains([poll, person]) { return }
            if older.ended.contains(poll) { return }
            self.older?.votes.insert([poll, person])
        } else if answers?.isEnded == true {
            return
        }
        let new = answers.map { $0.texts(of: chosen) } ?? (chosen.isEmpty ? [] : ["vote"])
        let old = known ?? []
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
            // The poll may come later.
            if answers == nil, !isRemoved { writer.texts("selections", chosen) }
            writer.end()
            if !isRemoved { reactions[record] = MatrixReaction(target: poll, person: person, emoji: text) }
        }
        for text in new where !old.contains(text) || answers == nil { write(text, isRemoved: false) }
        for text in old where !new.contains(text) { write(text, isRemoved: true) }
    }

    /// Who began a poll ends it.
    private func endPoll(
        _ event: MatrixEvent, _ id: Bytes, _ sender: Bytes, _ time: Timestamp, _ writer: inout RecordWriter
    ) {
        let poll = event.target("m.reference")?.string
        let author = poll.flatMap { answers(of: $0)?.author }
        if author == sender.string, let poll {
            if older == nil { polls[poll]?.isEnded = true } else { older?.ended.insert(poll) }
        }
        // The author of a poll that is not here is known when the poll comes.
        let isEnd = author == nil || author == sender.string
        system("\(names.name(sender)) ended a poll", id, sender, time, &writer, ends: isEnd ? poll : nil)
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
        if emoji != key { writer.text("key", key) }
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
