internal import Algorithms
internal import Messages

/// The hits of one conversation, the newest first, by small steps:
///
///     what no index covers → the log, backwards, block by block ┐
///     what the index covers → rows that may match, backwards ←──┘
final class HitSource {
    /// Bytes around a place in which a message is looked for before the whole log is searched.
    private static let near: Int64 = 256 << 10

    private enum Stage {
        case unread
        case scanning(LogSearch)
        case indexed(IndexedHits)
        case placing(IndexedPlaces)
        case over
    }

    let conversation: ConversationID
    private let segments: [Segment]
    private let criteria: HitCriteria
    private let blocks: BlockReader
    private let lookups: BlockReader
    private let index: SearchIndex?
    /// Whether places are wanted, not messages.
    private let givesPlaces: Bool
    private var stage: Stage
    /// What the index covers; nil when all is scanned.
    private(set) var coverage: WordCoverage?
    private var uncovered: UncoveredLines?
    /// What the records of the index know, also where its words cover too little; nil for nothing.
    private var counted: CountedMessages?
    /// Hits that are not taken yet, the newest last.
    private var found: ArraySlice<FoundMessage> = []
    /// The hits from this place on have been given, before the index failed.
    private var given = LinePlace.end
    /// Counts what the index has not counted, once somebody asks where a hit stands.
    private lazy var uncounted = newCount()
    /// Why the index could not be used to the end.
    private(set) var indexFailure: StoreError?
    /// The bytes of all steps; for places they are read once more, to count.
    let work: Int64

