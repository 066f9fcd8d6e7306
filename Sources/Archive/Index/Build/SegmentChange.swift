internal import Messages
internal import SQLite

/// How the segments that the index knows of a conversation become those that it has now.
struct SegmentChange {
    /// What the index knows, by the names of the files.
    private let known: [String: IndexedSegment]
    private let now: [Segment]
    /// Beside each segment of now the one that is known of it, and still is what stands in its file; nil for others.
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

    /// Whether nothing is to be done.
    var isNone: Bool {
        guard known.count == now.count else { return false }
        return zip(kept, now).enumerated().allSatisfy { index, pair in
            guard let kept = pair.0, kept.isSame(pair.1.stamp) else { return false }
            // A line without its end counts where another segment follows.
            return index == now.count - 1 || kept.size == pair.1.stamp.size
        }
    }

    /// Bytes that are still to be read.
    var bytes: Int64 { now.size - kept.reduce(0) { $0 + ($1?.size ?? 0) } }

    /// Takes out of the index what is gone, and puts segments into it that are new, of which nothing is read yet.
    /// - Parameters:
    ///   - log: with the segments of now.
    ///   - isReady: whether records are found by their IDs.
    /// - Returns: the conversation with the segments of now.
    /// - Throws: what SQLite says; what reading a line throws.
    func apply(
        to conversation: IndexedConversation, _ log: PlainLog, _ blocks: BlockReader, in database: Database,
        isReady: Bool
    ) throws -> IndexedConversation {
        let names = Set(kept.compactMap { $0?.name })
        var effects = SegmentEffects()
        for index in conversation.segments.indices where !names.contains(conversation.segments[index].name) {
            if isReady { try effects.note(goneIn: index, of: conversation, database) }
            try remove(index, of: conversation, in: database, isReady: isReady)
        }
        var changed = conversation
        // A segment that was replaced keeps its number.
        if let numbers = SegmentNumbers.all(for: now.map { known[$0.name]?.number }),
            try !isUsedUp(conversation.number, database)
        {
            changed.set(try added(numbers, to: changed.number, database))
        } else if SegmentNumbers.all(for: now.map { _ in nil }) == nil {
            throw StoreError.unavailable("\(changed.id): has too many files for the index; they are read without it")
        } else {
            try changed.remove(from: database)
            return try SegmentChange(from: [], to: now).apply(
                to: .add(changed.id, to: database), log, blocks, in: database, isReady: isReady)
        }
        return try effects.settle(changed, log, blocks, in: database)
    }

    /// Whether a segment was replaced so often that few sequences are left for its number.
    private func isUsedUp(_ conversation: Int64, _ database: Database) throws -> Bool {
        let used = try database.first(
            Int64.self, "SELECT max(next) FROM retired WHERE conversation = ?", conversation)
        return used ?? 0 > RecordRow.mostSequences / 2
    }

    /// The segments of now, those that are new without a record.
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
        _ index: Int, of conversation: IndexedConversation, in database: Database, isReady: Bool
    ) throws {
        let segment = conversation.segments[index]
        let (rows, all) = (conversation.rows(of: index), RecordRow.all(of: conversation.number))
        if isReady {
            try database.run(
                """
                INSERT INTO stale(row) SELECT DISTINCT message.row FROM record AS edit JOIN record AS message
                INDEXED BY record_hash ON message.hash = edit.target
                AND (message.row >= ?1 AND message.row < ?2 OR message.row >= ?3 AND message.row < ?4)
                WHERE edit.row >= ?2 AND edit.row < ?3 AND edit.\(RecordKind.isTextChangeSQL)
                """, all.lowerBound, rows.lowerBound, rows.upperBound, all.upperBound)
        }
        try database.run("DELETE FROM record WHERE row >= ? AND row < ?", rows.lowerBound, rows.upperBound)
        try database.run(
            "DELETE FROM segment WHERE conversation = ? AND number = ?", conversation.number, segment.number)
        try database.run(
            "DELETE FROM problem WHERE conversation = ? AND segment = ?", conversation.number, segment.number)
        try database.run(
            "INSERT OR REPLACE INTO retired VALUES (?, ?, ?)", conversation.number, segment.number, segment.next)
    }
}
