/// A message that came into a conversation while Kedge was open.
package struct Arrival: Hashable, Sendable {
    package let conversation: ConversationID
    /// In its current form; it may be a thread reply.
    package let message: Message

    package init(conversation: ConversationID, message: Message) {
        self.conversation = conversation
        self.message = message
    }
}
