internal import SQLite
internal import Messages

/// Finds the replies without a root before them (`RootFinder`), once there is an index of IDs, and puts them into the main
/// timeline.
struct RootMarker {
    /// The first message of a conversation that has a hash.
    static let selectRoot =
        "SELECT row FROM record WHERE hash = ? AND row >= ? AND row < ? AND \(RecordKind.isMessageSQL) ORDER BY row LIMIT 1"

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// To be called behind the search for repeats, which are no roots.
    func markAll() throws {
        let rows = try looseRows()
        if rows.isEmpty { return }
        let update = try database.statement("UPDATE record SET kind = kind | \(RecordKind.main) WHERE row = ?")
        for row in rows {
            update.bind(1, row)
            try update.run()
        }
        for number in Set(rows.map { RecordRow($0).conversation }) {
            guard var conversation = try IndexedConversation.find(number: number, in: database) else { continue }
            try conversation.recount(in: database)
        }
    }

    /// Walks the index of threads, in which the replies of one stand together.
    private func looseRows() throws -> [Int64] {
        let walk = try database.statement(
            """
            SELECT target, row FROM record INDEXED BY record_thread
            WHERE target IS NOT NULL AND \(RecordKind.isMessageSQL) AND kind & \(RecordKind.main) = 0 ORDER BY target, row
            """)
        let find = try database.statement(RootMarker.selectRoot)
        defer { walk.reset() }
        var loose: [Int64] = []
        var last: (target: Int64, number: Int64, root: Int64?)?
        while try walk.step() {
            let (target, row) = (walk.integer(0), walk.integer(1))
            let number = RecordRow(row).conversation
            if last?.target != target || last?.number != number {
                let rows = RecordRow.all(of: number)
                find.bind(1, target)
                find.bind(2, rows.lowerBound)
                find.bind(3, rows.upperBound)
                last = (target, number, try find.step() ? find.integer(0) : nil)
                find.reset()
            }
            if last?.root.map({ $0 > row }) ?? true { loose.append(row) }
        }
        return loose
    }
}
