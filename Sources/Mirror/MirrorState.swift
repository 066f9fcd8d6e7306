internal import Formats

/// The progress of mirroring a conversation: stored next to its segments, and written after each of them.
struct MirrorState: Equatable {
    /// A hash of format, version and zone. If it changes, the conversation is made again.
    var key: String
    /// A hash of all inputs, except for the last one of a sequence whose end has been converted.
    var fingerprint: UInt64
    /// The number of inputs.
    var inputs: Int
    /// Oldest first.
    var pieces: [Piece]
    /// The end of the last input; nil until it is converted.
    var tail: Tail?
    /// The stamp of the conversation's files when they were written (`MirrorFiles.stamp`).
    var stamp: UInt64 = 0
    /// A hash of conversation.json when it was written.
    var description: UInt64 = 0

    /// Records that make one segment.
    struct Piece: Equatable {
        /// The number in the name of its segment.
        var segment: Int
        /// The first input, by its index, and its first byte.
        let first: Int
        let start: Int64
        /// The last input, and the byte after the last one; nil for the end of that input.
        var last: Int
        var end: Int64?
        /// The size of its segment in bytes; nil until it is made.
        var size: Int64?
        /// The checksum of its segment.
        var sum: UInt64 = Fingerprint().value
    }

    /// The state that the converter needs to continue after the last input.
    struct Tail: Equatable {
        var file: String
        var inode: UInt64
        /// The first byte that is not converted yet.
        var position: Int64
        /// A hash of the bytes before `position`.
        var mark: UInt64
        /// The state of the input's converter.
        var converter: String
        /// The time of the last change of the file when it was converted, in nanoseconds since 1970.
        var modified: Int64
        var size: Int64
        /// True if the file may grow.
        var grows: Bool
        /// The setting of the feed.
        var setting: String

        /// The tail of a conversation that is never continued.
        static let nothing = Tail(
            file: "", inode: 0, position: 0, mark: 0, converter: "", modified: 0, size: 0, grows: false, setting: "")
    }

    /// The finished pieces, which are always contiguous.
    var made: Range<Int> {
        guard let first = pieces.firstIndex(where: { $0.size != nil }) else { return 0..<0 }
        let end = pieces[first...].firstIndex { $0.size == nil } ?? pieces.count
        return first..<end
    }

    var isComplete: Bool { made.count == pieces.count && (pieces.isEmpty || tail != nil) }
    /// True if the newest messages have been converted.
    var hasTail: Bool { tail != nil && (made.upperBound == pieces.count) }
}

extension MirrorState {
    /// The state as text: one entry per line, its values separated by tabs. The last line contains a checksum.
    /// - Parameter id: the conversation. The state is not valid for another one.
    func text(of id: String) -> String {
        var lines = [
            ["kedge-mirror", "2"], ["conversation", id], ["key", key], ["fingerprint", String(fingerprint, radix: 16)],
            ["inputs", "\(inputs)"], ["stamp", String(stamp, radix: 16), String(description, radix: 16)],
        ]
        for piece in pieces {
            lines.append([
                "piece", "\(piece.segment)", "\(piece.first)", "\(piece.start)", "\(piece.last)",
                piece.end.map { "\($0)" } ?? "-", piece.size.map { "\($0)" } ?? "-", String(piece.sum, radix: 16),
            ])
        }
        if let tail {
            lines.append([
                "tail", tail.file, "\(tail.inode)", "\(tail.position)", String(tail.mark, radix: 16), tail.converter,
                "\(tail.modified)", "\(tail.size)", tail.grows ? "grows" : "-", tail.setting,
            ])
        }
        return TextTable.text(lines)
    }

    /// Nil unless the text is the complete state of a conversation.
    init?(text: String, of id: String) {
        guard var table = TextTable(sealed: text), table.next() == ["kedge-mirror", "2"],
            table.next() == ["conversation", id], let key = table.next(), key.count == 2,
            let print = table.next(), print.count == 2, let fingerprint = UInt64(print[1], radix: 16),
            let count = table.next(), count.count == 2, let inputs = Int(count[1]),
            let stamps = table.next(), stamps.count == 3, let stamp = UInt64(stamps[1], radix: 16),
            let description = UInt64(stamps[2], radix: 16)
        else { return nil }
        self.init(
            key: key[1], fingerprint: fingerprint, inputs: inputs, pieces: [], tail: nil, stamp: stamp,
            description: description)
        while let row = table.next() {
            switch row.first {
            case "piece": guard take(piece: row) else { return nil }
            case "tail": guard take(tail: row) else { return nil }
            default: return nil
            }
        }
    }

    private mutating func take(piece row: [String]) -> Bool {
        guard row.count == 8, let segment = Int(row[1]), let first = Int(row[2]), let start = Int64(row[3]),
            let last = Int(row[4]), let sum = UInt64(row[7], radix: 16)
        else { return false }
        pieces.append(
            Piece(
                segment: segment, first: first, start: start, last: last, end: Int64(row[5]), size: Int64(row[6]),
                sum: sum))
        return true
    }

    private mutating func take(tail row: [String]) -> Bool {
        guard row.count == 10, let inode = UInt64(row[2]), let position = Int64(row[3]),
            let mark = UInt64(row[4], radix: 16), let modified = Int64(row[6]), let size = Int64(row[7])
        else { return false }
        tail = Tail(
            file: row[1], inode: inode, position: position, mark: mark, converter: row[5], modified: modified,
            size: size, grows: row[8] == "grows", setting: row[9])
        return true
    }
}

/// Reads rows of values separated by tabs.
struct TextTable {
    private var lines: ArraySlice<Substring>

    init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...] }

    /// The rows of a text made by `text`; nil if the checksum is wrong.
    init?(sealed text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, let end = lines.popLast(), let first = lines.first,
            end == "end\t\(TextTable.sum(of: text[first.startIndex..<end.startIndex]))"
        else { return nil }
        self.lines = lines[...]
    }

    /// Rows as text, with a checksum at the end.
    static func text(_ rows: [[String]]) -> String {
        let text = rows.map { $0.map(escape).joined(separator: "\t") + "\n" }.joined()
        return text + "end\t\(sum(of: text[...]))\n"
    }

    private static func sum(of text: Substring) -> String {
        String(Fingerprint.of(String(text)), radix: 16)
    }

    /// The next row; nil at the end.
    mutating func next() -> [String]? {
        guard let line = lines.popFirst() else { return nil }
        return line.split(separator: "\t", omittingEmptySubsequences: false).map { TextTable.unescape($0) }
    }

    /// A value without tabs and line feeds.
    static func escape(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x5C }) else { return value }
        return value.unicodeScalars.map { scalar in
            switch scalar {
            case "\t": "\\t"
            case "\n": "\\n"
            case "\\": "\\\\"
            default: String(scalar)
            }
        }
        .joined()
    }

    private static func unescape(_ value: Substring) -> String {
        guard value.utf8.contains(0x5C) else { return String(value) }
        var result = ""
        var scalars = value.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.next() {
            case "t": result += "\t"
            case "n": result += "\n"
            case .some(let other): result.unicodeScalars.append(other)
            case nil: break
            }
        }
        return result
    }
}
