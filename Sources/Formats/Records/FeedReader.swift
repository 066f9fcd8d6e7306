internal import Algorithms

/// Reads a feed chunk by chunk and lets a converter turn it into records. Memory is bounded by the chunk and the longest record.
package struct FeedReader {
    private let source: Source
    private let file: SourceFile
    private let converter: any Converter
    private let chunk: Int
    private var buffer: [UInt8] = []
    /// The offset in the file of the first byte that the converter has not consumed.
    package private(set) var position: Int64
    /// How much of the buffer is there in vain until more follows.
    private var wanted: Int

    /// simdjson reads so far beyond a document.
    private static let padding = 64

    /// - Parameters:
    ///   - start: the first byte: the beginning of the feed, a cut, or the end of what was converted before.
    ///   - chunk: how many bytes are read at a time.
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
    ///   - isWhole: whether nothing follows `end` that belongs to a record before it. Otherwise an incomplete record at the end
    ///     is left.
    /// - Returns: whether more can be converted.
    package mutating func step(
        to end: Int64, isWhole: Bool, into writer: inout RecordWriter
    ) throws(SourceError) -> Bool {
        let start = position + Int64(buffer.count)
        let count = Int(min(max(0, end - start), Int64(max(0, wanted - buffer.count))))
        let bytes = count > 0 ? try source.read(file, at: start, count: count) : []
        // Room for the padding too: to append that to a full array would copy all of it.
        buffer.reserveCapacity(buffer.count + bytes.count + FeedReader.padding)
        buffer += bytes
        // A file that has become shorter ends where it ends.
        let isEnd = bytes.count < count || start + Int64(bytes.count) >= end
        let filled = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: FeedReader.padding))
        let consumed = buffer.withUnsafeBytes { bytes in
            min(
                filled,
                converter.convert(
                    UnsafeRawBufferPointer(rebasing: bytes[..<filled]), at: position,
                    isEnd: isEnd && (isWhole || converter.leavesRest),
                    into: &writer))
        }
        buffer.removeLast(FeedReader.padding)
        buffer.removeFirst(consumed)
        position += Int64(consumed)
        wanted = consumed == 0 ? max(chunk, buffer.count * 2) : max(chunk, buffer.count + chunk / 2)
        return !isEnd
    }
}

/// Converts text whose records each end where the next one begins.
final class BlockConverter: Converter {
    private let file: String
    private let starts: (Bytes) -> [Int]
    private let write: (Bytes, inout RecordWriter) -> String?

    /// - Parameters:
    ///   - starts: where records begin. More bytes never take one away.
    ///   - write: converts a record, and returns what is wrong with it.
    init(_ feed: Feed, starts: @escaping (Bytes) -> [Int], write: @escaping (Bytes, inout RecordWriter) -> String?) {
        (file, self.starts, self.write) = (feed.file, starts, write)
    }

    /// - Parameter isStart: whether a record begins with these bytes, which begin with a line. More bytes never turn a yes into a no.
    convenience init(
        _ feed: Feed, isStart: @escaping (Bytes) -> Bool, write: @escaping (Bytes, inout RecordWriter) -> String?
    ) {
        self.init(
            feed,
            starts: { bytes in
                var (starts, at) = ([Int](), 0)
                for line in bytes.lines {
                    if isStart(Bytes(rebasing: bytes[at...])) { starts.append(at) }
                    at += line.count + 1
                }
                return starts
            }, write: write)
    }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        let starts = starts(bytes)
        for (index, start) in starts.enumerated() where isEnd || index + 1 < starts.count {
            let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
            let problem =
                end - start > Record.longest
                ? "record longer than 16 MB" : write(Bytes(rebasing: bytes[start..<end]), &writer)
            if let problem { report(problem, at: offset + Int64(start), &writer) }
        }
        if isEnd { return bytes.count }
        guard (starts.last ?? 0) == 0, bytes.count > Record.longest else { return starts.last ?? 0 }
        report("record longer than 16 MB", at: offset, &writer)
        return bytes.count
    }

    private func report(_ kind: String, at offset: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: file, place: .byte(offset), kind: kind))
    }
}

/// Gives a converter of lines each line as UTF-8, whatever the character set of its file.
final class CharsetConverter: Converter {
    private let inner: any Converter
    private let decoder: LineDecoder
    /// Where lines begin in the text that is being converted and in the file, and where the text begins there.
    private var places: [(text: Int, file: Int)] = []
    private var start: Int64 = 0

    /// - Parameter charset: of lines that are no UTF-8; nil if nothing is known of them.
    init(_ inner: any Converter, charset: String?) {
        self.inner = inner
        decoder = LineDecoder(charset)
    }

    var state: String { inner.state }
    func follow(_ state: String) { inner.follow(state) }
    var leavesRest: Bool { inner.leavesRest }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        guard !decoder.keeps(bytes) else { return inner.convert(bytes, at: offset, isEnd: isEnd, into: &writer) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        start = offset
        defer { places = [] }
        var at = 0
        while at < bytes.count {
            let rest = Bytes(rebasing: bytes[at...])
            let length = rest.lineLength
            // A line is decoded when it is whole.
            guard length < rest.count || isEnd || rest.count > Record.longest else { break }
            places.append((text.count, at))
            decoder.decode(Bytes(rebasing: rest[..<length]), to: &text)
            if length < rest.count { text.append(10) }
            at = min(bytes.count, at + length + 1)
        }
        places.append((text.count, at))
        guard at > 0 else { return 0 }
        let known = writer.problems.count
        let used = text.withUnsafeBytes {
            inner.convert($0, at: offset, isEnd: isEnd && at == bytes.count, into: &writer)
        }
        writer.move(problemsFrom: known) { place(of: $0) }
        return Int(place(of: offset + Int64(used)) - offset)
    }

    /// Where a line stands in the file that stands at an offset for the inner converter.
    func place(of offset: Int64) -> Int64 {
        guard !places.isEmpty else { return offset }
        return start + Int64(places[max(0, places.partitioningIndex { $0.text > offset - start } - 1)].file)
    }
}
