internal import CLogScan
import Glibc
internal import Messages

/// Scans a stretch of a segment for lines that may contain some IDs, ten times as fast as parsing every line. Used where no index
/// helps. May return other lines too.
struct IDScan: ~Copyable {
    private static let chunk = 256 << 10

    private let file: File
    private let filter: IDFilter
    private let end: Int64
    private var buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    /// The offset of the buffer's first byte, which begins a line.
    private var bufferOffset: Int64
    /// The end of the searched part of the buffer.
    private var searched = 0

    /// - Parameter range: whole lines, in bytes.
    /// - Throws: `unavailable` without memory.
    init(_ file: consuming File, _ range: Range<Int64>, _ filter: IDFilter) throws(StoreError) {
        buffer = try Memory.allocate(Int(min(Int64(IDScan.chunk), max(1, Int64(range.count)))))
        self.file = file
        self.filter = filter
        bufferOffset = range.lowerBound
        end = range.upperBound
    }

    deinit { Memory.free(buffer) }

    /// The range of the next selected line, without its line feed; nil if there is none.
    mutating func next() throws(StoreError) -> Range<Int64>? {
        while true {
            let found = searchEnd == 0 ? 0 : search()
            if found < searchEnd {
                let start = lastLine(before: found)
                searched = lineEnd(from: found) ?? searchEnd
                return bufferOffset + Int64(start)..<bufferOffset + Int64(searched)
            }
            searched = searchEnd
            guard try readMore() else { return nil }
        }
    }

    /// The end of the last whole line in the buffer; at the end of the stretch, the end of the buffer.
    private var searchEnd: Int {
        if bufferOffset + Int64(filled) >= end { return filled }
        return lastLine(before: filled)
    }

    /// The end of the last line feed before an index; 0 if there is none.
    private func lastLine(before index: Int) -> Int {
        cls_last_line(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), index)
    }

    private func search() -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<searchEnd])
        return filter.firstCandidate(in: bytes, from: searched) ?? searchEnd
    }

    private func lineEnd(from index: Int) -> Int? {
        guard let base = buffer.baseAddress, let feed = memchr(base + index, 0x0A, filled - index) else { return nil }
        return feed - base
    }

    /// - Returns: false at the end of the stretch.
    private mutating func readMore() throws(StoreError) -> Bool {
        let left = filled - searched
        bufferOffset += Int64(searched)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[searched..<filled]))
        filled = left
        searched = 0
        let room = min(Int64(buffer.count - filled), end - bufferOffset - Int64(filled))
        if end - bufferOffset - Int64(filled) <= 0 { return false }
        if room == 0 {
            guard buffer.count < LineScanner.longestLine else { return try skipLine() }
            try grow()
            return true
        }
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + Int(room)])
        try file.read(into: target, at: bufferOffset + Int64(filled))
        filled += Int(room)
        return true
    }

    private mutating func grow() throws(StoreError) {
        let larger = try Memory.allocate(buffer.count * 2)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        Memory.free(buffer)
        buffer = larger
    }

    /// Skips a line that is too long to read.
    private mutating func skipLine() throws(StoreError) -> Bool {
        var offset = bufferOffset + Int64(filled)
        while offset < end {
            filled = Int(min(Int64(buffer.count), end - offset))
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<filled]), at: offset)
            if let feed = lineEnd(from: 0) {
                bufferOffset = offset + Int64(feed) + 1
                filled = 0
                return true
            }
            offset += Int64(filled)
        }
        return false
    }
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
