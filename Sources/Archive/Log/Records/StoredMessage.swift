internal import Messages

/// A message as its own line says it, before anything is folded in.
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
    /// Bytes that it takes in memory, nearly.
    var weight: Int { Message.weight(text: text, attachments: attachments) }
}
