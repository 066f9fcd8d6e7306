/// How much there is in conversations, and how much of that is new to somebody.
package protocol UnreadCounting: Sendable {
    func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary

    /// Summaries of many conversations, in their order: a failure of one is no failure of the others. Their newest messages
    /// are there for one row of the screen: without quotes and reactions, and cut to `Quote.longestText`.
    /// - Parameters:
    ///   - read: how far somebody has read; what is unread is counted from there.
    ///   - reader: who has read; nil when that is not known.
    ///   - withNewest: whether the newest messages are wanted.
    func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>]

    /// What came in since somebody has read so far: nothing when the last message that was read is gone.
    /// - Parameters:
    ///   - threads: what waited in the threads when that was last noted.
    ///   - reader: who has read; nil when that is not known.
    func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread

    /// Where each conversation ended at a moment just before. Quick, however many there are.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor]

    /// The last message before each of these ends, a thread reply too. Nothing of a conversation without one, or that cannot
    /// be read.
    func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID]
}

extension UnreadCounting {
    /// Asks for one summary after the other.
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
