internal import Index
internal import Messages
internal import Search
internal import Words

/// The hits in the part of a conversation that the index covers, in small steps, newest first: as messages, or as places, which need no
/// texts where the index can decide.
///
///     words → rows ───────┐
///     no words → all rows ┼→ messages: times → lines and their edits → test the current text
///                         └→ places: exclusions, times, senders → the text, if the index cannot test it,
///                                                                 or if lines after the indexed part change it
final class IndexedHits {
    /// The limits of a step: the rows to test in the first one and in any one. The first steps are small because the user waits for the
    /// nearest hits.
    private static let messages = (first: 64, most: 1_024)
    private static let places = (first: 256, most: 16_384)
    /// The limit of a step for places that reads the texts of all its rows.
    private static let mostTexts = 512

    private let index: SearchIndex
    private let coverage: WordCoverage
    private let criteria: HitCriteria
    private let givesPlaces: Bool
    private let query: WordQuery
    private let columns: HitColumns
    private let blocks: BlockReader
    /// Phrases and beginnings of words of which a hit has all; none if every message has to be tested.
    private let words: [WordCondition]
    /// Counts the lines after the indexed part; nil if there are none.
    private let uncounted: LogCount?
    /// The number of roots to remember. Replies to the same root mostly follow each other closely.
    private static let rememberedRoots = 4_096
    /// The index of a root in the main timeline, by the hash of its ID; nil if the root is not in it.
    private var roots: [IDHash: Int?] = [:]
    /// Rows before `end` of messages that lines after the indexed part edit or delete, rising. Their texts are read.
    private var changed: [Int64]
    /// The rows before this one remain to be tested.
    private(set) var end: Int64
    private var limit: Int
    /// All places of hits at or after this one have been returned.
    private(set) var reached: LinePlace?
    /// True if the index was rebuilt for other files since the search began.
    private(set) var isOutdated = false

    /// - Parameters:
    ///   - edited: the ID hashes of the messages that lines after the indexed part edit or delete.
    ///   - uncounted: counts these lines; nil if there are none.
    ///   - end: leaves out this row and all after it; nil to leave out none.
    ///   - givesPlaces: true to ask for places, which needs an exact coverage; false to ask for messages.
    init(
        _ index: SearchIndex, _ coverage: WordCoverage, _ criteria: HitCriteria, blocks: BlockReader,
        edited: Set<IDHash> = [], uncounted: LogCount? = nil, before end: Int64? = nil, givesPlaces: Bool
    ) throws(StoreError) {
        self.index = index
        self.coverage = coverage
        self.criteria = criteria
        self.givesPlaces = givesPlaces
        query = WordQuery(criteria.query)
        columns = HitColumns(criteria)
        self.blocks = blocks
        self.uncounted = uncounted
        let prefixes = givesPlaces ? query.prefixes : query.longPrefixes
        words = [query.phrases].compactMap(\.self) + prefixes.map { .beginning($0) }
        limit = givesPlaces ? IndexedHits.places.first : IndexedHits.messages.first
        let end = min(end ?? .max, coverage.rows.upperBound)
        self.end = end
        changed = try coverage.rows(of: edited, in: index)
            .filter { $0 >= coverage.rows.lowerBound && $0 < end }
    }

    var isOver: Bool { end <= coverage.rows.lowerBound }

    /// The searched share of the rows, 0 to 1.
    var share: Double { coverage.share(from: end) }

    /// Searches some more rows.
    /// - Returns: hits, newest first; an empty result does not mean the end, see `isOver`.
    /// - Throws: `unavailable` if the index cannot be read or the files differ from it.
    func next() throws(StoreError) -> [FoundMessage] {
        try read { (view) throws(StoreError) in
            guard let (found, changed, next) = try candidates(view) else { return [] }
            (end, limit) = (next, min(limit * 2, IndexedHits.messages.most))
            let wanted = found.filter { criteria.times.contains(Timestamp(milliseconds: $0.record.at)) }
            let (hits, examined) = try checked(wanted, view)
            if let examined {
                end = examined
                self.changed += changed.filter { $0 < examined }.sorted()
            }
            return hits.map(\.found)
        }
    }

