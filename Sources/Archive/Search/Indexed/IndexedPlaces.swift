internal import Algorithms
internal import Messages
internal import Search
internal import Words

/// The positions of the hits in the part of a conversation that the index covers, newest first. It reads texts only
/// where the index cannot decide.
///
///     words, current → rows ─┐
///     no words → all rows ───┼→ exclusions, times, senders → places
///     messages that lines after the indexed part change, and conditions that the index cannot test → texts ─┘
final class IndexedPlaces {
    /// How many rows to test in one step. The first steps are small because the user waits for the nearest hits.
    private static let first = 256
    private static let most = 16_384
    /// The limit of a step that reads the texts of all its rows.
    private static let mostTexts = 512

    private let index: SearchIndex
    private let coverage: WordCoverage
    private let query: WordQuery
    private let columns: HitColumns
    private let check: HitCheck
    private let roots: ThreadRoots
    /// Nil if every message has to be tested.
    private let words: WordRows?
    /// Rows before `end` of messages that lines after the indexed part edit or delete, rising. Their texts are read.
    private var changed: [Int64] = []
    /// The rows before this one remain to be tested.
    private var end: Int64
    private var limit = IndexedPlaces.first
    /// All hits at or after this place have been given.
    private(set) var reached: LinePlace?
    /// Whether the index was made anew, for other files, since the search began.
    private(set) var isOutdated = false

    /// - Parameters:
    ///   - rest: the lines that the index does not cover, if there are any.
    ///   - end: leaves out this row and all after it; nil to leave out none.
    init(
        _ index: SearchIndex, _ coverage: WordCoverage, _ criteria: HitCriteria, blocks: BlockReader,
        after rest: UncoveredLines?, before end: Int64? = nil
    ) throws(StoreError) {
        self.index = index
        self.coverage = coverage
        query = WordQuery(criteria.query)
        columns = HitColumns(criteria)
        check = HitCheck(coverage: coverage, criteria: criteria, blocks: blocks)
        roots = ThreadRoots(coverage, after: rest)
        words = WordRows(query, prefixes: query.prefixes, index, isCurrent: true)
        self.end = min(end ?? .max, coverage.rows.upperBound)
        guard let edited = rest?.edited, !edited.isEmpty else { return }
        let lines = coverage.rows.lowerBound..<self.end
        changed = try index.records.read(coverage.conversation, coverage.segments) { (view) throws(StoreError) in
            var rows: Set<Int64> = []
            for hash in edited { rows.formUnion(try view?.records(ofID: hash).map(\.row) ?? []) }
            return rows.filter(lines.contains).sorted()
        }
    }

    var isOver: Bool { end <= coverage.rows.lowerBound }

    /// The searched share of the rows, 0 to 1.
    var share: Double { coverage.share(from: end) }

    /// Searches some more rows.
    /// - Returns: positions of hits, newest first; an empty result does not mean the end, see `isOver`.
    /// - Throws: `unavailable` if the index cannot be read or was made anew.
    func next() throws(StoreError) -> [HitPlace] {
        try step { (rows, view) throws(StoreError) in
            var places: [HitPlace] = []
            places.reserveCapacity(rows.count)
            for row in rows { places.append(try roots.place(of: row, view)) }
            return places
        } ?? []
    }

    /// Searches as `next` does, but returns only the number of hits.
    func count() throws(StoreError) -> Int { try step { (rows, _) in rows.count } ?? 0 }

    /// Returns nil if the search is cancelled.
    private func step<Result>(
        _ answer: ([RecordColumns], IndexView) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        do {
            return try index.records.read(coverage.conversation, coverage.segments) { (view) throws(StoreError) in
                guard let view, !view.conversation.isPart, try view.state() == coverage.state else {
                    isOutdated = true
                    throw .unavailable("\(coverage.conversation): the index was rebuilt; try again")
                }
                guard let (rows, next) = try self.rows(view) else { return nil }
                let result = try answer(rows, view)
                reached = try view.record(from: next)?.place ?? reached
                (end, limit) = (next, min(limit * 4, IndexedPlaces.most))
                return result
            }
        } catch {
            end = coverage.rows.lowerBound
            throw error
        }
    }

    /// The hits of one step, newest first, and the row before which the next step begins.
    private func rows(_ view: IndexView) throws(StoreError) -> (hits: [RecordColumns], end: Int64)? {
        guard let (found, doubtful, next) = try candidates(view),
            let excluded = try asked({ try self.excluded(from: found) })
        else { return nil }
        var hits: [RecordColumns] = []
        var unsure: [RecordColumns] = []
        for row in found {
            let isDoubtful = doubtful.contains(row.row)
            if !isDoubtful, excluded.contains(row.row) { continue }
            switch try columns.verdict(of: row, view) {
            case .no: continue
            case .yes where query.isExact && !isDoubtful: hits.append(row)
            default: unsure.append(row)
            }
        }
        if unsure.isEmpty { return (hits, next) }
        let checked = try checked(unsure, view)
        return (hits.isEmpty ? checked : (hits + checked).sorted { $0.row > $1.row }, next)
    }

    /// Rows that may be hits, newest first; those among them that lines after the indexed part edit or delete; and the
    /// row before which the next candidates begin.
    private func candidates(
        _ view: IndexView
    ) throws(StoreError) -> (found: [RecordColumns], doubtful: Set<Int64>, end: Int64)? {
        let range = coverage.rows.lowerBound..<end
        let limit = query.isExact ? self.limit : min(self.limit, IndexedPlaces.mostTexts)
        guard let words else {
            let found = try view.columns(in: range, limit: limit)
            let next = found.count < limit ? range.lowerBound : found.last?.row ?? range.lowerBound
            return (found, takeChanged(from: next), next)
        }
        guard let some = try asked({ try words.rows(in: range, limit: limit) }) else { return nil }
        let doubtful = takeChanged(from: some.end)
        let rows = doubtful.isEmpty ? some.rows : doubtful.union(some.rows).sorted(by: >)
        return (try view.columns(of: rows), doubtful, some.end)
    }

    private func takeChanged(from row: Int64) -> Set<Int64> {
        let start = changed.partitioningIndex { $0 >= row }
        defer { changed.removeSubrange(start...) }
        return Set(changed[start...])
    }

    /// Selects the rows whose texts match.
    private func checked(_ rows: [RecordColumns], _ view: IndexView) throws(StoreError) -> [RecordColumns] {
        var records: [IndexedRecord] = []
        for row in rows { if let record = try view.record(row.row) { records.append(record) } }
        let hits = Set(try check.found(records, view).hits.map(\.row))
        return rows.filter { hits.contains($0.row) }
    }

    /// The rows that are deleted or contain excluded words.
    private func excluded(from found: [RecordColumns]) throws -> Excluded {
        var excluded = Excluded()
        if words == nil { excluded.rows = try index.deleted(among: found.map(\.row)) }
        excluded.sets = try query.exclusions.map { try index.set(of: $0, isCurrent: true) }
        return excluded
    }

    private struct Excluded {
        var rows: Set<Int64> = []
        var sets: [RowSet] = []

        func contains(_ row: Int64) -> Bool { rows.contains(row) || sets.contains { $0.contains(row) } }
    }

    /// Returns nil if the search is cancelled.
    private func asked<Result>(_ question: () throws -> Result) throws(StoreError) -> Result? {
        do {
            return try question()
        } catch is CancellationError {
            return nil
        } catch {
            throw IndexFailure.reading(error)
        }
    }
}
