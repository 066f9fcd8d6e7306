internal import Index
internal import Messages

/// A generation of the index, for many conversations.
struct IndexSession {
    private let snapshot: IndexSnapshot
    private let failure: IndexView.Failure

    init(_ snapshot: IndexSnapshot, _ failure: IndexView.Failure) {
        (self.snapshot, self.failure) = (snapshot, failure)
    }

    /// The entries of a conversation; nil if the index does not contain it.
    /// - Throws: `unavailable` if the index cannot be read.
    func conversation(_ id: ConversationID) throws(StoreError) -> IndexedConversation? {
        // The session shares `failure` with its views.
        try IndexView.attempt(noting: failure) { try IndexedConversation.find(id, in: snapshot) }
    }

    /// A view of a conversation that covers its unchanged files; nil if there are none.
    func view(of known: IndexedConversation?, _ segments: [Segment]) -> IndexView? {
        known.flatMap { $0.prefix($0.segments(keptIn: segments)) }.map { IndexView($0, snapshot, failure) }
    }

    /// Calls `body` with each of these conversations, and with the index's entry for its folder.
    /// - Parameter ids: sorted by their bytes.
    func forEach(
        _ ids: [ConversationID], _ body: (ConversationID, IndexedFolder?) -> Void
    ) throws(StoreError) {
        try IndexView.attempt(noting: failure) {
            var next = 0
            try snapshot.forEachEntry(of: .conversations) { key, value in
                // Both lists are sorted, so one walk through both finds all.
                while next < ids.count, ids[next].rawValue.utf8.lexicographicallyPrecedes(key) {
                    body(ids[next], nil)
                    next += 1
                }
                guard next < ids.count else { return false }
                if key.elementsEqual(ids[next].rawValue.utf8) {
                    var reader = ByteReader(value)
                    _ = reader.number()
                    body(ids[next], IndexedFolder(reader.rest))
                    next += 1
                }
                return true
            }
            for id in ids[next...] { body(id, nil) }
        }
    }
}
