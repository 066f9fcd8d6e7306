internal import Files
internal import JSON
internal import Messages

extension ConversationReader {
    func timeline(_ timeline: TimelineID) -> TimelineReader { TimelineReader(reader: self, id: timeline) }
}

/// Finds the messages of the main timeline or of a thread: through the index as far as it reaches, then block by block.
struct TimelineReader {
    let reader: ConversationReader
    let id: TimelineID
    private let index: IndexedTimeline?
    /// Selects the lines of a thread's replies, ten times as fast as parsing every line.
    private let filter: IDFilter?

    fileprivate init(reader: ConversationReader, id: TimelineID) {
        self.reader = reader
        self.id = id
        index = reader.index.map { IndexedTimeline($0, id) }
        filter = id.root.map { IDFilter([IDHash($0)], isOfLinks: true) }
    }

    /// The start of the part that the index does not cover.
    private var covered: LinePlace { reader.covered }

    /// The messages right before a place, oldest first; with `orAt`, the message at the place too.
    /// - Parameters:
    ///   - bytes: stops after the second message if those found exceed this size.
    ///   - inUnits: true if the limit counts the units of pages. The farthest unit may be found only in part.
    func messages(
        before place: LinePlace, orAt: Bool = false, limit: Int, bytes: Int = .max, inUnits: Bool = false
    ) throws(StoreError) -> [StoredMessage] {
        var found = Batch(limit: limit, bytes: bytes, inUnits: inUnits)
        if orAt { found.prepend(try messages(from: place, limit: 1).filter { $0.place == place }) }
        var place = place
        while !found.isFull, place > covered, let block = try reader.walk.block(before: place, from: covered) {
            let new = try messages(in: block) { $0 < place }
            found.prepend(new)
            place = block.place
        }
        if !found.isFull, let view = reader.index {
            let row = try view.record(atOrAfter: min(place, covered))?.row ?? view.rows.upperBound
            try addIndexed(before: row, to: &found)
        }
        return found.messages
    }

    /// The messages after a place, oldest first; with `orAt`, the message at the place too.
    /// - Parameters: as in `messages(before:)`.
    func messages(
        from place: LinePlace, orAt: Bool = true, limit: Int, bytes: Int = .max, inUnits: Bool = false
    ) throws(StoreError) -> [StoredMessage] {
        var found = Batch(limit: limit, bytes: bytes, inUnits: inUnits)
        var place = place
        var isFirst = !orAt
        if place < covered, let view = reader.index {
            if let first = try view.record(atOrAfter: place) {
                let row = first.place == place && !orAt ? first.row + 1 : first.row
                try addIndexed(from: row, to: &found)
            }
            place = covered
            isFirst = false
        }
        while !found.isFull, let block = try reader.block(from: place) {
            let new = try messages(in: block) { [place, isFirst] in isFirst ? $0 > place : $0 >= place }
            found.append(new)
            place = block.end
            isFirst = false
        }
        return found.messages
    }

    /// Collects messages until the limit of number or size is reached.
    private struct Batch {
        let limit: Int
        let bytes: Int
        let inUnits: Bool
        private(set) var messages: [StoredMessage] = []
        /// The number of messages collected so far; with `inUnits`, the number of page units.
        private var count = 0
        private var weight = 0
        /// The size of the parts in which a run of presence lines is read.
        private static let presenceAtOnce = 64

        init(limit: Int, bytes: Int, inUnits: Bool) {
            (self.limit, self.bytes, self.inUnits) = (limit, bytes, inUnits)
        }

        var isFull: Bool { count >= limit || messages.count > 1 && weight > bytes }

        /// The number of messages to read next.
        var missing: Int {
            let isInRun = inUnits && (messages.first?.presence != nil || messages.last?.presence != nil)
            return isInRun ? max(limit - count, Batch.presenceAtOnce) : limit - count
        }

        private func continues(_ before: StoredMessage?, _ after: StoredMessage?) -> Bool {
            inUnits && Presence.continues(before?.presence, after?.presence)
        }

        /// The records to read at once: the first one, and more while their lines fit. A line is at least as long as
        /// its text.
        func readable(_ records: [IndexedRecord]) -> [IndexedRecord] {
            var left = bytes == .max ? Int.max : max(0, bytes - weight) + 1
            let count = records.prefix { record in
                defer { left -= record.length }
                return left > 0
            }.count
            return Array(records.prefix(max(1, count)))
        }

        mutating func append(_ new: [StoredMessage]) {
            for message in new where !isFull {
                if !continues(messages.last, message) { count += 1 }
                messages.append(message)
                weight += message.weight
            }
        }

        mutating func prepend(_ new: [StoredMessage]) {
            var taken: [StoredMessage] = []
            for message in new.reversed() {
                if count >= limit || messages.count + taken.count > 1 && weight > bytes { break }
                if !continues(message, taken.last ?? messages.first) { count += 1 }
                taken.append(message)
                weight += message.weight
            }
            messages = taken.reversed() + messages
        }
    }

