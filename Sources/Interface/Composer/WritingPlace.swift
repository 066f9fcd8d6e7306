import Messages

/// Where something is written: into the main timeline of a conversation, or into a thread by its root.
struct WritingPlace: Hashable, Sendable {
    let conversation: ConversationID
    var thread: MessageID?
}
