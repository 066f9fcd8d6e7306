internal import CLogScan
internal import Files
import Glibc
internal import JSON
internal import Messages
internal import Search
internal import Threads

/// The files of a conversation at one moment.
struct PlainLog {
    let segments: [Segment]
    /// The lines that repeat the ID of an earlier line, sorted; only the known ones. They do not count as records. Rare.
    var repeats: [LinePlace] = []
}

extension PlainLog {
    /// Calls `body` with the records of a stretch of the log whose lines the filter selects, until `body` returns
    /// false.
    /// - Parameter shared: a stretch longer than this is searched by two threads.
    func scan(
        _ stretch: Range<LinePlace>, _ filter: IDFilter, _ blocks: BlockReader, sharedFrom shared: Int64 = 32 << 20,
        _ body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let pieces = self.pieces(of: stretch)
        let isShared = pieces.reduce(0) { $0 + Int64($1.range.count) } >= shared
        let ahead = isShared ? ScanAhead(pieces, filter) : nil
        defer { ahead?.stop() }
        for (index, piece) in pieces.enumerated() {
            var goesOn = true
            var last: Block?
            func take(_ line: Range<Int64>) throws(StoreError) {
                let block = PlainLog.block(around: line, after: last, of: piece.segment, until: piece.range.upperBound)
                last = block
                let place = LinePlace(segment: piece.segment, offset: line.lowerBound)
                try blocks.forEachRecord(of: block, in: self, at: [place]) { (place, head, fields) throws(StoreError) in
                    goesOn = try body(place, head, fields)
                    return goesOn
                }
            }
            if let lines = try ahead?.lines(ofPiece: index) {
                for line in lines where goesOn { try take(line) }
            } else {
                var lines = try LineScanner(piece)
                while goesOn, let line = try lines.next(selectedBy: filter) { try take(line.range) }
            }
            if !goesOn { return }
        }
    }

    /// The parts of the segments that belong to a stretch, without empty parts.
    private func pieces(of stretch: Range<LinePlace>) -> [LogPiece] {
        var pieces: [LogPiece] = []
        for (number, segment) in segments.enumerated().dropFirst(stretch.lowerBound.segment) {
            guard number <= stretch.upperBound.segment else { break }
            let start = number == stretch.lowerBound.segment ? max(0, stretch.lowerBound.offset) : 0
            let end =
                number == stretch.upperBound.segment
                ? min(segment.stamp.size, stretch.upperBound.offset) : segment.stamp.size
            if start < end { pieces.append(LogPiece(segment: number, path: segment.path, range: start..<end)) }
        }
        return pieces
    }

    /// The block to read for a line. If selected lines are close together, the block extends beyond the line: otherwise a million
    /// reactions would open the file a million times.
    /// - Parameters:
    ///   - last: the block of the previous selected line in the same segment.
    ///   - end: the end of the stretch in the segment, in bytes.
    private static func block(
        around line: Range<Int64>, after last: Block?, of segment: Int, until end: Int64
    ) -> Block {
        if let last, last.offset <= line.lowerBound, line.upperBound <= last.end.offset { return last }
        let isClose = last.map { line.lowerBound - $0.end.offset < closeLines } ?? false
        let length = isClose ? max(Int64(line.count), min(stretchLength, end - line.lowerBound)) : Int64(line.count)
        return Block(segment: segment, offset: line.lowerBound, length: Int(length))
    }

    /// Selected lines are close if fewer bytes than this are between them.
    private static let closeLines: Int64 = 4 << 10
    private static let stretchLength: Int64 = 64 << 10
}

/// Selects lines that may be edits or deletions: those that refer to another message, except those that begin with the
/// type of a message or a reaction. The exception applies to lines in the usual notation, so hardly any other line is
/// read.
struct EditFilter {
    private static let others = ["message", "reaction"].map { Array("{\"type\":\"\($0)\",".utf8) }

    private let links = IDFilter.links

