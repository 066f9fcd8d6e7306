internal import SQLite
internal import Messages

/// One reading of the index that is about many conversations.
struct IndexSession {
    private let database: Database
    private let failure: IndexView.Failure

    init(_ database: Database, _ failure: IndexView.Failure) {
        (self.database, self.failure) = (database, failure)
    }

    /// What the index says of a conversation as far as its files are what was indexed; nil when it knows nothing of it.
    /// - Throws: `unavailable` when it cannot be asked.
    func view(of id: ConversationID, _ segments: [Segment]) throws(StoreError) -> IndexView? {
        // The same failure is noted by the views.
        let known = try IndexView.attempt(noting: failure) { try IndexedConversation.find(id, in: database) }
        return known.flatMap { $0.prefix($0.segments(keptIn: segments)) }.map { IndexView($0, database, failure) }
    }
}
