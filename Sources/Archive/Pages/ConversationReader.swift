internal import Files
internal import Index
internal import JSON
internal import Messages

/// Finds messages of one conversation. Looks up what the index covers. Reads the rest of the log, or the whole log if
/// there is no index: from any line in both directions, and for an ID by a scan of all bytes.
///
///     log:  |——— in the index ———|——— not yet ———|
///           0                 covered            end
struct ConversationReader {
    let blocks: BlockReader
    /// Nil if there is no index.
    let index: IndexView?
    private(set) var log: PlainLog

    /// - Parameter log: with the lines that are known to repeat an ID.
    init(_ log: PlainLog, blocks: BlockReader, index: IndexView? = nil) {
        self.log = log
        self.blocks = blocks
        self.index = index
    }

    /// - Parameter repeats: the lines of the whole log that repeat an ID, sorted; nil to ask the index for them.
    /// - Throws: the errors of reading files.
    init(
        _ segments: [Segment], blocks: BlockReader, index: IndexView?, repeats: [LinePlace]? = nil
    ) throws(StoreError) {
        self.init(PlainLog(segments: segments, repeats: repeats ?? []), blocks: blocks, index: index)
        guard repeats == nil else { return }
        if let index { log.repeats = try index.repeats() }
        if knowsRepeats { log.repeats += try uncoveredRepeats() }
    }

    /// The lines that repeat an ID, even if finding them takes long.
    func allRepeats() throws(StoreError) -> [LinePlace] {
        knowsRepeats ? log.repeats : log.repeats + (try uncoveredRepeats())
    }

    /// True if the lines after the indexed part are searched for repeats. If that part is too long, a repeat counts as a message until
    /// the index covers it.
    private var knowsRepeats: Bool {
        uncovered <= (index == nil ? blocks.mostSearched : min(blocks.mostSearched, ConversationReader.mostLookedUp))
    }

    /// The lines after the indexed part that repeat an ID. Only the first line with an ID counts, whatever it says.
    private func uncoveredRepeats() throws(StoreError) -> [LinePlace] {
        try blocks.repeats(of: log.segments, after: covered) { () throws(StoreError) in
            let repeated = try repeatedHashes()
            if repeated.isEmpty { return [] }
            // Different IDs may have the same hash.
            var places: [(place: LinePlace, id: MessageID)] = []
            try forEachUncoveredRecord { place, head, _ in
                guard repeated.contains(IDHash(head.id)) else { return }
                places.append((place, MessageID(String(decoding: head.id, as: UTF8.self))))
            }
            var known: Set<MessageID> = []
            var repeats: [LinePlace] = []
            for (place, id) in places {
                let isKnown = try holds(id, try index?.records(ofID: IDHash(id)) ?? [])
                if !known.insert(id).inserted || isKnown { repeats.append(place) }
            }
            return repeats
        }
    }

    /// The hashes of IDs of lines after the indexed part that an earlier line has too.
    private func repeatedHashes() throws(StoreError) -> Set<IDHash> {
        var (known, repeated) = (Set<IDHash>(), Set<IDHash>())
        try forEachUncoveredRecord { _, head, _ in
            let hash = IDHash(head.id)
            if !known.insert(hash).inserted { repeated.insert(hash) }
        }
        if let index {
            for hash in known where try !index.records(ofID: hash).isEmpty { repeated.insert(hash) }
        }
        return repeated
    }

    /// The most bytes after the indexed part whose IDs are looked up in the index.
    private static let mostLookedUp: Int64 = 2 << 20

    /// True if one of these records has exactly this ID.
    private func holds(_ id: MessageID, _ records: [IndexedRecord]) throws(StoreError) -> Bool {
        var isSame = false
        try forEach(records) { _, head, _ in isSame = isSame || head.id.elementsEqual(id.rawValue.utf8) }
        return isSame
    }

    /// The start of the part that the index does not cover.
    var covered: LinePlace { index?.end ?? .first }

    /// True if the index covers the whole log except for a few lines.
    var isCovered: Bool { index != nil && uncovered <= ConversationReader.fewBytes }

    /// The bytes of the whole log.
    var size: Int64 { log.segments.size }

    /// A part of the log up to this size is read for any request.
    static let fewBytes: Int64 = 256 << 10

    var walk: BlockWalk { BlockWalk(segments: log.segments, reader: blocks) }

