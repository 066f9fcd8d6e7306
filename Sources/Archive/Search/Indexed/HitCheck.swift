internal import Messages
internal import Search

/// Reads the current text of messages that the index names, and selects the hits.
struct HitCheck {
    /// How many bytes of lines to read before selecting hits. Only the texts of hits are kept.
    private static let most = 1 << 20

    let coverage: WordCoverage
    let criteria: HitCriteria
    let blocks: BlockReader

    /// - Parameter records: records of messages, newest first.
    /// - Returns: the hits among them, in the same order.
    func found(
        _ records: [IndexedRecord], _ view: IndexView
    ) throws(StoreError) -> [(row: Int64, found: FoundMessage)] {
        if records.isEmpty { return [] }
        let reader = try ConversationReader(
            coverage.segments, blocks: blocks, index: view, repeats: coverage.counted.repeats)
        var found: [(row: Int64, found: FoundMessage)] = []
        var start = records.startIndex
        while start < records.endIndex {
            var (end, bytes) = (start + 1, records[start].length)
            while end < records.endIndex, bytes + records[end].length <= HitCheck.most {
                bytes += records[end].length
                end += 1
            }
            found += try hits(among: Array(records[start..<end]), reader, view)
            start = end
        }
        return found
    }

    private func hits(
        among records: [IndexedRecord], _ reader: ConversationReader, _ view: IndexView
    ) throws(StoreError) -> [(row: Int64, found: FoundMessage)] {
        let stored = Array(try reader.messages(at: view.keep(records).reversed()).reversed())
        let passing = zip(stored, records).filter { criteria.passes($0.0) }
        let folds = try reader.folded(passing.map(\.0))
        return passing.compactMap { message, record in
            guard let folded = folds[message.id], !folded.isDeleted, criteria.matches(folded.text) else { return nil }
            return (record.row, FoundMessage(message: message, text: folded.text, mainCountBefore: record.main))
        }
    }
}
