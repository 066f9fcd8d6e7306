import Messages

/// The place of a text: the main timeline of a conversation, or a thread, named by its root.
struct WritingPlace: Hashable, Sendable {
    let conversation: ConversationID
    var thread: MessageID?
}