    /// The places where messages are missing.
    func islands() throws(StoreError) -> Islands { try Islands(log.segments, &blocks.heads) }

    /// The bytes that the index does not cover.
    var uncovered: Int64 { size - log.segments.size(before: covered) }

    /// Calls `body` with each record that the index does not cover.
    func forEachUncoveredRecord(_ body: (LinePlace, RecordHead, JSONFields) -> Void) throws(StoreError) {
        var next = covered
        while let block = try walk.block(from: next) {
            try forEachRecord(of: block, body)
            next = block.end
        }
    }

    // MARK: - The end of the log

    /// The start of the line that contains a place or ends there; the place itself if a line begins there.
    func lineStart(of place: LinePlace) throws(StoreError) -> LinePlace {
        guard place.offset > 0, log.segments.indices.contains(place.segment) else { return max(place, .first) }
        let size = log.segments[place.segment].stamp.size
        return try walk.line(around: LinePlace(segment: place.segment, offset: min(place.offset, size)))
    }

    func block(from place: LinePlace) throws(StoreError) -> Block? { try walk.block(from: place) }

    /// The end of the last line in a block that ends with a line feed.
    func end(ofWholeLinesIn block: Block) throws(StoreError) -> LinePlace { try walk.line(around: block.end) }

    func forEachRecord(
        of block: Block, _ body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Void
    ) throws(StoreError) {
        try blocks.forEachRecord(of: block, in: log) { (place, head, fields) throws(StoreError) in
            try body(place, head, fields)
            return true
        }
    }

    /// Counts all messages; nil if that would need a scan of the whole log.
    func totals() throws(StoreError) -> Totals? {
        guard let index, isCovered else { return nil }
        var totals = try index.totals()
        try forEachUncoveredRecord { _, head, _ in if head.isMessage { totals.add(head) } }
        return totals
    }

    // MARK: - Stretches

    /// The part of the log from `bytes` before a place to `bytes` after it.
    func stretch(around place: LinePlace, _ bytes: Int64) -> Range<LinePlace> {
        let segment = min(max(0, place.segment), log.segments.count - 1)
        guard segment >= 0 else { return LinePlace.first..<LinePlace.first }
        // A segment has some 8 MiB, so one earlier segment is enough for the rest.
        let start =
            place.offset >= bytes || segment == 0
            ? LinePlace(segment: segment, offset: max(0, place.offset - bytes))
            : LinePlace(segment: segment - 1, offset: max(0, log.segments[segment - 1].stamp.size - bytes))
        let end = LinePlace(segment: segment, offset: min(log.segments[segment].stamp.size, place.offset + bytes))
        return start..<max(start, end)
    }

    // MARK: - IDs

    /// True if the line at a place is this message.
    func holds(_ id: MessageID, at place: LinePlace) throws(StoreError) -> Bool {
        guard place.segment < log.segments.count, let block = try walk.block(from: place), block.place == place else {
            return false
        }
        var isThere = false
        try blocks.forEachRecord(of: block, in: log) { line, head, _ in
            isThere = line == place && head.isMessage && head.id.elementsEqual(id.rawValue.utf8)
            return false
        }
        return isThere
    }

    /// The most segments by which the segment of a cursor may have moved, for its message to be found without a search.
    private static let mostMoved = 64

    /// The place of a message whose segment has moved, because a server's older segments have come before it.
    func place(of id: MessageID, after place: LinePlace) throws(StoreError) -> LinePlace? {
        for (number, segment) in log.segments.enumerated().dropFirst(place.segment + 1)
            .prefix(ConversationReader.mostMoved)
        {
            let moved = LinePlace(segment: number, offset: place.offset)
            guard segment.mirrorNumber != nil, place.offset < segment.stamp.size else { continue }
            if try holds(id, at: moved) { return moved }
        }
        return nil
    }

    func message(_ id: MessageID) throws(StoreError) -> StoredMessage? { try messages([id])[id] }