    /// - Parameters:
    ///   - segments: the files of the conversation as they are now.
    ///   - lookups: another reader than `blocks`.
    ///   - index: nil for none.
    ///   - givesPlaces: whether places of hits are wanted where the index can tell them, see `nextPlaces`.
    init(
        _ conversation: ConversationID, _ segments: [Segment], _ criteria: HitCriteria, blocks: BlockReader,
        lookups: BlockReader, index: SearchIndex? = nil, givesPlaces: Bool = false
    ) {
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

    /// Whether there is nothing more to find.
    var isOver: Bool {
        guard found.isEmpty else { return false }
        return switch stage {
        case .unread: false
        case .scanning(let search): search.isOver && coverage == nil
        case .indexed(let hits): hits.isOver
        case .placing(let places): places.isOver
        case .over: true
        }
    }

    /// The time of the next hit; the latest of all times as long as that is not known.
    var time: Timestamp {
        if let next = found.last { return next.message.at }
        return Timestamp(milliseconds: isOver ? .min : .max)
    }

    /// Of `work`, in bytes.
    var done: Int64 {
        switch stage {
        case .unread: 0
        case .scanning(let search):
            coverage == nil ? work - search.remaining - (givesPlaces ? uncounted.remaining : 0) : 0
        case .indexed(let hits): Int64(Double(work) * hits.share)
        case .placing(let places): Int64(Double(work) * places.share)
        case .over: work
        }
    }

    func take() -> FoundMessage? {
        if let next = found.last { given = next.message.place }
        return found.popLast()
    }

    /// The hits of one step, the newest first.
    func takeAll() -> [FoundMessage] {
        defer { found = [] }
        if let last = found.first { given = last.message.place }
        return found.reversed()
    }

    /// Goes on looking. Only when nothing is left to take.
    /// - Throws: `unreadable`, `unavailable`; the source has then to be given up.
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

    /// Gives back what only further looking needs, unless places are asked for, which need it.
    private func end() {
        if givesPlaces { return }
        stage = .over
        (coverage, uncovered, counted) = (nil, nil, nil)
    }

    private func begin() throws(StoreError) {
        coverage = index?.coverage(of: conversation, segments)
        counted = coverage?.counted ?? index?.counted(conversation, segments)
        if coverage?.rest == 0 { return try goOnByIndex(after: nil) }
        stage = .scanning(logSearch())
    }

    private func newCount() -> LogCount {
        LogCount(
            segments, from: counted?.end ?? .first, mainCount: counted?.mainCount ?? 0,
            repeats: counted?.repeats ?? [], blocks: lookups)
    }

    private var log: PlainLog { PlainLog(segments: segments, repeats: counted?.repeats ?? []) }

    /// Of all that the index does not cover.
    private func logSearch() -> LogSearch {
        LogSearch(
            log, from: coverage?.end ?? .first, criteria, blocks: blocks, lookups: lookups,
            // What the index leaves is small, and all of its edits are wanted.
            capacity: coverage == nil ? PendingEdits.usualCapacity : .max)
    }

    /// - Parameter search: of what the index does not cover, at its end; nil without any.
    private func goOnByIndex(after search: LogSearch?) throws(StoreError) {
        guard let index, let coverage else { return }
        let edited = search?.editedBefore ?? []
        if search != nil { uncovered = UncoveredLines(of: log, edited: edited, uncounted, blocks: lookups) }
        do {
            if givesPlaces, let places = try places(before: nil) {
                stage = .placing(places)
            } else {
                stage = .indexed(try IndexedHits(index, coverage, criteria, blocks: blocks, edited: edited))
            }
        } catch {
            scanAll(because: error)
        }
    }

    /// Nil when the index cannot tell.
    /// - Parameter row: where to begin; nil for the end.
    private func places(before row: Int64?) throws(StoreError) -> IndexedPlaces? {
        guard let index, let coverage, coverage.isExact else { return nil }
        return try IndexedPlaces(index, coverage, criteria, blocks: blocks, after: uncovered, before: row)
    }

    // MARK: - Out of the index alone

    /// The next places of hits, the newest first, if the index tells them; else nil, and hits have to be asked for.
    func nextPlaces() -> [HitPlace]? { asked { (places) throws(StoreError) in try places.next() } }

    /// Counts some of the hits that are not taken yet, without giving them. For one who takes no more.
    /// - Returns: how many; there may be more.
    /// - Throws: as `step`.
    func countMore() throws(StoreError) -> Int {
        let left = takeAll().count
        if left > 0 { return left }
        if case .indexed(let hits) = stage, !hits.isOver {
            do {
                if let places = try places(before: hits.end) { stage = .placing(places) }
            } catch {
                scanAll(because: error)
            }
        }
        if let count = asked({ (places) throws(StoreError) in try places.count() }) { return count }
        try step()
        return takeAll().count
    }

    private func asked<Answer>(_ question: (IndexedPlaces) throws(StoreError) -> Answer) -> Answer? {
        guard case .placing(let places) = stage else { return nil }
        defer { if let reached = places.reached { given = min(given, reached) } }
        do {
            return try question(places)
        } catch {
            scanAll(because: places.isOutdated ? nil : error)
            return nil
        }
    }

    /// Without the index, which turned out to be broken, or, without an error, is of other files now.
    private func scanAll(because error: StoreError?) {
        indexFailure = error
        coverage = nil
        counted = CountedMessages(end: .first, mainCount: 0, repeats: counted?.repeats ?? [])
        uncounted = newCount()
        stage = .scanning(logSearch())
    }

    // MARK: - Where they stand

    /// Whether it can be told where hits stand; else `count` has to be called again.
    var isCounted: Bool { uncounted.isComplete }

    /// Counts some more of the messages that the index has not counted.
    /// - Throws: as `step`.
    func count() throws(StoreError) { try uncounted.step() }

    /// These hits, with those as broadcast that the index does not know and whose root does not stand before them.
    func marked(_ found: [FoundMessage]) throws(StoreError) -> [FoundMessage] {
        let unknown = found.indices.filter { found[$0].mainCountBefore == nil && !found[$0].message.isMain }
        if unknown.isEmpty { return found }
        let messages = try withIndex { (view) throws(StoreError) in
            try ConversationReader(segments, blocks: lookups, index: view).marked(unknown.map { found[$0].message })
        }
        var found = found
        for (index, message) in zip(unknown, messages) {
            found[index] = FoundMessage(message: message, text: found[index].text)
        }
        return found
    }

    /// Messages of the main timeline before each of some hits, the newest first. When all are counted.
    func orders(of found: [FoundMessage]) throws(StoreError) -> [Int] {
        let unknown = found.reversed().filter { $0.mainCountBefore == nil }.map(\.message.place)
        var counted = try mainCounts(before: unknown)[...]
        return found.map { $0.mainCountBefore ?? counted.popLast() ?? 0 }
    }

    /// Messages of the main timeline before each of these, as far as they stand in it. When all are counted.
    /// - Parameter place: most of them stand shortly before it.
    func orders(of ids: Set<MessageID>, near place: LinePlace) throws(StoreError) -> [MessageID: Int] {
        let mains = try messages(ids, near: place).values.filter(\.isMain).sorted { $0.place < $1.place }
        let counts = try mainCounts(before: mains.map(\.place))
        return Dictionary(zip(mains.map(\.id), counts)) { first, _ in first }
    }

    private func messages(
        _ ids: Set<MessageID>, near place: LinePlace
    ) throws(StoreError) -> [MessageID: StoredMessage] {
        try withIndex { (view) throws(StoreError) in
            let reader = try ConversationReader(segments, blocks: lookups, index: view)
            let found = try reader.messages(ids, in: reader.stretch(around: place, HitSource.near))
            let missing = ids.subtracting(found.keys)
            if missing.isEmpty { return found }
            return found.merging(try reader.messages(missing)) { found, _ in found }
        }
    }

    /// - Parameter places: rising.
    private func mainCounts(before places: [LinePlace]) throws(StoreError) -> [Int] {
        let split = places.partitioningIndex { $0 >= uncounted.start }
        var counts: [Int] = []
        if split > 0 {
            counts = try withIndex { (view) throws(StoreError) in
                guard let view else { throw .unavailable("\(conversation): the index was made anew; try again") }
                var counts: [Int] = []
                for place in places[..<split] { counts.append(try view.mainCount(before: place)) }
                return counts
            }
        }
        return counts + (try uncounted.mainCounts(before: Array(places[split...])))
    }

    /// Gives the records that the index does not know, until the closure returns false.
    func forEachUncoveredRecord(
        _ blocks: BlockReader, _ body: (RecordHead, Fields) -> Bool
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
