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
    mutating func note(_ hash: Int64, isRoot: Bool, in later: Range<Int64>, _ database: Database) throws {
        let same = try database.statement(
            "SELECT 1 FROM record INDEXED BY record_hash WHERE hash = ? AND row >= ? AND row < ? LIMIT 1")
        if try SegmentEffects.isAny(same, hash, later) { ids.insert(hash) }
        guard isRoot else { return }
        let reply = try database.statement(
            """
            SELECT 1 FROM record INDEXED BY record_thread
            WHERE target = ? AND row >= ? AND row < ? AND target IS NOT NULL AND \(RecordKind.isMessageSQL) LIMIT 1
            """)
        if try SegmentEffects.isAny(reply, hash, later) { roots.insert(hash) }
    }

    private static func isAny(_ select: Statement, _ hash: Int64, _ rows: Range<Int64>) throws -> Bool {
        select.bind(1, hash)
        select.bind(2, rows.lowerBound)
        select.bind(3, rows.upperBound)
        defer { select.reset() }
        return try select.step()
    }

    /// Notes the effects of removing a segment. Call it before its records are deleted.
    /// - Parameter index: the index of the segment in the conversation.
    mutating func note(goneIn index: Int, of conversation: IndexedConversation, _ database: Database) throws {
        let rows = conversation.rows(of: index)
        let later = rows.upperBound..<conversation.rows.upperBound
        if later.isEmpty { return }
        // Repeats are few, so all of them are examined again.
        ids.formUnion(
            try database.all(
                Int64.self,
                "SELECT hash FROM record INDEXED BY record_repeat WHERE row >= ? AND row < ? AND kind & 64",
                later.lowerBound, later.upperBound))
        roots.formUnion(
            try database.all(
                Int64.self,
                """
                SELECT DISTINCT reply.target FROM record AS gone JOIN record AS reply INDEXED BY record_thread
                ON reply.target = gone.hash AND reply.row >= ? AND reply.row < ?
                AND reply.target IS NOT NULL AND reply.\(RecordKind.isMessageSQL)
                WHERE gone.row >= ? AND gone.row < ? AND gone.\(RecordKind.isMessageSQL)
                """, later.lowerBound, later.upperBound, rows.lowerBound, rows.upperBound))
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
