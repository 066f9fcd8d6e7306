internal import Files
internal import JSON

/// Reads the objects of small JSON files, and the objects at the beginning of larger ones.
enum JSONRecords {
    /// Calls `body` with each object of a file that contains an array of objects, or a single object. Invalid objects are
    /// skipped.
    /// - Returns: the number of skipped pieces.
    static func forEach(in file: [UInt8], _ body: (JSONValue) -> Void) -> Int {
        let padded = file + [UInt8](repeating: 0, count: 64)
        var writer = RecordWriter()
        _ = padded.withUnsafeBytes { padded in
            let bytes = Bytes(rebasing: padded[..<file.count])
            return JSONArrayReader().read(bytes, at: 0, isEnd: true, into: &writer) { value, _ in
                body(value)
                return nil
            }
        }
        return writer.problems.count
    }

    /// The byte after a byte order mark, white space and the bracket of an array.
    static func start(of bytes: Bytes) -> Int {
        var at = bytes.starts(with: "\u{FEFF}") ? 3 : 0
        while at < bytes.count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
        return at < bytes.count && bytes[at] == UInt8(ascii: "[") ? at + 1 : at
    }

    /// Calls `body` with each record at the beginning of some bytes, or with nil for a broken piece, until `body` returns a
    /// value.
    static func first<Result>(
        in bytes: Bytes, isEnd: Bool = false, _ body: (JSONValue?) -> Result?
    ) -> Result? {
        var splitter = RecordSplitter(bytes, isEnd: isEnd)
        let tree = JSONTree()
        return withExtendedLifetime(tree) {
            while let piece = splitter.next() {
                var value: JSONValue?
                if case .record(let range) = piece { value = tree.parse(Bytes(rebasing: bytes[range])) }
                if let found = body(value) { return found }
            }
            return nil
        }
    }

    /// Reads the fields of an object before its array `messages`, and the byte after the array's bracket.
    /// - Parameter body: reads the fields.
    static func head<Result>(of bytes: [UInt8], _ body: (JSONValue) -> Result?) -> (start: Int64, result: Result)? {
        let needle = Array("\"messages\"".utf8)
        guard let place = bytes.offset(of: needle), let start = bytes[(place + needle.count)...].start(ofValue: "[")
        else { return nil }
        let tree = JSONTree()
        let result = withExtendedLifetime(tree) {
            (bytes[..<(start - 1)] + Array("null}".utf8)).withUnsafeBytes { bytes in
                tree.parse(Bytes(rebasing: bytes[self.start(of: bytes)...])).flatMap(body)
            }
        }
        return result.map { (Int64(start), $0) }
    }
}

extension Collection<UInt8> where Index == Int {
    /// The place after a colon and the first character of a value, with blanks between them; nil if there is anything else.
    func start(ofValue mark: Unicode.Scalar) -> Int? {
        guard let colon = firstIndex(where: { $0 > 0x20 }), self[colon] == UInt8(ascii: ":"),
            let place = self[(colon + 1)...].firstIndex(where: { $0 > 0x20 }), self[place] == UInt8(ascii: mark)
        else { return nil }
        return place + 1
    }
}

/// Compares JSON in the middle of a file with what an exporter writes.
struct JSONCursor {
    let bytes: Bytes
    var at: Int

    /// The offset of the first object that begins as it should.
    /// - Parameter isWanted: reads on from the byte after a brace.
    static func firstObject(in bytes: Bytes, where isWanted: (JSONCursor) -> Bool) -> Int? {
        var at = 0
        while let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) {
            at = brace + 1
            if isWanted(JSONCursor(bytes: bytes, at: at)) { return brace }
        }
        return nil
    }

    /// Skips these texts, with any blanks before each; false if one is missing.
    mutating func take(_ texts: StaticString...) -> Bool {
        texts.allSatisfy { text in
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count, Bytes(rebasing: bytes[at...]).starts(with: text) else { return false }
            at += text.utf8CodeUnitCount
            return true
        }
    }

    mutating func digits() -> Bytes? {
        let start = at
        while at < bytes.count, bytes[at].isDigit { at += 1 }
        return at > start ? Bytes(rebasing: bytes[start..<at]) : nil
    }

    /// Skips the rest of a string that has no blanks and escapes.
    mutating func skipName() {
        while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") {
            at += 1
        }
    }
}

extension Source {
    /// Passes a whole file through a converter that collects facts. The records are discarded.
    /// - Returns: the errors in the file.
    @discardableResult
    func pass(
        _ file: SourceFile, from start: Int64 = 0, through converter: any Converter
    ) throws(FileError) -> [ForeignProblem] {
        var reader = FeedReader(self, file, from: start, by: converter)
        var writer = RecordWriter()
        while try reader.step(to: file.size, isWhole: true, into: &writer) { _ = writer.take() }
        return writer.problems
    }

