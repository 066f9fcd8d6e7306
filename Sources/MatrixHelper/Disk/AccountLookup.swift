internal import Formats
internal import Matrix
internal import Messages

/// Looks single events up in the logs. Only their newest segments are searched.
extension AccountArchive {
    /// The person who sent a message.
    func author(of event: String, in room: String) -> String? {
        log(ofKnown: room)?.last(with: "\"id\":\(JSONString.text(event))") { value in
            value["id"]?.string == event ? value["from"]?.string : nil
        }
    }

    /// The people whom a message called.
    func mentions(of event: String, in room: String) -> [String] {
        log(ofKnown: room)?.last(with: "\"id\":\(JSONString.text(event))") { value in
            value["id"]?.string == event ? value["mentions"]?.elements.compactMap { $0.string } : nil
        } ?? []
    }

    /// The answers of a poll; nil if it is not here.
    func answers(of poll: String, in room: String) -> MatrixPoll.Answers? {
        let log = log(ofKnown: room)
        let ends = "\"ends\":\(JSONString.text(poll))"
        return log?.last(with: "\"id\":\(JSONString.text(poll))") { value in
            guard value["id"]?.string == poll, let fields = value["answers"] else { return nil }
            let (author, texts) = (value["from"]?.string ?? "", fields.elements.compactMap(\.string))
            let isEnded = log?.last(with: ends) {
                $0["ends"]?.string == poll && $0["from"]?.string == author ? true : nil
            }
            return MatrixPoll.Answers(fields: texts, author: author, isEnded: isEnded == true)
        }
    }

    /// The texts of the answers that a person has given to a poll; nil if no vote is known.
    func votes(of person: String, on poll: String, in room: String) -> [String]? {
        var votes: [String]?
        log(ofKnown: room)?.forEach(with: "\"target\":\(JSONString.text(poll))") { value in
            guard value["type"]?.string == "reaction", value["target"]?.string == poll,
                value["from"]?.string == person, let text = value["emoji"]?.string
            else { return }
            votes = (votes ?? []).filter { $0 != text } + (value["removed"]?.isTrue == true ? [] : [text])
        }
        return votes
    }

    /// The key of a reaction to a message that is shown by another text, such as a picture by its short name.
    func key(ofReaction emoji: String, to target: String, in room: String) -> String? {
        log(ofKnown: room)?.last(with: "\"target\":\(JSONString.text(target))") { value in
            value["target"]?.string == target && value["emoji"]?.string == emoji ? value["key"]?.string : nil
        }
    }

    /// The message to which a message replies.
    func replyTarget(of event: String, in room: String) -> String? {
        log(ofKnown: room)?.last(with: "\"id\":\(JSONString.text(event))") { value in
            value["id"]?.string == event ? value["replyTo"]?.string : nil
        }
    }

    /// The text of an own message by now, if another client has written it; nil if this one has, or it is not known.
    func textFromElsewhere(of event: String, in room: String) -> String? {
        let (log, id) = (log(ofKnown: room), JSONString.text(event))
        let edit = log?.last(with: "\"target\":\(id)") { value -> (text: String, isOwn: Bool)? in
            guard value["type"]?.string == "edit", value["target"]?.string == event, value["from"]?.string == me,
                let text = value["text"]?.string
            else { return nil }
            return (text, value["transaction"] != nil)
        }
        if let edit { return edit.isOwn ? nil : edit.text }
        return log?.last(with: "\"id\":\(id)") { value in
            value["id"]?.string == event ? value["text"]?.string : nil
        }
    }

    /// The event that was sent with a transaction of this account.
    func event(ofTransaction id: String, in room: String) -> String? {
        log(ofKnown: room)?.last(with: "\"transaction\":\(JSONString.text(id))") { value in
            value["transaction"]?.string == id ? value["id"]?.string : nil
        }
    }

    /// The reaction of this account to an event, unless it was taken back.
    func ownReaction(to event: String, emoji: String, in room: String) -> String? {
        let last = log(ofKnown: room)?.last(with: "\"target\":\(JSONString.text(event))") { value -> (String, Bool)? in
            guard value["type"]?.string == "reaction", value["target"]?.string == event,
                value["from"]?.string == me, value["emoji"]?.string.map(Reaction.key) == Reaction.key(emoji),
                let id = value["id"]?.string
            else { return nil }
            return (id, value["removed"]?.isTrue == true)
        }
        return last.flatMap { id, isRemoved in isRemoved ? nil : id }
    }

