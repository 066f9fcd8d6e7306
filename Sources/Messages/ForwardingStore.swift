package import Dates

/// A store over another one, to which all calls go that it does not answer itself.
package protocol ForwardingStore: MessageStore {
    var store: any MessageStore { get }
}

extension ForwardingStore {
    package var me: PersonID? { store.me }

    package func conversations() async throws(StoreError) -> [Conversation] { try await store.conversations() }

    package func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation {
        try await store.conversation(id)
    }

    package func invitations() async -> [Invitation] { await store.invitations() }

    package func listChanges() -> AsyncStream<Void> { store.listChanges() }

    package func problems() async -> [String] { await store.problems() }

    package func problems(in conversations: [ConversationID]) async -> [String] {
        await store.problems(in: conversations)
    }

    package func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        try await store.message(id, in: conversation)
    }

    package func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]
    {
        try await store.messages(ids, in: conversation)
    }

    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] { try await store.versions(of: id, in: conversation) }

    package func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        try await store.place(of: cursor, in: conversation)
    }

    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await store.summary(of: id)
    }

    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?, withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        await store.summaries(of: conversations, since: read, for: reader, withNewest: withNewest)
    }

    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread {
        try await store.unread(in: conversation, since: state, threads: threads, for: reader)
    }

    package func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)> {
        store.serverReads()
    }

    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await store.ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await store.lastMessages(before: ends)
    }

    package func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> { store.places(of: query, in: conversation) }

    package func knows(sender: String) async -> Bool { await store.knows(sender: sender) }

    package func obstacle(in conversation: ConversationID) async -> String? { await store.obstacle(in: conversation) }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) async {
        await store.noteTyping(by: person, in: conversation)
    }

    package func noteRead(_ message: MessageID, in conversation: ConversationID) async {
        await store.noteRead(message, in: conversation)
    }

    package func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]> {
        store.changes(in: conversation, since: since)
    }

    package func arrivals(
        besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) -> AsyncStream<[Arrival]> { store.arrivals(besides: isFollowed) }

    package func preparation() -> AsyncStream<StoreProgress> { store.preparation() }

    package func statistics(
        of id: ConversationID, in zone: Zone, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        try await store.statistics(of: id, in: zone, progress: progress)
    }
}
