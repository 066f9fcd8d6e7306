internal import SQLite
internal import Messages

/// The index entries of the main timeline or of a thread. A thread is looked up by the hash of its root, so records of
/// another thread with the same hash may be among the results.
struct IndexedTimeline {
    let view: IndexView
    private let thread: IDHash?

    init(_ view: IndexView, _ timeline: TimelineID) {
        self.view = view
        thread = timeline.root.map { IDHash($0) }
    }

    /// The number of messages.
    func count() throws(StoreError) -> Int {
        guard let thread else { return view.conversation.counts.mainCount }
        return try view.replies(to: thread, in: view.rows)
    }

    /// The number of messages before an indexed place.
    func count(before place: LinePlace) throws(StoreError) -> Int {
        guard let thread else { return try view.mainCount(before: place) }
        let end = try view.record(atOrAfter: place)?.row ?? view.rows.upperBound
        return try view.replies(to: thread, in: view.rows.clamped(to: .min..<end))
    }

    /// The message with this index; nil if there are fewer.
    func record(at index: Int) throws(StoreError) -> IndexedRecord? {
        guard let thread else { return try view.main(at: index) }
        return try view.replies(to: thread, "ORDER BY row LIMIT 1 OFFSET ?", Int64(index)).first
    }

    /// The first message, in the order of the log, with this time or a later one.
    func first(atOrAfter moment: Int64) throws(StoreError) -> IndexedRecord? {
        guard let thread else { return try view.firstMain(atOrAfter: moment) }
        return try view.replies(to: thread, "AND at >= ? ORDER BY row LIMIT 1", moment).first
    }

    /// The messages right before a row, nearest first.
    func records(before row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        guard let thread else { return try view.mainRecords(before: row, limit: limit) }
        return try view.replies(to: thread, "AND row < ? ORDER BY row DESC LIMIT ?", row, Int64(limit))
    }

    /// The messages at and after a row.
    func records(from row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        guard let thread else { return try view.mainRecords(from: row, limit: limit) }
        return try view.replies(to: thread, "AND row >= ? ORDER BY row LIMIT ?", row, Int64(limit))
    }
}

extension IndexView {
    /// The number of replies after a message in its thread, and the time of the last one; nil if there are none.
    func replies(to message: StoredMessage) throws(StoreError) -> Amendment? {
        let hash = IDHash(message.id)
        guard let last = try replies(to: hash, "ORDER BY row DESC LIMIT 1").first, last.place > message.place,
            let row = try records(ofID: hash).first(where: { $0.place == message.place })?.row
        else { return nil }
        let count = try replies(to: hash, in: row + 1..<max(row + 1, rows.upperBound))
        return Amendment(target: message.id, sender: nil, action: .replies(count, last: last.time), place: last.place)
    }

    /// Counts the replies to a root within some rows.
    fileprivate func replies(to root: IDHash, in rows: Range<Int64>) throws(StoreError) -> Int {
        try attempt {
            let select = try database.statement(
                "SELECT count(*) FROM record WHERE target = ? AND row >= ? AND row < ? AND \(RecordKind.isMessageSQL)")
            defer { select.reset() }
            select.bind(1, Int64(bitPattern: root.value))
            select.bind(2, rows.lowerBound)
            select.bind(3, rows.upperBound)
            return try select.step() ? Int(select.integer(0)) : 0
        }
    }

    /// - Parameter rest: SQL that narrows and orders the replies.
    fileprivate func replies(
        to root: IDHash, _ rest: String, _ arguments: Int64...
    ) throws(StoreError) -> [IndexedRecord] {
        let condition = "target = ? AND row >= ? AND row < ? AND \(RecordKind.isMessageSQL) \(rest)"
        return try records(condition, [Int64(bitPattern: root.value), rows.lowerBound, rows.upperBound] + arguments)
    }
}

extension IndexView {
    /// The number of messages of the main timeline before an indexed place.
    func mainCount(before place: LinePlace) throws(StoreError) -> Int {
        try record(atOrAfter: place)?.main ?? conversation.counts.mainCount
    }

    /// The number of messages of the main timeline from a sender after a place.
    func mainCount(of sender: PersonID, after place: LinePlace) throws(StoreError) -> Int {
        guard let first = try first(from: place.segment, where: { $0.place > place })?.row else { return 0 }
        return try attempt {
            let select = try database.statement(
                "SELECT count(*) FROM record WHERE row >= ? AND row < ? AND \(RecordKind.isMainSQL)"
                    + " AND sender = (SELECT number FROM person WHERE id = ?)")
            defer { select.reset() }
            select.bind(1, first)
            select.bind(2, rows.upperBound)
            var id = sender.rawValue
            return try id.withUTF8 { bytes in
                select.bind(3, text: bytes)
                return try select.step() ? Int(select.integer(0)) : 0
            }
        }
    }

    /// The number of presence lines of the main timeline after a place.
    /// - Parameter person: lines of this sender do not count.
    func presenceCount(besides person: PersonID?, after place: LinePlace) throws(StoreError) -> Int {
        guard let first = try first(from: place.segment, where: { $0.place > place })?.row else { return 0 }
        return try attempt {
            let select = try database.statement(
                "SELECT count(*) FROM record WHERE row >= ? AND row < ? AND \(RecordKind.isMainPresenceSQL)"
                    + " AND sender IS NOT (SELECT number FROM person WHERE id = ?)")
            defer { select.reset() }
            select.bind(1, first)
            select.bind(2, rows.upperBound)
            // Nobody has an empty ID.
            var id = person?.rawValue ?? ""
            return try id.withUTF8 { bytes in
                select.bind(3, text: bytes)
                return try select.step() ? Int(select.integer(0)) : 0
            }
        }
    }

    /// The message of the main timeline with this index; nil if there are fewer.
    fileprivate func main(at index: Int) throws(StoreError) -> IndexedRecord? {
        guard index >= 0, let segment = conversation.firstSegment(where: { $0.mainCount > index }) else { return nil }
        // The first record with more than `index` messages before it follows the wanted message directly.
        let end = try first(from: segment) { $0.main > index }?.row ?? rows.upperBound
        return try records("row < ? AND row >= ? ORDER BY row DESC LIMIT 1", [end, rows.lowerBound]).first
    }

    /// The first message of the main timeline, in the order of the log, with this time or a later one.
    fileprivate func firstMain(atOrAfter moment: Int64) throws(StoreError) -> IndexedRecord? {
        // `peak`, the latest time so far, never falls, and it first reaches the moment at a message with that time or a
        // later one.
        let moment = max(moment, .min + 1)
        guard let segment = conversation.firstSegment(where: { $0.peak >= moment }) else { return nil }
        return try first(from: segment) { $0.peak >= moment }
    }

    /// The messages of the main timeline right before a row, nearest first.
    fileprivate func mainRecords(before row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        keep(
            try records(
                "row < ? AND row >= ? AND \(RecordKind.isMainSQL) ORDER BY row DESC LIMIT ?",
                [row, rows.lowerBound, Int64(limit)]))
    }

    /// The messages of the main timeline at and after a row.
    fileprivate func mainRecords(from row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        keep(
            try records(
                "row >= ? AND row < ? AND \(RecordKind.isMainSQL) ORDER BY row LIMIT ?",
                [row, rows.upperBound, Int64(limit)]))
    }
}
