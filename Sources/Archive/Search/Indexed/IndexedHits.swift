internal import Messages
internal import Search

/// The hits in the part of a conversation that the index covers, in small steps, newest first.
///
///     words → rows that may match ──┐
///     no words → all rows ──────────┼→ times, senders → lines and their edits → test the current text
///     edits after the indexed part ─┘
final class IndexedHits {
    private static let first = 64
    private static let most = 1_024

    private let index: SearchIndex
    private let coverage: WordCoverage
    private let criteria: HitCriteria
    private let check: HitCheck
    /// Nil if every message has to be tested.
    private let words: WordRows?
    /// All rows from this one on are searched.
    private(set) var end: Int64
    /// Rows of messages that may match because of an edit after the indexed part, newest last.
    private var extras: [Int64]
    private var limit = IndexedHits.first

    /// - Parameter edited: the ID hashes of messages that lines after the indexed part edit or delete; nil if unknown.
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

    /// The searched share of the rows, 0 to 1.
    var share: Double { coverage.share(from: end) }

    /// Searches some more rows.
    /// - Returns: hits, newest first; an empty result does not mean the end, see `isOver`.
    /// - Throws: `unavailable` if the index cannot be read or the files differ from it.
    func next() throws(StoreError) -> [FoundMessage] {
        let lower = coverage.rows.lowerBound
        do {
            return try index.records.read(coverage.conversation, coverage.segments) { (view) throws(StoreError) in
                guard let view else {
                    throw .unavailable("\(coverage.conversation): the index was rebuilt; try again")
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
                let more = try takeExtras(view, besides: records)
                records += more
                limit = min(limit * 2, IndexedHits.most)
                let wanted = records.filter { $0.kind.isMessage && criteria.times.contains($0.time) }
                let found = try check.found(wanted.sorted { $0.row > $1.row }, view)
                if let examined = found.end {
                    end = examined
                    extras += more.map(\.row).filter { $0 < examined }.sorted()
                }
                return found.hits.map(\.found)
            }
        } catch {
            end = lower
            throw error
        }
    }

    /// Returns nil if the search is cancelled.
    private func rows(of words: WordRows) throws(StoreError) -> SearchIndex.Found? {
        do {
            return try words.rows(in: coverage.rows.lowerBound..<end, limit: limit)
        } catch is CancellationError {
            return nil
        } catch {
            throw IndexFailure.reading(error)
        }
    }

    /// Removes and returns the records of edited messages at or after `end`.
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
