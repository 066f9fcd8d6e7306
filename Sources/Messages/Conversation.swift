package struct Conversation: Identifiable, Hashable, Sendable {
    package let id: ConversationID
    /// What people call it; the ID when it has no title.
    package let title: String
    package let topic: String?

    package init(id: ConversationID, title: String, topic: String?) {
        self.id = id
        self.title = title
        self.topic = topic
    }
}

/// What a list of conversations shows of one.
package struct ConversationSummary: Hashable, Sendable {
    package let conversation: Conversation
    /// All messages: text, action and system, thread replies and tombstones.
    package let count: Int
    package let first: Timestamp?
    package let last: Timestamp?

    package init(conversation: Conversation, count: Int, first: Timestamp?, last: Timestamp?) {
        self.conversation = conversation
        self.count = count
        self.first = first
        self.last = last
    }
}
