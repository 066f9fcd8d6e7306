internal import Messages

/// Reads what edits and deletions do to some messages: through the log once, a few blocks at a time.
struct RewritePass {
    /// What a piece of work reads at most, and how many questions it asks of the filters of blocks that are not read.
    static let blocksAtOnce = 4
    private static let questionsAtOnce = 16_384

    private let reader: SurveyReader
    private let messages: [IDHash: [StoredMessage]]
    /// Sorted: where the rewrites stand that are remembered.
    private let places: [LinePlace]
    private var nextPlace = 0
    /// Of the messages whose rewrites are not all remembered: they are looked for in all blocks from `firstScanned` on.
    private let scanned: [IDHash]
    private let firstScanned: Int
    private var block: Int
    /// How many blocks were read.
    private(set) var reads = 0
    /// By message, in the order of the log.
    private(set) var found: [MessageID: [Overrule]] = [:]

    init(_ candidates: some Sequence<Candidate>, _ reader: SurveyReader) {
        self.reader = reader
        var messages: [IDHash: [StoredMessage]] = [:]
        var places: Set<LinePlace> = []
        var scanned: Set<IDHash> = []
        var firstScanned = LinePlace.end
        for candidate in candidates {
            let hash = IDHash(candidate.message.id)
            switch candidate.rewrites {
            case .none: continue
            case .at(let lines): places.formUnion(lines)
            case .somewhere:
                scanned.insert(hash)
                firstScanned = min(firstScanned, candidate.message.place)
            }
            messages[hash, default: []].append(candidate.message)
        }
        self.messages = messages
        self.places = places.sorted()
        self.scanned = Array(scanned)
        self.firstScanned = scanned.isEmpty ? reader.survey.blocks.count : reader.survey.block(at: firstScanned) ?? 0
        block = self.firstScanned
        if let first = self.places.first { block = min(block, reader.survey.block(at: first) ?? 0) }
    }

    /// Reads some blocks more.
    /// - Returns: whether all is found.
    mutating func next() throws(StoreError) -> Bool {
        let enough = reads + RewritePass.blocksAtOnce
        var questions = 0
        while block < reader.survey.blocks.count {
            if reads >= enough || questions >= RewritePass.questionsAtOnce { return false }
            if block < firstScanned || scanned.isEmpty {
                // Only what is remembered is wanted: to the block of the next of them.
                guard nextPlace < places.count else {
                    block = max(block, firstScanned)
                    continue
                }
                block = max(block, min(firstScanned, reader.survey.block(at: places[nextPlace]) ?? block))
            }
            let lines = takePlaces()
            var isScanned = false
            if block >= firstScanned, reader.survey.blocks[block].hasRewrites {
                questions += scanned.count
                isScanned = scanned.contains { reader.survey.targets.mayContain($0, at: block) }
            }
            if isScanned || !lines.isEmpty { try read(isScanned ? nil : lines) }
            block += 1
        }
        return true
    }

    /// The remembered lines in the block.
    private mutating func takePlaces() -> ArraySlice<LinePlace> {
        let start = nextPlace
        while nextPlace < places.count, reader.survey.block(at: places[nextPlace]) == block { nextPlace += 1 }
        return places[start..<nextPlace]
    }

    /// - Parameter lines: nil for all of the block.
    private mutating func read(_ lines: ArraySlice<LinePlace>?) throws(StoreError) {
        reads += 1
        let records = reader.blocks.records
        var found = found
        self.found = [:]
        let take = { [messages] (place: LinePlace, head: RecordHead, fields: Fields) in
            if head.kind.isRewrite, let overrule = records.overrule(head, fields, at: place, of: messages) {
                found[overrule.target, default: []].append(overrule)
            }
            return true
        }
        if let lines {
            try reader.blocks.forEachRecord(of: reader.survey.blocks[block], in: reader.survey, at: lines, take)
        } else {
            try reader.blocks.forEachRecord(of: reader.survey.blocks[block], in: reader.survey, take)
        }
        self.found = found
    }
}
