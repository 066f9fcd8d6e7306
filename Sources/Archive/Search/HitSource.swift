internal import Messages

/// The hits of one conversation, the newest first, by small steps:
///
///     what no index covers → survey → backwards block by block ┐
///     what the index covers → rows that may match, backwards  ←┘
final class HitSource {
    private enum Stage {
        case unread
        case surveying(Surveying)
        case scanning(ConversationScan)
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
    private let remembered: Int
    /// Whether places are wanted, not messages.
    private let givesPlaces: Bool
    private var stage: Stage
    /// What the index covers; nil when all is scanned.
    private(set) var coverage: WordCoverage?
    private var uncovered: UncoveredLines?
    /// Hits that are not taken yet, the newest last.
    private var found: ArraySlice<FoundMessage> = []
    /// The hits from this place on have been given, before the index failed.
    private var given = LinePlace.end
    /// How what is scanned was surveyed, as soon as it is.
    private(set) var survey: Survey?
    /// Why the index could not be used to the end.
    private(set) var indexFailure: StoreError?
    /// The bytes of all steps.
    let work: Int64

    /// - Parameters:
    ///   - lookups: another reader than `blocks`.
    ///   - index: nil for none.
    ///   - remembered: as the scan's.
    ///   - givesPlaces: whether places of hits are wanted where the index can tell them, see `nextPlaces`.
    init(
        _ conversation: ConversationID, _ opening: (segments: [Segment], survey: Survey?), _ criteria: HitCriteria,
        blocks: BlockReader, lookups: BlockReader, index: SearchIndex? = nil,
        remembered: Int = Rewrites.usualCapacity, givesPlaces: Bool = false
    ) {
        self.givesPlaces = givesPlaces
        self.conversation = conversation
        segments = opening.segments
        self.criteria = criteria
        self.blocks = blocks
        self.lookups = lookups
        self.index = index
        self.remembered = remembered
        let size = opening.segments.size
        if index == nil, let survey = opening.survey {
            self.survey = survey
            work = size
            stage = .scanning(
                ConversationScan(survey, criteria, blocks: blocks, lookups: lookups, remembered: remembered))
        } else {
            work = size * 2
            stage = .unread
        }
    }

    /// Whether what is left to find is found by the index.
    var isByIndex: Bool {
        switch stage {
        case .indexed, .placing, .over: true
        case .unread, .surveying, .scanning: false
        }
    }

    var hasFound: Bool { !found.isEmpty }

    /// Whether there is nothing more to find.
    var isOver: Bool {
        guard found.isEmpty else { return false }
        return switch stage {
        case .unread, .surveying: false
        case .scanning(let scan): scan.bound == nil && coverage == nil
        case .indexed(let hits): hits.isOver
        case .placing(let places): places.isOver
        case .over: true
        }
    }

    /// The time of the next hit; as long as it is not known, a time that it is not behind.
    var time: Timestamp {
        if let next = found.last { return next.message.at }
        if isOver { return Timestamp(milliseconds: .min) }
        guard case .scanning(let scan) = stage, coverage == nil else { return Timestamp(milliseconds: .max) }
        return scan.bound ?? Timestamp(milliseconds: .min)
    }

