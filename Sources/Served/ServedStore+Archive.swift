package import Messages

/// The calls that go to the archive alone.
extension ServedStore {
    package var me: PersonID? { archive.me }

    package func conversations() async throws(StoreError) -> [Conversation] { try await archive.conversations() }

    package func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation {
        try await archive.conversation(id)
    }

    package func problems() async -> [String] { await archive.problems() }

    package func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        try await archive.message(id, in: conversation)
    }

    package func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]
    {
        try await archive.messages(ids, in: conversation)
    }

    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] { try await archive.versions(of: id, in: conversation) }

    package func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        try await archive.place(of: cursor, in: conversation)
    }

    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await archive.summary(of: id)
    }

    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?, withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        await archive.summaries(of: conversations, since: read, for: reader, withNewest: withNewest)
    }

    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread {
        try await archive.unread(in: conversation, since: state, threads: threads, for: reader)
    }

    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await archive.ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await archive.lastMessages(before: ends)
    }

    package func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> { archive.places(of: query, in: conversation) }

    package func knows(sender: String) async -> Bool { await archive.knows(sender: sender) }

    package func arrivals(
        besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) -> AsyncStream<[Arrival]> { archive.arrivals(besides: isFollowed) }

    package func statistics(
        of id: ConversationID, in zone: Zone, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        try await archive.statistics(of: id, in: zone, progress: progress)
    }
}
