internal import Algorithms
import Glibc
internal import CLogScan
internal import Messages
internal import Search

extension [LinePlace] {
    /// Whether these sorted places contain a place.
    func holdsSorted(_ place: LinePlace) -> Bool {
        if isEmpty { return false }
        let index = partitioningIndex { $0 >= place }
        return index < count && self[index] == place
    }
}

/// Reads the records of one block at a time. Keeps the bytes of the last block, because building a page reads the same
/// block several times.
final class BlockReader {
    let records: RecordReader
    /// The places of thread roots found so far.
    var roots = KnownRoots()
    /// The heads of mirrored segments that were read.
    var heads = KnownHeads()
    /// The most bytes without an index that are searched for lines that repeat an ID.
    var mostSearched: Int64 = 64 << 20
    private var repeats: (segments: [Segment], covered: LinePlace, places: [LinePlace])?
    /// How often a block was read from its file, for tests.
    private(set) var loads = 0
    private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var loaded: (path: String, stamp: FileStamp, offset: Int64, length: Int)?

    /// - Parameter longestText: see `RecordReader`.
    init(longestText: Int = .max) { records = RecordReader(longestText: longestText) }

    deinit { Memory.free(buffer) }

    /// The lines after a place that repeat an ID, as long as the files stay the same.
    func repeats(
        of segments: [Segment], after covered: LinePlace, _ find: () throws(StoreError) -> [LinePlace]
    ) throws(StoreError) -> [LinePlace] {
        if let repeats, repeats.covered == covered, repeats.segments == segments { return repeats.places }
        let places = try find()
        repeats = (segments, covered, places)
        return places
    }

    /// Calls `body` with the valid records of a block, in order, until `body` returns false. Leaves out known repeats.
    /// The arguments are valid only during the call.
    /// - Throws: `unavailable` if the segment was replaced or shortened since it was listed; `unreadable` without
    ///   permission.
    func forEachRecord(
        of block: Block, in log: some Log, _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try load(block, of: log.segments[block.segment])
        defer { trim() }
        var start = 0
        while start < block.length {
            let line = self.line(from: start, in: block)
            start += line.length
            guard try give(line, of: block, in: log, to: body) else { return }
        }
    }

    /// The same, but only for the records whose lines the filter selects. The other lines are not parsed.
    func forEachRecord(
        of block: Block, in log: some Log, passing filter: ByteFilter,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try forEachRecord(
            of: block, in: log,
            foundBy: { filter.firstCandidate(in: $0.assumingMemoryBound(to: UInt8.self), from: $1) },
            body)
    }

    /// The same, with a filter for IDs instead of words.
    func forEachRecord(
        of block: Block, in log: some Log, passing filter: IDFilter,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try forEachRecord(of: block, in: log, foundBy: { filter.firstCandidate(in: $0, from: $1) }, body)
    }

    /// The same, for edits and deletions. May give some other records too.
    func forEachRecord(
        of block: Block, in log: some Log, passing filter: EditFilter,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try forEachRecord(of: block, in: log, foundBy: { filter.firstCandidate(in: $0, from: $1) }, body)
    }

    /// Whether the block may hold a lower-case letter that is written as an escape. Filters by IDs, and of edits, miss keys with such
    /// letters.
    func mayEscapeKeys(_ block: Block, in log: some Log) throws(StoreError) -> Bool {
        try load(block, of: log.segments[block.segment])
        guard let base = buffer.baseAddress else { return false }
        return cls_escapes_letters(base.assumingMemoryBound(to: CChar.self), block.length)
    }

    /// - Parameter firstCandidate: returns the index of a byte in the next line to read, at or after an index.
    private func forEachRecord(
        of block: Block, in log: some Log, foundBy firstCandidate: (UnsafeRawBufferPointer, Int) -> Int?,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try load(block, of: log.segments[block.segment])
        defer { trim() }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<block.length])
        var start = 0
        while let candidate = firstCandidate(bytes, start) {
            var lineStart = candidate
            while lineStart > start, bytes[lineStart - 1] != 0x0A { lineStart -= 1 }
            start = lineStart
            let line = self.line(from: start, in: block)
            start += line.length
            guard try give(line, of: block, in: log, to: body) else { return }
        }
    }

    /// Calls `body` with the valid records of the lines that begin at these places, until `body` returns false. Ignores
    /// places outside the block.
    func forEachRecord(
        of block: Block, in log: some Log, at places: some Sequence<LinePlace>,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try load(block, of: log.segments[block.segment])
        defer { trim() }
        for place in places where place.segment == block.segment {
            guard (block.place..<block.end).contains(place) else { continue }
            let line = self.line(from: Int(place.offset - block.offset), in: block)
            guard try give(line, of: block, in: log, to: body) else { return }
        }
    }

    private func give(
        _ line: Line, of block: Block, in log: some Log,
        to body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        let place = LinePlace(segment: block.segment, offset: line.offset)
        guard !line.isBlank, !log.isRepeat(place), let record = try records.read(line).get(orElse: nil) else {
            return true
        }
        var head = record.head
        if log.isLoose(place) { head.isMain = true }
        return try body(place, head, record.fields)
    }

    private func line(from start: Int, in block: Block) -> Line {
        var end = block.length
        if let base = buffer.baseAddress, let feed = memchr(base + start, 0x0A, block.length - start) {
            end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
        }
        let isTerminated = end < block.length
        let offset = block.offset + Int64(start)
        return Line(
            offset: offset, length: end - start + (isTerminated ? 1 : 0), isTerminated: isTerminated,
            content: .content(of: UnsafeRawBufferPointer(buffer), start..<end, isFileStart: offset == 0))
    }

    private func load(_ block: Block, of segment: Segment) throws(StoreError) {
        if let loaded, loaded.path == segment.path, loaded.stamp == segment.stamp, loaded.offset == block.offset,
            loaded.length == block.length
        {
            return
        }
        // Only a damaged index can request such a block.
        guard block.length >= 0, block.offset >= 0 else {
            throw .unavailable("\(segment.path): no line at byte \(block.offset); try again")
        }
        loaded = nil
        loads += 1
        try reserve(block.length)
        let file = try File(segment.path)
        guard file.stamp.continues(segment.stamp) else {
            throw .unavailable("\(segment.path): changed while it was read; try again")
        }
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<block.length])
        try file.read(into: target, at: block.offset)
        loaded = (segment.path, segment.stamp, block.offset, block.length)
    }

    /// Releases the memory of a single long line when a shorter block is read.
    private func reserve(_ length: Int) throws(StoreError) {
        let usual = 256 << 10
        let needed = max(length, usual) + JSONPadding.bytes
        if buffer.count >= needed && (buffer.count <= usual + JSONPadding.bytes || length > usual) { return }
        let larger = try Memory.allocate(needed)
        Memory.free(buffer)
        buffer = larger
    }

    /// A line longer than this is not kept: a screen is open for days.
    private static let longestKept = 1 << 20

    /// Releases the memory of a single very long line as soon as it was read.
    private func trim() {
        guard buffer.count > BlockReader.longestKept else { return }
        Memory.free(buffer)
        (buffer, loaded) = (UnsafeMutableRawBufferPointer(start: nil, count: 0), nil)
        records.trim()
    }

    /// The bytes that are kept for the next block, for tests.
    var keptBytes: Int { buffer.count }
}
