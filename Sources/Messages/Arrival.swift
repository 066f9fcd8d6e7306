/// A message that came into a conversation while Kedge was open, or whose text changed then.
package struct Arrival: Hashable, Sendable {
    package let conversation: ConversationID
    /// In its current form; it may be a thread reply.
    package let message: Message
    /// Whether it is a reply in a thread that the reader has begun or has written in.
    package let isInOwnThread: Bool
    /// Whether it came; false if it was here before, and was edited or deleted.
    package let isNew: Bool

    package init(
        conversation: ConversationID, message: Message, isInOwnThread: Bool = false, isNew: Bool = true
    ) {
        self.isNew = isNew
        self.conversation = conversation
        self.message = message
        self.isInOwnThread = isInOwnThread
    }
}
