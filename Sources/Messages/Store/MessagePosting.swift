/// Takes what somebody writes.
package protocol MessagePosting: Sendable {
    /// Why nothing can be written into a conversation, in one line for people; nil when it can.
    func obstacle(in conversation: ConversationID) async -> String?

    /// Puts a post after all others. When this returns it is kept for good.
    /// - Parameter isRetry: whether it may be there already, from a try that failed or was cut off. Then it is not put there
    ///   again.
    /// - Throws: `notSent`, `noSuchConversation`, `noSuchMessage` for a reply to, an edit of, … a message that is not there.
    func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError)

    /// Tells those who look at a conversation that somebody writes in it; nil when nobody does any more. Counts for a few
    /// seconds.
    func noteTyping(by person: PersonID?, in conversation: ConversationID) async
}
