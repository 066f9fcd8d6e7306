/// Counts the messages of conversations, and those that are new to a person.
package protocol UnreadCounting: Sendable {
    func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary

    /// Summaries of many conversations, in their order; the failure of one does not affect the others. Their newest
    /// messages are made for one row of the screen: without quotes and reactions, and cut to `Quote.longestText`.
    /// - Parameters:
    ///   - read: how far a person has read; later messages are unread.
    ///   - reader: that person; nil when it is not known.
    ///   - withNewest: whether to read the newest messages.
    func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>]

    /// The messages that are new to a person; none when the last message that was read no longer exists.
    /// - Parameters:
    ///   - threads: the replies that waited in threads when that was last noted.
    ///   - reader: that person; nil when it is not known.
    func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread

    /// How far the user has read according to the server: first all that is known, then each change. The messages may be unknown
    /// here. Ends at once where there is no server.
    func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)>

    /// Where each conversation ended at a moment just before now. Fast, even with many conversations.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor]

    /// The last message before each of these ends, which may be a thread reply. A conversation without messages, or one
    /// that cannot be read, has no entry.
    func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID]
}

extension UnreadCounting {
    package func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)> {
        AsyncStream { $0.finish() }
    }

    /// Reads one summary after the other.
    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        var results: [Result<ConversationSummary, StoreError>] = []
        for conversation in conversations {
            do throws(StoreError) {
                var summary = try await summary(of: conversation.id)
                let id = conversation.id
                let unread = try await unread(in: id, since: read[id], threads: read.threads(of: id), for: reader)
                summary = summary.with(unread)
                results.append(.success(summary))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}
