internal import Messages
internal import Search

/// Finds hits in what no index covers of a conversation: backwards, a block at a time, the newest first. It reads each
/// block once, and holds nothing but the edits whose messages are still to come.
///
///     block → its edits and deletions wait for their messages
///           → the messages that edits wait for, and the lines with the words → do they match now? → hits
final class LogSearch {
    private let log: PlainLog
    private let start: LinePlace
    private let criteria: HitCriteria
    private let blocks: BlockReader
    /// Reads what follows a message again, without moving `blocks` from its block.
    private let lookups: BlockReader
    private let editFilter = EditFilter()
    private var edits: PendingEdits
    /// The lines before it are still to be searched.
    private(set) var place = LinePlace.end
    private(set) var isOver = false
    /// The bytes that are still to be searched, or a little more.
    private(set) var remaining: Int64

    /// - Parameters:
    ///   - log: with the lines that are known to repeat an ID; where no index knows them, they count, as on pages.
    ///   - start: where to end.
    ///   - lookups: another reader than `blocks`.
    ///   - capacity: of the edits that wait, in bytes.
    init(
        _ log: PlainLog, from start: LinePlace = .first, _ criteria: HitCriteria, blocks: BlockReader,
        lookups: BlockReader, capacity: Int = PendingEdits.usualCapacity
    ) {
        self.log = log
        self.start = start
        self.criteria = criteria
        self.blocks = blocks
        self.lookups = lookups
        edits = PendingEdits(capacity: capacity)
        remaining = log.segments.size - log.segments.size(before: start)
    }

    /// The hashes of the IDs of messages before `place` that are edited or deleted after it; nil when there are too many.
    var editedBefore: Set<IDHash>? { edits.targets }

    /// Searches one block more.
    /// - Returns: its hits, the newest first.
    /// - Throws: `unavailable` when a file is another than when it was listed; `unreadable` without permission.
    func next() throws(StoreError) -> [FoundMessage] {
        guard !isOver, let block = try walk.block(before: place, from: start) else {
            (isOver, remaining) = (true, 0)
            return []
        }
        place = block.place
        isOver = place <= start
        remaining = isOver ? 0 : remaining - Int64(block.length)
        try noteEdits(in: block)
        let hits = edits.isOverfull ? try hitsByLookup(in: block) : try hits(in: block)
        return hits.sorted { $0.message.place > $1.message.place }
    }

    private var walk: BlockWalk { BlockWalk(segments: log.segments) }

    private func noteEdits(in block: Block) throws(StoreError) {
        if edits.isOverfull { return }
        try blocks.forEachRecord(of: block, in: log, passing: editFilter) { place, head, fields in
            if head.kind.isTextChange, let edit = blocks.records.amendment(head, fields, at: place) { edits.add(edit) }
            return true
        }
    }

    private func hits(in block: Block) throws(StoreError) -> [FoundMessage] {
        var hits: [FoundMessage] = []
        var edited: Set<LinePlace> = []
        if !edits.isEmpty {
            try blocks.forEachRecord(of: block, in: log, passing: edits.filter) {
                (place, head, fields) throws(StoreError) in
                guard head.isMessage, let amendments = edits.take(head.id) else { return true }
                edited.insert(place)
                guard criteria.passes(head, fields) else { return true }
                let message = try blocks.records.message(head, fields, at: place)
                if let hit = hit(FoldedMessage(message, amendments)) { hits.append(hit) }
                return true
            }
        }
        try blocks.forEachRecord(of: block, in: log, passing: criteria.query.filter) {
            (place, head, fields) throws(StoreError) in
            guard head.isMessage, !edited.contains(place), criteria.passes(head, fields), criteria.matches(fields)
            else {
                return true
            }
            let message = try blocks.records.message(head, fields, at: place)
            if criteria.passes(filesOf: message) { hits.append(FoundMessage(message: message, text: message.text)) }
            return true
        }
        return hits
    }

    /// Looks for the edits of all messages of the block in the whole log after it.
    private func hitsByLookup(in block: Block) throws(StoreError) -> [FoundMessage] {
        var messages: [StoredMessage] = []
        try blocks.forEachRecord(of: block, in: log) { (place, head, fields) throws(StoreError) in
            guard head.isMessage, criteria.passes(head, fields) else { return true }
            messages.append(try blocks.records.message(head, fields, at: place))
            return true
        }
        let reader = try ConversationReader(log.segments, blocks: lookups, index: nil, repeats: log.repeats)
        let folds = try reader.folded(messages)
        return messages.compactMap { message in folds[message.id].flatMap(hit) }
    }

    private func hit(_ message: FoldedMessage) -> FoundMessage? {
        guard !message.isDeleted, criteria.passes(filesOf: message.stored), mayMatch(message.text),
            criteria.matches(message.text)
        else { return nil }
        return FoundMessage(message: message.stored, text: message.text)
    }

    /// Whether the bytes of a word stand in a text, which is known sooner than its words are.
    private func mayMatch(_ text: String) -> Bool {
        var text = text
        return !criteria.dependsOnText || text.isEmpty
            || text.withUTF8 { criteria.query.filter.firstCandidate(in: $0, from: 0) != nil }
    }
}
