import Glibc
internal import CLogScan
internal import Messages

/// Divides a log into blocks of whole lines, from any line in both directions.
struct BlockWalk {
    /// The usual size of a block in bytes; the last line may exceed it.
    private static let size: Int64 = 64 << 10
    private static let longest = Int64(LineScanner.longestLine) + size

    let segments: [Segment]

    /// The block that begins at a place; nil after the last line.
    /// - Parameter place: the start of a line, or the end of a segment.
    func block(from place: LinePlace) throws(StoreError) -> Block? {
        var (segment, offset) = (place.segment, max(0, place.offset))
        while segment < segments.count {
            let size = segments[segment].stamp.size
            if offset < size {
                let file = try File(segments[segment].path)
                let wanted = min(size, offset + BlockWalk.size)
                var end = wanted == size ? size : try BlockWalk.lineEnd(from: wanted - 1, file, size)
                // A line that is too long to read is skipped. The lines before it are read one by one.
                if end - offset > BlockWalk.longest { end = try BlockWalk.lineEnd(from: offset, file, size) }
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
                let file = try File(segments[segment].path)
                var start = try BlockWalk.lineStart(atOrBefore: max(0, end - BlockWalk.size), file)
                if end - start > BlockWalk.longest { start = try BlockWalk.lineStart(atOrBefore: end - 1, file) }
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
        let file = try File(segments[place.segment].path)
        return LinePlace(segment: place.segment, offset: try BlockWalk.lineStart(atOrBefore: place.offset, file))
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
