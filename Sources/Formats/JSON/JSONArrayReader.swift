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

/// Converts lines of JSON, each of which is a record.
final class LineConverter: Converter {
    private let file: String
    private let tree = JSONTree()
    private let mark: String
    private let isListed: Bool
    private let write: (JSONValue, inout RecordWriter) -> String?

    /// - Parameters:
    ///   - mark: a text without which a line is none of the conversation; empty if each is.
    ///   - isListed: whether lines that are not valid JSON were reported when the conversations were listed.
    ///   - write: converts a record, and returns what is wrong with it.
    init(
        _ feed: Feed, mark: String = "", isListed: Bool = false,
        write: @escaping (JSONValue, inout RecordWriter) -> String?
    ) {
        (file, self.mark, self.isListed, self.write) = (feed.file, mark, isListed, write)
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        var at = 0
        while at < bytes.count {
            let rest = Bytes(rebasing: bytes[at...])
            let line = rest.firstLine
            guard line.count < rest.count || isEnd || rest.count > Record.longest else { break }
            if let problem = convert(line, into: &writer) {
                writer.problem(ForeignProblem(file: file, place: .byte(offset + Int64(at)), kind: problem))
            }
            at = min(bytes.count, at + line.count + 1)
        }
        return at
    }

    private func convert(_ line: Bytes, into writer: inout RecordWriter) -> String? {
        if line.count > Record.longest { return "record longer than 16 MB" }
        guard !line.trimmed.isEmpty, mark.isEmpty || line.offset(of: mark) != nil else { return nil }
        // The bytes after a line are its padding: those of the next line, or those after the chunk.
        guard let record = tree.parse(line, padding: 64) else { return isListed ? nil : "record is not valid JSON" }
        return write(record, &writer)
    }
}
