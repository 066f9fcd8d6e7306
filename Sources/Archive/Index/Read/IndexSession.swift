internal import SQLite
internal import Messages

/// A read transaction of the index for many conversations.
struct IndexSession {
    private let database: Database
    private let failure: IndexView.Failure

    init(_ database: Database, _ failure: IndexView.Failure) {
        (self.database, self.failure) = (database, failure)
    }

    /// The entries of a conversation; nil if the index does not contain it.
    /// - Throws: `unavailable` if the index cannot be read.
    func conversation(_ id: ConversationID) throws(StoreError) -> IndexedConversation? {
        // The session shares `failure` with its views.
        try IndexView.attempt(noting: failure) { try IndexedConversation.find(id, in: database) }
    }

    /// A view of a conversation that covers its unchanged files; nil if there are none.
    func view(of known: IndexedConversation?, _ segments: [Segment]) -> IndexView? {
        known.flatMap { $0.prefix($0.segments(keptIn: segments)) }.map { IndexView($0, database, failure) }
    }

    /// Calls `body` with each of these conversations, and with what the index keeps of its folder.
    /// - Parameter ids: sorted by their bytes.
    func forEach(
        _ ids: [ConversationID], _ body: (ConversationID, IndexedFolder?) -> Void
    ) throws(StoreError) {
        try IndexView.attempt(noting: failure) {
            let rows = try database.statement(
                "SELECT id, folder FROM conversation WHERE folder IS NOT NULL ORDER BY id")
            defer { rows.reset() }
            var isThere = try rows.step()
            for id in ids {
                // Both lists are sorted, so one walk through both finds all.
                while isThere, rows.bytes(0).lexicographicallyPrecedes(id.rawValue.utf8) { isThere = try rows.step() }
                let isKnown = isThere && rows.bytes(0).elementsEqual(id.rawValue.utf8)
                body(id, isKnown ? IndexedFolder(rows.bytes(1)) : nil)
            }
        }
    }
}
