internal import ArchiveFormat
internal import Files
internal import Messages

/// The places in a log where messages are missing. They divide it into islands, in which each message directly follows the
/// one before it.
///
///     |— island —|    gap    |— island —|— its newer segments —|
///
/// Only logs that mirror a server have gaps. Two segments touch if their numbers follow each other, or if the head of the later
/// one names the earlier one.
struct Islands: Equatable {
    /// The indices of the segments before which messages are missing, sorted. 0 if the log does not begin with the
    /// conversation.
    private let gaps: [Int]

    /// - Throws: the errors of reading files.
    init(_ segments: [Segment], _ heads: inout KnownHeads) throws(StoreError) {
        var gaps: [Int] = []
        var before: (name: String, number: Int64)?
        for (index, segment) in segments.enumerated() {
            guard let number = segment.mirrorNumber else {
                before = nil
                continue
            }
            let name = segment.name
            if before.map({ $0.number + 1 }) != number, index == 0 || before != nil {
                switch try heads.head(of: segment)?.before {
                case .gap: gaps.append(index)
                case .segment(let other) where other.file != before?.name: gaps.append(index)
                case .start, .segment, nil: break
                }
            }
            before = (name, number)
        }
        self.gaps = gaps
    }

    var hasGaps: Bool { !gaps.isEmpty }

    /// True if messages are missing between two segments, or before the later one if the earlier one is -1.
    func isGap(from earlier: Int, to later: Int) -> Bool { first(from: earlier, to: later) != nil }

    /// The first segment after an earlier one, up to a later one, before which messages are missing.
    func first(from earlier: Int, to later: Int) -> Int? {
        if gaps.isEmpty { return nil }
        return gaps.first { $0 > earlier }.flatMap { $0 <= later ? $0 : nil }
    }

    /// The last segment after an earlier one, up to a later one, before which messages are missing.
    func last(from earlier: Int, to later: Int) -> Int? {
        if gaps.isEmpty { return nil }
        return gaps.last { $0 <= later }.flatMap { $0 > earlier ? $0 : nil }
    }
}

/// The heads of segments that were read before: no byte of a mirrored segment ever changes.
struct KnownHeads {
    private static let remembered = 65_536

    private struct Key: Hashable {
        let path: String
        let inode: UInt64
    }

    private var heads: [Key: SegmentHead] = [:]

    fileprivate mutating func head(of segment: Segment) throws(StoreError) -> SegmentHead? {
        let key = Key(path: segment.path, inode: segment.stamp.inode)
        if let known = heads[key] { return known }
        // The head of a file that is still being written may come later.
        guard let head = try segment.mirrorHead else { return nil }
        if heads.count >= KnownHeads.remembered { heads = [:] }
        heads[key] = head
        return head
    }
}
