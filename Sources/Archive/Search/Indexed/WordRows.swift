internal import Words

/// The rows of the messages that can be hits by their words, newest first.
final class WordRows {
    private let index: SearchIndex
    private let conditions: [WordCondition]
    private let isCurrent: Bool

    /// Returns nil if no word narrows the rows.
    /// - Parameters:
    ///   - prefixes: the prefixes of the query to look up.
    ///   - isCurrent: whether the words know the current texts; if not, all versions of a text count.
    init?(_ query: WordQuery, prefixes: [[UInt8]], _ index: SearchIndex, isCurrent: Bool) {
        conditions = [query.phrases].compactMap(\.self) + prefixes.map { .beginning($0) }
        if conditions.isEmpty { return nil }
        self.index = index
        self.isCurrent = isCurrent
    }

    /// - Parameter limit: the most rows to return; fewer may be returned although more exist.
    /// - Throws: `WordFault`, `CancellationError`.
    func rows(in range: Range<Int64>, limit: Int) throws -> SearchIndex.Found {
        let sets = try conditions.map { try index.set(of: $0, isCurrent: isCurrent) }
        guard let first = sets.first else { return SearchIndex.Found(rows: [], end: range.lowerBound) }
        var found = first.found(in: range, limit: limit)
        for set in sets.dropFirst() { found.rows.removeAll { !set.contains($0) } }
        return found
    }
}