    /// The index of the first byte of the first selected line at or after `start`; nil if there is none.
    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - start: the start of a line.
    func firstCandidate(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var next = start
        while next < bytes.count, let found = links.firstCandidate(in: bytes, from: next) {
            let line = UnsafeRawBufferPointer(
                rebasing: bytes[(next + lineStart(in: bytes, from: next, before: found))...])
            let isOther = EditFilter.others.contains { line.starts(with: $0) }
            if !isOther { return bytes.count - line.count }
            guard let base = line.baseAddress, let feed = memchr(base, 0x0A, line.count) else { return nil }
            next = bytes.count - line.count + (UnsafeRawPointer(feed) - base) + 1
        }
        return nil
    }

    private func lineStart(in bytes: UnsafeRawBufferPointer, from start: Int, before end: Int) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        return cls_last_line((base + start).assumingMemoryBound(to: CChar.self), end - start)
    }
}

extension [LinePlace] {
    /// Returns true if the array contains the place. The array must be sorted.
    func holdsSorted(_ place: LinePlace) -> Bool {
        if isEmpty { return false }
        let index = partitioningIndex { $0 >= place }
        return index < count && self[index] == place
    }
}

/// The open file of a segment, which several reads share.
final class OpenSegment {
    let file: File

    /// - Throws: the errors of opening a file.
    init(_ segment: Segment) throws(StoreError) { file = try File(segment.path) }
}

/// The known places of the roots of threads, until the files change.
struct KnownRoots {
    private static let remembered = 16_384

    /// The place of the first message with this ID, or of a later one that is still before one of its replies.
    var places: [MessageID: LinePlace] = [:]
    /// A place before which there is no message with this ID.
    var absent: [MessageID: LinePlace] = [:]
    private var segments: [Segment] = []
    private var covered = LinePlace.first

    /// Forgets everything if the files differ from the remembered ones, or if too much is remembered.
    mutating func begin(_ segments: [Segment], covered: LinePlace) {
        let isFull = places.count + absent.count > KnownRoots.remembered
        guard isFull || covered != self.covered || segments != self.segments else { return }
        self = KnownRoots()
        self.segments = segments
        self.covered = covered
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
    /// The most unindexed bytes to search for lines that repeat an ID.
    var mostSearched: Int64 = 64 << 20
    private var repeats: (segments: [Segment], covered: LinePlace, places: [LinePlace])?
    /// The number of blocks that were read from files. Tests use it.
    private(set) var loads = 0
    private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var loaded: (path: String, stamp: FileStamp, offset: Int64, length: Int)?
    /// The file that was opened last, during `keepingFileOpen`; else nil.
    private var open: OpenSegment?
    /// The number of calls of `keepingFileOpen` that have not returned.
    private var keepers = 0

    /// - Parameter longestText: see `RecordReader`.
    init(longestText: Int = .max) { records = RecordReader(longestText: longestText) }

    deinit { Memory.free(buffer) }

    /// Runs `body`, and keeps the file that it reads open meanwhile: mostly one file has all lines of a page. Afterwards no file
    /// is open, since a screen stays for days.
    func keepingFileOpen<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        keepers += 1
        defer {
            keepers -= 1
            if keepers == 0 { open = nil }
        }
        return try body()
    }

    /// The open file of a segment.
    func file(of segment: Segment) throws(StoreError) -> OpenSegment {
        if let open, open.file.path == segment.path, open.file.stamp.continues(segment.stamp) { return open }
        let file = try OpenSegment(segment)
        if keepers > 0 { open = file }
        return file
    }

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
    /// - Parameter firstCandidate: returns the index of a byte in the next line to read, at or after an index. The lines between
    ///   are not parsed. Reads all lines by default.
    /// - Throws: `unavailable` if the segment was replaced or shortened since it was listed; `unreadable` without
    ///   permission.
    func forEachRecord(
        of block: Block, in log: PlainLog,
        foundBy firstCandidate: (UnsafeRawBufferPointer, Int) -> Int? = { $1 < $0.count ? $1 : nil },
        _ body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Bool
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

    /// Returns true if the block may hold a lower-case letter that is written as an escape. Filters for IDs and for edits miss
    /// keys with such letters.
    func mayEscapeKeys(_ block: Block, in log: PlainLog) throws(StoreError) -> Bool {
        try load(block, of: log.segments[block.segment])
        guard let base = buffer.baseAddress else { return false }
        return cls_escapes_letters(base.assumingMemoryBound(to: CChar.self), block.length)
    }

    /// Calls `body` with the valid records of the lines that begin at these places, until `body` returns false. Ignores
    /// places outside the block.
    func forEachRecord(
        of block: Block, in log: PlainLog, at places: some Sequence<LinePlace>,
        _ body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Bool
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
        _ line: LogLine, of block: Block, in log: PlainLog,
        to body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        let place = LinePlace(segment: block.segment, offset: line.offset)
        guard !line.isBlank, !log.repeats.holdsSorted(place), case .success(let record?) = try records.read(line) else {
            return true
        }
        return try body(place, record.head, record.fields)
    }

    private func line(from start: Int, in block: Block) -> LogLine {
        var end = block.length
        if let base = buffer.baseAddress, let feed = memchr(base + start, 0x0A, block.length - start) {
            end = UnsafeRawPointer(feed) - UnsafeRawPointer(base)
        }
        let isTerminated = end < block.length
        let offset = block.offset + Int64(start)
        return LogLine(
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
        let open = try file(of: segment)
        guard open.file.stamp.continues(segment.stamp) else {
            throw .unavailable("\(segment.path): changed while it was read; try again")
        }
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<block.length])
        try open.file.read(into: target, at: block.offset)
        loaded = (segment.path, segment.stamp, block.offset, block.length)
    }

