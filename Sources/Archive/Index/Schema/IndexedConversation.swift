internal import Files
internal import Index
internal import Messages
internal import Search

/// The index entries of a conversation, except its records.
struct IndexedConversation: Equatable {
    /// Never reused for another conversation.
    let number: Int64
    let id: ConversationID
    /// In the order of the log.
    var segments: [IndexedSegment] = []
    /// True if this is only a prefix: the index also has later segments, whose files have changed or are gone.
    private(set) var isPart = false
    /// The state of the folder that has exactly these segments; nil if it has to be listed.
    private(set) var folder: FileStamp?
    /// The stamp of the indexed conversation.json; nil if the index does not keep its text.
    private(set) var description: FileStamp?

    init(number: Int64, id: ConversationID) {
        self.number = number
        self.id = id
    }

    /// The number of skipped lines.
    var problems: Int { segments.reduce(0) { $0 + $1.problems } }

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
        return start + segments[index].first..<start + segments[index].next
    }

    /// The index in `segments` of the segment with this number; nil if there is none.
    func index(ofSegment segment: Int64) -> Int? {
        let index = segments.partitioningIndex { $0.number >= segment }
        return index < segments.count && segments[index].number == segment ? index : nil
    }

    /// The index in `segments` of the segment that contains a record.
    /// - Throws: `damaged` if there is no segment for it.
    func segment(ofRow row: Int64) throws(IndexFault) -> Int {
        guard let index = index(ofSegment: RecordRow(row).segment) else {
            throw .damaged(file: "index", reason: "a record of a segment that does not exist")
        }
        return index
    }

    /// This conversation with only its first segments; nil for none.
    func prefix(_ count: Int) -> IndexedConversation? {
        if count == segments.count { return self }
        guard count > 0 else { return nil }
        var part = self
        part.isPart = true
        part.segments.removeSubrange(count...)
        return part
    }

    // MARK: - In the index

    /// Finds a conversation; nil if the index does not contain it.
    static func find(_ id: ConversationID, in snapshot: IndexSnapshot) throws(IndexFault) -> IndexedConversation? {
        guard let value = try snapshot.value(of: Array(id.rawValue.utf8), in: .conversations) else { return nil }
        var found: IndexedConversation?
        value.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var conversation = IndexedConversation(number: reader.number(), id: id)
            let folder = IndexedFolder(reader.rest)
            (conversation.folder, conversation.description) = (folder.folder, folder.file)
            found = conversation
        }
        guard var found else { return nil }
        try snapshot.forEachEntry(of: .segments, startingWith: IndexTable.key(found.number)) { key, value in
            var reader = ByteReader(key)
            _ = reader.key()
            found.segments.append(IndexedSegment(number: reader.key(), value))
            return true
        }
        return found
    }

    static func find(number: Int64, in snapshot: IndexSnapshot) throws(IndexFault) -> IndexedConversation? {
        guard let id = try snapshot.value(of: IndexTable.key(number), in: .conversationIDs) else { return nil }
        return try find(ConversationID(String(decoding: id, as: UTF8.self)), in: snapshot)
    }

    /// Calls `body` with each skipped line that the index keeps: its segment, and the line for people, until it returns false.
    func forEachProblem(
        in snapshot: IndexSnapshot, _ body: (IndexedSegment, String) -> Bool
    ) throws(IndexFault) {
        try snapshot.forEachEntry(of: .problems, startingWith: IndexTable.key(number)) { key, text in
            var key = ByteReader(key)
            _ = key.key()
            guard let index = index(ofSegment: key.key()) else { return true }
            return body(segments[index], "\(id)/\(segments[index].name):\(key.key()): \(ByteReader(text).text)")
        }
    }

    /// Adds a conversation without segments, or replaces what is said of its folder.
    /// - Parameter folder: its state, with the segments that are about to be added; nil if it has to be listed.
    func save(_ folder: IndexedFolder, to writer: IndexWriter) {
        let name = Array(id.rawValue.utf8)
        writer.set(name, in: .conversations, to: entry(number) + folder.bytes)
        writer.set(IndexTable.key(number), in: .conversationIDs, to: name)
    }

    /// Deletes the conversation and all its records from the index.
    func remove(from writer: IndexWriter) throws(IndexFault) {
        let prefix = IndexTable.key(number)
        writer.part.remove(RecordRow.all(of: number))
        let current = try writer.current()
        for table in [IndexTable.segments, .problems, .retired, .repeats] {
            var keys: [[UInt8]] = []
            try current.forEachEntry(of: table, startingWith: prefix) { key, _ in
                keys.append(Array(key))
                return true
            }
            for key in keys { writer.set(key, in: table, to: nil) }
        }
        writer.set(Array(id.rawValue.utf8), in: .conversations, to: nil)
        writer.set(prefix, in: .conversationIDs, to: nil)
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
