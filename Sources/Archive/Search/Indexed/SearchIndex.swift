internal import Messages
internal import Words

/// The index as searches ask it, on their thread.
final class SearchIndex {
    let records: IndexReader
    private let words: WordReader
    /// For lines that the index does not cover.
    private let blocks = BlockReader()
    private var sets: [SetKey: RowSet] = [:]
    /// Whether nobody else can change what is in the folder.
    private lazy var isOwn = (try? records.folder.closeToOthers()) != nil

    init(_ folder: IndexFolder) {
        records = IndexReader(folder)
        words = WordReader(folder.words)
    }

    /// More than this after the words is searched together with all before: its edits and repeats would be too many.
    private static let mostRest: Int64 = 8 << 20

    /// What the words cover of a conversation; nil when they cover too little.
    func coverage(of id: ConversationID, _ segments: [Segment]) -> WordCoverage? {
        let found: WordCoverage?? = try? records.read(id, segments) { (view) throws(StoreError) in
            guard let view else { return nil }
            let state = try view.state()
            guard let end = self.end(of: view.conversation, state), end > view.rows.lowerBound else { return nil }
            // The records may know more than the words, and less of files that have changed.
            let rows = view.rows.lowerBound..<end
            guard let last = try view.record(before: rows.upperBound) else { return nil }
            let isAll = try view.record(before: view.rows.upperBound)?.row == last.row
            let place = isAll ? view.end : LinePlace(segment: last.place.segment, offset: last.end)
            let mainCount = last.main + (last.kind.isMain ? 1 : 0)
            if segments.size - segments.size(before: place) > SearchIndex.mostRest { return nil }
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            return WordCoverage(
                conversation: id, segments: segments, rows: rows,
                stretches: view.conversation.segments.indices.map { view.conversation.rows(of: $0).clamped(to: rows) },
                state: state, isExact: !view.conversation.isPart,
                counted: CountedMessages(end: place, mainCount: mainCount, repeats: try reader.allRepeats()))
        }
        return found ?? nil
    }

    /// What the records of the index have counted; nothing when they cannot be read.
    func counted(_ id: ConversationID, _ segments: [Segment]) -> CountedMessages? {
        try? records.read(id, segments) { (view) throws(StoreError) in
            let end = view?.end ?? .first
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            let isNearlyAll = segments.size - segments.size(before: end) <= SearchIndex.mostRest
            return CountedMessages(
                end: end, mainCount: try view?.mainCount(before: end) ?? 0,
                repeats: isNearlyAll ? try reader.allRepeats() : reader.log.repeats)
        }
    }

    /// After the last row up to which all messages and all that changes them are in; nil when nothing is.
    /// - Parameters:
    ///   - records: names the records that the words have to be of.
    ///   - stale: the last message of which has to be told anew what it says.
    private func end(of conversation: IndexedConversation, _ state: (records: Int64, stale: Int64)) -> Int64? {
        guard isOwn else { return nil }
        do throws(WordFault) {
            // What was found before does not know all that is said to be covered now.
            if try words.refresh() { sets = [:] }
        } catch {
            return nil
        }
        guard words.identity == state.records, words.stale == state.stale else { return nil }
        var end: Int64?
        for index in conversation.segments.indices {
            let rows = conversation.rows(of: index)
            // A segment without any record has no words either.
            if rows.count <= 1 { continue }
            let done = words.progress(of: RecordRow(rows.lowerBound).segmentKey).map { min($0.messages, $0.edits) }
            // Nothing is covered before its edits are.
            guard let done, done >= rows.lowerBound else { return end }
            end = min(rows.upperBound, done + 1)
            if end != rows.upperBound { return end }
        }
        return end
    }

    // MARK: - Words

    /// Rows of messages, the newest first, and where the next ones begin: below that row.
    struct Found {
        var rows: [Int64]
        let end: Int64
    }

    /// Finds the rows of all messages, of whatever conversation, in whose texts words stand: once, and keeps them.
    /// - Parameter isCurrent: whether the texts are those of now; else those of any version, and more.
    /// - Throws: `WordFault`, `CancellationError`.
    func set(of wanted: WordCondition, isCurrent: Bool) throws -> RowSet {
        let key = SetKey(wanted: wanted, isCurrent: isCurrent)
        if let known = sets[key] { return known }
        let found = try words.rows(wanted, isCurrent: isCurrent) { try Task.checkCancellation() }
        sets[key] = found
        return found
    }

    private struct SetKey: Hashable {
        let wanted: WordCondition
        let isCurrent: Bool
    }

    /// Those of some messages that are deleted, as far as the words know.
    /// - Throws: `WordFault`
    func deleted(among rows: [Int64]) throws(WordFault) -> Set<Int64> { try words.deleted(among: rows) }
}

extension RowSet {
    /// The highest rows within a range, and where the next ones begin.
    func found(in range: Range<Int64>, limit: Int) -> SearchIndex.Found {
        let rows = rows(in: range, limit: limit)
        return SearchIndex.Found(rows: rows, end: rows.count < limit ? range.lowerBound : rows.last ?? 0)
    }
}
