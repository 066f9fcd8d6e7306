internal import SQLite
internal import Messages

/// A read transaction of the index for many conversations.
struct IndexSession {
    private let database: Database
    private let failure: IndexView.Failure

    init(_ database: Database, _ failure: IndexView.Failure) {
        (self.database, self.failure) = (database, failure)
    }

    /// A view of a conversation that covers its unchanged files; nil if the index does not contain the conversation.
    /// - Throws: `unavailable` if the index cannot be read.
    func view(of id: ConversationID, _ segments: [Segment]) throws(StoreError) -> IndexView? {
        // The session shares `failure` with its views.
        let known = try IndexView.attempt(noting: failure) { try IndexedConversation.find(id, in: database) }
        return known.flatMap { $0.prefix($0.segments(keptIn: segments)) }.map { IndexView($0, database, failure) }
    }
}
