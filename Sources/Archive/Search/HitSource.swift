internal import JSON
internal import Messages
internal import Search

/// Produces the hits of one conversation in small steps, newest first:
///
///     lines that the index does not cover → LogSearch, backwards, block by block ┐
///     rows of the index that may match → IndexedHits, backwards ←────────────────┘
final class HitSource {
    private enum Stage {
        case unread
        case scanning(LogSearch)
        case indexed(IndexedHits)
        case placing(IndexedHits)
        case over
    }

    let conversation: ConversationID
    private let segments: [Segment]
    private let criteria: HitCriteria
    private let blocks: BlockReader
    private let lookups: BlockReader
    private let index: SearchIndex?
    private let budget: EditBudget
    /// True if the caller wants places of hits instead of messages.
    private let givesPlaces: Bool
    private var stage: Stage
    /// The part of the conversation that the word index covers; nil if the source scans the whole log.
    private(set) var coverage: WordCoverage?
    /// The ID hashes of the messages that lines after the indexed part edit or delete; nil if there are no such lines.
    private var edited: Set<IDHash>?
    /// The messages that the index has counted, known even if its words cover too little of the conversation; nil for
    /// none.
    private var counted: CountedMessages?
    /// Hits that were not taken yet, newest last.
    private var found: ArraySlice<FoundMessage> = []
    /// All hits at or after this place have been returned. If the index fails, the scan that replaces it returns only hits before
    /// this place.
    private var given = LinePlace.end
    /// Counts the messages that the index has not counted. Made at the first request for the position of a hit.
    private lazy var uncounted = newCount()
    /// The error that ended the use of the index, if there was one.
    private(set) var indexFailure: StoreError?
    /// The bytes to read in all steps. A source of places reads these bytes twice: the second time to count messages.
    let work: Int64

    /// - Parameters:
    ///   - segments: the current files of the conversation.
    ///   - lookups: a second reader, independent of `blocks`.
    ///   - index: nil if there is none.
    ///   - budget: for pending edits, shared by all sources of a run.
    ///   - givesPlaces: true if the caller wants places of hits where the index knows them; see `nextPlaces`.
    init(
        _ conversation: ConversationID, _ segments: [Segment], _ criteria: HitCriteria, blocks: BlockReader,
        lookups: BlockReader, index: SearchIndex? = nil, budget: EditBudget = EditBudget(), givesPlaces: Bool = false
    ) {
        self.budget = budget
        self.givesPlaces = givesPlaces
        self.conversation = conversation
        self.segments = segments
        self.criteria = criteria
        self.blocks = blocks
        self.lookups = lookups
        self.index = index
        work = segments.size * (givesPlaces ? 2 : 1)
        stage = .unread
    }

    var hasFound: Bool { !found.isEmpty }

    /// True if all hits have been found and taken.
    var isOver: Bool {
        guard found.isEmpty else { return false }
        return switch stage {
        case .unread: false
        case .scanning(let search): search.isOver && coverage == nil
        case .indexed(let hits), .placing(let hits): hits.isOver
        case .over: true
        }
    }

    /// The time of the next hit; the latest possible time while the next hit is unknown.
    var time: Timestamp {
        if let next = found.last { return next.message.at }
        return Timestamp(milliseconds: isOver ? .min : .max)
    }

    /// The part of `work` that is finished, in bytes.
    var done: Int64 {
        switch stage {
        case .unread: 0
        case .scanning(let search):
            coverage == nil ? work - search.remaining - (givesPlaces ? uncounted.remaining : 0) : 0
        case .indexed(let hits), .placing(let hits): Int64(Double(work) * hits.share)
        case .over: work
        }
    }

    func take() -> FoundMessage? {
        if let next = found.last { given = next.message.place }
        return found.popLast()
    }

    /// Takes all hits of the last step, newest first.
    func takeAll() -> [FoundMessage] {
        defer { found = [] }
        if let last = found.first { given = last.message.place }
        return found.reversed()
    }

