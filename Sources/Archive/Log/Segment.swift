import Glibc
internal import Messages

/// One file of a conversation's log, with its state at the time its folder was listed.
struct Segment: Equatable {
    let path: String
    /// The name for people: `general/messages-000001.jsonl`.
    let label: String
    let stamp: FileStamp

    /// The name of the file in the folder of the conversation.
    var name: String { String(label[label.index(after: label.lastIndex(of: "/") ?? label.startIndex)...]) }

    /// The segments in a folder, oldest first. Entries with the name of a segment that are not files are added to the
    /// problems.
    /// - Parameter names: the names of the segments, if they are known; nil to list the folder.
    /// - Throws: the errors of `Folder.names`.
    static func all(
        in folder: String, of id: ConversationID, _ problems: inout ProblemList, names: [String]? = nil
    ) throws(StoreError) -> [Segment] {
        var segments: [Segment] = []
        let names =
            if let names { names } else {
                try Folder.names(folder).filter { $0.hasPrefix("messages-") && $0.hasSuffix(".jsonl") }
            }
        for name in names {
            let path = folder + "/" + name
            guard let stamp = try FileStamp.of(path) else {
                problems.add("\(id)/\(name): not a regular file; it is skipped")
                continue
            }
            segments.append(Segment(path: path, label: "\(id)/\(name)", stamp: stamp))
        }
        return segments
    }
}

extension Collection<Segment> {
    /// The bytes of all segments.
    var size: Int64 { reduce(0) { $0 + $1.stamp.size } }
}

extension [Segment] {
    /// The bytes of the log before a place.
    func size(before place: LinePlace) -> Int64 { prefix(place.segment).size + place.offset }
}

extension LinePlace {
    /// The place after the last byte of the last segment.
    static func end(of segments: [Segment]) -> LinePlace {
        segments.last.map { LinePlace(segment: segments.count - 1, offset: $0.stamp.size) } ?? .first
    }
}

/// The first line of a segment that mirrors a server, and the number in its name.
///
///     messages-500000000000000000.jsonl   {"type":"segment","before":"gap", …}
enum IslandHead: Equatable {
    /// The conversation begins with this segment.
    case start
    /// Messages are missing before it, unless the segment with the number before it exists.
    case gap
    /// It follows the segment with this name.
    case after(String)
    /// It has no such line.
    case none

    /// A longer first line is no head.
    private static let longest: Int64 = 64 << 10

    /// - Throws: the errors of reading files.
    init(of segment: Segment) throws(StoreError) {
        self = .none
        let count = Int(min(segment.stamp.size, IslandHead.longest))
        if count == 0 { return }
        let buffer = try Memory.allocate(count + JSONPadding.bytes)
        defer { Memory.free(buffer) }
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try File(segment.path).read(into: bytes, at: 0)
        guard let end = bytes.firstIndex(of: 0x0A) else { return }
        let line = Slice(UnsafeRawBufferPointer(rebasing: bytes[..<end]), readable: buffer.count)
        let reader = JSONReader(names: "type before")
        guard let fields = try? reader.object(line), fields.text(0) == "segment" else { return }
        switch fields.text(1) {
        case "start": self = .start
        case "gap": self = .gap
        case let name?: self = .after(name)
        case nil: break
        }
    }
}

extension Segment {
    /// The number in the name of a segment that mirrors a server: 18 digits. Nil for any other segment.
    var mirrorNumber: Int64? {
        let (prefix, suffix) = ("messages-".utf8, ".jsonl".utf8)
        let name = label.utf8.suffix(prefix.count + 18 + suffix.count)
        guard name.startIndex > label.utf8.startIndex, label.utf8[label.utf8.index(before: name.startIndex)] == 0x2F
        else { return nil }
        var number: Int64 = 0
        for digit in name.dropFirst(prefix.count).dropLast(suffix.count) {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }
}
