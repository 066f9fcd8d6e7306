internal import Files
internal import Index
internal import Messages

/// The difference between the indexed segments of a conversation and its current ones.
struct SegmentChange {
    /// The indexed segments by file name.
    private let known: [String: IndexedSegment]
    private let now: [Segment]
    /// For each current segment its index entry if the file still begins with the indexed lines; otherwise nil.
    private let kept: [IndexedSegment?]

    init(from known: [IndexedSegment], to now: [Segment]) {
        let names = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        (self.known, self.now) = (names, now)
        let (lastKnown, lastNow) = (known.last?.name, now.last?.name)
        kept = now.map { segment in
            let becomesLast = segment.name == lastNow && segment.name != lastKnown
            return names[segment.name].flatMap { $0.isHead(of: segment, becomesLast: becomesLast) ? $0 : nil }
        }
    }

    /// True if the index is up to date.
    var isNone: Bool {
        guard known.count == now.count else { return false }
        return zip(kept, now).enumerated().allSatisfy { index, pair in
            guard let kept = pair.0, kept.isSame(pair.1.stamp) else { return false }
            // If another segment follows, a last line without line feed is indexed too.
            return index == now.count - 1 || kept.size == pair.1.stamp.size
        }
    }

    /// The bytes that are not indexed yet.
    var bytes: Int64 { now.size - kept.reduce(0) { $0 + ($1?.size ?? 0) } }

    /// Deletes changed and removed segments from the index, and adds entries without lines for new ones.
    /// - Parameter marker: notes which of the other records are affected.
    /// - Returns: the conversation with the current segments; nil if it needs a new number, because no numbers of segments or
    ///   records are left.
    /// - Throws: `IndexFault`; `unavailable` if there are too many segments.
    func apply(
        to conversation: IndexedConversation, in writer: IndexWriter, _ state: inout IndexState,
        _ marker: inout RecordMarker
    ) throws -> IndexedConversation? {
        let names = Set(kept.compactMap { $0?.name })
        var retired = try nextNumbers(of: conversation.number, writer.base)
        for index in conversation.segments.indices where !names.contains(conversation.segments[index].name) {
            let segment = conversation.segments[index]
            if state.isReady { try marker.note(goneIn: index, of: conversation, in: writer, &state) }
            try remove(index, of: conversation, from: writer)
            retired[segment.number] = segment.next
        }
        // A replaced segment keeps its number.
        guard let numbers = SegmentNumbers.all(for: now.map { known[$0.name]?.number }),
            retired.values.max() ?? 0 <= RecordRow.mostSequences / 2
        else {
            if SegmentNumbers.all(for: now.map { _ in nil }) != nil { return nil }
            throw StoreError.unavailable(
                "\(conversation.id): has too many files for the index; they are read without it")
        }
        var changed = conversation
        changed.segments = []
        for (index, number) in numbers.enumerated() {
            if let kept = kept[index] {
                changed.segments.append(kept)
                continue
            }
            let segment = IndexedSegment(now[index], number: number, first: retired[number] ?? 1)
            if retired[number] != nil {
                writer.set(IndexTable.key(conversation.number, number), in: .retired, to: nil)
            }
            segment.save(of: conversation.number, to: writer)
            changed.segments.append(segment)
        }
        return changed
    }

    /// The next sequence numbers of removed segments, by the numbers of the segments.
    private func nextNumbers(of conversation: Int64, _ snapshot: IndexSnapshot) throws(IndexFault) -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        try snapshot.forEachEntry(of: .retired, startingWith: IndexTable.key(conversation)) { key, value in
            var (key, value) = (ByteReader(key), ByteReader(value))
            _ = key.key()
            found[key.key()] = value.number()
            return true
        }
        return found
    }

    private func remove(
        _ index: Int, of conversation: IndexedConversation, from writer: IndexWriter
    ) throws(IndexFault) {
        let segment = conversation.segments[index]
        let key = IndexTable.key(conversation.number, segment.number)
        let rows = conversation.rows(of: index)
        writer.part.remove(rows)
        writer.set(key, in: .segments, to: nil)
        writer.set(key, in: .retired, to: entry(segment.next))
        for row in try writer.base.repeats(in: rows) {
            writer.set(IndexTable.key(conversation.number, row), in: .repeats, to: nil)
        }
        var problems: [[UInt8]] = []
        try writer.base.forEachEntry(of: .problems, startingWith: key) { key, _ in
            problems.append(Array(key))
            return true
        }
        for key in problems { writer.set(key, in: .problems, to: nil) }
    }
}