    /// Searches a little further. Call it only when no hit is left to take.
    /// - Throws: `unreadable`, `unavailable`; the source cannot be used after that.
    func step() throws(StoreError) {
        switch stage {
        case .unread:
            try begin()
        case .scanning(let search):
            if search.isOver {
                try goOnByIndex(after: search)
            } else {
                found = try search.next().filter { $0.message.place < given }.reversed()[...]
                if search.isOver, coverage == nil { end() }
            }
        case .indexed(let hits):
            do {
                found = try hits.next().reversed()[...]
                if hits.isOver { end() }
            } catch {
                scanAll(because: error)
            }
        case .placing, .over: break
        }
    }

    /// Frees the state that only a further search needs. A source that gives places keeps it to compute their
    /// positions.
    private func end() {
        if givesPlaces { return }
        stage = .over
        (coverage, edited, counted) = (nil, nil, nil)
    }

    private func begin() throws(StoreError) {
        if !readsAllTexts { coverage = index?.coverage(of: conversation, segments) }
        counted = coverage?.counted ?? index?.counted(conversation, segments)
        if coverage?.rest == 0 { return try goOnByIndex(after: nil) }
        stage = .scanning(logSearch())
    }

    /// True if nothing in the index narrows the search: then the texts of all messages must be read, which a scan of the log does
    /// six times as fast as a walk through the index.
    private var readsAllTexts: Bool {
        let words = WordQuery(criteria.query)
        return !words.isExact && words.phrases == nil && words.prefixes.isEmpty && criteria.times.isEmpty
    }

    private func newCount() -> LogCount {
        LogCount(
            segments, from: counted?.end ?? .first, mainCount: counted?.mainCount ?? 0,
            repeats: counted?.repeats ?? [], blocks: lookups)
    }

    /// A search of all lines that the index does not cover.
    private func logSearch() -> LogSearch {
        LogSearch(
            PlainLog(segments: segments, repeats: counted?.repeats ?? []), from: coverage?.end ?? .first, criteria,
            blocks: blocks, lookups: lookups,
            // The lines that the index does not cover are few, and `IndexedHits` needs all of their edits.
            budget: coverage == nil ? budget : nil)
    }

    /// - Parameter search: the finished search of the lines that the index does not cover; nil if it covers all lines.
    private func goOnByIndex(after search: LogSearch?) throws(StoreError) {
        guard coverage != nil else { return }
        if let search { edited = search.editedBefore ?? [] }
        do {
            if givesPlaces, let places = try indexed(givesPlaces: true) {
                stage = .placing(places)
            } else if let hits = try indexed(givesPlaces: false) {
                stage = .indexed(hits)
            }
        } catch {
            scanAll(because: error)
        }
    }

    /// The hits that the index finds; nil for places that it does not know exactly.
    /// - Parameter row: the row before which to start; nil to start at the end.
    private func indexed(givesPlaces: Bool, before row: Int64? = nil) throws(StoreError) -> IndexedHits? {
        guard let index, let coverage, !givesPlaces || coverage.isExact else { return nil }
        return try IndexedHits(
            index, coverage, criteria, blocks: blocks, edited: edited ?? [],
            uncounted: edited == nil ? nil : uncounted, before: row, givesPlaces: givesPlaces)
    }

    // MARK: - From the index alone

    /// The next places of hits, newest first; nil if the index does not know them: then call `step` and take the hits.
    func nextPlaces() -> [HitPlace]? { asked { (places) throws(StoreError) in try places.nextPlaces() } }

    /// Counts some of the remaining hits without returning them, for a caller that takes no more hits.
    /// - Returns: the number of hits counted by this call; more may remain.
    /// - Throws: the errors of `step`.
    func countMore() throws(StoreError) -> Int {
        let left = takeAll().count
        if left > 0 { return left }
        if case .indexed(let hits) = stage, !hits.isOver {
            do {
                if let places = try indexed(givesPlaces: true, before: hits.end) { stage = .placing(places) }
            } catch {
                scanAll(because: error)
            }
        }
        if let count = asked({ (places) throws(StoreError) in try places.count() }) { return count }
        try step()
        return takeAll().count
    }

    private func asked<Answer>(_ question: (IndexedHits) throws(StoreError) -> Answer) -> Answer? {
        guard case .placing(let places) = stage else { return nil }
        defer { if let reached = places.reached { given = min(given, reached) } }
        do {
            return try question(places)
        } catch {
            scanAll(because: places.isOutdated ? nil : error)
            return nil
        }
    }

