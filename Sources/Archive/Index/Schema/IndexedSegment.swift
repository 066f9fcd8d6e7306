internal import Files
internal import Index
internal import Messages

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
    /// The sequence numbers of the first record and of the next one.
    let first: Int64
    var next: Int64
    /// The number of skipped lines.
    var problems = 0

    /// An entry without any indexed line.
    /// - Parameters:
    ///   - number: the number of the segment in its conversation.
    ///   - first: the sequence number of its first record.
    init(_ segment: Segment, number: Int64, first: Int64) {
        self.number = number
        name = segment.name
        // The stamp of an empty file, so that after an interruption the next run continues after the indexed lines.
        stamp = FileStamp(size: 0, inode: segment.stamp.inode, seconds: 0, nanoseconds: 0)
        (self.first, next) = (first, first)
    }

    // MARK: - In the index

    init(number: Int64, _ value: UnsafeRawBufferPointer) {
        self.number = number
        var reader = ByteReader(value)
        size = reader.number()
        stamp = FileStamp(
            size: reader.number(), inode: UInt64(bitPattern: reader.number()), seconds: Int(reader.number()),
            nanoseconds: Int(reader.number()))
        (lines, tail) = (Int(reader.number()), reader.number())
        (first, next, problems) = (reader.number(), reader.number(), Int(reader.number()))
        name = reader.text
    }

    /// The entry of a segment as the next generation would have it; nil if there is none.
    static func find(
        _ number: Int64, of conversation: Int64, in writer: IndexWriter
    ) throws(IndexFault) -> IndexedSegment? {
        try writer.value(of: IndexTable.key(conversation, number), in: .segments)?.withUnsafeBytes {
            IndexedSegment(number: number, $0)
        }
    }

    var value: [UInt8] {
        entry(
            size, stamp.size, Int64(bitPattern: stamp.inode), Int64(stamp.seconds), Int64(stamp.nanoseconds),
            Int64(lines), tail, first, next, Int64(problems)) + name.utf8
    }

    func save(of conversation: Int64, to writer: IndexWriter) {
        writer.set(IndexTable.key(conversation, number), in: .segments, to: value)
    }

    // MARK: - Comparison with the file

    /// True if the file is unchanged.
    func isSame(_ now: FileStamp) -> Bool { now == stamp }

    /// True if the file still begins with the indexed lines: it is unchanged or has grown.
    /// - Parameter becomesLast: true if the segments after it were removed.
    func isHead(of segment: Segment, becomesLast: Bool = false) -> Bool {
        // A last line without line feed counts only if another segment follows.
        if becomesLast, size > 0, (try? File(segment.path).endsLine(at: size)) != true { return false }
        if isSame(segment.stamp) { return true }
        guard segment.stamp.continues(stamp), segment.stamp.size > stamp.size else { return false }
        // A last line without line feed counts if another segment follows, but the file may have grown within that
        // line.
        guard size == 0 || (try? File(segment.path).endsLine(at: size)) == true else { return false }
        return (try? IndexedSegment.tail(of: File(segment.path), size: size)) == tail
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