    /// Calls `body` with each line of a file that is not blank, without its line feed, and with its offset. Lines longer than
    /// `Record.longest` are skipped: converters report them.
    /// - Parameter body: at least 64 more bytes are readable after the line.
    func forEachLine(of file: SourceFile, _ body: (Bytes, Int64) -> Void) throws(FileError) {
        try withoutActuallyEscaping(body) { body throws(FileError) in
            let lines = LineConverter { line, writer in
                body(line, writer.place.lowerBound)
                return nil
            }
            try pass(file, through: lines)
        }
    }

    /// Calls `body` with each record of the array under a key at the top of a file.
    /// - Parameter body: returns the error in a record.
    /// - Returns: the place of the first record, and the errors in the array; nil without such an array.
    func forEachRecord(
        of file: SourceFile, under key: String, _ body: @escaping (JSONValue) -> String?
    ) throws(FileError) -> (start: Int64, problems: [ForeignProblem])? {
        guard let start = try start(of: key, in: file) else { return nil }
        return (start, try pass(file, from: start, through: ArrayConverter { record, _ in body(record) }))
    }

    /// The byte after the bracket of the array under a key.
    private func start(of key: String, in file: SourceFile) throws(FileError) -> Int64? {
        let needle = Array("\"\(key)\"".utf8)
        var found: Int64?
        // Inside a text, the key would have a backslash before its last quote, so it would not match.
        try search(needle, in: file, context: needle.count + 64) { offset, bytes in
            found = bytes.dropFirst(needle.count).start(ofValue: "[").map { offset + Int64($0 - bytes.startIndex) }
            return found == nil
        }
        return found
    }
}

/// Reads the records of a JSON array piece by piece, for converters. A broken piece is reported, and hides no other.
final class JSONArrayReader {
    private let tree = JSONTree()
    /// True if the array has ended: the bytes after it are not records.
    private(set) var isDone: Bool
    /// True if the file contains an object instead of an array.
    private(set) var isSingle = false
    /// True after the search for the bracket at the beginning of a file.
    private var isInside = false

    init(isDone: Bool = false) { self.isDone = isDone }

    /// Reads all complete records at the beginning of these bytes, which begin a file, or follow a bracket or a record.
    /// - Parameter body: converts a record, and returns its error.
    /// - Returns: the number of bytes consumed, and true if a piece was broken.
    func read(
        _ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter,
        _ body: (JSONValue, inout RecordWriter) -> String?
    ) -> (consumed: Int, isBroken: Bool) {
        readPieces(bytes, at: offset, isEnd: isEnd, into: &writer) { record, writer in
            guard let value = tree.parse(record, padding: 64) else { return "record is not valid JSON" }
            return body(value, &writer)
        }
    }

    /// Like `read`, with the bytes of each record.
    func readPieces(
        _ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter,
        _ body: (Bytes, inout RecordWriter) -> String?
    ) -> (consumed: Int, isBroken: Bool) {
        guard !isDone else { return (bytes.count, false) }
        guard let start = begin(bytes, at: offset, isEnd: isEnd) else { return (0, false) }
        let records = Bytes(rebasing: bytes[start...])
        let place = offset + Int64(start)
        var splitter = RecordSplitter(records, isEnd: isEnd)
        var isBroken = false
        while let piece = splitter.next() {
            switch piece {
            case .record(let range):
                writer.place = place + Int64(range.lowerBound)..<place + Int64(range.upperBound)
                if let problem = body(Bytes(rebasing: records[range]), &writer) { writer.report(problem) }
            case .broken(let range, let reason):
                writer.report(reason, at: place + Int64(range.lowerBound))
                isBroken = true
            }
        }
        isDone = splitter.isArrayEnd
        return (isEnd ? bytes.count : start + splitter.consumed, isBroken)
    }

    /// The beginning of the records; nil if more bytes are needed to find it. The byte order mark and the bracket must be
    /// complete first.
    private func begin(_ bytes: Bytes, at offset: Int64, isEnd: Bool) -> Int? {
        guard offset == 0, !isInside else { return 0 }
        let start = JSONRecords.start(of: bytes)
        isInside = isEnd || bytes.count >= 16 && start < bytes.count
        isSingle =
            start < bytes.count && bytes[start] == UInt8(ascii: "{") && !bytes[..<start].contains(UInt8(ascii: "["))
        return isInside ? start : nil
    }
}

/// Converts the records of a JSON array independently of each other.
final class ArrayConverter: Converter {
    private let reader = JSONArrayReader()
    private let mustEnd: Bool
    private let memory: () -> String
    private let write: (JSONValue, inout RecordWriter) -> String?

