internal import SQLite
internal import Messages

/// Brings the records of the index up to the files, one conversation after the other:
///
///     folders → which segments are not what they were → their rows go → new lines, in batches → rows
///             → once all are there: the indexes of IDs, and which IDs are repeated
///
/// Each batch is one transaction together with the place that it ends at, so that a killed indexer goes on there.
final class RecordIndexer {
    /// What a batch reads at most, in bytes.
    private static let batch: Int64 = 8 << 20
    /// Conversations that are so small together are indexed in one transaction, for each takes longer than their lines.
    private static let group: (conversations: Int, bytes: Int64) = (512, 1 << 20)

    private let catalogue: Catalogue
    private let queue: IndexConnection
    private let control: IndexControl
    private let tools = RecordWriter.Tools()

    init(_ catalogue: Catalogue, _ queue: IndexConnection, _ control: IndexControl) {
        self.catalogue = catalogue
        self.queue = queue
        self.control = control
    }

    /// - Parameter ids: in which order; what the index knows besides has vanished.
    /// - Returns: the conversations that could not be read, and why.
    /// - Throws: what SQLite says; `CancellationError`.
    func update(_ ids: [ConversationID]) throws -> [(ConversationID, StoreError)] {
        var failures: [(ConversationID, StoreError)] = []
        try removeVanished(besides: ids)
        var work: [Work] = []
        // One reading for all: to begin one takes as long as to find a conversation.
        try queue.read { database in
            for id in ids {
                do {
                    if let some = try self.work(id, in: database) { work.append(some) }
                } catch let error as StoreError {
                    failures.append((id, error))
                }
            }
        }
        let bytes = work.reduce(0) { $0 + $1.bytes }
        control.report { progress in
            progress.recordsTotal += bytes
            progress.wordsTotal += bytes
        }
        for group in RecordIndexer.groups(work) {
            if group.count > 1, try index(together: group) { continue }
            for work in group {
                do {
                    try index(work, by: .each(queue))
                } catch let error as StoreError {
                    tools.people.forget()
                    failures.append((work.id, error))
                }
            }
        }
        if try !queue.read(isReady) { failures += try makeReady() }
        return failures
    }

    /// A conversation of which the index does not know all.
    private struct Work {
        let id: ConversationID
        let segments: [Segment]
        /// Nil when it is new.
        let known: IndexedConversation?
        /// Of its segments, from the first one, those that are what they were.
        let kept: Int

        /// Still to be read.
        var bytes: Int64 {
            segments.size - (known?.segments.prefix(kept).reduce(0) { $0 + $1.size } ?? 0)
        }
    }

