/// Reads the records of a JSON array piece by piece, for converters. What is broken is reported, and hides nothing else.
final class JSONArrayReader {
    private let file: String
    private let tree = JSONTree()
    /// Whether the array has ended: the bytes after it are no records.
    private(set) var isDone = false

    init(file: String) { self.file = file }

    /// Reads the whole records at the beginning of bytes that follow the bracket, or stand between two records.
    /// - Parameter body: converts a record, and returns what is wrong with it.
    /// - Returns: how many bytes were consumed, and whether pieces were broken.
    func read(
        _ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter,
        _ body: (JSONValue, inout RecordWriter) -> String?
    ) -> (consumed: Int, isBroken: Bool) {
        guard !isDone else { return (bytes.count, false) }
        var splitter = RecordSplitter(bytes, isEnd: isEnd)
        var isBroken = false
        while let piece = splitter.next() {
            switch piece {
            case .record(let range):
                if let record = tree.parse(Bytes(rebasing: bytes[range]), padding: 64) {
                    if let problem = body(record, &writer) { report(problem, offset, range, &writer) }
                } else {
                    report("record is not valid JSON", offset, range, &writer)
                }
            case .broken(let range, let reason):
                report(reason, offset, range, &writer)
                isBroken = true
            }
        }
        isDone = splitter.isArrayEnd
        return (isEnd ? bytes.count : splitter.consumed, isBroken)
    }

    private func report(_ kind: String, _ offset: Int64, _ range: Range<Int>, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: file, place: .byte(offset + Int64(range.lowerBound)), kind: kind))
    }
}

/// Converts the records of a JSON array, each by itself.
final class ArrayConverter: Converter {
    private let reader: JSONArrayReader
    private let write: (JSONValue, inout RecordWriter) -> String?

    /// - Parameter write: converts a record, and returns what is wrong with it.
    init(_ feed: Feed, write: @escaping (JSONValue, inout RecordWriter) -> String?) {
        (reader, self.write) = (JSONArrayReader(file: feed.file), write)
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        reader.read(bytes, at: offset, isEnd: isEnd, into: &writer, write).consumed
    }
}
