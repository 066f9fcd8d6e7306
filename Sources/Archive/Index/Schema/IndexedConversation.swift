internal import SQLite
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
    /// Whether the index knows more: of segments that are not what they were, or gone.
    var isPart = false

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
        let columns = "number, next, mains, messages, peak, first, last, problems"
        let select = try database.statement("SELECT \(columns) FROM conversation WHERE id = ?")
        var name = id.rawValue
        let known = try name.withUTF8 { bytes in
            select.bind(1, text: bytes)
            defer { select.reset() }
            return try select.step() ? IndexedConversation(select, id) : nil
        }
        guard var found = known else { return nil }
        let segments = try database.statement(
            "SELECT \(IndexedSegment.columns) FROM segment WHERE conversation = ? ORDER BY number")
        segments.bind(1, found.number)
        defer { segments.reset() }
        while try segments.step() { found.segments.append(IndexedSegment(segments)) }
        return found
    }

    static func find(number: Int64, in database: Database) throws -> IndexedConversation? {
        let id = try database.first(String.self, "SELECT id FROM conversation WHERE number = ?", number)
        return try id.flatMap { try find(ConversationID($0), in: database) }
    }

    private init(_ row: Statement, _ id: ConversationID) {
        number = row.integer(0)
        self.id = id
        next = row.integer(1)
        mains = Int(row.integer(2))
        messages = Int(row.integer(3))
        peak = row.integer(4)
        first = row.optional(5)
        last = row.optional(6)
        problems = Int(row.integer(7))
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
        let insert = try database.statement("INSERT OR REPLACE INTO conversation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insert.bind(1, number)
        for (index, value) in [next, Int64(mains), Int64(messages), peak, first, last, Int64(problems)].enumerated() {
            insert.bind(Int32(index + 3), value)
        }
        var name = id.rawValue
        try name.withUTF8 { bytes in
            insert.bind(2, text: bytes)
            try insert.run()
        }
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

    fileprivate static let columns =
        "name, size, seen, inode, seconds, nanoseconds, lines, tail, base, mains, messages, peak"

    fileprivate init(_ row: Statement) {
        name = String(decoding: row.bytes(0), as: UTF8.self)
        size = row.integer(1)
        stamp = FileStamp(
            size: row.integer(2), inode: UInt64(bitPattern: row.integer(3)), seconds: Int(row.integer(4)),
            nanoseconds: Int(row.integer(5)))
        lines = Int(row.integer(6))
        tail = row.integer(7)
        base = row.integer(8)
        mains = Int(row.integer(9))
        messages = Int(row.integer(10))
        peak = row.integer(11)
    }

    func save(as number: Int, of conversation: Int64, to database: Database) throws {
        let insert = try database.statement(
            "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insert.bind(1, conversation)
        insert.bind(2, Int64(number))
        let values = [
            size, stamp.size, Int64(bitPattern: stamp.inode), Int64(stamp.seconds), Int64(stamp.nanoseconds),
            Int64(lines), tail, base, Int64(mains), Int64(messages), Int64(peak),
        ]
        for (index, value) in values.enumerated() { insert.bind(Int32(index + 4), value) }
        var name = name
        try name.withUTF8 { bytes in
            insert.bind(3, text: bytes)
            try insert.run()
        }
    }

    /// Whether nobody wrote to the file since.
    func isSame(_ now: FileStamp) -> Bool { now == stamp }

    /// Whether the file has grown, and what the index knows of it still stands at its beginning: the end of that does.
    func isHead(of segment: Segment) -> Bool {
        guard segment.stamp.continues(stamp), segment.stamp.size > stamp.size else { return false }
        // What was half a line when a segment stood behind it goes on now that it is the last one.
        guard size == 0 || (try? IndexedSegment.endsLine(segment.path, at: size)) == true else { return false }
        return (try? IndexedSegment.tail(of: File(segment.path), size: size)) == tail
    }

    private static func endsLine(_ path: String, at size: Int64) throws(StoreError) -> Bool {
        var byte: UInt8 = 0
        let file = try File(path)
        try withUnsafeMutableBytes(of: &byte) { (buffer) throws(StoreError) in try file.read(into: buffer, at: size - 1)
        }
        return byte == 0x0A
    }

    /// The hash of the last block of so many bytes.
    static func tail(of file: borrowing File, size: Int64) throws(StoreError) -> Int64 {
        let length = Int(min(size, 4_096))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
        defer { buffer.deallocate() }
        try file.read(into: buffer, at: size - Int64(length))
        return Int64(bitPattern: IDHash(UnsafeRawBufferPointer(buffer)).value)
    }
}
