package import Messages

/// Messages of a conversation or of a thread, from one to another. They need not be loaded.
package struct MarkedRange: Hashable, Sendable {
    package let conversation: ConversationID
    /// The root of the thread; nil for the main timeline.
    package let thread: MessageID?
    package let first: MessageID
    package let last: MessageID

    package init(conversation: ConversationID, thread: MessageID?, first: MessageID, last: MessageID) {
        self.conversation = conversation
        self.thread = thread
        self.first = first
        self.last = last
    }
}