    /// Those that can be indexed together, in their order.
    private static func groups(_ work: [Work]) -> [ArraySlice<Work>] {
        var groups: [ArraySlice<Work>] = []
        var (start, bytes): (Int, Int64) = (0, 0)
        for (index, some) in work.enumerated() {
            if index > start, bytes + some.bytes > group.bytes || index - start == group.conversations {
                groups.append(work[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += some.bytes
        }
        if start < work.count { groups.append(work[start...]) }
        return groups
    }

    /// How transactions are made.
    private enum Writing {
        /// Each by itself.
        case each(IndexConnection)
        /// All of them within one.
        case within(Database)

        func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
            switch self {
            case .each(let queue): try queue.write(body)
            case .within(let database): try body(database)
            }
        }
    }

    /// Indexes some small conversations in one transaction.
    /// - Returns: false when one of them cannot be read: then nothing is written.
    private func index(together group: ArraySlice<Work>) throws -> Bool {
        do {
            let numbers = try queue.write { database in
                try group.map { work in
                    try control.checkCancellation()
                    return try index(work, by: .within(database))
                }
            }
            let bytes = group.reduce(0) { $0 + $1.bytes }
            control.report { $0.records += bytes }
            for number in numbers { control.note(records: number) }
            return true
        } catch is StoreError {
            tools.people.forget()
            return false
        }
    }

    private func work(_ id: ConversationID, in database: Database) throws -> Work? {
        guard let folder = try catalogue.folder(of: id) else { return nil }
        var strays = ProblemList()
        let segments = try Segment.all(in: folder, of: id, &strays)
        guard let known = try IndexedConversation.find(id, in: database) else {
            return Work(id: id, segments: segments, known: nil, kept: 0)
        }
        let kept = known.segments(keptIn: segments)
        let isSame = known.segments.last.map { kept > 0 && $0.isSame(segments[kept - 1].stamp) } ?? true
        if kept == known.segments.count, kept == segments.count, isSame { return nil }
        return Work(id: id, segments: segments, known: known, kept: kept)
    }

    /// - Returns: the conversations that could not be read, and why.
    private func makeReady() throws -> [(ConversationID, StoreError)] {
        try queue.write { database in
            try RecordSchema.createIndexes(database)
            let failures = try RepeatFinder(database, catalogue).markAll()
            try RootMarker(database).markAll()
            try database.run("UPDATE state SET ready = 1")
            return failures
        }
    }

    private func removeVanished(besides ids: [ConversationID]) throws {
        let known = try queue.read { try $0.all(String.self, "SELECT id FROM conversation") }
        let gone = Set(known).subtracting(ids.map(\.rawValue))
        if gone.isEmpty { return }
        try queue.write { database in
            for id in gone {
                guard var conversation = try IndexedConversation.find(ConversationID(id), in: database) else {
                    continue
                }
                try conversation.truncate(to: 0, in: database)
                try database.run("DELETE FROM conversation WHERE number = ?", conversation.number)
            }
        }
    }

    /// - Returns: the number of the conversation.
    @discardableResult
    private func index(_ work: Work, by writing: Writing) throws -> Int64 {
        var known = try work.known ?? writing.write { try add(work.id, to: $0) }
        if work.kept < known.segments.count { try writing.write { try known.truncate(to: work.kept, in: $0) } }
        let log = PlainLog(segments: work.segments)
        for number in max(0, known.segments.count - 1)..<max(known.segments.count, work.segments.count) {
            try index(number, of: &known, log, by: writing)
        }
        return known.number
    }

    /// Numbers are not used again: words may still speak of a conversation that is gone.
    private func add(_ id: ConversationID, to database: Database) throws -> IndexedConversation {
        let next = try database.statement("UPDATE state SET conversations = conversations + 1 RETURNING conversations")
        let number = try next.step() ? next.integer(0) : 1
        // The change is made when the statement is through.
        while try next.step() {}
        next.reset()
        let new = IndexedConversation(number: number, id: id)
        try new.save(to: database)
        return new
    }

    /// Reads what is new in a segment.
    private func index(
        _ number: Int, of known: inout IndexedConversation, _ log: PlainLog, by writing: Writing
    ) throws {
        let segment = log.segments[number]
        let isLast = number == log.segments.count - 1
        let isKnown = number < known.segments.count
        var indexed = isKnown ? known.segments[number] : IndexedSegment(segment, behind: known)
        // The end of a line that was never written belongs to the log once a segment stands behind it.
        if isKnown, indexed.isSame(segment.stamp), isLast || indexed.size == segment.stamp.size { return }
        var lines = LineScanner(
            try File(segment.path), size: segment.stamp.size, from: indexed.size, after: indexed.lines)
        var isOver = false
        while !isOver {
            try control.checkCancellation()
            let start = indexed.size
            let end = start + RecordIndexer.batch
            try writing.write { database in
                var writer = try RecordWriter(database, known, log: log, tools: tools, isReady: isReady(database))
                while indexed.size < end {
                    // What a writer left when it was killed, or is still writing, is not there yet.
                    guard let line = try lines.next(), line.isTerminated || !isLast else {
                        isOver = true
                        break
                    }
                    try writer.add(line, number: lines.number, segment: number)
                    indexed.size = line.end
                    indexed.lines = lines.number
                }
                indexed.tail = try IndexedSegment.tail(of: lines.file, size: indexed.size)
                // Only a segment that is read to its end is one that need not be read.
                if isOver { indexed.stamp = segment.stamp }
                try writer.save(indexed, as: number)
                known = writer.conversation
            }
            guard case .each = writing else { continue }
            control.report { $0.records += indexed.size - start }
            control.note(records: known.number)
        }
    }

    private func isReady(_ database: Database) throws -> Bool {
        let select = try database.statement("SELECT ready FROM state")
        defer { select.reset() }
        return try select.step() && select.integer(0) != 0
    }
}

extension IndexedConversation {
    /// Takes all segments but the first ones out of the index.
    mutating func truncate(to kept: Int, in database: Database) throws {
        guard kept < segments.count else { return }
        let first = segments[kept]
        let all = RecordRow.all(of: number)
        let start = RecordRow(conversation: number, sequence: first.base).number
        try database.run(
            """
            INSERT INTO stale(row) SELECT DISTINCT message.row FROM record AS rewrite JOIN record AS message
            ON message.hash = rewrite.target AND message.row >= ? AND message.row < ?
            WHERE rewrite.row >= ? AND rewrite.row < ? AND rewrite.\(RecordKind.isRewriteSQL)
            """, all.lowerBound, start, start, all.upperBound)
        try database.run("DELETE FROM record WHERE row >= ? AND row < ?", start, all.upperBound)
        try database.run("DELETE FROM segment WHERE conversation = ? AND number >= ?", number, kept)
        try database.run("DELETE FROM problem WHERE conversation = ? AND segment >= ?", number, kept)
        (mains, messages, peak) = (first.mains, first.messages, first.peak)
        problems =
            try database.first(Int.self, "SELECT count(*) FROM problem WHERE conversation = ?", number) ?? 0
        segments = Array(segments[..<kept])
        try resetTimes(in: database)
        try save(to: database)
    }

    private mutating func resetTimes(in database: Database) throws {
        let rows = RecordRow.all(of: number)
        let sql = "SELECT at FROM record WHERE row >= ? AND row < ? AND \(RecordKind.isMessageSQL) ORDER BY row"
        first = try database.first(Int64.self, sql + " LIMIT 1", rows.lowerBound, rows.upperBound)
        last = try database.first(Int64.self, sql + " DESC LIMIT 1", rows.lowerBound, rows.upperBound)
    }
}