    /// Releases the memory of a single long line when a shorter block is read.
    private func reserve(_ length: Int) throws(StoreError) {
        let usual = 256 << 10
        let needed = max(length, usual) + JSONReader.padding
        if buffer.count >= needed && (buffer.count <= usual + JSONReader.padding || length > usual) { return }
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

/// A group of whole lines of a segment that is read at once: some 64 KiB, or one longer line.
struct Block {
    /// The index of the segment; 0 for the first one.
    let segment: Int
    /// The start of the block in the segment, in bytes.
    let offset: Int64
    /// In bytes.
    let length: Int

    var place: LinePlace { LinePlace(segment: segment, offset: offset) }
    /// The place after the last byte.
    var end: LinePlace { LinePlace(segment: segment, offset: offset + Int64(length)) }
}

/// Divides a log into blocks of whole lines, from any line in both directions.
struct BlockWalk {
    /// The usual size of a block in bytes; the last line may exceed it.
    private static let size: Int64 = 64 << 10
    private static let longest = Int64(LineScanner.longestLine) + size

    let segments: [Segment]
    /// Opens the files; nil to open one for each block.
    var reader: BlockReader?

    private func open(_ segment: Int) throws(StoreError) -> OpenSegment {
        if let reader { try reader.file(of: segments[segment]) } else { try OpenSegment(segments[segment]) }
    }

    /// The block that begins at a place; nil after the last line.
    /// - Parameter place: the start of a line, or the end of a segment.
    func block(from place: LinePlace) throws(StoreError) -> Block? {
        var (segment, offset) = (place.segment, max(0, place.offset))
        while segment < segments.count {
            let size = segments[segment].stamp.size
            if offset < size {
                let open = try open(segment)
                let wanted = min(size, offset + BlockWalk.size)
                var end = wanted == size ? size : try BlockWalk.lineEnd(from: wanted - 1, open.file, size)
                // A line that is too long to read is skipped. The lines before it are read one by one.
                if end - offset > BlockWalk.longest { end = try BlockWalk.lineEnd(from: offset, open.file, size) }
                if end - offset <= BlockWalk.longest {
                    return Block(segment: segment, offset: offset, length: Int(end - offset))
                }
                offset = end
                continue
            }
            (segment, offset) = (segment + 1, 0)
        }
        return nil
    }

    /// The block that ends at a place; nil before the first line.
    func block(before place: LinePlace) throws(StoreError) -> Block? {
        var (segment, end) = (place.segment, place.offset)
        if segment >= segments.count {
            segment = segments.count - 1
            end = segments.last?.stamp.size ?? 0
        }
        while segment >= 0 {
            end = min(end, segments[segment].stamp.size)
            if end > 0 {
                let open = try open(segment)
                var start = try BlockWalk.lineStart(atOrBefore: max(0, end - BlockWalk.size), open.file)
                if end - start > BlockWalk.longest { start = try BlockWalk.lineStart(atOrBefore: end - 1, open.file) }
                if end - start <= BlockWalk.longest {
                    return Block(segment: segment, offset: start, length: Int(end - start))
                }
                end = start
                continue
            }
            segment -= 1
            if segment >= 0 { end = segments[segment].stamp.size }
        }
        return nil
    }

    /// The block that ends at a place, without the lines before `start`; nil if nothing remains.
    /// - Parameter start: the start of a line.
    func block(before place: LinePlace, from start: LinePlace) throws(StoreError) -> Block? {
        guard let block = try block(before: place), block.end > start else { return nil }
        if block.place >= start { return block }
        return Block(segment: block.segment, offset: start.offset, length: Int(block.end.offset - start.offset))
    }

    /// The start of the line that contains a place or ends there.
    func line(around place: LinePlace) throws(StoreError) -> LinePlace {
        let open = try open(place.segment)
        return LinePlace(segment: place.segment, offset: try BlockWalk.lineStart(atOrBefore: place.offset, open.file))
    }

    /// The end of the line that contains a byte, after its line feed; the end of the file if it has none.
    private static func lineEnd(from offset: Int64, _ file: borrowing File, _ size: Int64) throws(StoreError) -> Int64 {
        var start = offset
        while start < size {
            let count = Int(min(4_096, size - start))
            let feed = try read(file, at: start, count) { bytes in
                memchr(bytes, 0x0A, count).map { UnsafeRawPointer($0) - UnsafeRawPointer(bytes) }
            }
            if let feed { return start + Int64(feed) + 1 }
            start += Int64(count)
        }
        return size
    }

    /// The start of the line that contains a byte or ends before it.
    private static func lineStart(atOrBefore offset: Int64, _ file: borrowing File) throws(StoreError) -> Int64 {
        var end = offset
        while end > 0 {
            let count = Int(min(4_096, end))
            let start = try read(file, at: end - Int64(count), count) { cls_last_line($0, count) }
            if start > 0 { return end - Int64(count) + Int64(start) }
            end -= Int64(count)
        }
        return 0
    }

    private static func read<Result>(
        _ file: borrowing File, at offset: Int64, _ count: Int, _ body: (UnsafePointer<CChar>) -> Result
    ) throws(StoreError) -> Result {
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: count)
        defer { buffer.deallocate() }
        try file.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count), at: offset)
        return body(buffer)
    }
}

