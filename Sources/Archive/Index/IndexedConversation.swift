internal import GRDB
internal import Messages

/// What the index knows of a whole conversation.
struct IndexedConversation: Equatable {
    /// Never used for another conversation.
    let number: Int64
    let id: ConversationID
    /// The sequence of the next record.
    var next: Int64 = 1
    /// Messages of the main timeline, and all of them.
    var mains = 0
    var messages = 0
    /// The latest time of a message of the main timeline; the lowest number when there is none.
    var peak = Int64.min
    /// Of the first and the last message in the order of the log.
    var first: Int64?
    var last: Int64?
    /// Lines that were passed over.
    var problems = 0
    var segments: [IndexedSegment] = []

    /// Behind the last byte that the index knows.
    var end: LinePlace {
        segments.last.map { LinePlace(segment: segments.count - 1, offset: $0.size) }
            ?? LinePlace(segment: 0, offset: 0)
    }

    init(number: Int64, id: ConversationID) {
        self.number = number
        self.id = id
    }

    /// Nil when the index does not know it.
    static func find(_ id: ConversationID, in database: Database) throws -> IndexedConversation? {
        let row = try Row.fetchOne(
            database, sql: "SELECT * FROM conversation WHERE id = ?", arguments: [id.rawValue])
        guard let row else { return nil }
        var found = IndexedConversation(row, id)
        found.segments = try Row.fetchAll(
            database, sql: "SELECT * FROM segment WHERE conversation = ? ORDER BY number", arguments: [found.number]
        ).map(IndexedSegment.init)
        return found
    }

    static func find(number: Int64, in database: Database) throws -> IndexedConversation? {
        let id = try String.fetchOne(database, sql: "SELECT id FROM conversation WHERE number = ?", arguments: [number])
        return try id.flatMap { try find(ConversationID($0), in: database) }
    }

    private init(_ row: Row, _ id: ConversationID) {
        number = row["number"]
        self.id = id
        next = row["next"]
        mains = row["mains"]
        messages = row["messages"]
        peak = row["peak"]
        first = row["first"]
        last = row["last"]
        problems = row["problems"]
    }

    /// Takes one more record in.
    /// - Parameter at: its time, in milliseconds.
    mutating func count(_ kind: RecordKind, at: Int64) {
        guard kind.isMessage else { return }
        messages += 1
        first = first ?? at
        last = at
        guard kind.isMain else { return }
        mains += 1
        peak = max(peak, at)
    }

    /// Writes all but the segments.
    func save(to database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO conversation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [number, id.rawValue, next, mains, messages, peak, first, last, problems])
    }

    /// How many of the segments, from the first one, are what they were; the last of them may have grown.
    func segments(keptIn now: [Segment]) -> Int {
        for (index, known) in segments.enumerated() {
            guard index < now.count, now[index].name == known.name,
                known.isSame(now[index].stamp) || known.isHead(of: now[index])
            else { return index }
            // Only behind the last one can more come.
            if index < segments.count - 1, now[index].stamp.size > known.size { return index }
        }
        return segments.count
    }
}

/// A segment as far as it is in the index.
struct IndexedSegment: Equatable {
    let name: String
    /// The bytes of whole lines that are in the index.
    var size: Int64
    /// The file when they were read.
    var stamp: FileStamp
    /// Lines in them.
    var lines: Int
    /// A hash of the last of them.
    var tail: Int64
    /// The sequence of its first record.
    let base: Int64
    // Of all segments before it.
    let mains: Int
    let messages: Int
    let peak: Int64

    init(_ segment: Segment, behind conversation: IndexedConversation) {
        name = segment.name
        size = 0
        // As if it had been empty: whoever is stopped before all of it is read goes on behind what was.
        stamp = FileStamp(size: 0, inode: segment.stamp.inode, seconds: 0, nanoseconds: 0)
        lines = 0
        tail = 0
        base = conversation.next
        (mains, messages, peak) = (conversation.mains, conversation.messages, conversation.peak)
    }

    private init(_ other: IndexedSegment, behind conversation: IndexedConversation) {
        (name, size, stamp, lines) = (other.name, other.size, other.stamp, other.lines)
        (tail, base) = (other.tail, other.base)
        (mains, messages, peak) = (conversation.mains, conversation.messages, conversation.peak)
    }

    /// The same behind other counts.
    func recounted(behind conversation: IndexedConversation) -> IndexedSegment {
        IndexedSegment(self, behind: conversation)
    }

    fileprivate init(_ row: Row) {
        name = row["name"]
        size = row["size"]
        stamp = FileStamp(
            size: row["seen"], inode: UInt64(bitPattern: row["inode"]), seconds: row["seconds"],
            nanoseconds: row["nanoseconds"])
        lines = row["lines"]
        tail = row["tail"]
        base = row["base"]
        mains = row["mains"]
        messages = row["messages"]
        peak = row["peak"]
    }

    func save(as number: Int, of conversation: Int64, to database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                conversation, number, name, size, stamp.size, Int64(bitPattern: stamp.inode), stamp.seconds,
                stamp.nanoseconds, lines, tail, base, mains, messages, peak,
            ])
    }

    /// Whether nobody wrote to the file since.
    func isSame(_ now: FileStamp) -> Bool { now == stamp }

    /// Whether the file has grown, and what the index knows of it still stands at its beginning: the end of that does.
    func isHead(of segment: Segment) -> Bool {
        guard segment.stamp.continues(stamp), segment.stamp.size > stamp.size else { return false }
        return (try? IndexedSegment.tail(of: segment.path, size: size)) == tail
    }

    /// The hash of the last block of so many bytes.
    static func tail(of path: String, size: Int64) throws(StoreError) -> Int64 {
        let length = Int(min(size, 4_096))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
        defer { buffer.deallocate() }
        try File(path).read(into: buffer, at: size - Int64(length))
        return Int64(bitPattern: IDHash(UnsafeRawBufferPointer(buffer)).value)
    }
}
