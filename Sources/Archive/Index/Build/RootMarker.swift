internal import Messages
internal import SQLite

/// Finds the replies without a root before them (see `RootFinder`) and moves them into the main timeline. Needs the
/// index of IDs.
struct RootMarker {
    /// Selects the first message of a conversation whose ID has a hash.
    static let selectRoot =
        "SELECT row FROM record WHERE hash = ? AND row >= ? AND row < ? AND \(RecordKind.isMessageSQL) ORDER BY row LIMIT 1"

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Marks the loose replies of all conversations. Repeats must be marked before, since they cannot be roots.
    /// - Returns: the changed rows.
    func markAll() throws -> [Int64] {
        let replies = try looseReplies()
        for (row, kind) in replies { try set(row, kind.loose(true)) }
        return replies.map(\.row)
    }

    /// Marks the loose replies of some threads. Removes the mark of replies that have a root before them now.
    /// - Parameter roots: the hashes of the roots.
    /// - Returns: the changed rows.
    func mark(_ roots: Set<Int64>, of conversation: IndexedConversation) throws -> [Int64] {
        var changed: [Int64] = []
        for hash in roots {
            let root = try root(hash, of: conversation.number)
            let all = RecordRow.all(of: conversation.number)
            let replies = try database.rows(
                """
                SELECT row, kind FROM record INDEXED BY record_thread
                WHERE target = ? AND row >= ? AND row < ? AND target IS NOT NULL AND \(RecordKind.isMessageSQL)
                """, hash, all.lowerBound, all.upperBound
            ) { (row: $0.integer(0), kind: RecordKind(code: $0.integer(1))) }
            for reply in replies {
                // The author broadcast the reply to the main timeline.
                if reply.kind.isMain && !reply.kind.isLoose { continue }
                let isLoose = root.map { $0 >= reply.row } ?? true
                guard isLoose != reply.kind.isLoose else { continue }
                try set(reply.row, reply.kind.loose(isLoose))
                changed.append(reply.row)
            }
        }
        return changed
    }

    private func set(_ row: Int64, _ kind: RecordKind) throws {
        let update = try database.statement("UPDATE record SET kind = ? WHERE row = ?")
        update.bind(1, kind.code)
        update.bind(2, row)
        try update.run()
    }

    private func root(_ hash: Int64, of conversation: Int64) throws -> Int64? {
        let find = try database.statement(RootMarker.selectRoot)
        let rows = RecordRow.all(of: conversation)
        find.bind(1, hash)
        find.bind(2, rows.lowerBound)
        find.bind(3, rows.upperBound)
        defer { find.reset() }
        return try find.step() ? find.integer(0) : nil
    }

    /// Reads the index of threads, in which the replies of each thread are adjacent.
    private func looseReplies() throws -> [(row: Int64, kind: RecordKind)] {
        let walk = try database.statement(
            """
            SELECT target, row, kind FROM record INDEXED BY record_thread
            WHERE target IS NOT NULL AND \(RecordKind.isMessageSQL) AND kind & \(RecordKind.main) = 0 ORDER BY target, row
            """)
        defer { walk.reset() }
        var loose: [(row: Int64, kind: RecordKind)] = []
        var last: (target: Int64, number: Int64, root: Int64?)?
        while try walk.step() {
            let (target, row) = (walk.integer(0), walk.integer(1))
            let number = RecordRow(row).conversation
            if last?.target != target || last?.number != number {
                last = (target, number, try root(target, of: number))
            }
            if last?.root.map({ $0 >= row }) ?? true {
                loose.append((row, RecordKind(code: walk.integer(2))))
            }
        }
        return loose
    }
}
