internal import Messages

/// A message as its own line gives it, without the effect of amendments.
struct StoredMessage: Equatable {
    let id: MessageID
    let at: Timestamp
    let sender: PersonID?
    var kind: Message.Kind = .text
    var presence: Presence?
    var text: String
    var replyTo: MessageID?
    var thread: MessageID?
    var isBroadcast = false
    var attachments: [Attachment] = []
    /// Whether its own line says that it was edited, as exports do.
    var isEdited = false
    /// Whether its own line says that it was deleted. It has no text then.
    var isDeleted = false
    /// The reactions that its own line counts.
    var reactions: [CountedReaction] = []
    /// The ID that its program gave it before the server did; nil for a message of another program.
    var transaction: MessageID?
    let place: LinePlace
}

extension StoredMessage {
    /// The approximate bytes of the message in memory.
    var weight: Int {
        let ids = [sender?.rawValue, replyTo?.rawValue, thread?.rawValue].reduce(id.rawValue.utf8.count) {
            $0 + ($1?.utf8.count ?? 0)
        }
        return reactions.reduce(Message.weight(text: text, attachments: attachments, names: ids)) { sum, reaction in
            reaction.people.reduce(sum + 64) { $0 + $1.rawValue.utf8.count + 16 }
        }
    }
}
