internal import Messages
internal import Search

/// The hits in what the index covers of a conversation, the newest first, some at a time.
///
///     words → rows that may match ─┐
///     no words → all rows ─────────┼→ times, senders → lines, and what amends them → does it match now?
///     edits behind the index ──────┘
final class IndexedHits {
    private static let first = 64
    private static let most = 1_024

    private let index: SearchIndex
    private let coverage: WordCoverage
    private let criteria: HitCriteria
    private let check: HitCheck
    /// Nil when all messages are looked at.
    private let words: WordRows?
    /// The rows from it on are looked through.
    private(set) var end: Int64
    /// Messages that an edit behind the index may have made a match of, the newest last.
    private var extras: [Int64]
    private var limit = IndexedHits.first

    /// - Parameter edited: hashes of the IDs of messages that matching edits behind the index are about; nil when it is not
    ///   known which.
    init(
        _ index: SearchIndex, _ coverage: WordCoverage, _ criteria: HitCriteria, blocks: BlockReader,
        edited: Set<IDHash>?
    ) throws(StoreError) {
        self.index = index
        self.coverage = coverage
        self.criteria = criteria
        check = HitCheck(coverage: coverage, criteria: criteria, blocks: blocks)
        let query = WordQuery(criteria.query)
        words =
            edited == nil ? nil : WordRows(query, prefixes: query.longPrefixes, index, isCurrent: coverage.isExact)
        end = coverage.rows.upperBound
        extras = []
        guard let edited, !edited.isEmpty else { return }
        extras = try index.records.read(coverage.conversation, coverage.segments) { (view) throws(StoreError) in
            var rows: Set<Int64> = []
            for hash in edited { rows.formUnion(try view?.records(ofID: hash).map(\.row) ?? []) }
            return rows.sorted()
        }
    }

    var isOver: Bool { end <= coverage.rows.lowerBound }

    /// How much is looked through, 0 to 1.
    var share: Double { coverage.share(from: end) }

    /// Looks a little further.
    /// - Returns: hits, the newest first; there may be none, and more all the same.
    /// - Throws: `unavailable` when the index cannot be read, or the files are not what it says.
    func next() throws(StoreError) -> [FoundMessage] {
        let lower = coverage.rows.lowerBound
        do {
            return try index.records.read(coverage.conversation, coverage.segments) { (view) throws(StoreError) in
                guard let view else {
                    throw .unavailable("\(coverage.conversation): the index was made anew; try again")
                }
                var records: [IndexedRecord] = []
                if let words {
                    guard let found = try rows(of: words) else { return [] }
                    for row in found.rows { if let record = try view.record(row) { records.append(record) } }
                    end = found.end
                } else {
                    records = try view.messages(before: end, limit: limit)
                    end = records.count < limit ? lower : records.last?.row ?? lower
                }
                records += try takeExtras(view, besides: records)
                limit = min(limit * 2, IndexedHits.most)
                let wanted = records.filter { $0.kind.isMessage && criteria.times.contains($0.time) }
                return try check.found(wanted.sorted { $0.row > $1.row }, view).map(\.found)
            }
        } catch {
            end = lower
            throw error
        }
    }

    /// Nil when nobody wants them any more.
    private func rows(of words: WordRows) throws(StoreError) -> SearchIndex.Found? {
        do {
            return try words.rows(in: coverage.rows.lowerBound..<end, limit: limit)
        } catch is CancellationError {
            return nil
        } catch {
            throw IndexFailure.reading(error)
        }
    }

    /// Those of the edited messages that stand behind what is still to be looked through.
    private func takeExtras(
        _ view: IndexView, besides records: [IndexedRecord]
    ) throws(StoreError) -> [IndexedRecord] {
        let known = Set(records.map(\.row))
        var taken: [IndexedRecord] = []
        while let row = extras.last, row >= end {
            extras.removeLast()
            if !known.contains(row), row < coverage.rows.upperBound, let record = try view.record(row) {
                taken.append(record)
            }
        }
        return taken
    }
}
