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
