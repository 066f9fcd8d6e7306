internal import Messages

/// A message as its own line gives it, without the effect of amendments.
struct StoredMessage: Equatable {
    let id: MessageID
    let at: Timestamp
    let sender: PersonID?
    var kind: Message.Kind = .text
    var text: String
    var replyTo: MessageID?
    var thread: MessageID?
    var isBroadcast = false
    var attachments: [Attachment] = []
    let place: LinePlace
}

extension StoredMessage {
    /// The approximate bytes of the message in memory.
    var weight: Int { Message.weight(text: text, attachments: attachments) }
}
