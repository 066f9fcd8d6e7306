/// One state of the index: parts from the oldest to the newest, the last of which may be in memory. All questions are asked here,
/// and each is answered over all parts. Belongs to one thread.
///
///     question ─→ each part: where? ─→ the nearest, or the sum ─→ without removed rows, with overridden kinds
///
/// Rows are numbers that rise in the order of a log, and that are never used again.
package final class IndexSnapshot {
    package let parts: [Part]
    /// See `IndexManifest`; 0 in memory.
    package let identity: UInt64
    /// The files of words, from the oldest to the newest.
    package let words: [IndexFile]
    /// Rising, without ranges that touch each other.
    let removals: [Range<Int64>]
    /// Rising.
    let overrides: [Override]
    private let kinds: [Int64: RecordKind]

    /// A record whose kind another part changes.
    struct Override {
        let row: Int64
        /// The kind in its own part.
        let base: RecordKind
        let kind: RecordKind
    }

    /// - Parameter parts: from the oldest to the newest.
    package init(_ parts: [Part], identity: UInt64 = 0, words: [IndexFile] = []) throws(IndexFault) {
        (self.parts, self.identity, self.words) = (parts, identity, words)
        var removals: [Range<Int64>] = []
        var kinds: [Int64: RecordKind] = [:]
        for part in parts {
            removals += try part.removals()
            for (row, kind) in try part.overrides() { kinds[row] = kind }
        }
        self.removals = PartBuilder.joined(removals.filter { !$0.isEmpty })
        self.kinds = kinds
        var overrides: [Override] = []
        for (row, kind) in kinds.sorted(by: { $0.key < $1.key }) {
            if let base = try IndexSnapshot.record(at: row, in: parts)?.kind {
                overrides.append(Override(row: row, base: base, kind: kind))
            }
        }
        self.overrides = overrides
    }

    /// A record as its own part has it.
    private static func record(at row: Int64, in parts: [Part]) throws(IndexFault) -> IndexRecord? {
        for part in parts {
            if let run = try part.run(from: row), run.row <= row {
                return try part.record(Int(run.first) + Int(row - run.row))
            }
        }
        return nil
    }

    /// Throws if another program has truncated a file since the snapshot was opened: what was read since then may be wrong.
    package func checkLosses() throws(IndexFault) {
        for part in parts { try part.bytes.checkLoss() }
    }

    // MARK: - Records by row

    /// The record at a row; nil if there is none.
    package func record(at row: Int64) throws(IndexFault) -> IndexRecord? {
        if removal(around: row) != nil { return nil }
        return try IndexSnapshot.record(at: row, in: parts).map { current($0, row) }
    }

    /// Calls `body` with the records of some rows, first ones first, until it returns false.
    package func forEach(
        in rows: Range<Int64>, _ body: (Int64, IndexRecord) throws(IndexFault) -> Bool
    ) throws(IndexFault) {
        var next = rows.lowerBound
        while let found = try stretch(from: next, below: rows.upperBound) {
            // A few records at once: the blocks after the last one that is wanted are not read.
            for start in stride(from: found.rows.lowerBound, to: found.rows.upperBound, by: IndexSnapshot.step) {
                let end = min(found.rows.upperBound, start + Int64(IndexSnapshot.step))
                let number = found.number + Int(start - found.rows.lowerBound)
                let bytes = try parts[found.part].bytes.bytes(
                    .records, number * IndexRecord.size, Int(end - start) * IndexRecord.size)
                for row in start..<end {
                    let record = bytes.loadUnaligned(
                        fromByteOffset: Int(row - start) * IndexRecord.size, as: IndexRecord.self)
                    guard try body(row, current(record, row)) else { return }
                }
            }
            next = found.rows.upperBound
        }
    }

    /// Successive records of one part, with successive rows.
    struct Stretch {
        /// The index of the part.
        let part: Int
        /// The number of the first record.
        let number: Int
        let rows: Range<Int64>
    }

    /// The first stretch at or after a row that no other part and no removal interrupts; nil if there is none.
    func stretch(from row: Int64, below end: Int64) throws(IndexFault) -> Stretch? {
        var next = row
        while next < end {
            if let gone = removal(around: next) {
                next = gone.upperBound
                continue
            }
            var found: (part: Int, run: RecordRun, start: Int64)?
            var limit = end
            for (index, part) in parts.enumerated() {
                guard let run = try part.run(from: next) else { continue }
                let start = max(run.row, next)
                if let best = found, best.start <= start {
                    if start > best.start { limit = min(limit, start) }
                    continue
                }
                if let best = found { limit = min(limit, best.start) }
                found = (index, run, start)
            }
            guard let (part, run, start) = found, start < end else { return nil }
            if removal(around: start) == nil {
                if let gone = firstRemoval(after: start) { limit = min(limit, gone.lowerBound) }
                let rows = start..<min(limit, run.end)
                return Stretch(part: part, number: Int(run.first) + Int(start - run.row), rows: rows)
            }
            next = start
        }
        return nil
    }

    /// Calls `body` with the records of some rows, last ones first, until it returns false.
    package func forEachBackwards(
        in rows: Range<Int64>, _ body: (Int64, IndexRecord) throws(IndexFault) -> Bool
    ) throws(IndexFault) {
        var end = rows.upperBound
        while end > rows.lowerBound {
            if let gone = removal(around: end - 1) {
                end = gone.lowerBound
                continue
            }
            var found: (part: Part, run: RecordRun, end: Int64)?
            var limit = rows.lowerBound
            for part in parts {
                guard let run = try part.run(before: end) else { continue }
                let last = min(run.end, end)
                if let best = found, best.end >= last {
                    if last < best.end { limit = max(limit, last) }
                    continue
                }
                if let best = found { limit = max(limit, best.end) }
                found = (part, run, last)
            }
            guard let (part, run, last) = found, last > rows.lowerBound else { return }
            if let gone = lastRemoval(before: last) { limit = max(limit, min(gone.upperBound, last)) }
            limit = max(limit, run.row, last - Int64(IndexSnapshot.step))
            if limit < last {
                let bytes = try part.bytes.bytes(
                    .records, (Int(run.first) + Int(limit - run.row)) * IndexRecord.size,
                    Int(last - limit) * IndexRecord.size)
                for row in (limit..<last).reversed() {
                    let record = bytes.loadUnaligned(
                        fromByteOffset: Int(row - limit) * IndexRecord.size, as: IndexRecord.self)
                    guard try body(row, current(record, row)) else { return }
                }
            }
            end = min(last, limit)
        }
    }

    /// The first record of some rows that meets a condition, which all later ones meet too.
    package func first(
        in rows: Range<Int64>, where isReached: (IndexRecord) -> Bool
    ) throws(IndexFault) -> (row: Int64, record: IndexRecord)? {
        var found: (row: Int64, record: IndexRecord)?
        for part in parts {
            let range = try numbers(rows, in: part)
            var number = try firstNumber(of: range) { (number) throws(IndexFault) in
                isReached(try part.record(number))
            }
            while number < range.upperBound {
                let row = try part.row(of: number)
                if let found, found.row < row { break }
                if let gone = removal(around: row) {
                    number = try part.number(from: gone.upperBound)
                    continue
                }
                found = (row, current(try part.record(number), row))
                break
            }
        }
        return found
    }

    // MARK: - The main timeline

    /// The counts of the records of some rows.
    package func counts(in rows: Range<Int64>) throws(IndexFault) -> RecordCounts {
        var counts = try storedCounts(in: rows)
        for index in removals.indices(overlapping: rows) {
            counts.add(try storedCounts(in: removals[index].clamped(to: rows)), -1)
        }
        if overrides.isEmpty { return counts }
        for override in overrides where rows.contains(override.row) && removal(around: override.row) == nil {
            counts.add(override.base, -1)
            counts.add(override.kind)
        }
        return counts
    }

    private func storedCounts(in rows: Range<Int64>) throws(IndexFault) -> RecordCounts {
        var counts = RecordCounts()
        for part in parts {
            let range = try numbers(rows, in: part)
            if range.isEmpty { continue }
            counts.add(try part.counts(before: range.upperBound))
            counts.add(try part.counts(before: range.lowerBound), -1)
        }
        return counts
    }

    /// The row of a message of the main timeline; nil if the rows have fewer such messages.
    /// - Parameter index: 0 for the first message of the main timeline in `rows`.
    package func main(at index: Int, in rows: Range<Int64>) throws(IndexFault) -> Int64? {
        guard index >= 0, try counts(in: rows).mains > index else { return nil }
        return try firstNumber(of: rows) { (row) throws(IndexFault) in
            try counts(in: rows.lowerBound..<row + 1).mains > index
        }
    }

    /// The first message of the main timeline among some rows with this time (in milliseconds) or a later one.
    package func firstMain(
        atOrAfter moment: Int64, in rows: Range<Int64>
    ) throws(IndexFault) -> (row: Int64, record: IndexRecord)? {
        var found: (row: Int64, record: IndexRecord)?
        for part in parts {
            let range = try numbers(rows, in: part)
            var number = range.lowerBound
            search: while number < range.upperBound {
                let stretch = number / RecordMark.width
                let end = min(range.upperBound, (stretch + 1) * RecordMark.width)
                if try part.mark(stretch).latest >= moment {
                    for number in number..<end {
                        let stored = try part.record(number)
                        guard stored.at >= moment else { continue }
                        let row = try part.row(of: number)
                        if let found, found.row < row { break search }
                        let record = current(stored, row)
                        guard record.kind.isMain, removal(around: row) == nil else { continue }
                        found = (row, record)
                        break search
                    }
                }
                number = end
            }
        }
        return found
    }

    // MARK: - Look-ups

    /// The records whose ID has a hash, rising.
    package func records(
        ofID hash: UInt64, in rows: Range<Int64>, limit: Int = .max
    ) throws(IndexFault) -> [(
        row: Int64, record: IndexRecord
    )] {
        try records(of: hash, .ids, in: rows, limit: limit)
    }

    /// The edits, deletions and reactions whose target has a hash, rising.
    package func changes(
        of hash: UInt64, in rows: Range<Int64>, limit: Int = .max
    ) throws(IndexFault) -> [(row: Int64, record: IndexRecord)] {
        try records(of: hash, .changes, in: rows, limit: limit)
    }

    /// The replies whose thread's root has a hash, rising, without repeats.
    package func replies(
        of hash: UInt64, in rows: Range<Int64>, limit: Int = .max
    ) throws(IndexFault) -> [(row: Int64, record: IndexRecord)] {
        try records(of: hash, .replies, in: rows, limit: limit)
    }

    /// True if a part has a reply whose root has this hash. That reply may be gone since.
    package func mayReply(to hash: UInt64) throws(IndexFault) -> Bool {
        for part in parts where try part.contains(hash, .replies) { return true }
        return false
    }

    /// Calls `body` with each hash that the IDs of several records have, and with their rows, rising.
    package func forEachSharedID(_ body: (UInt64, [Int64]) throws -> Void) throws {
        try forEachHash(of: .ids) { hash, rows in if rows.count > 1 { try body(hash, rows) } }
    }

    /// Calls `body` with the hash of each root of a thread, and with the rows of its replies, rising, repeats included.
    package func forEachRoot(_ body: (UInt64, [Int64]) throws -> Void) throws {
        try forEachHash(of: .replies, body)
    }

    private func forEachHash(of lookup: PartLookup, _ body: (UInt64, [Int64]) throws -> Void) throws {
        var walk = try LookupWalk(parts, lookup)
        var rows: [Int64] = []
        while let hash = walk.next {
            rows.removeAll(keepingCapacity: true)
            try walk.take(hash) { (part, number) throws(IndexFault) in
                let row = try parts[part].row(of: number)
                if removal(around: row) == nil { rows.append(row) }
            }
            if rows.count > 1 { rows.sort() }
            try body(hash, rows)
        }
    }

    /// The last replies whose thread's root has a hash, falling, without repeats.
    package func lastReplies(
        of hash: UInt64, in rows: Range<Int64>, limit: Int
    ) throws(IndexFault) -> [(row: Int64, record: IndexRecord)] {
        try records(of: hash, .replies, in: rows, limit: limit, isFalling: true)
    }

    /// True if no record refers to the one at a row as its target. May be false without reason, never true.
    package func isUnreferenced(_ row: Int64, hash: UInt64) throws(IndexFault) -> Bool {
        for part in parts {
            if let run = try part.run(from: row), run.row <= row {
                guard try part.isUnreferenced(Int(run.first) + Int(row - run.row)) else { return false }
            } else if try part.contains(hash, .changes) {
                return false
            } else if try part.contains(hash, .replies) {
                return false
            }
        }
        return true
    }

    private func records(
        of hash: UInt64, _ lookup: PartLookup, in rows: Range<Int64>, limit: Int, isFalling: Bool = false
    ) throws(IndexFault) -> [(row: Int64, record: IndexRecord)] {
        if limit <= 0 { return [] }
        var found: [(row: Int64, record: IndexRecord)] = []
        var hits = 0
        for part in parts {
            let entries = try part.entries(of: hash, lookup, in: try numbers(rows, in: part))
            var count = 0
            for index in 0..<entries.count {
                let entry = isFalling ? entries.upperBound - 1 - index : entries.lowerBound + index
                guard let next = try shown(try part.number(lookup, entry), of: part, lookup) else { continue }
                found.append(next)
                count += 1
                if count == limit { break }
            }
            if count > 0 { hits += 1 }
        }
        if hits > 1 { found.sort { isFalling ? $0.row > $1.row : $0.row < $1.row } }
        return found.count > limit ? Array(found.prefix(limit)) : found
    }

    private func shown(
        _ number: Int, of part: Part, _ lookup: PartLookup
    ) throws(IndexFault) -> (row: Int64, record: IndexRecord)? {
        let row = try part.row(of: number)
        if removal(around: row) != nil { return nil }
        let record = current(try part.record(number), row)
        return lookup == .replies && record.kind.isRepeated ? nil : (row, record)
    }

    // MARK: - Entries

    /// The value of a key in a table; nil if there is none.
    package func value(of key: [UInt8], in table: UInt8) throws(IndexFault) -> [UInt8]? {
        for part in parts.reversed() {
            let index = try part.entry(from: key, in: table)
            guard index < part.entryCount else { continue }
            let entry = try part.entry(index)
            if entry.table == table, entry.key.elementsEqual(key) { return entry.value.map { Array($0) } }
        }
        return nil
    }

    /// Calls `body` with the entries of a table, in the order of the bytes of their keys, until it returns false.
    /// - Parameter prefix: how the keys begin.
    package func forEachEntry(
        of table: UInt8, startingWith prefix: [UInt8] = [],
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(IndexFault) -> Bool
    ) throws(IndexFault) {
        try forEachEntry(from: table, prefix) { (found, key, value) throws(IndexFault) in
            guard found == table, key.starts(with: prefix), let value else { return false }
            return try body(key, value)
        }
    }

    /// Calls `body` with the entries of all tables from a key of one on, until it returns false.
    /// - Parameter isWithRemoved: whether to include entries that are removed from earlier parts, without a value.
    func forEachEntry(
        from table: UInt8 = 0, _ key: [UInt8] = [], isWithRemoved: Bool = false,
        _ body: (UInt8, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) throws(IndexFault) -> Bool
    ) throws(IndexFault) {
        var next: [Int] = []
        for part in parts { next.append(try part.entry(from: key, in: table)) }
        while true {
            var found: (table: UInt8, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?)?
            // The newest part that has the smallest key counts.
            for (part, index) in zip(parts, next) where index < part.entryCount {
                let entry = try part.entry(index)
                if let best = found {
                    if best.table < entry.table { continue }
                    if best.table == entry.table, best.key.lexicographicallyPrecedes(entry.key) { continue }
                }
                found = entry
            }
            guard let found else { return }
            if found.value != nil || isWithRemoved {
                guard try body(found.table, found.key, found.value) else { return }
            }
            for (number, part) in parts.enumerated() where next[number] < part.entryCount {
                let entry = try part.entry(next[number])
                if entry.table == found.table, entry.key.elementsEqual(found.key) { next[number] += 1 }
            }
        }
    }

    // MARK: - Removals and overrides

    /// Records whose bytes are checked at once.
    private static let step = 256

    private func current(_ record: IndexRecord, _ row: Int64) -> IndexRecord {
        guard !kinds.isEmpty, let kind = kinds[row] else { return record }
        var record = record
        record.kind = kind
        return record
    }

    private func numbers(_ rows: Range<Int64>, in part: Part) throws(IndexFault) -> Range<Int> {
        let lower = try part.number(from: rows.lowerBound)
        return lower..<max(lower, try part.number(from: rows.upperBound))
    }

    private func removal(around row: Int64) -> Range<Int64>? {
        guard let gone = firstRemoval(after: row), gone.lowerBound <= row else { return nil }
        return gone
    }

    /// The first removed range that ends after a row.
    private func firstRemoval(after row: Int64) -> Range<Int64>? {
        let index = removals.firstIndex(endingAfter: row)
        return index < removals.count ? removals[index] : nil
    }

    /// The last removed range that begins before a row.
    private func lastRemoval(before row: Int64) -> Range<Int64>? {
        let index = removals.firstIndex(endingAfter: row)
        if index < removals.count, removals[index].lowerBound < row { return removals[index] }
        return index > 0 ? removals[index - 1] : nil
    }
}

extension [Range<Int64>] {
    /// The index of the first range that ends after a row. The ranges rise and do not overlap.
    fileprivate func firstIndex(endingAfter row: Int64) -> Int {
        firstNumber(of: 0..<count) { self[$0].upperBound > row }
    }

    fileprivate func indices(overlapping rows: Range<Int64>) -> Range<Int> {
        let first = firstIndex(endingAfter: rows.lowerBound)
        var end = first
        while end < count, self[end].lowerBound < rows.upperBound { end += 1 }
        return first..<end
    }
}
