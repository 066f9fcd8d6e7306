package import Files
internal import JSON
internal import Search

/// Reads a feed chunk by chunk and lets a converter turn it into records. Memory is bounded by the chunk and the longest record.
package struct FeedReader {
    private let source: Source
    private let file: SourceFile
    private let converter: any Converter
    private let chunk: Int
    private var buffer: [UInt8] = []
    /// The offset in the file of the first byte that the converter has not consumed.
    package private(set) var position: Int64
    /// The number of bytes that the buffer must have at the next step.
    private var wanted: Int

    /// simdjson reads this many bytes beyond a document.
    private static let padding = 64

    /// - Parameters:
    ///   - start: the first byte: the beginning of the feed, a cut, or the end of an earlier conversion.
    ///   - chunk: the number of bytes to read at a time.
    package init(
        _ source: Source, _ file: SourceFile, from start: Int64, by converter: any Converter, chunk: Int = 1 << 20
    ) {
        self.source = source
        self.file = file
        self.converter = converter
        self.chunk = chunk
        position = start
        wanted = chunk
    }

    /// Converts the next chunk.
    /// - Parameters:
    ///   - end: the byte after the last one to convert.
    ///   - isWhole: true if the last record ends at `end`. Otherwise an incomplete record at the end is left.
    /// - Returns: true if there is more to convert.
    package mutating func step(
        to end: Int64, isWhole: Bool, into writer: inout RecordWriter
    ) throws(FileError) -> Bool {
        let start = position + Int64(buffer.count)
        let count = Int(min(max(0, end - start), Int64(max(0, wanted - buffer.count))))
        let bytes = count > 0 ? try source.read(file, at: start, count: count) : []
        // Space for the padding too: adding it later would copy the whole array.
        buffer.reserveCapacity(buffer.count + bytes.count + FeedReader.padding)
        buffer += bytes
        // A file that has become shorter ends early.
        let isEnd = bytes.count < count || start + Int64(bytes.count) >= end
        let filled = buffer.count
        writer.file = source.original(file.path)
        buffer.append(contentsOf: repeatElement(0, count: FeedReader.padding))
        let consumed = buffer.withUnsafeBytes { bytes in
            min(
                filled,
                converter.convert(
                    Bytes(rebasing: bytes[..<filled]), at: position,
                    isEnd: isEnd && (isWhole || converter.leavesRest), into: &writer))
        }
        buffer.removeLast(FeedReader.padding)
        buffer.removeFirst(consumed)
        position += Int64(consumed)
        wanted = consumed == 0 ? max(chunk, buffer.count * 2) : max(chunk, buffer.count + chunk / 2)
        return !isEnd
    }
}

/// Converts text in which each record ends where the next one begins.
final class BlockConverter: Converter {
    private let starts: (Bytes) -> [Int]
    private let write: (Bytes, inout RecordWriter) -> String?

    /// - Parameters:
    ///   - starts: returns the places where records begin. With more bytes after them, all of these places stay.
    ///   - write: converts a record, and returns its error.
    init(starts: @escaping (Bytes) -> [Int], write: @escaping (Bytes, inout RecordWriter) -> String?) {
        (self.starts, self.write) = (starts, write)
    }

    /// - Parameter isStart: true if a record begins at this beginning of a line. With more bytes, true stays true.
    convenience init(
        isStart: @escaping (Bytes) -> Bool, write: @escaping (Bytes, inout RecordWriter) -> String?
    ) {
        self.init(
            starts: { bytes in
                var (starts, at) = ([Int](), 0)
                for line in bytes.lines {
                    if isStart(Bytes(rebasing: bytes[at...])) { starts.append(at) }
                    at += line.count + 1
                }
                return starts
            }, write: write)
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        let starts = starts(bytes)
        for (index, start) in starts.enumerated() where isEnd || index + 1 < starts.count {
            let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
            writer.place = offset + Int64(start)..<offset + Int64(end)
            let problem =
                end - start > Record.longest
                ? Record.tooLong : write(Bytes(rebasing: bytes[start..<end]), &writer)
            if let problem { writer.report(problem) }
        }
        if isEnd { return bytes.count }
        guard (starts.last ?? 0) == 0, bytes.count > Record.longest else { return starts.last ?? 0 }
        writer.report(Record.tooLong, at: offset)
        return bytes.count
    }
}

/// Decodes lines to UTF-8 for another converter, whatever the character set of the file.
final class CharsetConverter: Converter {
    private let inner: any Converter
    private let decoder: LineDecoder
    /// For each line, where it begins in the decoded text and in the file's bytes; and the offset of these bytes in the file.
    private var places: [(text: Int, file: Int)] = []
    private var start: Int64 = 0

    /// - Parameter charset: the character set of lines that are not UTF-8; nil if it is unknown.
    init(_ inner: any Converter, charset: String?) {
        self.inner = inner
        decoder = LineDecoder(charset)
    }

    var state: String { inner.state }
    func follow(_ state: String) { inner.follow(state) }
    var leavesRest: Bool { inner.leavesRest }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        guard !decoder.keeps(bytes) else { return inner.convert(bytes, at: offset, isEnd: isEnd, into: &writer) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        start = offset
        defer { places = [] }
        var lines = bytes.wholeLines(isEnd: isEnd)
        while let (start, line) = lines.next() {
            places.append((text.count, start))
            decoder.decode(line, to: &text)
            if start + line.count < bytes.count { text.append(10) }
        }
        places.append((text.count, lines.end))
        guard lines.end > 0 else { return 0 }
        let known = writer.problems.count
        let used = text.withUnsafeBytes {
            inner.convert($0, at: offset, isEnd: isEnd && lines.end == bytes.count, into: &writer)
        }
        writer.move(problemsFrom: known) { place(of: $0) }
        return Int(place(of: offset + Int64(used)) - offset)
    }

    /// The offset in the file of a line, from its offset for the inner converter.
    func place(of offset: Int64) -> Int64 {
        guard !places.isEmpty else { return offset }
        return start + Int64(places[max(0, places.partitioningIndex { $0.text > offset - start } - 1)].file)
    }
}
