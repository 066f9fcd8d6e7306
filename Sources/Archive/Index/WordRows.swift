/// The rows of the messages that can be hits by their words, the newest first.
final class WordRows {
    private let index: SearchIndex
    private let expression: String?
    private let prefixes: [[UInt8]]
    private let isCurrent: Bool

    /// Nil when no word narrows them.
    /// - Parameters:
    ///   - prefixes: of the query, those that are looked for.
    ///   - isCurrent: whether the words know what the texts say now; else all their versions count.
    init?(_ query: WordQuery, prefixes: [[UInt8]], _ index: SearchIndex, isCurrent: Bool) {
        guard query.expression != nil || !prefixes.isEmpty else { return nil }
        self.index = index
        self.prefixes = prefixes
        self.isCurrent = isCurrent
        expression = query.expression
    }

    /// - Parameter limit: at most so many, or some less where there are more.
    /// - Throws: what SQLite says; `CancellationError`.
    func rows(in range: Range<Int64>, limit: Int) throws -> SearchIndex.Found {
        var sets = try prefixes.map { try index.set(of: .beginning($0), isCurrent: isCurrent) }
        var found: SearchIndex.Found
        if let expression {
            found = try index.rows(matching: expression, in: range, limit: limit, isCurrent: isCurrent)
        } else {
            found = sets.removeFirst().found(in: range, limit: limit)
        }
        for set in sets { found.rows.removeAll { !set.contains($0) } }
        return found
    }
}