    /// The number of messages before a place, and the total; nil if that would need a scan of the whole log.
    func position(of place: LinePlace) throws(StoreError) -> Place? {
        guard let index, reader.isCovered else { return nil }
        var total = try index.count()
        var before = total
        if place < covered { before = try index.count(before: place) }
        _ = try firstUncovered { message in
            total += 1
            if message.place < place { before += 1 }
            return false
        }
        return Place(index: before, total: total)
    }

    /// The message with this index, or the last one if there are fewer.
    func message(at wanted: Int) throws(StoreError) -> StoredMessage? {
        var count = try index?.count() ?? 0
        if let index, wanted < count {
            return try message(of: try index.record(at: wanted))
        }
        let found = try firstUncovered { _ in
            count += 1
            return count > wanted
        }
        if let found { return found }
        return try messages(before: .end, limit: 1).first
    }

    /// The first message, in the order of the log, with this time or a later one.
    func first(atOrAfter moment: Timestamp) throws(StoreError) -> StoredMessage? {
        if let index, let record = try index.first(atOrAfter: moment.milliseconds) {
            return try message(of: record)
        }
        return try firstUncovered { $0.at >= moment }
    }

    /// The message at a share of the timeline, 0 to 1: of its messages if they are counted, otherwise of its bytes.
    func message(atShare share: Double) throws(StoreError) -> StoredMessage? {
        if reader.isCovered, let total = try position(of: .first)?.total {
            return try message(at: min(total - 1, Int(Double(total) * share)))
        }
        let line = try reader.line(atShare: share, of: try stretch())
        if let found = try messages(from: line, limit: 1).first { return found }
        return try messages(before: line, limit: 1).first
    }

    // MARK: - The index

    /// Adds the messages right before a row until the batch is full. Skips records of other threads whose root has the
    /// same hash.
    private func addIndexed(before row: Int64, to found: inout Batch) throws(StoreError) {
        var row = row
        while !found.isFull, let index {
            let records = try index.records(before: row, limit: found.missing)
            let some = found.readable(records)
            found.prepend(try reader.messages(at: some.reversed()).filter(id.holds))
            guard let last = some.last else { return }
            row = last.row
        }
    }

    private func addIndexed(from row: Int64, to found: inout Batch) throws(StoreError) {
        var row = row
        while !found.isFull, let index {
            let records = try index.records(from: row, limit: found.missing)
            let some = found.readable(records)
            found.append(try reader.messages(at: some).filter(id.holds))
            guard let last = some.last else { return }
            row = last.row + 1
        }
    }

    /// The message of a record; if the record belongs to another thread, the next message.
    private func message(of record: IndexedRecord?) throws(StoreError) -> StoredMessage? {
        guard let record else { return nil }
        if let found = try reader.messages(at: [record]).first(where: id.holds) { return found }
        return try messages(from: record.place, limit: 1).first
    }

    // MARK: - After the indexed part

    /// The first message for which `isWanted` returns true. `isWanted` is called once for each message, in the order of
    /// the log.
    private func firstUncovered(where isWanted: (StoredMessage) -> Bool) throws(StoreError) -> StoredMessage? {
        var next = covered
        while let block = try reader.block(from: next) {
            if let found = try messages(in: block, where: { _ in true }).first(where: isWanted) { return found }
            next = block.end
        }
        return nil
    }

    private func messages(in block: Block, where isWanted: (LinePlace) -> Bool) throws(StoreError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        let take = { (place: LinePlace, head: RecordHead, fields: JSONFields) throws(StoreError) -> Bool in
            // A reply without a root belongs to the main timeline; `marked` decides.
            guard id.holds(head) || (id == .main && head.isReply), isWanted(place) else { return true }
            let message = try reader.blocks.records.message(head, fields, at: place)
            found.append(message)
            return true
        }
        if let filter {
            try reader.scan(block.place..<block.end, filter, take)
        } else {
            try reader.blocks.forEachRecord(of: block, in: reader.log, take)
        }
        // A page must not contain the same ID twice.
        var known: Set<MessageID> = []
        return try reader.marked(found).filter { id.holds($0) && known.insert($0.id).inserted }
    }

    /// The part of the log that contains the timeline: for a thread, from its first reply to its last one.
    private func stretch() throws(StoreError) -> Range<LinePlace> {
        guard id != .main, let first = try messages(from: .first, limit: 1).first,
            let last = try messages(before: .end, limit: 1).first
        else { return .first..<LinePlace.end(of: reader.log.segments) }
        return first.place..<max(first.place, last.place)
    }
}

extension ConversationReader {
    /// The start of the line at a share of a stretch of the log, 0 to 1.
    fileprivate func line(atShare share: Double, of stretch: Range<LinePlace>) throws(StoreError) -> LinePlace {
        let start = log.segments.size(before: stretch.lowerBound)
        let end = log.segments.size(before: stretch.upperBound)
        var rest = start + Int64(Double(end - start) * share)
        for (number, segment) in log.segments.enumerated() {
            if rest < segment.stamp.size { return try walk.line(around: LinePlace(segment: number, offset: rest)) }
            rest -= segment.stamp.size
        }
        return .end
    }
}
