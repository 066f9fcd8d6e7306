/// Makes conversations.
package protocol ConversationMaking: Sendable {
    /// Makes an empty conversation, whose ID is made of the title.
    /// - Throws: `notSent` when there is one with this ID, or when it cannot be made.
    func makeConversation(titled title: String) async throws(StoreError) -> Conversation
}

extension ConversationMaking {
    package func makeConversation(titled title: String) async throws(StoreError) -> Conversation {
        throw .notSent("no conversation can be made here")
    }
}
