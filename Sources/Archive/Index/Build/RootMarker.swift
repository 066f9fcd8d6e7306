internal import Messages
internal import SQLite

/// Finds the replies without a root before them (see `RootFinder`) and moves them into the main timeline. Needs the
/// index of IDs.
struct RootMarker {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Marks the loose replies of some threads. Removes the mark of replies that have a root before them now.
    /// - Parameter roots: the hashes of the roots.
    /// - Returns: the changed rows.
    func mark(_ roots: Set<Int64>, of conversation: IndexedConversation) throws -> [Int64] {
        let table = RecordTable(database)
        let all = RecordRow.all(of: conversation.number)
        var changed: [Int64] = []
        for hash in roots {
            let root = try table.root(hash, in: all)
            for row in try table.replies.rows(of: hash, in: all) {
                guard let reply = try table.record(at: row) else { continue }
                // The author broadcast the reply to the main timeline.
                if reply.kind.isMain && !reply.kind.isLoose { continue }
                let isLoose = root.map { $0 >= row } ?? true
                guard isLoose != reply.kind.isLoose else { continue }
                try table.set(reply.kind.loose(isLoose), of: reply, at: row)
                changed.append(row)
            }
        }
        try table.flush()
        return changed
    }

    /// Marks replies as loose.
    /// - Parameter rows: rising.
    func mark(loose rows: [Int64]) throws {
        let table = RecordTable(database)
        for row in rows {
            guard let reply = try table.record(at: row) else { continue }
            try table.set(reply.kind.loose(true), of: reply, at: row)
        }
        try table.flush()
    }
}
