internal import Messages
internal import Words

/// The index as searches use it, on the search thread.
final class SearchIndex {
    let records: IndexReader
    private let words: WordReader
    /// Reads lines that the index does not cover.
    private let blocks = BlockReader()
    private var sets: [SetKey: RowSet] = [:]
    /// Whether no other user can change the files of the index folder.
    private lazy var isOwn = (try? records.folder.closeToOthers()) != nil

    init(_ folder: IndexFolder) {
        records = IndexReader(folder)
        words = WordReader(folder.words)
    }

    /// If the words leave more bytes than this uncovered, the search scans the whole log: there would be too many edits
    /// and repeats.
    private static let mostRest: Int64 = 8 << 20

    /// The part of a conversation that the word index covers; nil if it covers too little.
    func coverage(of id: ConversationID, _ segments: [Segment]) -> WordCoverage? {
        let found: WordCoverage?? = try? records.read(id, segments) { (view) throws(StoreError) in
            guard let view else { return nil }
            let state = try view.state()
            guard let end = self.end(of: view.conversation, state), end > view.rows.lowerBound else { return nil }
            // The records may reach further than the words, and if files have changed, the words further than the
            // records.
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

    /// The messages that the records of the index have counted; nil if they cannot be read.
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

    /// The row after the last one up to which the words include all messages and all their changes; nil if they include
    /// none.
    /// - Parameters:
    ///   - records: identifies the records that the words must belong to.
    ///   - stale: the newest entry in the table `stale` of the records. The words must have taken it into account.
    private func end(of conversation: IndexedConversation, _ state: (records: Int64, stale: Int64)) -> Int64? {
        guard isOwn else { return nil }
        do throws(WordFault) {
            // Sets found earlier lack the rows that the words cover now.
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
            // A message counts as covered only when its edits are covered too.
            guard let done, done >= rows.lowerBound else { return end }
            end = min(rows.upperBound, done + 1)
            if end != rows.upperBound { return end }
        }
        return end
    }

    // MARK: - Words

    /// Rows of messages, newest first. The next rows are below `end`.
    struct Found {
        var rows: [Int64]
        let end: Int64
    }

    /// Finds the rows of all messages, of all conversations, that meet a condition on words. The result is kept: the
    /// same condition is looked up only once.
    /// - Parameter isCurrent: whether to look in current texts only. If not, the result also contains messages of which
    ///   an older version matches, and possibly others.
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

    /// The rows among these whose messages are deleted, as far as the word index knows.
    /// - Throws: `WordFault`
    func deleted(among rows: [Int64]) throws(WordFault) -> Set<Int64> { try words.deleted(among: rows) }
}

extension RowSet {
    /// The highest rows of a range, at most `limit`, and the row below which the next ones are.
    func found(in range: Range<Int64>, limit: Int) -> SearchIndex.Found {
        let rows = rows(in: range, limit: limit)
        return SearchIndex.Found(rows: rows, end: rows.count < limit ? range.lowerBound : rows.last ?? 0)
    }
}
