internal import Algorithms
internal import Messages

/// One segment of a conversation as it was surveyed.
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

/// Some 64 KiB of whole lines.
struct Block {
    let segment: Int
    /// In the segment, in bytes.
    let offset: Int64
    let length: Int
    /// Messages of the main timeline in all blocks before.
    let mainsBefore: Int
    /// At or after the times of all messages in it, thread replies included; nil when it holds none.
    let latest: Timestamp?
    /// Whether there is an edit, a deletion, a reaction or a thread reply.
    let hasOverrules: Bool
    /// Whether there is an edit or a deletion.
    let hasRewrites: Bool

    var place: LinePlace { LinePlace(segment: segment, offset: offset) }
    /// Behind its last byte.
    var end: LinePlace { LinePlace(segment: segment, offset: offset + Int64(length)) }
}

extension Block {
    /// Lines of which nothing more is known.
    init(segment: Int, offset: Int64, length: Int) {
        self.init(
            segment: segment, offset: offset, length: length, mainsBefore: 0, latest: nil, hasOverrules: true,
            hasRewrites: true)
    }
}

/// What one sequential scan leaves of a conversation: fixed-size summaries of its blocks, and nothing of its messages.
///
/// Searches need it for what no index covers: how late each block reaches, and where edits can be. This is no map from
/// IDs to places, which the index is: a block costs some 1.6 KB, a fortieth of what it stands for, mostly for two filters
/// that say in which blocks an ID can be at all. Everything exact is read from the file, a block at a time.
struct Survey: Log {
    let segments: [Segment]
    var blocks: [Block] = []
    /// The IDs of the records in each block; about 20 bits for each in a block of usual lines.
    var ids = BloomFilters(bits: 8_192, probes: 7)
    /// What the overrules in each block are about. Apart from the IDs, so that its few entries are never drowned: all
    /// blocks behind a message are asked for all messages of a page.
    var targets = BloomFilters(bits: 4_096, probes: 7)
    /// Messages of the main timeline.
    var mains = 0
    /// All messages, thread replies included.
    var messages = 0
    /// Of the first and the last message in the order of the log.
    var first: Timestamp?
    var last: Timestamp?
    /// The lines that repeat an earlier line's ID, sorted. Rare.
    var repeats: [LinePlace] = []
    /// The replies without a root before them, sorted.
    var loose: [LinePlace] = []
    var problems = ProblemList()
    /// Whether only what stands behind some place is surveyed.
    var isPart = false

    init(segments: [Segment]) { self.segments = segments }

    /// The block that holds a place, or the last one before it.
    func block(at place: LinePlace) -> Int? {
        let index = blocks.partitioningIndex { $0.place > place }
        return index == 0 ? nil : index - 1
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
