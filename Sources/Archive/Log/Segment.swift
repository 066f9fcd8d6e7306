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
