internal import CLogScan
import Glibc
internal import JSON
internal import Messages

/// Reads a segment line by line into one buffer, which grows only for a line that does not fit.
struct LineScanner: ~Copyable {
    /// The most bytes of a line. Longer lines are not read, so that they cannot exhaust memory.
    static let longestLine = 64 << 20

    let file: File
    /// The end of the scan. Bytes that are appended later are ignored.
    private let size: Int64
    private let longest: Int
    private let chunk: Int
    /// Allocated for the first read.
    private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The bytes in the buffer that no line has returned yet.
    private var filled = 0..<0
    /// The offset of the buffer's first byte in the file.
    private var bufferOffset: Int64
    /// The number of the last returned line; 1 for the first line of the file.
    private(set) var number: Int

    /// - Parameters:
    ///   - offset: the start of a line.
    ///   - line: the number of the line before it.
    init(
        _ file: consuming File, size: Int64, from offset: Int64 = 0, after line: Int = 0, chunk: Int = 256 << 10,
        longest: Int = LineScanner.longestLine
    ) {
        self.file = file
        self.size = size
        self.longest = longest
        bufferOffset = offset
        number = line
        self.chunk = chunk
    }

    init(_ piece: LogPiece) throws(StoreError) {
        self.init(try File(piece.path), size: piece.range.upperBound, from: piece.range.lowerBound)
    }

    deinit { Memory.free(buffer) }

    /// The next line; nil after the last one.
    mutating func next() throws(StoreError) -> LogLine? {
        var searched = filled.lowerBound
        while true {
            if let feed = lineFeed(from: searched) { return take(until: feed, isTerminated: true) }
            if bufferOffset + Int64(filled.upperBound) >= size {
                return filled.isEmpty ? nil : take(until: filled.upperBound, isTerminated: false)
            }
            if filled.count >= longest { return try skipLongLine() }
            searched = filled.count
            try readMore()
        }
    }

    /// The next line that may contain one of some IDs, found ten times as fast as by parsing every line; nil after the last one. Used
    /// where no index helps. May return other lines too, but none that is too long to read. The lines before it have no numbers.
    mutating func next(selectedBy filter: IDFilter) throws(StoreError) -> LogLine? {
        while true {
            let isAtEnd = bufferOffset + Int64(filled.upperBound) >= size
            if let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self), !filled.isEmpty {
                // Only whole lines are searched, and at the end of the scan also an incomplete one.
                let end = isAtEnd ? filled.upperBound : max(filled.lowerBound, cls_last_line(base, filled.upperBound))
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<end])
                if let found = filter.firstCandidate(in: bytes, from: filled.lowerBound) {
                    filled = max(filled.lowerBound, cls_last_line(base, found))..<filled.upperBound
                    return try next()
                }
                filled = end..<filled.upperBound
            }
            if isAtEnd { return nil }
            if filled.count >= longest { _ = try skipLongLine() } else { try readMore() }
        }
    }

    /// The number of the line at an offset; 1 for the first line.
    static func number(ofLineAt offset: Int64, in path: String) throws(StoreError) -> Int {
        let file = try File(path)
        let buffer = try Memory.allocate(256 << 10)
        defer { Memory.free(buffer) }
        var number = 1
        var done: Int64 = 0
        while done < offset {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(offset - done, Int64(buffer.count)))])
            try file.read(into: part, at: done)
            for byte in part where byte == 0x0A { number += 1 }
            done += Int64(part.count)
        }
        return number
    }

    private func lineFeed(from start: Int) -> Int? {
        guard let base = buffer.baseAddress, start < filled.upperBound,
            let found = memchr(base + start, 0x0A, filled.upperBound - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private mutating func take(until end: Int, isTerminated: Bool) -> LogLine {
        let start = filled.lowerBound
        let offset = bufferOffset + Int64(start)
        number += 1
        filled = min(end + 1, filled.upperBound)..<filled.upperBound
        let content = Slice.content(of: UnsafeRawBufferPointer(buffer), start..<end, isFileStart: offset == 0)
        let length = end - start + (isTerminated ? 1 : 0)
        return LogLine(offset: offset, length: length, isTerminated: isTerminated, content: content)
    }

    /// Moves the remaining bytes to the start of the buffer and fills the rest.
    private mutating func readMore() throws(StoreError) {
        if buffer.count == 0 {
            // An archive may have many short conversations, and allocating a full buffer would take longer than reading
            // one.
            let rest = max(1, min(Int64(chunk), size - bufferOffset - Int64(filled.lowerBound)))
            buffer = try Memory.allocate(Int(rest) + JSONReader.padding)
        }
        let count = filled.count
        bufferOffset += Int64(filled.lowerBound)
        if let base = buffer.baseAddress { memmove(base, base + filled.lowerBound, count) }
        filled = 0..<count
        if count + JSONReader.padding == buffer.count { try grow() }
        let room = min(Int64(buffer.count - JSONReader.padding - count), size - bufferOffset - Int64(count))
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + Int(room)])
        try file.read(into: target, at: bufferOffset + Int64(count))
        filled = 0..<count + Int(room)
    }

    private mutating func grow() throws(StoreError) {
        let size = (buffer.count - JSONReader.padding) * 2 + JSONReader.padding
        let larger = try Memory.allocate(size)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        Memory.free(buffer)
        buffer = larger
    }

    private mutating func skipLongLine() throws(StoreError) -> LogLine {
        let offset = bufferOffset + Int64(filled.lowerBound)
        number += 1
        while true {
            bufferOffset += Int64(filled.upperBound)
            filled = 0..<0
            guard bufferOffset < size else {
                return LogLine(offset: offset, length: Int(size - offset), isTerminated: false, content: nil)
            }
            try readMore()
            guard let feed = lineFeed(from: 0) else { continue }
            filled = feed + 1..<filled.upperBound
            let length = Int(bufferOffset + Int64(feed) + 1 - offset)
            return LogLine(offset: offset, length: length, isTerminated: true, content: nil)
        }
    }
}

