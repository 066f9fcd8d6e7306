package import Dates

/// Counts the messages of a conversation by time and person.
package protocol MessageCounting: Sendable {
    /// May take as long as reading the conversation.
    /// - Parameters:
    ///   - zone: in which messages have their month and their hour.
    ///   - progress: told how far it is, in bytes, on any thread.
    /// - Returns: the counts, and what was passed over: one line each.
    /// - Throws: `noSuchConversation`; `unreadable`, `unavailable` when it cannot be read.
    func statistics(
        of id: ConversationID, in zone: Zone,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String])
}
