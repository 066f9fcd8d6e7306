internal import Messages
internal import Search

/// Finds hits in the lines of a conversation that no index covers: backwards, block by block, newest first. It reads
/// each block once, and holds only the edits whose messages it has not reached yet.
///
///     block → keep its edits and deletions until their messages are reached
///           → messages with pending edits, and lines that contain the words → test the current text → hits
final class LogSearch {
    private let log: PlainLog
    private let start: LinePlace
    private let criteria: HitCriteria
    private let blocks: BlockReader
    /// Reads the lines after a message again while `blocks` stays at its block.
    private let lookups: BlockReader
    private let editFilter = EditFilter()
    private let edits: PendingEdits
    /// The lines before this place remain to be searched.
    private(set) var place = LinePlace.end
    private var isAtStart = false
    /// Messages with their edits, newest first, that may be hits. Some lack most of their text.
    private var waiting: ArraySlice<FoldedMessage> = []
    /// The bytes that remain to be searched, rounded up.
    private(set) var remaining: Int64

    /// - Parameters:
    ///   - log: knows which lines repeat an ID. Where no index knows them, repeats count as messages, as they do on
    ///     pages.
    ///   - start: the place at which the search ends.
    ///   - lookups: a second reader, independent of `blocks`.
    ///   - budget: for pending edits; nil to keep all of them.
    init(
        _ log: PlainLog, from start: LinePlace = .first, _ criteria: HitCriteria, blocks: BlockReader,
        lookups: BlockReader, budget: EditBudget?
    ) {
        self.log = log
        self.start = start
        self.criteria = criteria
        self.blocks = blocks
        self.lookups = lookups
        edits = PendingEdits(budget)
        remaining = log.segments.size - log.segments.size(before: start)
    }

    var isOver: Bool { isAtStart && waiting.isEmpty }

    /// The ID hashes of messages before `place` that are edited or deleted after it; nil if they exceed the budget.
    var editedBefore: Set<IDHash>? { edits.targets }

    /// Searches the next block; or several together, if the log after them has to be read for their edits.
    /// - Returns: their hits, newest first.
    /// - Throws: `unavailable` if a file was replaced since it was listed; `unreadable` without permission.
    func next() throws(StoreError) -> [FoundMessage] {
        if !waiting.isEmpty { return try hitsOfWaiting() }
        guard let block = try nextBlock() else { return [] }
        let isParsed = try blocks.mayEscapeKeys(block, in: log)
        if !edits.isOverfull { try noteEdits(in: block, isParsed: isParsed) }
        var hits = edits.isOverfull ? try hitsByLookup(from: block) : try hits(in: block, isParsed: isParsed)
        hits.sort { $0.message.place > $1.message.place }
        return hits
    }

    private func nextBlock() throws(StoreError) -> Block? {
        guard !isAtStart, let block = try walk.block(before: place, from: start) else {
            (isAtStart, remaining) = (true, 0)
            return nil
        }
        place = block.place
        isAtStart = place <= start
        remaining = isAtStart ? 0 : remaining - Int64(block.length)
        return block
    }

    private var walk: BlockWalk { BlockWalk(segments: log.segments) }

    /// - Parameter isParsed: whether to parse each line, because filters may miss keys.
    private func noteEdits(in block: Block, isParsed: Bool) throws(StoreError) {
        let take = { [edits, blocks] (place: LinePlace, head: RecordHead, fields: Fields) in
            if head.kind.isTextChange, let edit = blocks.records.amendment(head, fields, at: place) { edits.add(edit) }
            return true
        }
        if isParsed {
            try blocks.forEachRecord(of: block, in: log, take)
        } else {
            try blocks.forEachRecord(of: block, in: log, passing: editFilter, take)
        }
    }

    /// - Parameter isParsed: whether to parse each line for messages with pending edits, because filters may miss keys.
    private func hits(in block: Block, isParsed: Bool) throws(StoreError) -> [FoundMessage] {
        var hits: [FoundMessage] = []
        var edited: Set<LinePlace> = []
        let take = { (place: LinePlace, head: RecordHead, fields: Fields) throws(StoreError) -> Bool in
            guard head.isMessage, let amendments = self.edits.take(head.messageID) else { return true }
            edited.insert(place)
            guard self.criteria.passes(head, fields) else { return true }
            let message = try self.blocks.records.message(head, fields, at: place)
            if let hit = self.hit(FoldedMessage(message, amendments)) { hits.append(hit) }
            return true
        }
        if edits.isEmpty {
            // No message of the block is edited.
        } else if isParsed {
            try blocks.forEachRecord(of: block, in: log, take)
        } else {
            try blocks.forEachRecord(of: block, in: log, passing: edits.filter, take)
        }
        try blocks.forEachRecord(of: block, in: log, passing: criteria.query.filter) {
            (place, head, fields) throws(StoreError) in
            guard head.isMessage, !edited.contains(place), criteria.passes(head, fields), criteria.matches(fields)
            else {
                return true
            }
            let message = try blocks.records.message(head, fields, at: place)
            if criteria.passes(filesOf: message) { hits.append(criteria.hit(message, message.text)) }
            return true
        }
        return hits
    }

    /// Bytes of messages whose edits are looked up together, and of the texts of edits and of hits that are kept then.
    private static let lookedUpAtOnce = 2 << 20

    /// Reads the log after some blocks to find the edits of all their messages.
    private func hitsByLookup(from first: Block) throws(StoreError) -> [FoundMessage] {
        var messages: [StoredMessage] = []
        var next: Block? = first
        var bytes = 0
        while let block = next {
            try blocks.forEachRecord(of: block, in: log) { (place, head, fields) throws(StoreError) in
                guard head.isMessage, criteria.passes(head, fields) else { return true }
                messages.append(try blocks.records.message(head, fields, at: place))
                return true
            }
            bytes += block.length
            next = bytes < LogSearch.lookedUpAtOnce ? try nextBlock() : nil
        }
        let reader = try lookupReader()
        let folds = try reader.folded(messages, countingRepliesTo: [], bytes: LogSearch.lookedUpAtOnce)
        waiting = messages.compactMap { folds[$0.id] }.sorted { $0.stored.place > $1.stored.place }[...]
        return try hitsOfWaiting()
    }

    private func lookupReader() throws(StoreError) -> ConversationReader {
        try ConversationReader(log.segments, blocks: lookups, index: nil, repeats: log.repeats)
    }

    /// The hits among some of the messages that wait: edits may have made all of them long.
    private func hitsOfWaiting() throws(StoreError) -> [FoundMessage] {
        let reader = try lookupReader()
        var hits: [FoundMessage] = []
        var bytes = 0
        while bytes < LogSearch.lookedUpAtOnce, let fold = waiting.popFirst() {
            // Texts that have no room together are read one after the other.
            guard let found = hit(try reader.whole(fold)) else { continue }
            hits.append(found)
            bytes += found.text.utf8.count
        }
        return hits
    }

    private func hit(_ message: FoldedMessage) -> FoundMessage? {
        guard !message.isDeleted, criteria.passes(filesOf: message.stored), mayMatch(message.text),
            criteria.matches(message.text)
        else { return nil }
        return criteria.hit(message.stored, message.text)
    }

    /// Whether the bytes of a word stand in a text, which is known sooner than its words are.
    private func mayMatch(_ text: String) -> Bool {
        var text = text
        return !criteria.dependsOnText || text.isEmpty
            || text.withUTF8 { criteria.query.filter.firstCandidate(in: $0, from: 0) != nil }
    }
}
