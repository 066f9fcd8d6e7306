internal import SQLite
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

    /// - Returns: the conversations whose files cannot be read, and why. The index then knows nothing of them, so that they are
    ///   looked at again the next time.
    func markAll() throws -> [(ConversationID, StoreError)] {
        var failures: [(ConversationID, StoreError)] = []
        for (number, hashes) in try repeated() {
            do {
                try mark(Array(hashes), of: number)
            } catch let error as StoreError {
                guard var conversation = try IndexedConversation.find(number: number, in: database) else { continue }
                try conversation.truncate(to: 0, in: database)
                failures.append((conversation.id, error))
            }
        }
        return failures
    }

    /// The hashes that several records of a conversation have, by its number. Walks the index of IDs in its order and
    /// nothing else: grouping by the conversation, too, would sort it once more, and take 1.2 s a million instead of 0.2.
    private func repeated() throws -> [Int64: Set<Int64>] {
        let walk = try database.statement("SELECT hash, row FROM record INDEXED BY record_hash ORDER BY hash")
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
        let rows = try database.rows(
            "SELECT row, segment, offset, length FROM record WHERE hash = ? AND row >= ? AND row < ? ORDER BY row",
            hash, all.lowerBound, all.upperBound
        ) { row in
            let block = Block(segment: Int(row.integer(1)), offset: row.integer(2), length: Int(row.integer(3)))
            return (row: row.integer(0), block: block)
        }
        var known: Set<MessageID> = []
        var isAny = false
        for (row, block) in rows {
            guard let id = try id(at: block, log), !known.insert(id).inserted else { continue }
            isAny = true
            try database.run("UPDATE record SET kind = kind | \(RecordKind.repeatedFlag) WHERE row = ?", row)
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
        try database.run(
            "INSERT INTO problem VALUES (?, ?, ?, ?)", conversation.number, block.segment, line,
            "\(LineFault.repeated(id).reason); the line is passed over")
    }
}

extension IndexedConversation {
    /// Counts anew what the records are: after some of them were found to be repeats, or of the
    /// main timeline.
    mutating func recount(in database: Database) throws {
        let rows = RecordRow.all(of: number)
        (mains, messages, peak, first, last) = (0, 0, .min, nil, nil)
        var segment = -1
        let records = try database.statement(
            "SELECT row, kind, segment, at FROM record WHERE row >= ? AND row < ? ORDER BY row")
        records.bind(1, rows.lowerBound)
        records.bind(2, rows.upperBound)
        defer { records.reset() }
        let update = try database.statement("UPDATE record SET main = ?, peak = ? WHERE row = ?")
        while try records.step() {
            while segment < Int(records.integer(2)) {
                segment += 1
                try segments[segment].recounted(behind: self).save(as: segment, of: number, to: database)
            }
            let (kind, at) = (RecordKind(code: records.integer(1)), records.integer(3))
            update.bind(1, Int64(mains))
            count(kind, at: at)
            update.bind(2, peak == at ? nil : peak)
            update.bind(3, records.integer(0))
            try update.run()
        }
        for empty in segments.indices.dropFirst(segment + 1) {
            try segments[empty].recounted(behind: self).save(as: empty, of: number, to: database)
        }
        try save(to: database)
    }
}
