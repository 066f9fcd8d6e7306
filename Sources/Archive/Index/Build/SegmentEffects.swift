internal import Messages
internal import SQLite

/// The changes that adding or removing a segment causes in later segments: which of their records repeat an ID, and
/// which of their replies have a root before them. Everything else in the index of a segment depends only on its own
/// lines.
struct SegmentEffects {
    /// The hashes of IDs for which another record may be the first one now.
    private var ids: Set<Int64> = []
    /// The hashes of IDs for which another message may be the root of a thread now.
    private var roots: Set<Int64> = []

    /// Notes the effects of an added record.
    /// - Parameters:
    ///   - hash: the hash of its ID.
    ///   - isRoot: whether it is a message, and so can be a root.
    ///   - later: the rows of the segments after it.
    mutating func note(_ hash: Int64, isRoot: Bool, in later: Range<Int64>, _ table: RecordTable) throws {
        if try table.ids.isAny(of: hash, in: later) { ids.insert(hash) }
        if isRoot, try table.replies.isAny(of: hash, in: later) { roots.insert(hash) }
    }

    /// Notes the effects of removing a segment. Call it before its records are deleted.
    /// - Parameter index: the index of the segment in the conversation.
    mutating func note(goneIn index: Int, of conversation: IndexedConversation, _ database: Database) throws {
        let rows = conversation.rows(of: index)
        let later = rows.upperBound..<conversation.rows.upperBound
        if later.isEmpty { return }
        // Repeats are few, so all of them are examined again.
        let table = RecordTable(database)
        for row in try table.repeated(in: later) {
            if let record = try table.record(at: row) { ids.insert(record.hash) }
        }
        try table.forEach(in: rows) { _, gone in
            if gone.kind.isMessage, try table.replies.isAny(of: gone.hash, in: later) { roots.insert(gone.hash) }
            return true
        }
    }

    /// Updates the marks of the noted records, and the counts of their segments.
    /// - Parameter log: has the segments of the conversation.
    /// - Returns: the updated conversation.
    /// - Throws: the errors of reading lines.
    func settle(
        _ conversation: IndexedConversation, _ log: PlainLog, _ blocks: BlockReader, in database: Database
    ) throws -> IndexedConversation {
        if ids.isEmpty, roots.isEmpty { return conversation }
        let repeats = try RepeatFinder(database, blocks).mark(ids, of: conversation, log)
        let marked = try RootMarker(database).mark(roots.union(repeats.roots), of: conversation)
        let changed = repeats.rows + marked
        if changed.isEmpty { return conversation }
        try Recount(database).run(changed)
        return try IndexedConversation.find(number: conversation.number, in: database) ?? conversation
    }
}
