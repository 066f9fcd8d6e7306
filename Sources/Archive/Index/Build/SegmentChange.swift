internal import Messages
internal import SQLite

/// The difference between the indexed segments of a conversation and its current ones.
struct SegmentChange {
    /// The indexed segments by file name.
    private let known: [String: IndexedSegment]
    private let now: [Segment]
    /// For each current segment its index entry if the file still begins with the indexed lines; otherwise nil.
    private let kept: [IndexedSegment?]

    init(from known: [IndexedSegment], to now: [Segment]) {
        let names = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        (self.known, self.now) = (names, now)
        let (lastKnown, lastNow) = (known.last?.name, now.last?.name)
        kept = now.map { segment in
            let becomesLast = segment.name == lastNow && segment.name != lastKnown
            return names[segment.name].flatMap { $0.isHead(of: segment, becomesLast: becomesLast) ? $0 : nil }
        }
    }

    /// Whether the index is up to date.
    var isNone: Bool {
        guard known.count == now.count else { return false }
        return zip(kept, now).enumerated().allSatisfy { index, pair in
            guard let kept = pair.0, kept.isSame(pair.1.stamp) else { return false }
            // If another segment follows, a last line without line feed is indexed too.
            return index == now.count - 1 || kept.size == pair.1.stamp.size
        }
    }

    /// The bytes that are not indexed yet.
    var bytes: Int64 { now.size - kept.reduce(0) { $0 + ($1?.size ?? 0) } }

    /// Deletes changed and removed segments from the index, and adds entries without lines for new ones.
    /// - Parameters:
    ///   - log: has the current segments.
    ///   - isReady: whether records can be looked up by ID.
    /// - Returns: the conversation with the current segments.
    /// - Throws: the errors of SQLite and of reading lines.
    func apply(
        to conversation: IndexedConversation, _ log: PlainLog, _ blocks: BlockReader, in database: Database,
        isReady: Bool
    ) throws -> IndexedConversation {
        let names = Set(kept.compactMap { $0?.name })
        var effects = SegmentEffects()
        let table = RecordTable(database)
        for index in conversation.segments.indices where !names.contains(conversation.segments[index].name) {
            if isReady { try effects.note(goneIn: index, of: conversation, database) }
            try remove(index, of: conversation, from: table, in: database, isReady: isReady)
        }
        try table.flush()
        var changed = conversation
        // A replaced segment keeps its number.
        if let numbers = SegmentNumbers.all(for: now.map { known[$0.name]?.number }),
            try !isUsedUp(conversation.number, database)
        {
            changed.set(try added(numbers, to: changed.number, database))
        } else if SegmentNumbers.all(for: now.map { _ in nil }) == nil {
            throw StoreError.unavailable("\(changed.id): has too many files for the index; they are read without it")
        } else {
            try IndexedConversation.remove([changed], from: database)
            return try SegmentChange(from: [], to: now).apply(
                to: .add(changed.id, to: database), log, blocks, in: database, isReady: isReady)
        }
        return try effects.settle(changed, log, blocks, in: database)
    }

    /// Whether a segment was replaced so often that few sequence numbers are left.
    private func isUsedUp(_ conversation: Int64, _ database: Database) throws -> Bool {
        let used = try database.first(
            Int64.self, "SELECT max(next) FROM retired WHERE conversation = ?", conversation)
        return used ?? 0 > RecordRow.mostSequences / 2
    }

    /// The entries of the current segments; new ones have no records.
    private func added(_ numbers: [Int64], to conversation: Int64, _ database: Database) throws -> [IndexedSegment] {
        var segments: [IndexedSegment] = []
        for (index, number) in numbers.enumerated() {
            if let kept = kept[index] {
                segments.append(kept)
                continue
            }
            let next = try database.first(
                Int64.self, "SELECT next FROM retired WHERE conversation = ? AND number = ?", conversation, number)
            try database.run("DELETE FROM retired WHERE conversation = ? AND number = ?", conversation, number)
            let segment = IndexedSegment(now[index], number: number, next: next ?? 1)
            try segment.save(of: conversation, to: database)
            segments.append(segment)
        }
        return segments
    }

    private func remove(
        _ index: Int, of conversation: IndexedConversation, from table: RecordTable, in database: Database,
        isReady: Bool
    ) throws {
        let segment = conversation.segments[index]
        let (rows, all) = (conversation.rows(of: index), RecordRow.all(of: conversation.number))
        if isReady { try noteStale(in: rows, of: all, table, database) }
        try table.remove(rows, isLinked: isReady)
        try QuietRows(database: database).remove(RecordRow.all(of: conversation.number, segment: segment.number))
        try database.run(
            "DELETE FROM segment WHERE conversation = ? AND number = ?", conversation.number, segment.number)
        try database.run(
            "DELETE FROM problem WHERE conversation = ? AND segment = ?", conversation.number, segment.number)
        try database.run(
            "INSERT OR REPLACE INTO retired VALUES (?, ?, ?)", conversation.number, segment.number, segment.next)
    }

    /// Notes the messages of other segments that lose edits or deletions.
    /// - Parameters:
    ///   - rows: of the segment that is removed.
    ///   - all: of the conversation.
    private func noteStale(
        in rows: Range<Int64>, of all: Range<Int64>, _ table: RecordTable, _ database: Database
    ) throws {
        var stale: Set<Int64> = []
        try table.forEach(in: rows) { _, edit in
            if edit.kind.isTextChange, let target = edit.target {
                stale.formUnion(try table.ids.rows(of: target, in: all).filter { !rows.contains($0) })
            }
            return true
        }
        for row in stale.sorted() { try database.run("INSERT INTO stale(row) VALUES (?)", row) }
    }
}
