internal import Messages
internal import Search

/// What makes a message a hit.
struct HitCriteria {
    /// What is known of a message without its text.
    struct Columns {
        let at: Timestamp
        /// An ID; empty for nobody.
        let sender: UnsafeRawBufferPointer
        /// What is true of it. Links are the text's affair.
        let marks: QueryMarks
        /// What may be true of it, and is asked again.
        var doubtful: QueryMarks = []
    }

    let query: Query
    /// When it was written.
    let times: QueryTimes
    /// Each of them has to pass the person who wrote it.
    private let senders: [SenderFilter]
    private let excludedSenders: SenderFilter?

    init(_ query: ResolvedQuery, people: People) { self.init(SearchRequest(query), people: people) }

    init(_ request: SearchRequest, people: People) {
        query = request.query.query
        times = request.times
        let named = QueryNames(request.sender.map { [QueryName($0)] } ?? [])
        senders = [named, query.senders].filter { !$0.isEmpty }.map { SenderFilter($0, people: people) }
        excludedSenders =
            query.excludedSenders.isEmpty ? nil : SenderFilter(query.excludedSenders, people: people)
    }

    /// Whether time, sender and kind are as wanted: all but what the text says.
    func passes(_ columns: Columns) -> Bool {
        guard times.contains(columns.at), passes(columns.marks, doubtful: columns.doubtful) else { return false }
        return passes(sender: columns.sender)
    }

    /// Whether the text is as wanted: words, what is excluded, links.
    func passes(text: UnsafeBufferPointer<UInt8>) -> Bool { !dependsOnText || query.matches(text) }

    /// Whether the text matters. When it does not, any will do.
    var dependsOnText: Bool { query.dependsOnText }

    /// Whether it matters who wrote.
    var asksForSender: Bool { !senders.isEmpty || excludedSenders != nil }

    /// - Parameter sender: an ID; empty for nobody.
    func passes(sender: UnsafeRawBufferPointer) -> Bool {
        senders.allSatisfy { $0.passes(sender) } && !(excludedSenders?.passes(sender) ?? false)
    }

    /// What is true of a message, and what may be.
    func passes(_ marks: QueryMarks, doubtful: QueryMarks) -> Bool {
        query.filters.marks.subtracting(doubtful.union(.link)).isSubset(of: marks)
            && query.filters.excludedMarks.isDisjoint(with: marks)
    }
}

extension HitCriteria {
    func passes(_ head: RecordHead, _ fields: Fields) -> Bool {
        var marks: QueryMarks = []
        if !fields.bytes(RecordReader.Key.replyTo).isEmpty { marks.insert(.reply) }
        if !head.target.isEmpty { marks.insert(.thread) }
        // A list of files may be broken; only the whole message knows.
        let mayHaveFile = fields.kind(RecordReader.Key.attachments) == .array
        return passes(
            Columns(
                at: head.at, sender: fields.bytes(RecordReader.Key.from), marks: marks,
                doubtful: mayHaveFile ? .file : []))
    }

    /// All but what the text says.
    func passes(_ message: StoredMessage) -> Bool {
        var marks: QueryMarks = []
        if !message.attachments.isEmpty { marks.insert(.file) }
        if message.replyTo != nil { marks.insert(.reply) }
        if message.thread != nil { marks.insert(.thread) }
        var sender = message.sender?.rawValue ?? ""
        return sender.withUTF8 {
            passes(Columns(at: message.at, sender: UnsafeRawBufferPointer($0), marks: marks))
        }
    }

    func passes(filesOf message: StoredMessage) -> Bool {
        message.attachments.isEmpty
            ? !query.filters.marks.contains(.file) : !query.filters.excludedMarks.contains(.file)
    }

    func matches(_ fields: Fields) -> Bool {
        passes(text: fields.bytes(RecordReader.Key.text).assumingMemoryBound(to: UInt8.self))
    }

    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { passes(text: $0) }
    }
}

/// A message that is looked for, and what it says now.
struct FoundMessage {
    let message: StoredMessage
    let text: String
    /// Messages of the main timeline before it, when that is known.
    var mainsBefore: Int?
}

/// A message that may be a hit, by its own text or by an edit.
struct Candidate {
    let message: StoredMessage
    let rewrites: Rewrites.Lines

    var isRewritten: Bool {
        if case .none = rewrites { false } else { true }
    }
}

/// Looks through a conversation block by block, backwards. Holds nothing of it but what later lines do to earlier ones,
/// and the candidates of a few blocks.
///
/// An index will take its place for the blocks that it covers: what is asked of either is `bound` and `next`.
final class ConversationScan {
    /// So many blocks are gone through at most, and so many bytes of those with candidates, before the rewrites of
    /// all candidates are read in one pass: when edits stand far behind their messages, a pass for each block would take time by the square.
    private static let mostCollected = 64
    private static let mostBytes = 4 << 20

    private let survey: Survey
    private let blocks: BlockReader
    /// Reads again what is behind a message, without moving the scan's own reader from its block.
    private let lookups: SurveyReader
    private let criteria: HitCriteria
    private var rewrites: Rewrites
    /// What the edits and deletions of a part of a log are about.
    private(set) var targets: Set<IDHash> = []
    /// By block: at or after the times of all messages up to its end.
    private let latest: [Timestamp]
    /// The blocks before it are still to be looked through.
    private var end: Int
    /// The candidates of blocks whose hits are not given yet, the first block to be given first.
    private var collected: ArraySlice<(block: Int, candidates: [Candidate])> = []
    private var collectedBytes = 0
    private var pass: RewritePass?
    private var isPassOver = false
    /// Few at first, since somebody waits for the newest hits; more as long as passes are long.
    private var blocksForPass = 1

