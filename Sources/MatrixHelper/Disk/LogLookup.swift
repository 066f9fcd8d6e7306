internal import Files
internal import Formats
internal import Helper
internal import JSON
internal import Matrix
internal import Messages

/// Finds single events in the log of a room. Most functions search only its newest segments.
extension RoomLog {
    /// A value of the newest record with an ID.
    private func last<Value>(id: String, _ read: (JSONValue) -> Value?) -> Value? {
        last(with: "\"id\":\(JSONText(id))") { $0["id"]?.string == id ? read($0) : nil }
    }

    /// Finds a reaction by the ID of its event.
    func reaction(_ id: String) -> MatrixReaction? {
        last(id: id) { value in
            guard value["type"]?.string == "reaction", let target = value["target"]?.string,
                let person = value["from"]?.string, let emoji = value["emoji"]?.string
            else { return nil }
            return MatrixReaction(target: target, person: person, emoji: emoji)
        }
    }

    /// The text of a message without one of its edits; nil if the ID is not that of an edit.
    func text(without edit: String) -> MatrixEvents.FormerText? {
        let edited = last(id: edit) { value -> (target: String, person: String)? in
            guard value["type"]?.string == "edit", let target = value["target"]?.string,
                let person = value["from"]?.string
            else { return nil }
            return (target, person)
        }
        guard let (target, person) = edited else { return nil }
        var edits: [(id: String, text: String)] = []
        var removed: Set<String> = [edit]
        forEach(with: "\"target\":\(JSONText(target))") { value in
            guard value["type"]?.string == "edit", value["target"]?.string == target,
                value["from"]?.string == person, let id = value["id"]?.string, let text = value["text"]?.string
            else { return }
            if let old = value["removes"]?.string { removed.insert(old) } else { edits.append((id, text)) }
        }
        let newest = edits.last { !removed.contains($0.id) }?.text
        guard let text = newest ?? last(id: target, { $0["text"]?.string }) else { return nil }
        return MatrixEvents.FormerText(target: target, person: person, text: text)
    }

    /// The person who sent a message.
    func author(of event: String) -> String? { last(id: event) { $0["from"]?.string } }

    /// The people whom a message called.
    func mentions(of event: String) -> [String] {
        last(id: event) { $0["mentions"]?.elements.compactMap { $0.string } } ?? []
    }

    /// The answers of a poll; nil if it is not here.
    func answers(of poll: String) -> MatrixPoll.Answers? {
        let ends = "\"ends\":\(JSONText(poll))"
        return last(id: poll) { value in
            guard let fields = value["answers"] else { return nil }
            let (author, texts) = (value["from"]?.string ?? "", fields.elements.compactMap(\.string))
            let isEnded = last(with: ends) {
                $0["ends"]?.string == poll && $0["from"]?.string == author ? true : nil
            }
            return MatrixPoll.Answers(fields: texts, author: author, isEnded: isEnded == true)
        }
    }

    /// The texts of the answers that a person has given to a poll; nil if no vote is known.
    func votes(of person: String, on poll: String) -> [String]? {
        var votes: [String]?
        forEach(with: "\"target\":\(JSONText(poll))") { value in
            guard value["type"]?.string == "reaction", value["target"]?.string == poll,
                value["from"]?.string == person, let text = value["emoji"]?.string
            else { return }
            votes = (votes ?? []).filter { $0 != text } + (value["removed"]?.isTrue == true ? [] : [text])
        }
        return votes
    }

    /// The key of a reaction to a message that is shown by another text, such as a picture by its short name.
    func key(ofReaction emoji: String, to target: String) -> String? {
        last(with: "\"target\":\(JSONText(target))") { value in
            value["target"]?.string == target && value["emoji"]?.string == emoji ? value["key"]?.string : nil
        }
    }

    /// The message to which a message replies.
    func replyTarget(of event: String) -> String? { last(id: event) { $0["replyTo"]?.string } }

    /// The current text of a message of this account, if another client has written that text; nil if this client has, or if it is
    /// not known.
    func textFromElsewhere(of event: String, me: String) -> String? {
        let edit = last(with: "\"target\":\(JSONText(event))") { value -> (text: String, isOwn: Bool)? in
            guard value["type"]?.string == "edit", value["target"]?.string == event, value["from"]?.string == me,
                let text = value["text"]?.string
            else { return nil }
            return (text, value["transaction"] != nil)
        }
        if let edit { return edit.isOwn ? nil : edit.text }
        return last(id: event) { $0["text"]?.string }
    }

    /// The event that was sent with a transaction of this account.
    func event(ofTransaction id: String) -> String? {
        last(with: "\"transaction\":\(JSONText(id))") { value in
            value["transaction"]?.string == id ? value["id"]?.string : nil
        }
    }

    /// The reaction of this account to an event, unless it was taken back.
    func ownReaction(to event: String, emoji: String, me: String) -> String? {
        let last = last(with: "\"target\":\(JSONText(event))") { value -> (String, Bool)? in
            guard value["type"]?.string == "reaction", value["target"]?.string == event,
                value["from"]?.string == me, value["emoji"]?.string.map(Reaction.key) == Reaction.key(emoji),
                let id = value["id"]?.string
            else { return nil }
            return (id, value["removed"]?.isTrue == true)
        }
        return last.flatMap { id, isRemoved in isRemoved ? nil : id }
    }

    /// Writes reactions that came out of order, with a mark: they do not count as the end of the log.
    /// - Parameter lines: records; other records and known ones are left out.
    func add(reactions lines: [UInt8], to event: String) throws(FileError) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var new: [UInt8] = []
        lines.withUnsafeBytes { lines in
            for line in lines.lines {
                guard let value = tree.parse(line), value["type"]?.string == "reaction",
                    value["target"]?.string == event, let id = value["id"]?.string, line.last == UInt8(ascii: "}"),
                    reaction(id) == nil
                else { continue }
                new += line.dropLast() + Array(",\"late\":true}\n".utf8)
            }
        }
        try append(new)
    }

    /// The file of a message; nil if it has none.
    func file(of event: String) -> ForeignAttachment? {
        let found = try? record(event) { value -> ForeignAttachment? in
            guard let file = value["attachments"]?.elements.first(where: { _ in true }) else { return nil }
            return ForeignAttachment(
                name: file["name"]?.string ?? "file", size: file["bytes"]?.integer, address: file["url"]?.string,
                isEncrypted: file["encrypted"]?.isTrue == true)
        }
        return found ?? nil
    }
}