    /// Searches some more rows.
    /// - Returns: positions of hits, newest first; an empty result does not mean the end, see `isOver`.
    /// - Throws: `unavailable` if the index cannot be read or was rebuilt.
    func nextPlaces() throws(StoreError) -> [HitPlace] {
        try step { (rows, view) throws(StoreError) in
            var places: [HitPlace] = []
            places.reserveCapacity(rows.count)
            for row in rows { places.append(try place(of: row, view)) }
            return places
        } ?? []
    }

    /// Searches as `nextPlaces` does, but returns only the number of hits.
    func count() throws(StoreError) -> Int { try step { (rows, _) in rows.count } ?? 0 }

    /// A step for places. Returns nil if the search is cancelled.
    private func step<Result>(
        _ answer: ([IndexedRow], IndexView) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        try read { (view) throws(StoreError) -> Result? in
            guard let (rows, next) = try self.rows(view) else { return nil }
            let result = try answer(rows, view)
            reached = try view.record(from: next)?.place ?? reached
            (end, limit) = (next, min(limit * 4, IndexedHits.places.most))
            return result
        }
    }

    /// Reads the index. An error ends the search.
    private func read<Result>(
        _ body: (IndexView) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            return try index.records.read(coverage.conversation, coverage.segments) { (view) throws(StoreError) in
                guard let view, try isUsable(view) else {
                    isOutdated = true
                    throw .unavailable("\(coverage.conversation): the index was rebuilt; try again")
                }
                return try body(view)
            }
        } catch {
            end = coverage.rows.lowerBound
            throw error
        }
    }

    /// False if places are wanted, and the files or the index have changed.
    private func isUsable(_ view: IndexView) throws(StoreError) -> Bool {
        if !givesPlaces { return true }
        return try view.conversation.isPart ? false : view.state() == coverage.state
    }

    /// The hits of one step, newest first, and the row before which the next step begins.
    private func rows(_ view: IndexView) throws(StoreError) -> (hits: [IndexedRow], end: Int64)? {
        guard let (found, changed, next) = try candidates(view),
            let excluded = try unlessCancelled({ try self.excluded(from: found) })
        else { return nil }
        var hits: [IndexedRow] = []
        var unsure: [IndexedRow] = []
        for row in found {
            let isChanged = changed.contains(row.row)
            if !isChanged, excluded.contains(row.row) { continue }
            switch try columns.verdict(of: row.record, view) {
            case .no: continue
            case .yes where query.isExact && !isChanged: hits.append(row)
            default: unsure.append(row)
            }
        }
        if unsure.isEmpty { return (hits, next) }
        let matching = Set(try checked(unsure, view).hits.map(\.row))
        let sure = unsure.filter { matching.contains($0.row) }
        return (hits.isEmpty ? sure : (hits + sure).sorted { $0.row > $1.row }, next)
    }

    /// Messages that may be hits, newest first; the rows of those among them that lines after the indexed part edit or delete; and the
    /// row before which the next candidates begin. Nil if the search is cancelled.
    private func candidates(
        _ view: IndexView
    ) throws(StoreError) -> (found: [IndexedRow], changed: Set<Int64>, end: Int64)? {
        let range = coverage.rows.lowerBound..<end
        let limit = givesPlaces && !query.isExact ? min(self.limit, IndexedHits.mostTexts) : self.limit
        if words.isEmpty {
            let found = try view.messages(in: range, limit: limit)
            let next = found.count < limit ? range.lowerBound : found.last?.row ?? range.lowerBound
            return (found, takeChanged(from: next), next)
        }
        guard let some = try unlessCancelled({ try wordRows(in: range, limit: limit) }) else { return nil }
        let changed = takeChanged(from: some.end)
        let rows = changed.isEmpty ? some.rows : changed.union(some.rows).sorted(by: >)
        return (try view.messages(at: rows), changed, some.end)
    }

    /// The rows of messages that can be hits by their words, newest first: at most `limit`, and fewer may be returned although more exist.
    /// Of an index that may lack the newest edits, a message is returned too if only a former text of it has the words.
    /// - Returns: also the row below which the next rows are.
    /// - Throws: `IndexFault`, `CancellationError`.
    private func wordRows(in range: Range<Int64>, limit: Int) throws -> (rows: [Int64], end: Int64) {
        let sets = try words.map { try index.set(of: $0, isCurrent: coverage.isExact) }
        var rows = sets.first?.rows(in: range, limit: limit) ?? []
        let end = rows.count < limit ? range.lowerBound : rows.last ?? 0
        for set in sets.dropFirst() { rows.removeAll { !set.contains($0) } }
        return (rows, end)
    }

    private func takeChanged(from row: Int64) -> Set<Int64> {
        let start = changed.partitioningIndex { $0 >= row }
        defer { changed.removeSubrange(start...) }
        return Set(changed[start...])
    }

    /// The rows that are deleted or contain excluded words.
    private func excluded(from found: [IndexedRow]) throws -> Excluded {
        var excluded = Excluded()
        if words.isEmpty { excluded.rows = index.deleted(among: found.map(\.row)) }
        excluded.sets = try query.exclusions.map { try index.set(of: $0, isCurrent: true) }
        return excluded
    }

    private struct Excluded {
        var rows: Set<Int64> = []
        var sets: [RowSet] = []

        func contains(_ row: Int64) -> Bool { rows.contains(row) || sets.contains { $0.contains(row) } }
    }

    // MARK: - Places

    /// The position at which a hit is displayed: a thread reply has the position of its root.
    private func place(of row: IndexedRow, _ view: IndexView) throws(StoreError) -> HitPlace {
        let order = try view.mainCount(before: row.row)
        if row.record.kind.isMain { return HitPlace(order: order, index: order) }
        let root = try row.record.thread.flatMap { (thread) throws(StoreError) in try position(of: thread, view) }
        return HitPlace(order: order, index: root ?? max(0, order - 1), isReply: true)
    }

    private func position(of root: IDHash, _ view: IndexView) throws(StoreError) -> Int? {
        if let known = roots[root] { return known }
        if roots.count >= IndexedHits.rememberedRoots { roots = [:] }
        let found = try view.records(ofID: root).first { $0.kind.isMessage }
        let isCovered = found.map { $0.kind.isMain && $0.place < coverage.end } ?? false
        let index =
            if isCovered, let found { try view.mainCount(before: found.row) } else { try uncounted?.order(of: root) }
        roots.updateValue(index, forKey: root)
        return index
    }

    // MARK: - Texts

    /// The most bytes of lines to read before hits are selected, and of texts of hits to keep.
    private static let mostBytes = 1 << 20

    /// Reads the current texts of some messages, and selects the hits.
    /// - Parameter rows: newest first.
    /// - Returns: the hits among them, in the same order, and the last row that was examined: nil for all, unless the texts
    ///   of the hits exceed a limit.
    private func checked(
        _ rows: [IndexedRow], _ view: IndexView
    ) throws(StoreError) -> (hits: [(row: Int64, found: FoundMessage)], end: Int64?) {
        if rows.isEmpty { return ([], nil) }
        let records = try view.records { rows }
        let reader = try ConversationReader(
            coverage.segments, blocks: blocks, index: view, repeats: coverage.counted.repeats)
        var (found, left) = ([(row: Int64, found: FoundMessage)](), IndexedHits.mostBytes)
        var start = records.startIndex
        while start < records.endIndex {
            var (end, bytes) = (start + 1, records[start].length)
            while end < records.endIndex, bytes + records[end].length <= IndexedHits.mostBytes {
                bytes += records[end].length
                end += 1
            }
            let some = Array(records[start..<end])
            let stored = Array(try reader.messages(at: view.keep(some).reversed()).reversed())
            let passing = zip(stored, some).filter { criteria.passes($0.0) }
            let folds = try reader.folded(passing.map(\.0), bytes: IndexedHits.mostBytes)
            for (message, record) in passing {
                // Edited texts that do not fit into memory together are read one by one.
                guard let whole = try folds[message.id].map(reader.whole), !whole.isDeleted,
                    criteria.matches(whole.text)
                else { continue }
                let hit = criteria.hit(message, whole.text, mainCountBefore: try view.mainCount(before: record.row))
                found.append((record.row, hit))
                left -= hit.text.utf8.count
                if left < 0, record.row != records.last?.row { return (found, record.row) }
            }
            start = end
        }
        return (found, nil)
    }
}

