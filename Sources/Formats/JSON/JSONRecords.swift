internal import CSimdjson

/// The objects of small files that hold an array of objects, or a single object where an array is expected.
enum JSONRecords {
    /// Calls `body` with each object. Objects that are not valid JSON are passed over.
    /// - Returns: how many pieces were passed over.
    static func forEach(in file: [UInt8], _ body: (JSONValue) -> Void) -> Int {
        let padded = file + [UInt8](repeating: 0, count: 64)
        let tree = JSONTree()
        var broken = 0
        padded.withUnsafeBytes { padded in
            let start = start(of: padded, count: file.count)
            let bytes = UnsafeRawBufferPointer(rebasing: padded[start..<file.count])
            var splitter = RecordSplitter(bytes, isEnd: true)
            while let piece = splitter.next() {
                guard case .record(let range) = piece,
                    let value = tree.parse(UnsafeRawBufferPointer(rebasing: bytes[range]), padding: 64)
                else {
                    broken += 1
                    continue
                }
                body(value)
            }
        }
        return broken
    }

    /// The byte after a byte order mark, white space and the bracket of an array.
    static func start(of bytes: Bytes, count: Int) -> Int {
        var at = 0
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { at = 3 }
        while at < count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
        if at < count, bytes[at] == UInt8(ascii: "[") { at += 1 }
        return at
    }
}

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

/// Finds the records of a JSON array in bytes that begin after its bracket, or between two records, and may end anywhere.
///
/// Records are found by their brackets and strings alone, so that one broken record does not hide the others. Where even its
/// brackets do not match, the reader goes on at the next line that begins like the record did.
package struct RecordSplitter {
    private let bytes: UnsafeRawBufferPointer
    private let isEnd: Bool
    /// The offset of the first byte that was not consumed.
    package private(set) var consumed = 0
    /// Whether the bracket of the array was met: what follows is no record.
    package private(set) var isArrayEnd = false

    package enum Piece {
        /// A record by its offsets.
        case record(Range<Int>)
        /// Bytes that are no record: between records, without an end at the end of the file, or too long.
        case broken(Range<Int>, String)
    }

    package init(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) {
        self.bytes = bytes
        self.isEnd = isEnd
    }

    /// The next record; nil when the rest must wait for more bytes, and after the last one.
    package mutating func next() -> Piece? {
        guard !isArrayEnd else {
            consumed = bytes.count
            return nil
        }
        var at = consumed
        while at < bytes.count, RecordSplitter.isBetween(bytes[at]) { at += 1 }
        guard at < bytes.count else {
            // The indentation of a record is left for it.
            consumed = isEnd ? at : bytes[consumed...].lastIndex(of: UInt8(ascii: "\n")) ?? at
            return nil
        }
        switch bytes[at] {
        case UInt8(ascii: "]"):
            isArrayEnd = true
            consumed = bytes.count
            return nil
        case UInt8(ascii: "{"): return record(at: at)
        default:
            let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) ?? bytes.count
            consumed = brace
            return .broken(at..<brace, "text between records")
        }
    }

    private mutating func record(at start: Int) -> Piece? {
        let available = bytes.count - start
        // In a file that is written line by line, no other line begins like that of a record: a record that does not end before
        // the next such line has brackets or quotes that do not match.
        let indentation = self.indentation(at: start)
        let next = indentation == 0 ? 0 : csj_next_record(pointer(start), available, indentation)
        let length = csj_value_end(pointer(start), min(next > 0 ? next : available, Record.longest))
        if length > 0 {
            consumed = start + length
            return .record(start..<consumed)
        }
        if next > 0 {
            consumed = start + next
            return .broken(start..<consumed, "record whose brackets or quotes do not match")
        }
        guard isEnd || available > Record.longest else {
            consumed = start - indentation
            return nil
        }
        return .broken(
            skip(from: start),
            available > Record.longest ? "record longer than 16 MB" : "the file ends within a record")
    }

    private func pointer(_ offset: Int) -> UnsafePointer<CChar>? {
        bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
    }

    /// The blanks between the beginning of a line and a place in it; 0 if anything else stands there.
    private func indentation(at place: Int) -> Int {
        var line = place
        while line > 0, bytes[line - 1] == UInt8(ascii: " ") { line -= 1 }
        return line == 0 || bytes[line - 1] == UInt8(ascii: "\n") ? place - line : 0
    }

    /// Goes to the next line that begins as the line at `at` does.
    private mutating func skip(from at: Int) -> Range<Int> {
        let next = csj_next_record(pointer(at), bytes.count - at, indentation(at: at))
        consumed = next > 0 ? at + next : bytes.count
        return at..<consumed
    }

    private static func isBetween(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}

extension RecordWriter {
    /// Kinds of messages that say nothing of them.
    private static let usual: Set<String> = [
        "", "message", "Default", "Reply", "Generic", "private", "incoming", "outgoing",
    ]

    /// Ends a message of a JSON record. If it would show nothing, the texts of the fields that its converter does not read are its
    /// text: a blank row would hide them. Where there are none either, its kind is named.
    /// - Parameter known: the fields that the converter reads, and those that are no content: times, IDs, counts.
    /// - Returns: what to report; nil if nothing was left unread.
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
        return "message without a text, whose content is not read: \(fields)"
    }
}

extension RecordWriter {
    /// Ends a message that is no JSON record. If it would show nothing, its text says so.
    /// - Returns: what to report; nil if it shows something.
    mutating func endMessage() -> String? {
        let isBlank = isBlank
        if isBlank { text("text", "(empty message)") }
        end()
        return isBlank ? "message without a text" : nil
    }
}

extension JSONValue {
    /// Whether the value holds a text, a number or a `true`.
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

    /// Appends the texts in the value, in their order, until they are many.
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
