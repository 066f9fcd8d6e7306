internal import Algorithms
internal import Messages
internal import SQLite

/// The index entries of a conversation, except its records.
struct IndexedConversation: Equatable {
    /// Never reused for another conversation.
    let number: Int64
    let id: ConversationID
    /// In the order of the log.
    private(set) var segments: [IndexedSegment] = []
    /// Whether this is only a prefix: the index also has later segments, whose files have changed or are gone.
    private(set) var isPart = false
    /// The state of the folder that has exactly these segments; nil if it has to be listed.
    private(set) var folder: FileStamp?
    /// The state of conversation.json whose text the index keeps; nil if it keeps none.
    private(set) var description: FileStamp?
    /// Element `i` has the counts of the segments before index `i`; the last element those of all.
    private var sums = [RecordCounts()]

    init(number: Int64, id: ConversationID) {
        self.number = number
        self.id = id
    }

    /// The counts of all segments.
    var counts: RecordCounts { sums[segments.count] }

    /// The counts of the segments before one.
    /// - Parameter index: the index in `segments`.
    func counts(before index: Int) -> RecordCounts { sums[index] }

    /// The end of the last indexed byte.
    var end: LinePlace {
        segments.last.map { LinePlace(segment: segments.count - 1, offset: $0.size) }
            ?? LinePlace(segment: 0, offset: 0)
    }

    /// The rows from the first record to after the last one.
    var rows: Range<Int64> {
        let start = RecordRow.all(of: number).lowerBound
        return start..<(segments.indices.last.map { rows(of: $0).upperBound } ?? start)
    }

    /// The rows of a segment, from its first record to after its last one.
    /// - Parameter index: the index in `segments`.
    func rows(of index: Int) -> Range<Int64> {
        let start = RecordRow.all(of: number, segment: segments[index].number).lowerBound
        return start..<start + segments[index].next
    }

    /// The index in `segments` of the segment with this number; nil if there is none.
    func index(ofSegment segment: Int64) -> Int? {
        let index = segments.partitioningIndex { $0.number >= segment }
        return index < segments.count && segments[index].number == segment ? index : nil
    }

    /// The index in `segments` of the segment that contains a record.
    /// - Throws: `corrupt` if there is no such segment.
    func segment(ofRow row: Int64) throws -> Int {
        guard let index = index(ofSegment: RecordRow(row).segment) else {
            throw DatabaseError(.corrupt, "a record of a segment that does not exist")
        }
        return index
    }

    /// The index of the first segment at whose end the counts meet a condition. The condition must stay true as the log
    /// grows.
    func firstSegment(where isReached: (RecordCounts) -> Bool) -> Int? {
        let index = segments.indices.partitioningIndex { isReached(sums[$0 + 1]) }
        return index < segments.count ? index : nil
    }

    // MARK: - Changes

    mutating func replace(_ index: Int, by segment: IndexedSegment) {
        segments[index] = segment
        sum(from: index)
    }

    mutating func set(_ segments: [IndexedSegment]) {
        self.segments = segments
        sum(from: 0)
    }

    /// This conversation with only its first segments; nil for none.
    func prefix(_ count: Int) -> IndexedConversation? {
        if count == segments.count { return self }
        guard count > 0 else { return nil }
        var part = self
        part.isPart = true
        part.segments.removeSubrange(count...)
        part.sums.removeSubrange((count + 1)...)
        return part
    }

    private mutating func sum(from index: Int) {
        sums.removeSubrange((index + 1)...)
        for segment in segments[index...] {
            var sum = sums[sums.count - 1]
            sum.append(segment.counts)
            sums.append(sum)
        }
    }

    // MARK: - In the database

    /// Finds a conversation; nil if the index does not contain it.
    static func find(_ id: ConversationID, in database: Database) throws -> IndexedConversation? {
        let select = try database.statement("SELECT number, folder FROM conversation WHERE id = ?")
        var name = id.rawValue
        let known = try name.withUTF8 { bytes in
            select.bind(1, text: bytes)
            defer { select.reset() }
            return try select.step() ? (select.integer(0), IndexedFolder(select.bytes(1))) : nil
        }
        guard let (number, folder) = known else { return nil }
        var found = IndexedConversation(number: number, id: id)
        (found.folder, found.description) = (folder.folder, folder.file)
        let rows = try database.statement(
            "SELECT \(IndexedSegment.columns) FROM segment WHERE conversation = ? ORDER BY number")
        rows.bind(1, number)
        defer { rows.reset() }
        var segments: [IndexedSegment] = []
        while try rows.step() { segments.append(IndexedSegment(rows)) }
        found.set(segments)
        return found
    }

    static func find(number: Int64, in database: Database) throws -> IndexedConversation? {
        let id = try database.first(String.self, "SELECT id FROM conversation WHERE number = ?", number)
        return try id.flatMap { try find(ConversationID($0), in: database) }
    }

    /// Adds a conversation without segments. Its number is new, since words may still refer to a deleted conversation.
    /// - Throws: `corrupt` if no number is left. A rebuilt index starts again at the first number.
    /// - Parameter folder: its state, with the segments that are about to be added; nil if it has to be listed.
    static func add(
        _ id: ConversationID, _ folder: IndexedFolder? = nil, to database: Database
    ) throws -> IndexedConversation {
        let next = try database.statement("UPDATE state SET conversations = conversations + 1 RETURNING conversations")
        let number = try next.step() ? next.integer(0) : 1
        // The change takes effect when the statement has finished.
        while try next.step() {}
        next.reset()
        guard number < RecordRow.mostConversations else {
            throw DatabaseError(.corrupt, "no number is left for another conversation")
        }
        let insert = try database.statement("INSERT INTO conversation VALUES (?, ?, ?)")
        insert.bind(1, number)
        var name = id.rawValue
        try name.withUTF8 { bytes in
            insert.bind(2, text: bytes)
            try (folder?.bytes ?? []).withUnsafeBytes { bytes in
                insert.bind(3, blob: bytes)
                try insert.run()
            }
        }
        return IndexedConversation(number: number, id: id)
    }

    /// Deletes conversations and all their records from the index.
    static func remove(_ conversations: [IndexedConversation], from database: Database) throws {
        // One table for all, which then writes the look-up of IDs once.
        let table = RecordTable(database)
        for conversation in conversations { try conversation.remove(from: table, database) }
        try table.flush()
    }

    private func remove(from table: RecordTable, _ database: Database) throws {
        let rows = RecordRow.all(of: number)
        try table.remove(rows, isLinked: RecordSchema.isReady(database))
        try QuietRows(database: database).remove(rows)
        for table in ["segment", "problem", "retired"] {
            try database.run("DELETE FROM \(table) WHERE conversation = ?", number)
        }
        try database.run("DELETE FROM conversation WHERE number = ?", number)
    }

    /// The number of segments, counted from the first one, whose files are unchanged; the file of the last of them may
    /// have grown.
    func segments(keptIn now: [Segment]) -> Int {
        for (index, known) in segments.enumerated() {
            let becomesLast = index == now.count - 1 && index < segments.count - 1
            guard index < now.count, now[index].name == known.name,
                known.isHead(of: now[index], becomesLast: becomesLast)
            else { return index }
            // Only after the lines of the last segment can new lines follow.
            if index < segments.count - 1, now[index].stamp.size > known.size { return index }
        }
        return segments.count
    }
}
