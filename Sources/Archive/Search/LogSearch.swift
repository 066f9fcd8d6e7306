internal import JSON
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

    /// - Parameter isParsed: true to parse each line, because filters may miss keys.
    private func noteEdits(in block: Block, isParsed: Bool) throws(StoreError) {
        let take = { [edits, blocks] (place: LinePlace, head: RecordHead, fields: JSONFields) in
            if head.kind.isTextChange, let edit = blocks.records.amendment(head, fields, at: place) { edits.add(edit) }
            return true
        }
        if isParsed {
            try blocks.forEachRecord(of: block, in: log, take)
        } else {
            try blocks.forEachRecord(of: block, in: log, foundBy: editFilter.firstCandidate, take)
        }
    }

    /// - Parameter isParsed: true to parse each line for messages with pending edits, because filters may miss keys.
    private func hits(in block: Block, isParsed: Bool) throws(StoreError) -> [FoundMessage] {
        var hits: [FoundMessage] = []
        var edited: Set<LinePlace> = []
        let take = { (place: LinePlace, head: RecordHead, fields: JSONFields) throws(StoreError) -> Bool in
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
            try blocks.forEachRecord(of: block, in: log, foundBy: edits.filter.firstCandidate, take)
        }
        let filter = criteria.query.filter
        try blocks.forEachRecord(
            of: block, in: log,
            foundBy: { filter.firstCandidate(in: $0.assumingMemoryBound(to: UInt8.self), from: $1) }
        ) { (place, head, fields) throws(StoreError) in
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

    /// The most bytes of messages whose edits are looked up together, and of the texts of edits and hits to keep meanwhile.
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
        let folds = try lookupReader.folded(messages, countingRepliesTo: [], bytes: LogSearch.lookedUpAtOnce)
        waiting = messages.compactMap { folds[$0.id] }.sorted { $0.stored.place > $1.stored.place }[...]
        return try hitsOfWaiting()
    }

    private var lookupReader: ConversationReader { ConversationReader(log, blocks: lookups) }

    /// The hits among some of the waiting messages: not all at once, since edits may have made all of them long.
    private func hitsOfWaiting() throws(StoreError) -> [FoundMessage] {
        let reader = lookupReader
        var hits: [FoundMessage] = []
        var bytes = 0
        while bytes < LogSearch.lookedUpAtOnce, let fold = waiting.popFirst() {
            // Texts that do not fit into memory together are read one by one.
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

    /// True if a text contains the bytes of a word. This test is faster than a test of whole words.
    private func mayMatch(_ text: String) -> Bool {
        var text = text
        return !criteria.dependsOnText || text.isEmpty
            || text.withUTF8 { criteria.query.filter.firstCandidate(in: $0, from: 0) != nil }
    }
}

/// The edits and deletions that a backward search has met before their messages. Bounded in size.
final class PendingEdits {
    /// The estimated bytes of an edit besides its text and its IDs, in the dictionary and on the heap.
    private static let weight = 320

    /// Nil to keep all edits.
    private let budget: EditBudget?
    private var edits: [MessageID: [Amendment]] = [:]
    private var size = 0
    /// True if the edits exceeded the budget. If so, all are dropped, and the search looks up the edits of each
    /// message in the log.
    private(set) var isOverfull = false

    /// - Parameter budget: nil to keep all edits.
    init(_ budget: EditBudget?) { self.budget = budget }

    deinit { budget?.giveBack(size) }

    /// The ID hashes of the messages that the search has not reached yet; nil if the edits exceeded the budget.
    var targets: Set<IDHash>? { isOverfull ? nil : Set(edits.keys.map { IDHash($0) }) }

    var isEmpty: Bool { edits.isEmpty }

    /// Finds the lines of the messages that the search has not reached yet.
    var filter: IDFilter { IDFilter(edits.keys.lazy.map { IDHash($0) }, isOfLinks: false) }

    /// Keeps only the last edit, the last deletion and the last deletion as a moderator of a message by the same person.
    func add(_ edit: Amendment) {
        guard !isOverfull else { return }
        let known = edits[edit.target]?.firstIndex { $0.sender == edit.sender && $0.action.isLike(edit.action) }
        if let known, let old = edits[edit.target]?[known] {
            guard old.place < edit.place else { return }
            edits[edit.target]?[known] = edit
            giveBack(PendingEdits.weight(of: old))
        } else {
            edits[edit.target, default: []].append(edit)
        }
        let weight = PendingEdits.weight(of: edit)
        if budget?.take(weight) ?? true {
            size += weight
        } else {
            edits = [:]
            giveBack(size)
            isOverfull = true
        }
    }

    /// Removes and returns the edits and deletions of a message, in the order of the log; nil if there are none.
    func take(_ id: MessageID) -> [Amendment]? {
        guard let found = edits.removeValue(forKey: id) else { return nil }
        for edit in found { giveBack(PendingEdits.weight(of: edit)) }
        return found.sorted { $0.place < $1.place }
    }

    private func giveBack(_ bytes: Int) {
        size -= bytes
        budget?.giveBack(bytes)
    }

    private static func weight(of edit: Amendment) -> Int {
        let ids = edit.target.rawValue.utf8.count + (edit.sender?.rawValue.utf8.count ?? 0)
        guard case .edit(let text) = edit.action else { return weight + ids }
        return weight + ids + text.utf8.count
    }
}

extension Amendment.Action {
    /// True if both are edits, or both are deletions with the same right.
    fileprivate func isLike(_ other: Amendment.Action) -> Bool {
        switch (self, other) {
        case (.edit, .edit): true
        default: self == other
        }
    }
}

/// The bytes of edits that may wait for their messages in all searches of one run.
final class EditBudget {
    /// Most messages are edited soon, so this is plenty.
    static let usual = 12 << 20

    private(set) var left: Int

    /// - Parameter bytes: the budget at the beginning.
    init(_ bytes: Int = EditBudget.usual) { left = bytes }

    /// - Returns: true if this many bytes were left.
    func take(_ bytes: Int) -> Bool {
        guard bytes <= left else { return false }
        left -= bytes
        return true
    }

    func giveBack(_ bytes: Int) { left += bytes }
}
