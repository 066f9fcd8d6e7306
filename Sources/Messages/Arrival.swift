/// A message that came into a conversation while Kedge was open.
package struct Arrival: Hashable, Sendable {
    package let conversation: ConversationID
    /// In its current form; it may be a thread reply.
    package let message: Message
    /// Whether it is a reply in a thread that the reader has begun or has written in.
    package let isInOwnThread: Bool

    package init(conversation: ConversationID, message: Message, isInOwnThread: Bool = false) {
        self.conversation = conversation
        self.message = message
        self.isInOwnThread = isInOwnThread
    }
}