extension Slice {
    /// The content of a line within a buffer that ends with padding.
    static func content(of buffer: UnsafeRawBufferPointer, _ range: Range<Int>, isFileStart: Bool) -> Slice {
        let mark = isFileStart ? ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[range])) : 0
        let start = range.lowerBound + mark
        return Slice(
            UnsafeRawBufferPointer(rebasing: buffer[start..<range.upperBound]), readable: buffer.count - start)
    }
}

/// A line of a segment. Its bytes are valid until the next line is read.
struct LogLine {
    /// The offset of its first byte in the segment.
    let offset: Int64
    /// The bytes up to the next line, the line feed included.
    let length: Int
    let isTerminated: Bool
    /// The bytes without line feed and byte order mark; nil if the line is too long to read.
    let content: Slice?

    var end: Int64 { offset + Int64(length) }
    /// The bytes without line feed.
    var range: Range<Int64> { offset..<end - (isTerminated ? 1 : 0) }

    /// True if the line contains only spaces, tabs and carriage returns.
    var isBlank: Bool { content?.bytes.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } ?? false }
}

/// A part of a segment, of whole lines.
struct LogPiece: Sendable {
    /// The index of the segment in its log.
    let segment: Int
    let path: String
    /// In bytes.
    let range: Range<Int64>
}

/// The place of a line in the log of a conversation.
struct LinePlace: Hashable, Comparable {
    /// The index of the segment; 0 for the first one.
    let segment: Int
    /// The offset of the line's first byte in the segment; -1 before all lines.
    let offset: Int64

    static func < (a: LinePlace, b: LinePlace) -> Bool { (a.segment, a.offset) < (b.segment, b.offset) }
}

extension LinePlace {
    /// Presence lines of one stretch may form a run. A stretch is a part of a segment, so that the length of a run is
    /// bounded, and each line belongs to the same run wherever a page begins.
    var presenceStretch: Int { segment << 40 | Int(offset >> 15) }

    /// The place before all lines; `end` is the place after all lines.
    static let start = LinePlace(segment: 0, offset: -1)
    /// The start of the first line.
    static let first = LinePlace(segment: 0, offset: 0)
    static let end = LinePlace(segment: .max, offset: 0)

    /// A cursor contains the ID of the message too, so that the message is found after its line has moved.
    func cursor(of id: String) -> Cursor { Cursor(token: "\(segment):\(offset):\(id)") }

    /// - Throws: `unavailable` for a cursor that this store did not make.
    static func parse(_ cursor: Cursor) throws(StoreError) -> (LinePlace, MessageID) {
        let parts = cursor.token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let segment = Int(parts[0]), let offset = Int64(parts[1]), segment >= 0, offset >= -1
        else {
            throw .unavailable(
                "the cursor \"\(printable(cursor.token))\" does not belong to this archive; open the archive again")
        }
        return (LinePlace(segment: segment, offset: offset), MessageID(String(parts[2])))
    }
}
