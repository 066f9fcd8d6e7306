internal import Dates
package import JSON

/// Turns the events of a room, in order, into native records. Remembers names and reactions from the events before.
///
/// Events are untrusted: an event without an ID, sender or time becomes no record, and a field of the wrong type counts as
/// missing.
package final class MatrixEvents {
    /// The names of people, from the events so far.
    package var names = MatrixNames()
    private let media: MatrixMedia
    /// True if each event already contains the counts of its reactions.
    private let countsReactions: Bool
    /// Reactions that may still be removed, by the ID of their event.
    private var reactions: [String: MatrixReaction] = [:]
    /// The events of reactions that were removed: their redactions need no record.
    private var withdrawn: Set<String> = []
    /// The answers of polls, and the answers that people chose last.
    private var polls: [String: MatrixPoll.Answers] = [:]
    private var votes: [String: [String: [String]]] = [:]
    /// Find the answers of a poll, and a person's answers, in the records of earlier runs.
    package var recallAnswers: ((_ room: String, _ poll: String) -> MatrixPoll.Answers?)?
    package var recallVotes: ((_ room: String, _ poll: String, _ person: String) -> [String]?)?
    /// A message as it is without an edit.
    package struct FormerText {
        let target: String
        let person: String
        let text: String

        package init(target: String, person: String, text: String) {
            (self.target, self.person, self.text) = (target, person, text)
        }
    }
    /// Finds the message of an edit in the records of earlier runs.
    package var recallText: ((_ room: String, _ edit: String) -> FormerText?)?
    /// Called for a poll among older events: there may be votes on it already.
    package var foundPoll: ((_ poll: String, _ answers: MatrixPoll.Answers) -> Void)?
    /// The ID of the room whose events come next: people have the names of this room.
    package var room: String {
        get { names.room }
        set { names.room = newValue }
    }
    /// True if a current member event has given a person a name in a room.
    package var isNamed: ((_ room: String, _ person: String) -> Bool)?
    /// Finds a reaction among the records of earlier runs, by the IDs of the room and of its event.
    private let recall: ((_ room: String, _ id: String) -> MatrixReaction?)?
    /// State during older events, which are converted after newer ones. The newer events win.
    private struct OlderEvents {
        /// The people named by older events, and those of them whose name is used in all rooms.
        var named: Set<String> = []
        var everywhere: Set<String> = []
        /// The votes and the ends of polls in older events.
        var votes: Set<[String]> = []
        var ended: Set<String> = []
    }
    /// Nil while events come in order.
    private var older: OlderEvents?
    /// The people named by older events, by room: still older events do not rename them.
    private var namedBefore: [String: Set<String>] = [:]

    /// An event with the fields that each record needs, and with its sort key in the conversation.
    private struct Entry {
        let event: MatrixEvent
        let id: Bytes
        let sender: Bytes
        let time: Timestamp
        let key: Int64
    }

    /// Converts the events of an export.
    init(_ setting: MatrixSetting) {
        media = MatrixMedia(copies: setting.media)
        countsReactions = setting.isElement
        recall = nil
    }

    /// Converts the events of a server.
    /// - Parameter recall: finds a reaction among the records of earlier runs, by the IDs of the room and of its event.
    package init(recall: @escaping (_ room: String, _ id: String) -> MatrixReaction?) {
        media = MatrixMedia(copies: nil)
        countsReactions = false
        self.recall = recall
    }

    /// Converts events that are older than events already converted: they name only people who had no name in the room.
    /// - Parameter state: the member events that the server sends with them.
    /// - Returns: the new names, which are used in all rooms where a person has no other name.
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

    /// Uses the name that a member event gives to a person in the room, unless a later event has named the person.
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
        // Older events set this name, so the last of them may replace it.
        if older.everywhere.contains(person) { names.setEverywhere(person, name) }
        if names.set(person, name), before != name { self.older?.everywhere.insert(person) }
    }

    /// Writes the record of an event; none if people do not see such an event.
    /// - Parameter key: its sort key, if the conversation is ordered by keys.
    /// - Returns: the error, if the event should have a record but has none.
    package func convert(_ event: MatrixEvent, key: Int64 = 0, into writer: inout RecordWriter) -> String? {
        guard let id = event.id, !id.isEmpty, let sender = event.sender, !sender.isEmpty else {
            // Some programs write the names of people before the events.
            return event.namesPeople ? nil : "event without an ID or a sender"
        }
        guard let time = event.time else { return "event without a time" }
        convert(Entry(event: event, id: id, sender: sender, time: time, key: key), &writer)
        return nil
    }

    private func convert(_ entry: Entry, _ writer: inout RecordWriter) {
        let type = entry.event.type
        if let member = entry.event.stateKey {
            if type == "m.room.member" { membership(entry, member, &writer) } else { change(entry, &writer) }
        } else if type == "m.room.message" || type == "m.sticker" || type == "m.room.encrypted"
            || MatrixPoll.isStart(type)
        {
            message(entry, &writer)
        } else if type == "m.reaction" {
            reaction(entry, &writer)
        } else if type == "m.room.redaction" {
            redaction(entry, &writer)
        } else if MatrixPoll.isResponse(type) {
            vote(entry, &writer)
        } else if MatrixPoll.isEnd(type) {
            endPoll(entry, &writer)
        } else {
            change(entry, &writer)
        }
    }

    // MARK: - Messages

    private func message(_ entry: Entry, _ writer: inout RecordWriter) {
        let event = entry.event
        if let target = event.target("m.replace") {
            // An edit without a readable text is ignored.
            let isReadable = !(event.type == "m.room.encrypted")
            guard isReadable, let text = MatrixText.edited(event) else { return }
            writer.edit(id: entry.id, of: target, at: entry.time, key: entry.key)
            writer.text("from", entry.sender)
            writer.text("text", text)
            if let transaction = event.transaction { writer.text("transaction", transaction) }
            return writer.end()
        }
        writer.message(id: entry.id, at: entry.time, key: entry.key)
        writer.text("from", entry.sender)
        if let root = event.target("m.thread"), !root.elementsEqual(entry.id) { writer.text("thread", root) }
        if let target = event.replyTarget { writer.text("replyTo", target) }
        if let transaction = event.transaction { writer.text("transaction", transaction) }
        writer.texts("mentions", event.mentions)
        if event.type == "m.room.encrypted" {
            writer.text("text", "(encrypted message)")
        } else if event.isRedacted, !MatrixPoll.isStart(event.type) {
            writer.flag("deleted")
            writer.text("text", "")
        } else if let content = event.content {
            body(entry, content, &writer)
        }
        writer.end()
    }

    private func body(_ entry: Entry, _ content: JSONValue, _ writer: inout RecordWriter) {
        let event = entry.event
        var newest = content
        if let edit = event.bundledEdit.map({ MatrixEvent($0) }), MatrixText.edited(edit) != nil {
            writer.flag("edited")
            newest = edit.content?["m.new_content"] ?? newest
        }
        if let kind = newest["msgtype"]?.bytes, kind == "m.emote" { writer.text("kind", "action") }
        if let poll = MatrixPoll.text(of: event) {
            writer.text("text", poll)
            let answers = MatrixPoll.Answers(content, author: entry.sender.string)
            if polls.count >= MatrixEvents.mostPolls { polls.removeAll() }
            polls[entry.id.string] = answers
            if older != nil { foundPoll?(entry.id.string, answers) }
            writer.texts("answers", answers.fields)
        } else if let file = media.attachment(of: newest, isSticker: event.type == "m.sticker", at: entry.time) {
            writer.attachments([file])
            writer.text("text", MatrixText.caption(newest, isSticker: event.type == "m.sticker"))
        } else {
            let text = MatrixText(newest, isReply: event.relation?["m.in_reply_to"] != nil)
            writer.text("text", text.isBlank ? MatrixText.name(ofEmpty: newest) : text.bytes)
        }
        if countsReactions { writer.reactions(event.bundledReactions) }
    }

    /// - Parameter person: nil for the sender.
    private func system(
        _ text: String, _ entry: Entry, _ writer: inout RecordWriter, by person: Bytes? = nil,
        presence: String? = nil, name: String? = nil, ends: String? = nil
    ) {
        writer.message(id: entry.id, at: entry.time, key: entry.key)
        writer.text("from", person ?? entry.sender)
        writer.text("kind", "system")
        if let presence { writer.text("presence", presence) }
        if let name { writer.text("name", name) }
        if let ends { writer.text("ends", ends) }
        writer.text("text", text)
        writer.end()
    }

    // MARK: - State

    private func change(_ entry: Entry, _ writer: inout RecordWriter) {
        let event = entry.event
        guard let text = MatrixState.text(of: event, by: names.name(entry.sender)) else { return }
        system(text, entry, &writer, presence: MatrixState.isMinor(event.type) ? "mode" : nil)
    }

    private func membership(_ entry: Entry, _ member: Bytes, _ writer: inout RecordWriter) {
        let change = MatrixMembership(entry.event, names)
        if let name = change.name {
            take(name, of: member.string)
            // Only a name that is used everywhere is recorded for the person.
            if names.everywhere(member.string) == name {
                Array(name.utf8).withUnsafeBytes { writer.person(member, name: $0) }
            }
        }
        guard let text = change.text else { return }
        system(
            text, entry, &writer, by: change.isBySomebodyElse && change.presence == nil ? nil : member,
            presence: change.presence, name: change.presence == "nick" ? change.name : nil)
    }

    // MARK: - Votes

    /// The most polls to remember. Older polls are looked up in the records.
    private static let mostPolls = 1_000

    /// Forgets a poll, its end and its votes, so that they are looked up in the records again.
    package func forget(poll: String) { (polls[poll], votes[poll]) = (nil, nil) }

    /// A poll to which an event refers, with its answers.
    private func answers(of poll: String) -> MatrixPoll.Answers? {
        if polls[poll] == nil { polls[poll] = recallAnswers?(room, poll) }
        return polls[poll]
    }

    /// Writes a vote: a reaction to the poll, whose emoji is the text of the answer. A vote replaces the person's vote before it,
    /// and is ignored after the end of the poll. If the poll is missing, because it is older than all events here, the record
    /// only says that somebody voted.
    private func vote(_ entry: Entry, _ writer: inout RecordWriter) {
        let event = entry.event
        guard let poll = event.target("m.reference")?.string, let chosen = MatrixPoll.selections(event) else { return }
        let (answers, id, person) = (answers(of: poll), entry.id.string, entry.sender.string)
        let known = votes[poll]?[person] ?? recallVotes?(room, poll, person)
        if let older {
            // A later vote of this person has been converted already.
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
            let record = number == 0 ? id : "\(id)/\(number)"
            number += 1
            Array(record.utf8).withUnsafeBytes { record in
                Array(poll.utf8).withUnsafeBytes {
                    writer.reaction(id: record, to: $0, at: entry.time, key: entry.key)
                }
            }
            writer.text("from", entry.sender)
            writer.text("emoji", text)
            if isRemoved { writer.flag("removed") }
            // The poll may still come, with older events.
            if answers == nil, !isRemoved { writer.texts("selections", chosen) }
            writer.end()
            if !isRemoved { reactions[record] = MatrixReaction(target: poll, person: person, emoji: text) }
        }
        for text in new where !old.contains(text) || answers == nil { write(text, isRemoved: false) }
        for text in old where !new.contains(text) { write(text, isRemoved: true) }
    }

    /// Ends a poll. Only its author can do this.
    private func endPoll(_ entry: Entry, _ writer: inout RecordWriter) {
        let poll = entry.event.target("m.reference")?.string
        let (author, sender) = (poll.flatMap { answers(of: $0)?.author }, entry.sender.string)
        if author == sender, let poll {
            if older == nil { polls[poll]?.isEnded = true } else { older?.ended.insert(poll) }
        }
        // If the poll is missing, its author is checked when the poll comes.
        let isEnd = author == nil || author == sender
        system("\(names.name(sender)) ended a poll", entry, &writer, ends: isEnd ? poll : nil)
    }

    // MARK: - Reactions and redactions

    /// The most reactions of a server to remember. Older ones are looked up in the records.
    private static let mostReactions = 50_000

    private func reaction(_ entry: Entry, _ writer: inout RecordWriter) {
        let (event, id) = (entry.event, entry.id)
        guard let target = event.target("m.annotation"), let key = event.relation?["key"]?.string, !key.isEmpty else {
            if event.isRedacted { withdrawn.insert(id.string) }
            return
        }
        let emoji = MatrixReaction.shown(key, event.content)
        writer.reaction(id: id, to: target, at: entry.time, key: entry.key)
        writer.text("from", entry.sender)
        writer.text("emoji", emoji)
        if emoji != key { writer.text("key", key) }
        if let transaction = event.transaction { writer.text("transaction", transaction) }
        writer.end()
        if recall != nil, reactions.count >= MatrixEvents.mostReactions { reactions.removeAll() }
        reactions[id.string] = MatrixReaction(target: target.string, person: entry.sender.string, emoji: emoji)
    }

    /// The server accepts only redactions that the sender may make, so a deletion is always valid.
    private func redaction(_ entry: Entry, _ writer: inout RecordWriter) {
        let (event, id, time, key) = (entry.event, entry.id, entry.time, entry.key)
        guard let target = event.content?["redacts"]?.bytes ?? event.value["redacts"]?.bytes else { return }
        if withdrawn.remove(target.string) != nil { return }
        if let reaction = reactions.removeValue(forKey: target.string) ?? recall?(room, target.string) {
            Array(reaction.target.utf8).withUnsafeBytes { writer.reaction(id: id, to: $0, at: time, key: key) }
            writer.text("from", reaction.person)
            writer.text("emoji", reaction.emoji)
            writer.flag("removed")
        } else if let former = recallText?(room, target.string) {
            // A removed edit brings the former text back, which is one more edit.
            Array(former.target.utf8).withUnsafeBytes { writer.edit(id: id, of: $0, at: time, key: key) }
            writer.text("from", former.person)
            writer.text("text", former.text)
            writer.text("removes", target)
        } else {
            writer.delete(id: id, of: target, at: time, key: key)
            writer.text("from", entry.sender)
            writer.text("by", "mod")
        }
        if let transaction = event.transaction { writer.text("transaction", transaction) }
        writer.end()
    }
}
