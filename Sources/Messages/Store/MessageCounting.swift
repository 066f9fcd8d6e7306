package import Dates

/// Counts the messages of a conversation by time and person.
package protocol MessageCounting: Sendable {
    /// May take as long as reading the conversation.
    /// - Parameters:
    ///   - zone: decides the month and the hour of a message.
    ///   - progress: called with the progress in bytes, on any thread.
    /// - Returns: the counts, and a line for everything that was skipped.
    /// - Throws: `noSuchConversation`; `unreadable`, `unavailable` when it cannot be read.
    func statistics(
        of id: ConversationID, in zone: Zone,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String])
}
