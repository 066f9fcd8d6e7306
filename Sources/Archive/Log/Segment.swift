internal import Messages

/// One file of a conversation's log, as it was when its folder was listed.
struct Segment: Equatable {
    let path: String
    /// As people are told of it: `general/messages-000001.jsonl`.
    let label: String
    let stamp: FileStamp

    /// Of the file, within the folder of the conversation.
    var name: String { String(label[label.index(after: label.lastIndex(of: "/") ?? label.startIndex)...]) }

    /// The segments in a folder, oldest first. What has the name of one but is no file is among the problems.
    /// - Throws: as `Folder.names`.
    static func all(
        in folder: String, of id: ConversationID, _ problems: inout ProblemList
    ) throws(StoreError) -> [Segment] {
        var segments: [Segment] = []
        for name in try Folder.names(folder) where name.hasPrefix("messages-") && name.hasSuffix(".jsonl") {
            let path = folder + "/" + name
            guard let stamp = try FileStamp.of(path) else {
                problems.add("\(id)/\(name): not a regular file; it is passed over")
                continue
            }
            segments.append(Segment(path: path, label: "\(id)/\(name)", stamp: stamp))
        }
        return segments
    }
}

extension Collection<Segment> {
    /// Bytes of all of them.
    var size: Int64 { reduce(0) { $0 + $1.stamp.size } }
}

extension [Segment] {
    /// Bytes of the log before a place.
    func size(before place: LinePlace) -> Int64 { prefix(place.segment).size + place.offset }
}

extension LinePlace {
    /// After the last byte of some files.
    static func end(of segments: [Segment]) -> LinePlace {
        segments.last.map { LinePlace(segment: segments.count - 1, offset: $0.stamp.size) } ?? .first
    }
}
