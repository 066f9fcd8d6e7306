internal import Messages
internal import Search

/// Reads the current text of messages that the index names, and selects the hits.
struct HitCheck {
    /// The bytes of lines that are read before hits are selected, and the bytes of their texts that are kept.
    private static let most = 1 << 20

    let coverage: WordCoverage
    let criteria: HitCriteria
    let blocks: BlockReader

    /// - Parameter records: records of messages, newest first.
    /// - Returns: the hits among them, in the same order, and the last row that was examined: nil for all, unless the texts
    ///   of the hits exceed a limit.
    func found(
        _ records: [IndexedRecord], _ view: IndexView
    ) throws(StoreError) -> (hits: [(row: Int64, found: FoundMessage)], end: Int64?) {
        if records.isEmpty { return ([], nil) }
        let reader = try ConversationReader(
            coverage.segments, blocks: blocks, index: view, repeats: coverage.counted.repeats)
        var (found, left) = ([(row: Int64, found: FoundMessage)](), HitCheck.most)
        var start = records.startIndex
        while start < records.endIndex {
            var (end, bytes) = (start + 1, records[start].length)
            while end < records.endIndex, bytes + records[end].length <= HitCheck.most {
                bytes += records[end].length
                end += 1
            }
            let some = Array(records[start..<end])
            let stored = Array(try reader.messages(at: view.keep(some).reversed()).reversed())
            let passing = zip(stored, some).filter { criteria.passes($0.0) }
            let folds = try reader.folded(passing.map(\.0), bytes: HitCheck.most)
            for (message, record) in passing {
                // Edited texts that have no room together are read one after the other.
                guard let whole = try folds[message.id].map(reader.whole), !whole.isDeleted,
                    criteria.matches(whole.text)
                else { continue }
                let hit = criteria.hit(message, whole.text, mainCountBefore: record.main)
                found.append((record.row, hit))
                left -= hit.text.utf8.count
                if left < 0, record.row != records.last?.row { return (found, record.row) }
            }
            start = end
        }
        return (found, nil)
    }
}