extension WordCoverage {
    /// The rows of the messages whose IDs have these hashes, rising; possibly some outside of the covered part.
    fileprivate func rows(of hashes: Set<IDHash>, in index: SearchIndex) throws(StoreError) -> [Int64] {
        if hashes.isEmpty { return [] }
        return try index.records.read(conversation, segments) { (view) throws(StoreError) in
            var rows: Set<Int64> = []
            for hash in hashes { rows.formUnion(try view?.records(ofID: hash).map(\.row) ?? []) }
            return rows.sorted()
        }
    }
}

/// Asks the index for words. Returns nil if the search is cancelled.
private func unlessCancelled<Result>(_ question: () throws -> Result) throws(StoreError) -> Result? {
    do {
        return try question()
    } catch is CancellationError {
        return nil
    } catch {
        throw .readingIndex(error)
    }
}

/// A message of the index: its row and its record, by which `HitColumns` decides.
typealias IndexedRow = (row: Int64, record: IndexRecord)

extension IndexView {
    /// The messages at these rows, as far as the view covers them.
    /// - Parameter rows: in descending order.
    fileprivate func messages(at rows: [Int64]) throws(StoreError) -> [IndexedRow] {
        try attempt {
            var found: [IndexedRow] = []
            found.reserveCapacity(rows.count)
            for row in rows where self.rows.contains(row) {
                guard let record = try snapshot.record(at: row), record.kind.isMessage else { continue }
                found.append((row, record))
            }
            return found
        }
    }

