/// Stores what a person writes.
package protocol MessagePosting: Sendable {
    /// Why nothing can be written to a conversation, in one line for people; nil when it can.
    func obstacle(in conversation: ConversationID) async -> String?

    /// Appends a post to a conversation. When this returns, the post is on the disk.
    /// - Parameter isRetry: whether an earlier try that failed or was cut off may have stored the post. If it did, this
    ///   stores nothing.
    /// - Throws: `notSent`, `noSuchConversation`; `editedMeanwhile`; `noSuchMessage` when the message to reply to, edit, delete or react
    ///   to does not exist.
    func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError)

    /// Shows others in a conversation that a person is typing, for a few seconds; nil when nobody is any more.
    func noteTyping(by person: PersonID?, in conversation: ConversationID) async

    /// Notes that the user has read a conversation up to a message.
    func noteRead(_ message: MessageID, in conversation: ConversationID) async
}

extension MessagePosting {
    package func noteRead(_ message: MessageID, in conversation: ConversationID) async {}
}
