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