/// Searches every second piece of a log on a second thread, while its caller searches the others: two processors copy and compare
/// twice as many bytes.
final class ScanAhead: Sendable {
    /// The most pieces by which the second thread may be ahead, since the lines that it finds are kept until the caller takes
    /// them.
    private static let lead = 3

    private struct State {
        /// The piece that the caller is at.
        var position = 0
        var found: [Int: Result<[Range<Int64>], StoreError>] = [:]
        var isOver = false
    }

    private let state = Monitor(State())

    /// Nil when no thread can be started.
    init?(_ pieces: [LogPiece], _ filter: IDFilter) {
        guard let thread = SerialThread.started() else { return nil }
        thread.run { [state] in
            for index in stride(from: 1, to: pieces.count, by: 2) {
                let isWanted = state.wait { state -> Bool? in
                    state.isOver ? false : index <= state.position + ScanAhead.lead ? true : nil
                }
                guard isWanted else { return }
                let found = ScanAhead.lines(in: pieces[index], filter)
                state.change { $0.found[index] = found }
            }
        }
    }

    /// The lines of a piece in which the filter finds something; nil for a piece that the caller has to search. Call this for all
    /// pieces, in their order.
    /// - Throws: the errors of reading.
    func lines(ofPiece index: Int) throws(StoreError) -> [Range<Int64>]? {
        state.change { $0.position = index }
        if index.isMultiple(of: 2) { return nil }
        return try state.wait { $0.found.removeValue(forKey: index) }.get()
    }

    /// Stops the second thread: nothing more is needed.
    func stop() { state.change { $0.isOver = true } }

    private static func lines(
        in piece: LogPiece, _ filter: IDFilter
    ) -> Result<[Range<Int64>], StoreError> {
        do throws(StoreError) {
            var found: [Range<Int64>] = []
            var lines = try LineScanner(piece)
            while let line = try lines.next(selectedBy: filter) { found.append(line.range) }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }
}
