internal import Index
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
    func count() throws(StoreError) -> Int { try count(in: view.rows) }

    /// The number of messages before an indexed place.
    func count(before place: LinePlace) throws(StoreError) -> Int {
        let end = try view.record(atOrAfter: place)?.row ?? view.rows.upperBound
        return try count(in: view.rows.clamped(to: .min..<end))
    }

    private func count(in rows: Range<Int64>) throws(StoreError) -> Int {
        try view.attempt {
            guard let thread else { return try view.snapshot.counts(in: rows).mains }
            return try view.snapshot.replies(of: thread.value, in: rows).count
        }
    }

    /// The message with this index; nil if there are fewer.
    func record(at index: Int) throws(StoreError) -> IndexedRecord? {
        guard let thread else {
            guard let row = try view.attempt({ try view.snapshot.main(at: index, in: view.rows) }) else { return nil }
            return try view.record(row)
        }
        guard index >= 0, index < .max else { return nil }
        return try view.records {
            try Array(view.snapshot.replies(of: thread.value, in: view.rows, limit: index + 1).dropFirst(index))
        }.first
    }

    /// The first message, in the order of the log, with this time or a later one.
    func first(atOrAfter moment: Int64) throws(StoreError) -> IndexedRecord? {
        try view.records {
            guard let thread else {
                return try [view.snapshot.firstMain(atOrAfter: moment, in: view.rows)].compactMap(\.self)
            }
            let replies = try view.snapshot.replies(of: thread.value, in: view.rows)
            return replies.first { $0.record.at >= moment }.map { [$0] } ?? []
        }.first
    }

    /// The messages right before a row, nearest first.
    func records(before row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        guard let thread else { return view.keep(try view.records(before: row, limit: limit) { $0.isMain }) }
        let earlier = view.rows.clamped(to: min(row, view.rows.lowerBound)..<row)
        return try view.records {
            try view.snapshot.lastReplies(of: thread.value, in: earlier, limit: limit)
        }
    }

    /// The messages at and after a row.
    func records(from row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        guard let thread else { return view.keep(try view.records(from: row, limit: limit) { $0.isMain }) }
        let later = view.rows.clamped(to: row..<max(row, view.rows.upperBound))
        return try view.records { try view.snapshot.replies(of: thread.value, in: later, limit: limit) }
    }
}

extension IndexView {
    /// The number of replies after a message in its thread, and the time of the last one; nil if there are none.
    func replies(to message: StoredMessage) throws(StoreError) -> Amendment? {
        let hash = IDHash(message.id)
        let last = try records {
            try snapshot.lastReplies(of: hash.value, in: rows, limit: 1)
        }.first
        guard let last, last.place > message.place,
            let row = try records(ofID: hash).first(where: { $0.place == message.place })?.row
        else { return nil }
        let later = row + 1..<max(row + 1, rows.upperBound)
        let count = try attempt { try snapshot.replies(of: hash.value, in: later).count }
        return Amendment(target: message.id, sender: nil, action: .replies(count, last: last.time), place: last.place)
    }

    /// The number of messages of the main timeline before an indexed place.
    func mainCount(before place: LinePlace) throws(StoreError) -> Int {
        try mainCount(before: try record(atOrAfter: place)?.row ?? rows.upperBound)
    }

    /// The number of messages of the main timeline before a row.
    func mainCount(before row: Int64) throws(StoreError) -> Int {
        try attempt { try snapshot.counts(in: rows.clamped(to: .min..<row)).mains }
    }

    /// The number of messages of the main timeline from a sender after a place.
    func mainCount(of sender: PersonID, after place: LinePlace) throws(StoreError) -> Int {
        guard let number = try number(of: sender) else { return 0 }
        return try count(after: place) { $0.kind.isMain && $0.sender == number }
    }

    /// The number of presence lines of the main timeline after a place.
    /// - Parameter person: lines of this sender do not count.
    func presenceCount(besides person: PersonID?, after place: LinePlace) throws(StoreError) -> Int {
        var number: UInt32?
        if let person { number = try self.number(of: person) }
        return try count(after: place) {
            [number] in $0.kind.isMain && $0.kind.isPresence && (number == nil || $0.sender != number)
        }
    }

    /// The number that stands for a person in records; nil if no record names them.
    private func number(of person: PersonID) throws(StoreError) -> UInt32? {
        try attempt {
            try snapshot.value(of: Array(person.rawValue.utf8), in: .people).map(ByteReader.person)
        }
    }

    private func count(after place: LinePlace, where isCounted: (IndexRecord) -> Bool) throws(StoreError) -> Int {
        guard let first = try first(from: place.segment, where: { $0 > place.offset })?.row else { return 0 }
        return try attempt {
            var count = 0
            try snapshot.forEach(in: first..<rows.upperBound) { _, record in
                if isCounted(record) { count += 1 }
                return true
            }
            return count
        }
    }
}