    /// The messages with these IDs, thread replies included. Leaves out IDs without a message.
    /// - Parameter stretch: limits the search of lines that the index does not cover; nil to search all of them.
    func messages(
        _ ids: Set<MessageID>, in stretch: Range<LinePlace>? = nil
    ) throws(StoreError) -> [MessageID: StoredMessage] {
        var found: [MessageID: StoredMessage] = [:]
        if let index, !ids.isEmpty {
            var records: [IndexedRecord] = []
            for id in ids { records += index.keep(try index.records(ofID: IDHash(id))) }
            for message in try messages(at: records.sorted { $0.place < $1.place })
            where ids.contains(message.id) && found[message.id] == nil {
                found[message.id] = message
            }
        }
        var missing = ids.subtracting(found.keys)
        if missing.isEmpty { return found }
        let stretch = (stretch ?? covered..<LinePlace.end).clamped(to: covered..<LinePlace.end)
        let filter = IDFilter(missing.map { IDHash($0) }, isOfLinks: false)
        try scan(stretch, filter) { (place, head, fields) throws(StoreError) in
            guard head.isMessage else { return true }
            let message = try blocks.records.message(head, fields, at: place)
            if missing.remove(message.id) != nil { found[message.id] = message }
            return !missing.isEmpty
        }
        let scanned = try marked(found.values.filter { $0.place >= covered })
        for message in scanned { found[message.id] = message }
        return found
    }

    /// The number of bytes around a place in which most of the messages are that the message there refers to.
    private static let near: Int64 = 256 << 10

    /// The same messages. Most are very near a place: the lines around it are searched first.
    func messages(
        _ ids: Set<MessageID>, near place: LinePlace, in stretch: Range<LinePlace>? = nil
    ) throws(StoreError) -> [MessageID: StoredMessage] {
        var found = try messages(ids, in: self.stretch(around: place, ConversationReader.near))
        let missing = ids.subtracting(found.keys)
        if !missing.isEmpty { found.merge(try messages(missing, in: stretch)) { own, _ in own } }
        return found
    }

    /// The same messages, with each thread reply marked as broadcast if its root is not before it.
    /// - Parameter messages: messages that the index does not cover. For the others, the index stores the mark.
    func marked(_ messages: [StoredMessage]) throws(StoreError) -> [StoredMessage] {
        var replies: [RootFinder.Reply] = []
        for message in messages where !message.isMain {
            if let root = message.thread { replies.append(RootFinder.Reply(place: message.place, root: root)) }
        }
        if replies.isEmpty { return messages }
        let loose = try RootFinder(log: log, blocks: blocks, index: index).loose(replies)
        if loose.isEmpty { return messages }
        return messages.map { message in
            var message = message
            if loose.contains(message.place) { message.isBroadcast = true }
            return message
        }
    }

    /// The number of records about one message to look up at once together with those of other messages. A message with more
    /// records gets further lookups.
    private static let recordsAtOnce = 1_024

    /// The number of replies to remember while scanning. Beyond this, a repeated reply counts as another reply.
    private static let mostReplies = 65_536

    /// These messages with the edits, deletions, reactions and replies that later lines of the log contain.
    /// - Parameters:
    ///   - roots: the messages whose replies are counted from the index; nil for all.
    ///   - whole: the messages whose edits have their whole texts; nil for all. The others get the beginning that a quote shows.
    ///   - bytes: the most bytes of new texts in memory. Edits beyond them are cut, and `omitted` is the number of missing bytes.
    ///   - end: lines that begin at or after this place are ignored.
    func folded(
        _ messages: some Sequence<StoredMessage>, countingRepliesTo roots: Set<MessageID>? = nil,
        wholeTextsOf whole: Set<MessageID>? = nil, bytes: Int = .max, before end: LinePlace = .end
    ) throws(StoreError) -> [MessageID: FoldedMessage] {
        var wanted: [IDHash: [StoredMessage]] = [:]
        for message in messages { wanted[IDHash(message.id), default: []].append(message) }
        var folds: [MessageID: MessageFold] = [:]
        for message in wanted.values.joined() { folds[message.id] = MessageFold(message) }
        guard let first = folds.values.map(\.message.place).min() else { return [:] }
        var left = bytes
        let take = { (place: LinePlace, head: RecordHead, fields: JSONFields) in
            guard let amendment = blocks.records.amendment(head, fields, at: place, of: wanted) else { return }
            let before = folds[amendment.target]?.newText?.utf8.count ?? 0
            let isWhole = (whole?.contains(amendment.target) ?? true) && amendment.weight - before <= left
            folds[amendment.target]?.add(isWhole ? amendment : amendment.cut(to: Quote.longestText))
            left -= (folds[amendment.target]?.newText?.utf8.count ?? 0) - before
        }
        if let index {
            var records: [IndexedRecord] = []
            var unfinished: [(hash: IDHash, last: Int64)] = []
            for (hash, messages) in wanted {
                var isQuiet = true
                for message in messages where isQuiet { isQuiet = try index.isQuiet(message) }
                if isQuiet { continue }
                let some = try index.records(about: hash, limit: ConversationReader.recordsAtOnce)
                records += some
                if some.count == ConversationReader.recordsAtOnce, let last = some.last {
                    unfinished.append((hash, last.row))
                }
                for message in messages where roots?.contains(message.id) ?? true {
                    if let replies = try index.replies(to: message) { folds[message.id]?.add(replies) }
                }
            }
            try forEach(records.sorted { $0.place < $1.place }.filter { !$0.kind.isRepeated }, take)
            // Looking up the records in parts bounds the memory that a million reactions to one message take.
            for (hash, last) in unfinished { try forEachRecord(about: hash, after: last, in: index, take) }
        }
        let filter = IDFilter(wanted.keys, isOfLinks: true)
        // Without an index, repeated IDs are not known yet: a reply that repeats an ID must not count again.
        var replies: Set<IDHash> = []
        try scan(min(end, max(first, covered))..<end, filter) { place, head, fields in
            if head.isMessage, replies.count < ConversationReader.mostReplies {
                guard replies.insert(IDHash(head.id)).inserted else { return true }
            }
            take(place, head, fields)
            return true
        }
        return folds.mapValues { FoldedMessage($0) }
    }

