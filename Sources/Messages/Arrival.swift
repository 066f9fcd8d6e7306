/// A message that came into a conversation while one looks.
package struct Arrival: Hashable, Sendable {
    package let conversation: ConversationID
    /// As it is now; a thread reply too.
    package let message: Message

    package init(conversation: ConversationID, message: Message) {
        self.conversation = conversation
        self.message = message
    }
}
