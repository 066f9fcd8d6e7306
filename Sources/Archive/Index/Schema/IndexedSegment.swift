internal import Messages
internal import SQLite

/// The index entry of a segment.
struct IndexedSegment: Equatable {
    /// The number of the segment in its conversation. Numbers rise in the order of the log; a segment keeps its number
    /// when others are added or removed.
    let number: Int64
    let name: String
    /// The bytes of whole lines that are indexed.
    var size: Int64 = 0
    /// The state of the file when they were indexed.
    var stamp: FileStamp
    /// The number of indexed lines.
    var lines = 0
    /// The hash of the last indexed bytes.
    var tail = emptyTail
    /// The sequence number of the next record.
    var next: Int64
    /// The counts of the segment's own records.
    var counts = RecordCounts()

    /// An entry without any indexed line.
    /// - Parameters:
    ///   - number: the number of the segment in its conversation.
    ///   - next: the sequence number of its first record.
    init(_ segment: Segment, number: Int64, next: Int64) {
        self.number = number
        name = segment.name
        // The stamp of an empty file, so that after an interruption the next run continues after the indexed lines.
        stamp = FileStamp(size: 0, inode: segment.stamp.inode, seconds: 0, nanoseconds: 0)
        self.next = next
    }

    // MARK: - In the database

    static let columns = """
        number, name, size, seen, inode, seconds, nanoseconds, lines, tail, next, mains, messages, peak, first, last, problems, \
        presence
        """

    /// - Parameter row: a row with `columns`.
    init(_ row: Statement) {
        number = row.integer(0)
        name = String(decoding: row.bytes(1), as: UTF8.self)
        size = row.integer(2)
        stamp = FileStamp(
            size: row.integer(3), inode: UInt64(bitPattern: row.integer(4)), seconds: Int(row.integer(5)),
            nanoseconds: Int(row.integer(6)))
        lines = Int(row.integer(7))
        tail = row.integer(8)
        next = row.integer(9)
        counts.mainCount = Int(row.integer(10))
        counts.messages = Int(row.integer(11))
        counts.peak = row.integer(12)
        counts.first = row.optional(13)
        counts.last = row.optional(14)
        counts.problems = Int(row.integer(15))
        counts.presence = Int(row.integer(16))
    }

    func save(of conversation: Int64, to database: Database) throws {
        let insert = try database.statement(
            "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insert.bind(1, conversation)
        insert.bind(2, number)
        let values = [
            size, stamp.size, Int64(bitPattern: stamp.inode), Int64(stamp.seconds), Int64(stamp.nanoseconds),
            Int64(lines), tail, next, Int64(counts.mainCount), Int64(counts.messages), counts.peak, counts.first,
            counts.last, Int64(counts.problems), Int64(counts.presence),
        ]
        for (index, value) in values.enumerated() { insert.bind(Int32(index + 4), value) }
        var name = name
        try name.withUTF8 { bytes in
            insert.bind(3, text: bytes)
            try insert.run()
        }
    }

    // MARK: - Comparison with the file

    /// Whether the file is unchanged.
    func isSame(_ now: FileStamp) -> Bool { now == stamp }

    /// Whether the file still begins with the indexed lines: it is unchanged or has grown.
    /// - Parameter becomesLast: whether the segments after it were removed.
    func isHead(of segment: Segment, becomesLast: Bool = false) -> Bool {
        // A last line without line feed counts only if another segment follows.
        if becomesLast, size > 0, (try? IndexedSegment.endsLine(segment.path, at: size)) != true { return false }
        if isSame(segment.stamp) { return true }
        guard segment.stamp.continues(stamp), segment.stamp.size > stamp.size else { return false }
        // A last line without line feed counts if another segment follows, but the file may have grown within that
        // line.
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

    private static let emptyTail = Int64(bitPattern: IDHash(UnsafeRawBufferPointer(start: nil, count: 0)).value)

    /// The hash of the last 4 KiB before an offset.
    static func tail(of file: borrowing File, size: Int64) throws(StoreError) -> Int64 {
        let length = Int(min(size, 4_096))
        if length == 0 { return emptyTail }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
        defer { buffer.deallocate() }
        try file.read(into: buffer, at: size - Int64(length))
        return Int64(bitPattern: IDHash(UnsafeRawBufferPointer(buffer)).value)
    }
}