    /// - Parameter remembered: of edits and deletions, whose places are remembered.
    init(
        _ survey: Survey, _ criteria: HitCriteria, blocks: BlockReader, lookups: BlockReader,
        remembered: Int = Rewrites.usualCapacity
    ) {
        self.survey = survey
        self.blocks = blocks
        self.lookups = SurveyReader(survey: survey, blocks: lookups)
        self.criteria = criteria
        rewrites = Rewrites(blocks: survey.blocks.count(where: \.hasRewrites), capacity: remembered)
        var latest = Timestamp(milliseconds: .min)
        self.latest = survey.blocks.map { block in
            latest = max(latest, block.latest ?? latest)
            return latest
        }
        end = survey.blocks.count
        skipToSince()
    }

    /// The messages that matching edits are about and that stand before all that is scanned; nil when there are too many.
    var editedBefore: Set<IDHash>? { rewrites.stillPending }

    /// At or after the times of all hits that are still to be found; nil when there are none.
    var bound: Timestamp? {
        if let first = collected.first { return latest[first.block] }
        return end > 0 ? latest[end - 1] : nil
    }

    /// The bytes before the place that the scan has come to.
    var remaining: Int64 {
        guard end > 0 else { return 0 }
        let block = survey.blocks[end - 1]
        return survey.segments.size(before: block.end)
    }

    /// Reads a few blocks more.
    /// - Returns: the hits of one block, in the order of the log; none as long as they are not known.
    /// - Throws: `unavailable` when a file is another than when it was surveyed; `unreadable` without permission.
    func next() throws(StoreError) -> [FoundMessage] {
        if pass == nil {
            try collect()
            guard collected.contains(where: { $0.candidates.contains(where: \.isRewritten) }) else {
                return collected.popFirst()?.candidates.map { FoundMessage(message: $0.message, text: $0.message.text) }
                    ?? []
            }
            let visited = (collected.first?.block ?? end) - end + 1
            if end > 0, visited < blocksForPass, collectedBytes < ConversationScan.mostBytes { return [] }
            pass = RewritePass(collected.lazy.flatMap(\.candidates), lookups)
        }
        if !isPassOver { isPassOver = try pass?.next() ?? true }
        guard isPassOver, let pass, let next = collected.popFirst() else { return [] }
        if collected.isEmpty { endPass(pass) }
        return folded(next.candidates, pass.found)
    }

    private func endPass(_ pass: RewritePass) {
        let isLong = pass.reads > max(blocksForPass, RewritePass.blocksAtOnce)
        blocksForPass = isLong ? min(blocksForPass * 2, ConversationScan.mostCollected) : max(1, blocksForPass / 2)
        self.pass = nil
        isPassOver = false
        collectedBytes = 0
    }

    /// Before a block up to whose end all is too old there is nothing to find.
    private func skipToSince() {
        // What stands before a part of a log may be younger.
        guard !survey.isPart else { return }
        if let since = criteria.times.since, end > 0, latest[end - 1] < since { end = 0 }
    }

    /// Takes the candidates of the block before.
    private func collect() throws(StoreError) {
        guard end > 0 else { return }
        let block = survey.blocks[end - 1]
        if block.hasRewrites { try noteRewrites(of: block) }
        if let since = criteria.times.since, block.latest.map({ $0 < since }) ?? true {
            // Nothing in it is young enough.
        } else {
            let candidates = try candidates(in: block, at: end - 1)
            if !candidates.isEmpty {
                collected.append((end - 1, candidates))
                collectedBytes += block.length
            }
        }
        end -= 1
        skipToSince()
    }

    private func noteRewrites(of block: Block) throws(StoreError) {
        try blocks.forEachRecord(of: block, in: survey) { place, head, fields in
            if head.kind.isRewrite {
                if survey.isPart { targets.insert(IDHash(head.target)) }
                // When the text does not matter, messages pass by their own ones.
                let isMatch = head.kind == .edit && criteria.dependsOnText && criteria.matches(fields)
                rewrites.note(head.target, at: place, isMatch: isMatch)
            }
            return true
        }
    }

    /// The messages whose own text matches, or that an edit may have made a match of.
    private func candidates(in block: Block, at index: Int) throws(StoreError) -> [Candidate] {
        var candidates: [Candidate] = []
        let take = { (place: LinePlace, head: RecordHead, fields: Fields) throws(StoreError) -> Bool in
            guard head.isMessage else { return true }
            let mayMatch = self.rewrites.takeMatch(head.id)
            guard self.criteria.passes(head, fields), mayMatch || self.criteria.matches(fields) else { return true }
            let message = try self.blocks.records.message(head, fields, at: place)
            guard self.criteria.passes(filesOf: message) else { return true }
            candidates.append(Candidate(message: message, rewrites: self.rewrites.lines(of: head.id)))
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
    private func folded(_ candidates: [Candidate], _ overrules: [MessageID: [Overrule]]) -> [FoundMessage] {
        candidates.compactMap { candidate in
            let message = candidate.message
            guard candidate.isRewritten else { return FoundMessage(message: message, text: message.text) }
            let folded = FoldedMessage(message, overrules[message.id] ?? [])
            guard !folded.isDeleted, criteria.matches(folded.text) else { return nil }
            return FoundMessage(message: message, text: folded.text)
        }
    }
}