    /// - Parameters:
    ///   - mustEnd: true to report a file that ends inside its array.
    ///   - state: returns the converter's state.
    ///   - write: converts a record, and returns its error.
    init(
        mustEnd: Bool = false, state: @escaping () -> String = { "" },
        write: @escaping (JSONValue, inout RecordWriter) -> String?
    ) {
        (self.mustEnd, memory, self.write) = (mustEnd, state, write)
    }

    var state: String { memory() }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        let (consumed, isBroken) = reader.read(bytes, at: offset, isEnd: isEnd, into: &writer, write)
        if mustEnd, isEnd, !isBroken, !reader.isSingle, !reader.isDone {
            writer.report("the file ends before its array does", at: offset + Int64(bytes.count))
        }
        return consumed
    }
}

/// Converts lines. Each line is a record.
final class LineConverter: Converter {
    private let write: (Bytes, inout RecordWriter) -> String?

    /// - Parameter write: converts a line that is not blank, and returns its error. At least 64 more bytes are readable after the
    ///   line.
    init(write: @escaping (Bytes, inout RecordWriter) -> String?) { self.write = write }

    /// - Parameters:
    ///   - mark: a text that each line of the conversation contains; empty to convert all lines.
    ///   - isListed: true if invalid lines were reported when the conversations were listed.
    ///   - json: converts the JSON of a line, and returns its error.
    convenience init(
        mark: String = "", isListed: Bool = false, json: @escaping (JSONValue, inout RecordWriter) -> String?
    ) {
        let tree = JSONTree()
        self.init { line, writer in
            guard mark.isEmpty || line.offset(of: mark) != nil else { return nil }
            // The padding after a line is the next line, or the padding of the chunk.
            guard let record = tree.parse(line, padding: 64) else { return isListed ? nil : "record is not valid JSON" }
            return json(record, &writer)
        }
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        var lines = bytes.wholeLines(isEnd: isEnd)
        while let (start, line) = lines.next() {
            guard line.count > Record.longest || !line.trimmed.isEmpty else { continue }
            writer.place = offset + Int64(start)..<offset + Int64(start + line.count)
            let problem = line.count > Record.longest ? Record.tooLong : write(line, &writer)
            if let problem { writer.report(problem) }
        }
        return lines.end
    }
}

extension RecordWriter {
    /// Kinds of messages that do not describe the message.
    private static let usual: Set<String> = [
        "", "message", "Default", "Reply", "Generic", "private", "incoming", "outgoing",
    ]

    /// Ends a message from a JSON record. If it would show nothing, its text becomes the texts of the fields that the converter
    /// does not read: a blank row would hide them. Without such fields, the text names the kind of message.
    /// - Parameter known: the fields that the converter reads, and the fields without content: times, IDs, counts.
    /// - Returns: the error to report; nil if all content was read.
    mutating func end(_ record: JSONValue, known: Set<String>) -> String? {
        guard isBlank else {
            end()
            return nil
        }
        var (names, words) = ([String](), [String]())
        record.forEachSetField { name, value in
            let name = name.string
            guard !known.contains(name), value.saysSomething else { return }
            names.append(name)
            value.collectTexts(&words)
        }
        guard !names.isEmpty else {
            let kinds = [record["subtype"], record["type"]].compactMap { $0?.string }
            let kind = kinds.first { !RecordWriter.usual.contains($0) }
            text("text", kind.map { "(message of the kind \($0))" } ?? "(empty message)")
            end()
            return nil
        }
        let fields = names.joined(separator: ", ")
        text("text", words.isEmpty ? "[\(fields)]" : "[\(fields)] " + words.joined(separator: " "))
        end()
        return "message without a text; Kedge does not read its fields: \(fields)"
    }
}

extension RecordWriter {
    /// Ends a message from another source than JSON. If it would show nothing, its text says so.
    /// - Returns: the error to report; nil if the message shows something.
    mutating func endMessage() -> String? {
        let isBlank = isBlank
        if isBlank { text("text", "(empty message)") }
        end()
        return isBlank ? "message without a text" : nil
    }
}

extension JSONValue {
    /// True if the value contains a text, a number or a `true`.
    var saysSomething: Bool {
        if let bytes { return bytes.contains { $0 > 0x20 } }
        if isArray { return elements.contains { $0.saysSomething } }
        guard isObject else { return isTrue || number ?? 0 != 0 }
        var found = false
        forEachField { _, value in
            found = value.saysSomething
            return !found
        }
        return found
    }

    /// Appends the texts in the value, in order, up to a limit.
    func collectTexts(_ words: inout [String]) {
        guard words.count < 200 else { return }
        if let bytes {
            if !bytes.trimmed.isEmpty { words.append(bytes.trimmed.string) }
        } else if isArray {
            for element in elements { element.collectTexts(&words) }
        } else {
            forEachField { _, value in
                value.collectTexts(&words)
                return true
            }
        }
    }
}