    /// Replaces the index by a scan of the whole log.
    /// - Parameter error: the reason why the index is unusable; nil if it was only rebuilt for other files.
    private func scanAll(because error: StoreError?) {
        indexFailure = error
        coverage = nil
        counted = CountedMessages(end: .first, mainCount: 0, repeats: counted?.repeats ?? [])
        uncounted = newCount()
        stage = .scanning(logSearch())
    }

    // MARK: - Positions of hits

    /// True if the positions of hits are known. If not, call `count` again.
    var isCounted: Bool { uncounted.isComplete }

    /// Counts some more of the messages that the index has not counted.
    /// - Throws: the errors of `step`.
    func count() throws(StoreError) { try uncounted.step() }

    /// The same hits, with each thread reply marked as broadcast if the index does not know it and its root is not before it.
    func marked(_ found: [FoundMessage]) throws(StoreError) -> [FoundMessage] {
        let unknown = found.indices.filter { found[$0].mainCountBefore == nil && !found[$0].message.isMain }
        if unknown.isEmpty { return found }
        let messages = try withIndex { (view) throws(StoreError) in
            try ConversationReader(segments, blocks: lookups, index: view, repeats: counted?.repeats)
                .marked(unknown.map { found[$0].message })
        }
        var found = found
        for (index, message) in zip(unknown, messages) {
            found[index] = FoundMessage(message: message, text: found[index].text)
        }
        return found
    }

    /// The number of messages of the main timeline before each hit. Requires `isCounted`.
    /// - Parameter found: newest first.
    func orders(of found: [FoundMessage]) throws(StoreError) -> [Int] {
        let unknown = found.reversed().filter { $0.mainCountBefore == nil }.map(\.message.place)
        var counted = try mainCounts(before: unknown)[...]
        return found.map { $0.mainCountBefore ?? counted.popLast() ?? 0 }
    }

    /// The number of messages of the main timeline before each of these messages; leaves out those that are not in it.
    /// Requires `isCounted`.
    /// - Parameter place: a place near most of these messages; the lines around it are searched first.
    func orders(of ids: Set<MessageID>, near place: LinePlace) throws(StoreError) -> [MessageID: Int] {
        let found = try withIndex { (view) throws(StoreError) in
            try ConversationReader(segments, blocks: lookups, index: view, repeats: counted?.repeats)
                .messages(ids, near: place)
        }
        let mains = found.values.filter(\.isMain).sorted { $0.place < $1.place }
        let counts = try mainCounts(before: mains.map(\.place))
        return Dictionary(zip(mains.map(\.id), counts)) { first, _ in first }
    }

    /// - Parameter places: rising.
    private func mainCounts(before places: [LinePlace]) throws(StoreError) -> [Int] {
        let split = places.partitioningIndex { $0 >= uncounted.start }
        var counts: [Int] = []
        if split > 0 {
            counts = try withIndex { (view) throws(StoreError) in
                guard let view else { throw .unavailable("\(conversation): the index was rebuilt; try again") }
                var counts: [Int] = []
                for place in places[..<split] { counts.append(try view.mainCount(before: place)) }
                return counts
            }
        }
        return counts + (try uncounted.mainCounts(before: Array(places[split...])))
    }

    /// Calls `body` with each record that the index does not know, until `body` returns false.
    func forEachUncoveredRecord(
        _ blocks: BlockReader, _ body: (RecordHead, JSONFields) -> Bool
    ) throws(StoreError) {
        let known = index?.counted(conversation, segments)
        let log = PlainLog(segments: segments, repeats: known?.repeats ?? [])
        var next = known?.end ?? .first
        var goesOn = true
        while goesOn, let block = try BlockWalk(segments: segments).block(from: next) {
            try blocks.forEachRecord(of: block, in: log) { _, head, fields in
                goesOn = body(head, fields)
                return goesOn
            }
            next = block.end
        }
    }

    private func withIndex<Answer>(
        _ question: (IndexView?) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        guard let index else { return try question(nil) }
        return try index.records.read(conversation, segments, question)
    }
}
