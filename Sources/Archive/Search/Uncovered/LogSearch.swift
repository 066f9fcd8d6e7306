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
    private var edits: PendingEdits
    /// The lines before this place remain to be searched.
    private(set) var place = LinePlace.end
    private(set) var isOver = false
    /// The bytes that remain to be searched, rounded up.
    private(set) var remaining: Int64

    /// - Parameters:
    ///   - log: knows which lines repeat an ID. Where no index knows them, repeats count as messages, as they do on
    ///     pages.
    ///   - start: the place at which the search ends.
    ///   - lookups: a second reader, independent of `blocks`.
    ///   - capacity: how many bytes of edits may be pending.
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

    /// The ID hashes of messages before `place` that are edited or deleted after it; nil if they exceed the capacity.
    var editedBefore: Set<IDHash>? { edits.targets }

    /// Searches the next block.
    /// - Returns: its hits, newest first.
    /// - Throws: `unavailable` if a file was replaced since it was listed; `unreadable` without permission.
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

    /// Reads the log from this block to its end to find the edits of the messages of the block.
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