    /// The messages of a range of rows, last ones first.
    fileprivate func messages(in range: Range<Int64>, limit: Int) throws(StoreError) -> [IndexedRow] {
        try attempt {
            var found: [IndexedRow] = []
            found.reserveCapacity(limit)
            try snapshot.forEachBackwards(in: rows.clamped(to: range)) { row, record in
                if record.kind.isMessage { found.append((row, record)) }
                return found.count < limit
            }
            return found
        }
    }
}

extension IndexRecord {
    /// The hash of the ID of the thread's root, of a message.
    fileprivate var thread: IDHash? { kind.has(RecordKind.target) ? IDHash(value: target) : nil }
}

/// Compares the columns of the index with the conditions of a query, all but its words.
final class HitColumns {
    enum Verdict {
        case no
        case yes
        /// Only the message itself can decide.
        case unsure
    }

    private let criteria: HitCriteria
    private let asksForSender: Bool
    private let asksForMarks: Bool
    private let asksForFile: Bool
    private let asksForTime: Bool
    /// True if each sender met so far passes the query, by the sender's number.
    private var senders: [UInt32: Bool] = [:]

    init(_ criteria: HitCriteria) {
        self.criteria = criteria
        let filters = criteria.query.filters
        let marks = filters.marks.union(filters.excludedMarks)
        asksForSender = criteria.asksForSender
        asksForFile = marks.contains(.file)
        asksForMarks = !marks.isDisjoint(with: [.file, .reply, .thread, .presence])
        asksForTime = !criteria.times.isEmpty
    }

    func verdict(of record: IndexRecord, _ view: IndexView) throws(StoreError) -> Verdict {
        let kind = record.kind
        if kind.isDeleted || kind.isPresence && !criteria.asksForPresence { return .no }
        if asksForTime, !criteria.times.contains(Timestamp(milliseconds: record.at)) { return .no }
        if asksForSender, try !isMeant(record.sender, view) { return .no }
        if !asksForMarks { return .yes }
        var marks: QueryMarks = []
        if kind.has(RecordKind.reply) { marks.insert(.reply) }
        if record.thread != nil { marks.insert(.thread) }
        if kind.isPresence { marks.insert(.presence) }
        // The list of attachments may be invalid; only decoding the whole message shows it.
        let mayHaveFile = asksForFile && kind.hasAttachments
        guard criteria.passes(marks, doubtful: mayHaveFile ? .file : []) else { return .no }
        return mayHaveFile ? .unsure : .yes
    }

    private func isMeant(_ sender: UInt32, _ view: IndexView) throws(StoreError) -> Bool {
        if let known = senders[sender] { return known }
        var id = sender == 0 ? "" : try view.attempt { try view.snapshot.personID(sender) } ?? ""
        let isMeant = id.withUTF8 { criteria.passes(sender: UnsafeRawBufferPointer($0)) }
        senders[sender] = isMeant
        return isMeant
    }
}
