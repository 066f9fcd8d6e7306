internal import ArchiveFormat
internal import Files
internal import Messages

/// One file of a conversation's log, with its state at the time its folder was listed.
struct Segment: Equatable {
    let path: String
    /// The name that the user sees: `general/messages-000001.jsonl`.
    let label: String
    let stamp: FileStamp

    /// The name of the file in the folder of the conversation.
    var name: String {
        let bytes = label.utf8
        return String(label[(bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex)...])
    }

    /// The segments in a folder, oldest first.
    /// - Throws: the errors of `Folder.names`.
    static func all(in folder: String, of id: ConversationID) throws(StoreError) -> [Segment] {
        var strays = ProblemList()
        return try all(in: folder, of: id, &strays)
    }

    /// The same segments. Entries with the name of a segment that are not files are added to the problems.
    /// - Parameter names: the names of the segments, if they are known; nil to list the folder.
    /// - Throws: the errors of `Folder.names`.
    static func all(
        in folder: String, of id: ConversationID, _ problems: inout ProblemList, names: [String]? = nil
    ) throws(StoreError) -> [Segment] {
        var segments: [Segment] = []
        let names = if let names { names } else { try Folder.names(folder).filter(SegmentFile.isSegment) }
        for name in names {
            let path = folder + "/" + name
            guard let stamp = try FileStamp.of(path) else {
                problems.add("\(id)/\(name): \(SkippedFile.reason)")
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
    /// The index of each segment, by the name of its file.
    var indicesByName: [String: Int] { Dictionary(enumerated().map { ($1.name, $0) }) { first, _ in first } }

    /// The bytes of the log before a place.
    func size(before place: LinePlace) -> Int64 { prefix(place.segment).size + place.offset }
}

extension LinePlace {
    /// The place after the last byte of the last segment.
    static func end(of segments: [Segment]) -> LinePlace {
        segments.last.map { LinePlace(segment: segments.count - 1, offset: $0.stamp.size) } ?? .first
    }
}

/// The segments that mirror a server.
extension Segment {
    /// The number in the name: 18 digits. Nil for any other segment.
    var mirrorNumber: Int64? { SegmentName(file: name)?.number }

    /// The first line of a mirrored segment; nil if it is not a head.
    /// - Throws: the errors of reading files.
    var mirrorHead: SegmentHead? {
        get throws(StoreError) { SegmentHead(of: try File(path).bytes(at: 0, count: SegmentHead.longest)) }
    }
}
