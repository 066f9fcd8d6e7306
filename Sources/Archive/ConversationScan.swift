internal import Messages
internal import Search

/// What makes a message a hit.
struct HitCriteria {
    let query: Query
    var sender: SenderFilter?
    var since: Timestamp?
    var until: Timestamp?

    /// Whether sender and time are as wanted.
    func passes(_ head: RecordHead, _ fields: Fields) -> Bool {
        if let since, head.at < since { return false }
        if let until, head.at >= until { return false }
        return sender?.passes(fields.bytes(RecordReader.Key.from)) ?? true
    }

    func matches(_ fields: Fields) -> Bool {
        query.matches(fields.bytes(RecordReader.Key.text).assumingMemoryBound(to: UInt8.self))
    }
}

/// A message that is looked for, and what it says now.
struct FoundMessage {
    let message: StoredMessage
    let text: String
}

/// Looks through a conversation block by block, backwards. Holds nothing of it but what later lines do to earlier ones.
///
/// An index will take its place for the blocks that it covers: what is asked of either is `bound` and `next`.
final class ConversationScan {
    private let survey: Survey
    private let blocks: BlockReader
    /// Reads again what is behind a message, without moving the scan's own reader from its block.
    private let lookups: ConversationReader
    private let criteria: HitCriteria
    private var rewrites: Rewrites
    /// By block: at or after the times of all messages up to its end.
    private let latest: [Timestamp]
    /// The blocks before it are still to be looked through.
    private var end: Int

    init(_ survey: Survey, _ criteria: HitCriteria, blocks: BlockReader, lookups: BlockReader) {
        self.survey = survey
        self.criteria = criteria
        self.blocks = blocks
        self.lookups = ConversationReader(survey: survey, blocks: lookups)
        rewrites = Rewrites(blocks: survey.blocks.count)
        var latest = Timestamp(milliseconds: .min)
        self.latest = survey.blocks.map { block in
            latest = max(latest, block.latest ?? latest)
            return latest
        }
        end = survey.blocks.count
        skipToSince()
    }

    /// At or after the times of all hits that are still to be found; nil when there are none.
    var bound: Timestamp? { end > 0 ? latest[end - 1] : nil }

    /// The bytes before the place that the scan has come to.
    var remaining: Int64 {
        guard end > 0 else { return 0 }
        let block = survey.blocks[end - 1]
        let before = survey.segments[..<block.segment].reduce(0) { $0 + $1.stamp.size }
        return before + block.offset + Int64(block.length)
    }

    /// The hits of the block before, in the order of the log.
    /// - Throws: `unavailable` when a file is another than when it was surveyed; `unreadable` without permission.
    func next() throws(StoreError) -> [FoundMessage] {
        guard end > 0 else { return [] }
        end -= 1
        let block = survey.blocks[end]
        if block.hasRewrites { try noteRewrites(of: block) }
        defer { skipToSince() }
        if let since = criteria.since, block.latest.map({ $0 < since }) ?? true { return [] }
        return try folded(try candidates(in: block, at: end))
    }

    /// Before a block up to whose end all is too old there is nothing to find.
    private func skipToSince() {
        if let since = criteria.since, let bound, bound < since { end = 0 }
    }

    private func noteRewrites(of block: Block) throws(StoreError) {
        try blocks.forEachRecord(of: block, in: survey) { _, head, fields in
            if head.kind.isRewrite {
                rewrites.note(head.target, isMatch: head.kind == .edit && criteria.matches(fields))
            }
            return true
        }
    }

    /// The messages whose own text matches, or that an edit may have made a match of.
    private func candidates(
        in block: Block, at index: Int
    ) throws(StoreError) -> [(message: StoredMessage, isRewritten: Bool)] {
        var candidates: [(message: StoredMessage, isRewritten: Bool)] = []
        let take = { (place: LinePlace, head: RecordHead, fields: Fields) in
            guard head.isMessage else { return true }
            let mayMatch = self.rewrites.takeMatch(head.id)
            guard self.criteria.passes(head, fields), mayMatch || self.criteria.matches(fields) else { return true }
            candidates.append(
                (self.blocks.records.message(head, fields, at: place), self.rewrites.mayConcern(head.id)))
            return true
        }
        if rewrites.mayMatch(block: index, of: survey) {
            try blocks.forEachRecord(of: block, in: survey, take)
        } else {
            try blocks.forEachRecord(of: block, in: survey, passing: criteria.query.filter, take)
        }
        return candidates
    }

    /// The candidates that match when all of the log is read.
    private func folded(
        _ candidates: [(message: StoredMessage, isRewritten: Bool)]
    ) throws(StoreError) -> [FoundMessage] {
        let rewritten = candidates.filter(\.isRewritten).map(\.message)
        let overrules = rewritten.isEmpty ? [:] : try lookups.overrules(of: rewritten, isForText: true)
        return candidates.compactMap { message, isRewritten in
            guard isRewritten else { return FoundMessage(message: message, text: message.text) }
            let folded = FoldedMessage(message, overrules[message.id] ?? [])
            guard !folded.isDeleted, criteria.query.matches(folded.text) else { return nil }
            return FoundMessage(message: message, text: folded.text)
        }
    }
}
