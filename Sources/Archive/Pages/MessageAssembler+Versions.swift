internal import Messages

extension MessageAssembler {
    /// All texts that a message has had, the first one first; none if it is deleted.
    /// - Returns: nil if there is no such message.
    func versions(of id: MessageID) throws(StoreError) -> [MessageVersion]? {
        guard let stored = try reader.message(id), let folded = try reader.folded([stored])[id] else { return nil }
        // A removed text is not shown again.
        if folded.isDeleted { return [] }
        let end = canReadAll ? LinePlace.end : stretch(around: stored.place).upperBound
        let first = MessageVersion(at: stored.at, text: stored.text, isFirst: !stored.isEdited)
        return [first] + (try reader.edits(of: stored, before: end))
    }
}

extension ConversationReader {
    /// The texts of the edits of a message by its author, in the order of the log.
    /// - Parameter end: lines that begin at or after this place are ignored.
    fileprivate func edits(of message: StoredMessage, before end: LinePlace) throws(StoreError) -> [MessageVersion] {
        guard message.sender != nil else { return [] }
        let hash = IDHash(message.id)
        var edits: [MessageVersion] = []
        let take = { (place: LinePlace, head: RecordHead, fields: Fields) in
            guard head.kind == .edit,
                let amendment = blocks.records.amendment(head, fields, at: place, of: [hash: [message]]),
                amendment.sender == message.sender, case .edit(let text) = amendment.action
            else { return }
            edits.append(MessageVersion(at: head.at, text: text, isFirst: false))
        }
        if let index { try forEachRecord(about: hash, in: index, take) }
        let start = max(message.place, covered)
        try scan(min(end, start)..<end, IDFilter([hash], isOfLinks: true)) { place, head, fields in
            take(place, head, fields)
            return true
        }
        return edits
    }
}