    /// Writes reactions that the server has told of out of their place, with a mark: they say nothing about where the log ends.
    /// - Parameter lines: records; those that are no reactions to the event are left out, and those that are here already.
    func add(reactions lines: [UInt8], to event: String, in room: String) throws(DiskFailure) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var new: [UInt8] = []
        Lines.forEach(in: lines) { line in
            guard let value = tree.parse(line), value["type"]?.string == "reaction",
                value["target"]?.string == event, let id = value["id"]?.string, line.last == UInt8(ascii: "}"),
                !hasReaction(id, in: room)
            else { return }
            new += line.dropLast() + Array(",\"late\":true}\n".utf8)
        }
        try log(ofKnown: room)?.append(new)
    }

    /// The file of a message; nil if it has none.
    func file(of event: String, in room: String) -> ForeignAttachment? {
        let found = try? log(ofKnown: room)?.record(event) { value -> ForeignAttachment? in
            guard let file = value["attachments"]?.elements.first(where: { _ in true }) else { return nil }
            return ForeignAttachment(
                name: file["name"]?.string ?? "file", size: file["bytes"]?.integer, address: file["url"]?.string,
                isEncrypted: file["encrypted"]?.isTrue == true)
        }
        return found ?? nil
    }

    /// The ID of the room of a conversation, without opening the archive, which another process may be writing.
    package static func room(of conversation: String, inArchive path: String) -> String? {
        guard !conversation.hasPrefix("."), !conversation.contains("/"),
            let file = try? DiskFile.read("\(path)/conversations/\(conversation)/conversation.json")
        else { return nil }
        return file.withUnsafeBytes { RoomFacts(file: $0)?.room }
    }
}

/// What a list of rooms shows beside the rooms: spaces, and invitations.
extension AccountArchive {
    /// Takes spaces and invitations.
    /// - Parameter isWhole: whether the response has all that there are, in all its parts.
    func takeList(_ response: SyncResponse, isWhole: Bool) throws(DiskFailure) {
        for news in response.rooms where news.facts.isSpace { spaces.take(news.facts) }
        guard response.isLast else { return }
        if try invitations.take(response.invitations, answered: response.answered, isWhole: isWhole) {
            listChanges += 1
        }
        // Otherwise the file would say that it has all spaces.
        guard isWhole || spaces.isComplete else { return }
        if try spaces.write(roomsAndConversations) { listChanges += 1 }
    }
}

extension RoomFacts {
    /// Whether a list of rooms shows it in another way.
    func isListed(differentlyFrom other: RoomFacts) -> Bool {
        title { $0 } != other.title { $0 } || topic != other.topic || replacement != other.replacement
            || hasLeft != other.hasLeft || isEncrypted != other.isEncrypted || callers != other.callers
    }
}

/// Islands that are found in the midst of a gap.
extension AccountArchive {
    /// The segment that holds an event; nil if it is not here.
    func segment(holding event: String, in room: String) -> SegmentName? { log(ofKnown: room)?.segment(holding: event) }

    /// The gaps in which events around one may stand.
    func search(for page: ContextPage, in room: String) throws(DiskFailure) -> IslandSearch {
        let gaps = try gaps(in: room)
        guard gaps.count > 1, let log = log(ofKnown: room) else { return IslandSearch(gaps, page) }
        return IslandSearch(try touched(by: page, gaps, log).map { [$0] } ?? gaps, page)
    }

    /// The gap beside known events among those around one. That they are known tells where the others stand, but not that nothing
    /// is missing between. They may reach beyond a small island: the nearest one counts.
    private func touched(by page: ContextPage, _ gaps: [SyncGap], _ log: RoomLog) throws(DiskFailure) -> SyncGap? {
        for gap in gaps.reversed() where try !page.after.isDisjoint(with: log.allIDs(in: gap.edge)) { return gap }
        for gap in gaps {
            if let older = gap.older, try !page.before.isDisjoint(with: log.allIDs(in: older)) { return gap }
        }
        return nil
    }

    /// Writes events around one that is not here.
    /// - Returns: the segment; nil if the event is none that people see, or if there is no gap where it could stand.
    func add(
        _ page: ContextPage, around event: String, in room: String, _ search: IslandSearch
    ) throws(DiskFailure) -> SegmentName? {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        let needle = "\"id\":\(JSONString.text(event))"
        let times = Lines.find(needle, in: page.lines, tree) { $0["id"]?.string == event ? $0["at"]?.string : nil }
        guard let log = log(ofKnown: room), let time = times.first else { return nil }
        let all = try gaps(in: room)
        // Others may have filled some of these meanwhile.
        var left = all.filter(search.holds)
        if left.isEmpty { left = all }
        guard let gap = try oldest(of: left, before: time, log) ?? left.first else { return nil }
        guard let segment = gap.segment(for: page) else {
            throw DiskFailure("\(room): no number is left for a segment")
        }
        try take(namesOf: page.people, in: room)
        var known = try log.ids(from: gap.edge, isAfter: true)
        if let older = gap.older { known.formUnion(try log.ids(from: older, isAfter: false)) }
        try log.add(segment.name, segment.head, Lines.without(known, page.lines))
        try tellVotes(log)
        return segment.name
    }

    /// The oldest of several gaps whose end is later than a time. Times are what senders say: they only choose among gaps of which
    /// the server says nothing.
    private func oldest(of gaps: [SyncGap], before time: String, _ log: RoomLog) throws(DiskFailure) -> SyncGap? {
        guard gaps.count > 1 else { return nil }
        for gap in gaps.reversed() {
            let end = try log.firstTime(in: gap.edge) ?? ""
            if time.dropLast() < end.dropLast() { return gap }
        }
        return nil
    }
}
