/// The conversation to which the people of another one have moved.
package struct Successor: Hashable, Sendable {
    /// Nil if it is not here.
    package let conversation: ConversationID?
    /// Where it is joined.
    package let address: String

    package init(conversation: ConversationID?, address: String) {
        (self.conversation, self.address) = (conversation, address)
    }
}