    /// The same message with the whole text of its last edit, which is read again.
    func whole(_ fold: FoldedMessage) throws(StoreError) -> FoldedMessage {
        guard fold.omitted > 0, let place = fold.lastTextChange, let block = try walk.block(from: place) else {
            return fold
        }
        var whole = fold
        try blocks.forEachRecord(of: block, in: log, at: [place]) { place, head, fields in
            if case .edit(let text)? = blocks.records.amendment(head, fields, at: place)?.action {
                (whole.text, whole.omitted) = (text, 0)
            }
            return false
        }
        return whole
    }

    func forEachRecord(
        about hash: IDHash, after row: Int64 = .min, in index: IndexView,
        _ body: (LinePlace, RecordHead, JSONFields) -> Void
    ) throws(StoreError) {
        var last = row
        while true {
            let limit = ConversationReader.recordsAtOnce
            let records = try index.records(about: hash, after: last, limit: limit)
            try forEach(records.filter { !$0.kind.isRepeated }, body)
            guard records.count == limit, let end = records.last else { return }
            last = end.row
        }
    }

    /// Calls `body` with the records of a stretch of the log whose lines the filter selects, until `body` returns
    /// false.
    func scan(
        _ stretch: Range<LinePlace>, _ filter: IDFilter,
        _ body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try log.scan(stretch, filter, blocks, body)
    }

    // MARK: - Through the index

    /// Reads the messages at these places, as known to the index, in the same order.
    /// - Throws: `unavailable` if a place holds anything else.
    func messages(at records: [IndexedRecord]) throws(StoreError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        found.reserveCapacity(records.count)
        try forEach(records) { (place, head, fields) throws(StoreError) in
            if head.isMessage { found.append(try blocks.records.message(head, fields, at: place)) }
        }
        guard found.count == records.count(where: \.kind.isMessage) else { throw stale }
        return found
    }

    /// - Parameter records: in the order of the log.
    private func forEach(
        _ records: [IndexedRecord], _ body: (LinePlace, RecordHead, JSONFields) throws(StoreError) -> Void
    ) throws(StoreError) {
        for (block, records) in records.stretches(ofBytes: 64 << 10) {
            guard log.segments.indices.contains(block.segment) else { throw stale }
            var next = records.startIndex
            try blocks.forEachRecord(of: block, in: log, at: records.lazy.map(\.place)) {
                (place, head, fields) throws(StoreError) in
                while next < records.endIndex, records[next].place < place { next += 1 }
                var head = head
                if next < records.endIndex, records[next].place == place, records[next].kind.isMain {
                    head.isMain = true
                }
                try body(place, head, fields)
                return true
            }
        }
    }

    private var stale: StoreError {
        let name = log.segments.first?.label.split(separator: "/").first ?? "the conversation"
        return .unavailable("\(name): its files changed while they were read; try again")
    }
}