    /// Of `work`, in bytes.
    var done: Int64 {
        switch stage {
        case .unread: 0
        case .surveying(let surveying): coverage == nil ? surveying.progress : 0
        case .scanning(let scan): coverage == nil ? work - scan.remaining : 0
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
    /// - Returns: whether a survey of the whole conversation has just been made.
    /// - Throws: `unreadable`, `unavailable`; the source has then to be given up.
    func step() throws(StoreError) -> Bool {
        switch stage {
        case .unread:
            try begin()
        case .surveying(let surveying):
            guard let survey = try surveying.next() else { return false }
            self.survey = survey
            let scan = ConversationScan(survey, criteria, blocks: blocks, lookups: lookups, remembered: remembered)
            stage = .scanning(scan)
            guard coverage == nil else { return false }
            // The newest hit of all conversations is known only when all are surveyed: of those that are small, hits are kept
            // meanwhile instead of surveys, which take more memory.
            if survey.blocks.count <= 1 { try goOn(scan) }
            return true
        case .scanning(let scan):
            if scan.bound == nil {
                try goOnByIndex(behind: scan)
            } else {
                try goOn(scan)
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
        return false
    }

    private func goOn(_ scan: ConversationScan) throws(StoreError) {
        found = try scan.next().filter { $0.message.place < given }[...]
        if scan.bound == nil, coverage == nil { end() }
    }

    /// Gives back what only further looking needs, unless places are asked for, which need it.
    private func end() {
        if givesPlaces { return }
        stage = .over
        (coverage, uncovered) = (nil, nil)
    }

    /// The survey, for somebody who keeps it: where there is nothing more to find it is not kept here.
    func takeSurvey() -> Survey? {
        defer { if case .over = stage { survey = nil } }
        return survey
    }

    private func begin() throws(StoreError) {
        coverage = index?.coverage(of: conversation, segments)
        if coverage?.rest == 0 { return try goOnByIndex(behind: nil) }
        stage = .surveying(Surveying(segments, blocks, behind: coverage))
    }

    /// - Parameter scan: of what the index does not cover, at its end; nil without any.
    private func goOnByIndex(behind scan: ConversationScan?) throws(StoreError) {
        guard let index, let coverage else { return }
        if let scan, let survey {
            uncovered = UncoveredLines(survey: survey, targets: scan.targets, blocks: lookups)
        }
        do {
            if givesPlaces, let places = try places(before: nil) {
                stage = .placing(places)
                return
            }
            // Of messages before the scan that edits in it are about; nil when they are too many, so that all have to be
            // looked at.
            let edited = scan.map(\.editedBefore) ?? []
            stage = .indexed(try IndexedHits(index, coverage, criteria, blocks: blocks, edited: edited))
        } catch {
            scanAll(because: error)
        }
    }

    /// Nil when the index cannot tell.
    /// - Parameter row: where to begin; nil for the end.
    private func places(before row: Int64?) throws(StoreError) -> IndexedPlaces? {
        guard let index, let coverage, coverage.isExact else { return nil }
        return try IndexedPlaces(index, coverage, criteria, blocks: blocks, behind: uncovered, before: row)
    }

    // MARK: - Out of the index alone

    /// The next places of hits, the newest first, if the index tells them; else nil, and hits have to be asked for.
    func nextPlaces() -> [HitPlace]? { told { (places) throws(StoreError) in try places.next() } }

    /// Counts some of the hits that are not taken yet, without giving them. For one who takes no more.
    /// - Returns: how many; there may be more. And whether a survey has been made, as `step`.
    /// - Throws: as `step`.
    func countMore() throws(StoreError) -> (count: Int, hasSurvey: Bool) {
        let left = takeAll().count
        if left > 0 { return (left, false) }
        if case .indexed(let hits) = stage, !hits.isOver {
            do {
                if let places = try places(before: hits.end) { stage = .placing(places) }
            } catch {
                scanAll(because: error)
            }
        }
        if let count = told({ (places) throws(StoreError) in try places.count() }) { return (count, false) }
        let hasSurvey = try step()
        return (takeAll().count, hasSurvey)
    }

    private func told<Answer>(_ question: (IndexedPlaces) throws(StoreError) -> Answer) -> Answer? {
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
        stage = .surveying(Surveying(segments, blocks))
    }

    // MARK: - Where they stand

    /// Messages of the main timeline before each of some hits of one step, the newest first.
    func orders(of found: [FoundMessage]) throws(StoreError) -> [Int] {
        if found.allSatisfy({ $0.mainsBefore != nil }) { return found.compactMap(\.mainsBefore) }
        guard let survey, let oldest = found.last, let index = survey.block(at: oldest.message.place) else {
            return found.map { _ in 0 }
        }
        let block = survey.blocks[index]
        var order = block.mainsBefore
        var orders: [Int] = []
        try lookups.forEachRecord(of: block, in: survey) { place, head, _ in
            if place == found[found.count - 1 - orders.count].message.place { orders.append(order) }
            if head.isMain { order += 1 }
            return orders.count < found.count
        }
        // Only when the block was overwritten since its survey.
        while orders.count < found.count { orders.append(min(order, survey.mains)) }
        return orders.reversed()
    }

    /// Messages of the main timeline before each of these, as far as they stand in it.
    /// - Parameter place: most of them stand near it.
    func orders(of ids: Set<MessageID>, near place: LinePlace) throws(StoreError) -> [MessageID: Int] {
        var orders: [MessageID: Int] = [:]
        if let index, let coverage {
            orders = try index.records.read(conversation, segments) { (view) throws(StoreError) in
                guard let view else { return [:] }
                let reader = try ConversationReader(segments, blocks: lookups, index: view)
                var orders: [MessageID: Int] = [:]
                for message in try reader.messages(ids, in: LinePlace.end..<LinePlace.end).values
                where message.isMain && message.place < coverage.end {
                    orders[message.id] = try view.mains(before: message.place)
                }
                return orders
            }
        }
        let rest = ids.subtracting(orders.keys)
        guard let survey, !rest.isEmpty else { return orders }
        let reader = SurveyReader(survey: survey, blocks: lookups)
        for message in try reader.messages(rest, near: place).values where message.isMain {
            orders[message.id] = try reader.mains(before: message.place)
        }
        return orders
    }
}
