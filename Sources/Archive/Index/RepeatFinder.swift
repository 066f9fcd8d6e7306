internal import GRDB
internal import Messages

/// Finds the records that repeat an earlier one's ID, once there is an index of IDs, and takes them out of all counts.
struct RepeatFinder {
    private let database: Database
    private let catalogue: Catalogue
    private let blocks = BlockReader()

    init(_ database: Database, _ catalogue: Catalogue) {
        self.database = database
        self.catalogue = catalogue
    }

    func markAll() throws {
        for (number, hashes) in try repeated() { try mark(Array(hashes), of: number) }
    }

    /// The hashes that several records of a conversation have, by its number. Walks the index of IDs in its order and
    /// nothing else: grouping by the conversation, too, would sort it once more, and take 1.2 s a million instead of 0.2.
    private func repeated() throws -> [Int64: Set<Int64>] {
        let walk = try HotStatement(database, "SELECT hash, row FROM record INDEXED BY record_hash ORDER BY hash")
        defer { walk.reset() }
        var found: [Int64: Set<Int64>] = [:]
        var last: (hash: Int64, number: Int64)?
        while try walk.step() {
            let (hash, number) = (walk.integer(0), RecordRow(walk.integer(1)).conversation)
            if let last, last == (hash, number) { found[number, default: []].insert(hash) }
            last = (hash, number)
        }
        return found
    }

    private func mark(_ hashes: [Int64], of number: Int64) throws {
        guard var conversation = try IndexedConversation.find(number: number, in: database),
            let log = try catalogue.log(of: conversation.id)
        else { return }
        var isAny = false
        for hash in hashes where try mark(hash, of: &conversation, log) { isAny = true }
        if isAny { try conversation.recount(in: database) }
    }

    /// - Returns: whether there is one: two IDs may have one hash.
    private func mark(_ hash: Int64, of conversation: inout IndexedConversation, _ log: PlainLog) throws -> Bool {
        let all = RecordRow.all(of: conversation.number)
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT row, segment, offset, length FROM record WHERE hash = ? AND row >= ? AND row < ? ORDER BY row",
            arguments: [hash, all.lowerBound, all.upperBound])
        var known: Set<MessageID> = []
        var isAny = false
        for row in rows {
            let block = Block(segment: row["segment"], offset: row["offset"], length: row["length"])
            guard let id = try id(at: block, log), !known.insert(id).inserted else { continue }
            isAny = true
            try database.execute(
                sql: "UPDATE record SET kind = kind | \(RecordKind.repeatedFlag) WHERE row = ?", arguments: [row["row"]]
            )
            try note(id, block, &conversation, log)
        }
        return isAny
    }

    private func id(at block: Block, _ log: PlainLog) throws -> MessageID? {
        var found: MessageID?
        try blocks.forEachRecord(of: block, in: log) { _, head, _ in
            found = MessageID(String(decoding: head.id, as: UTF8.self))
            return false
        }
        return found
    }

    private func note(
        _ id: MessageID, _ block: Block, _ conversation: inout IndexedConversation, _ log: PlainLog
    ) throws {
        conversation.problems += 1
        guard conversation.problems <= ProblemList.kept else { return }
        let line = try LineScanner.number(ofLineAt: block.offset, in: log.segments[block.segment].path)
        try database.execute(
            sql: "INSERT INTO problem VALUES (?, ?, ?, ?)",
            arguments: [
                conversation.number, block.segment, line,
                "\(LineFault.repeated(id).reason); the line is passed over",
            ])
    }
}

extension IndexedConversation {
    /// Counts anew what the records are: after some of them were found to be repeats, or of the
    /// main timeline.
    mutating func recount(in database: Database) throws {
        let rows = RecordRow.all(of: number)
        (mains, messages, peak, first, last) = (0, 0, .min, nil, nil)
        var segment = -1
        let records = try Row.fetchCursor(
            database, sql: "SELECT row, kind, segment, at FROM record WHERE row >= ? AND row < ? ORDER BY row",
            arguments: [rows.lowerBound, rows.upperBound])
        let update = try HotStatement(database, "UPDATE record SET main = ?, peak = ? WHERE row = ?")
        while let record = try records.next() {
            while segment < record["segment"] as Int {
                segment += 1
                try segments[segment].recounted(behind: self).save(as: segment, of: number, to: database)
            }
            let (kind, at) = (RecordKind(code: record["kind"]), record["at"] as Int64)
            update.bind(1, Int64(mains))
            count(kind, at: at)
            update.bind(2, peak == at ? nil : peak)
            update.bind(3, record["row"] as Int64)
            try update.run()
        }
        for empty in segments.indices.dropFirst(segment + 1) {
            try segments[empty].recounted(behind: self).save(as: empty, of: number, to: database)
        }
        try save(to: database)
    }
}
