internal import Algorithms
internal import Messages
internal import SQLite

/// All that the index knows of a conversation, but for its records.
struct IndexedConversation: Equatable {
    /// Never used for another conversation.
    let number: Int64
    let id: ConversationID
    /// In the order of the log.
    private(set) var segments: [IndexedSegment] = []
    /// Whether the index knows more: of segments that are not what they were, or gone.
    private(set) var isPart = false
    /// The counts of the segments before each one, and of all.
    private var sums = [RecordCounts()]

    init(number: Int64, id: ConversationID) {
        self.number = number
        self.id = id
    }

    /// Of all segments.
    var counts: RecordCounts { sums[segments.count] }

    /// Of the segments before one.
    /// - Parameter index: of the segment in `segments`.
    func counts(before index: Int) -> RecordCounts { sums[index] }

    /// After the last byte that the index knows.
    var end: LinePlace {
        segments.last.map { LinePlace(segment: segments.count - 1, offset: $0.size) }
            ?? LinePlace(segment: 0, offset: 0)
    }

    /// From the first record to after the last one.
    var rows: Range<Int64> {
        let start = RecordRow.all(of: number).lowerBound
        return start..<(segments.indices.last.map { rows(of: $0).upperBound } ?? start)
    }

    /// From the first record of a segment to after its last one.
    /// - Parameter index: of the segment in `segments`.
    func rows(of index: Int) -> Range<Int64> {
        let start = RecordRow.all(of: number, segment: segments[index].number).lowerBound
        return start..<start + segments[index].next
    }

    /// The index of a segment in `segments`; nil when there is none of this number.
    func index(ofSegment segment: Int64) -> Int? {
        let index = segments.partitioningIndex { $0.number >= segment }
        return index < segments.count && segments[index].number == segment ? index : nil
    }

    /// The index in `segments` of the segment that a record is in.
    /// - Throws: `corrupt` when there is no such segment.
    func segment(ofRow row: Int64) throws -> Int {
        guard let index = index(ofSegment: RecordRow(row).segment) else {
            throw DatabaseError(.corrupt, "a record of a segment that there is not")
        }
        return index
    }

    /// The first segment up to whose end something is true that is true of all longer parts of the log.
    func firstSegment(where isReached: (RecordCounts) -> Bool) -> Int? {
        let index = segments.indices.partitioningIndex { isReached(sums[$0 + 1]) }
        return index < segments.count ? index : nil
    }

    // MARK: - Changing it

    mutating func replace(_ index: Int, by segment: IndexedSegment) {
        segments[index] = segment
        sum(from: index)
    }

    mutating func set(_ segments: [IndexedSegment]) {
        self.segments = segments
        sum(from: 0)
    }

    /// As the index knew it with its first segments only; nil without any.
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

    /// Nil when the index does not know it.
    static func find(_ id: ConversationID, in database: Database) throws -> IndexedConversation? {
        let select = try database.statement("SELECT number FROM conversation WHERE id = ?")
        var name = id.rawValue
        let number = try name.withUTF8 { bytes in
            select.bind(1, text: bytes)
            defer { select.reset() }
            return try select.step() ? select.integer(0) : nil
        }
        guard let number else { return nil }
        var found = IndexedConversation(number: number, id: id)
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

    /// Adds it without any segment. Numbers are not used again: words may still speak of a conversation that is gone.
    /// - Throws: `corrupt` when no number is left: only a rebuilt index has numbers again.
    static func add(_ id: ConversationID, to database: Database) throws -> IndexedConversation {
        let next = try database.statement("UPDATE state SET conversations = conversations + 1 RETURNING conversations")
        let number = try next.step() ? next.integer(0) : 1
        // The change is made when the statement is through.
        while try next.step() {}
        next.reset()
        guard number < RecordRow.mostConversations else {
            throw DatabaseError(.corrupt, "no number is left for another conversation")
        }
        let insert = try database.statement("INSERT INTO conversation VALUES (?, ?)")
        insert.bind(1, number)
        var name = id.rawValue
        try name.withUTF8 { bytes in
            insert.bind(2, text: bytes)
            try insert.run()
        }
        return IndexedConversation(number: number, id: id)
    }

    /// Takes it out of the index with all its records.
    func remove(from database: Database) throws {
        let rows = RecordRow.all(of: number)
        try database.run("DELETE FROM record WHERE row >= ? AND row < ?", rows.lowerBound, rows.upperBound)
        for table in ["segment", "problem", "retired"] {
            try database.run("DELETE FROM \(table) WHERE conversation = ?", number)
        }
        try database.run("DELETE FROM conversation WHERE number = ?", number)
    }

    /// How many of the segments, from the first one, are what they were; the last of them may have grown.
    func segments(keptIn now: [Segment]) -> Int {
        for (index, known) in segments.enumerated() {
            let becomesLast = index == now.count - 1 && index < segments.count - 1
            guard index < now.count, now[index].name == known.name,
                known.isHead(of: now[index], becomesLast: becomesLast)
            else { return index }
            // More lines can come after those of the last one only.
            if index < segments.count - 1, now[index].stamp.size > known.size { return index }
        }
        return segments.count
    }
}
