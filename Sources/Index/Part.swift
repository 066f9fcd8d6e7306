/// Reads one part. Records have numbers in the order of their rows, from 0. Belongs to one thread.
package final class Part {
    let bytes: FileBytes
    let count: Int
    private let runs: Int
    private var lastRun: RecordRun?

    init(_ bytes: FileBytes) {
        self.bytes = bytes
        count = bytes.count(.records, of: IndexRecord.size)
        runs = bytes.count(.runs, of: RecordRun.size)
    }

    // MARK: - Records and rows

    func record(_ number: Int) throws(IndexFault) -> IndexRecord {
        try bytes.value(.records, number, as: IndexRecord.self)
    }

    /// The run of the first record at or after a row; nil after the last one.
    func run(from row: Int64) throws(IndexFault) -> RecordRun? {
        if let lastRun, lastRun.row <= row, row < lastRun.end { return lastRun }
        let index = try firstNumber(of: 0..<runs) { (index) throws(IndexFault) in try run(at: index).end > row }
        lastRun = index < runs ? try run(at: index) : nil
        return lastRun
    }

    /// The run of the last record before a row; nil before the first one.
    func run(before row: Int64) throws(IndexFault) -> RecordRun? {
        if let lastRun, lastRun.row < row, row <= lastRun.end { return lastRun }
        let index = try firstNumber(of: 0..<runs) { (index) throws(IndexFault) in try run(at: index).row >= row }
        lastRun = index > 0 ? try run(at: index - 1) : nil
        return lastRun
    }

    /// The number of the first record at or after a row.
    func number(from row: Int64) throws(IndexFault) -> Int {
        guard let found = try run(from: row) else { return count }
        return Int(found.first) + Int(max(0, row - found.row))
    }

    func row(of number: Int) throws(IndexFault) -> Int64 {
        if let lastRun, lastRun.numbers.contains(number) { return lastRun.row + Int64(number - Int(lastRun.first)) }
        let index =
            try firstNumber(of: 0..<runs) { (index) throws(IndexFault) in Int(try run(at: index).first) > number } - 1
        guard index >= 0 else { throw .damaged(file: bytes.path, reason: "a record has no row") }
        let found = try run(at: index)
        guard found.numbers.contains(number) else { throw .damaged(file: bytes.path, reason: "a record has no row") }
        lastRun = found
        return found.row + Int64(number - Int(found.first))
    }

    private func run(at index: Int) throws(IndexFault) -> RecordRun {
        let run = try bytes.value(.runs, index, as: RecordRun.self)
        guard run.row >= 0, run.count > 0, run.row <= Int64.max - Int64(run.count),
            Int(run.first) + Int(run.count) <= count
        else { throw .damaged(file: bytes.path, reason: "a run of records is damaged") }
        return run
    }

    func rowRanges() throws(IndexFault) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        for index in 0..<runs { ranges.append(try run(at: index).rows) }
        return ranges
    }

    // MARK: - Counts

    /// The counts of the records before one.
    func counts(before number: Int) throws(IndexFault) -> RecordCounts {
        var counts = RecordCounts()
        if number == 0 { return counts }
        let stretch = (number - 1) / RecordMark.width
        let before = try mark(stretch)
        (counts.mains, counts.messages, counts.presence) = (
            Int(before.mains), Int(before.messages), Int(before.presence)
        )
        let (start, size) = (stretch * RecordMark.width, IndexRecord.size)
        let records = try bytes.bytes(.records, start * size, (number - start) * size)
        for offset in stride(from: 0, to: records.count, by: size) {
            counts.add(records.loadUnaligned(fromByteOffset: offset, as: IndexRecord.self).kind)
        }
        return counts
    }

    func mark(_ stretch: Int) throws(IndexFault) -> RecordMark {
        try bytes.value(.marks, stretch, as: RecordMark.self)
    }

    /// True if no record of this part refers to a record as its target.
    func isUnreferenced(_ number: Int) throws(IndexFault) -> Bool {
        try mark(number / RecordMark.width).unreferenced & (1 << UInt64(number % RecordMark.width)) != 0
    }

    // MARK: - Look-ups

    /// The entries that a look-up has for a hash and for records with some numbers, rising.
    func entries(of hash: UInt64, _ lookup: PartLookup, in numbers: Range<Int>) throws(IndexFault) -> Range<Int> {
        let all = try span(of: hash, lookup)
        let start = try firstNumber(of: all) { (index) throws(IndexFault) in
            try number(lookup, index) >= numbers.lowerBound
        }
        let end = try firstNumber(of: start..<all.upperBound) { (index) throws(IndexFault) in
            try number(lookup, index) >= numbers.upperBound
        }
        return start..<end
    }

    /// True if a look-up has a hash.
    func contains(_ hash: UInt64, _ lookup: PartLookup) throws(IndexFault) -> Bool {
        try !span(of: hash, lookup).isEmpty
    }

    /// The number of the record of an entry of a look-up.
    func number(_ lookup: PartLookup, _ index: Int) throws(IndexFault) -> Int {
        let number = Int(try bytes.value(lookup.records, index, as: UInt32.self))
        guard number < count else {
            throw .damaged(file: bytes.path, reason: "one of its lookups names a record that is missing")
        }
        return number
    }

    /// Hashes are even, so the place of one is guessed from its value, then looked for in steps that double: that reads one or
    /// two pages of the file, where a binary search reads a page at each step.
    private func span(of hash: UInt64, _ lookup: PartLookup) throws(IndexFault) -> Range<Int> {
        let count = count(of: lookup)
        if count == 0 { return 0..<0 }
        let guess = Int(hash.multipliedFullWidth(by: UInt64(count)).high)
        let start = try search(near: guess, count) { (index) throws(IndexFault) in try self.hash(lookup, index) >= hash
        }
        guard start < count, try self.hash(lookup, start) == hash else { return start..<start }
        let end = try search(near: start, count) { (index) throws(IndexFault) in try self.hash(lookup, index) > hash }
        return start..<max(start, end)
    }

    /// The number of entries of a look-up.
    func count(of lookup: PartLookup) -> Int { bytes.count(lookup.hashes, of: 8) }

    func hash(_ lookup: PartLookup, _ index: Int) throws(IndexFault) -> UInt64 {
        try bytes.value(lookup.hashes, index, as: UInt64.self)
    }

    /// The first number below `count` that meets a condition, which all later ones meet too.
    private func search(
        near guess: Int, _ count: Int, _ isReached: (Int) throws(IndexFault) -> Bool
    ) throws(IndexFault) -> Int {
        var (lower, upper, step) = (guess, guess, 8)
        while lower > 0, try isReached(lower - 1) {
            upper = lower - 1
            lower = max(0, lower - step)
            step *= 2
        }
        step = 8
        if upper == guess {
            while upper < count, try !isReached(upper) {
                lower = upper + 1
                upper = min(count, upper + step)
                step *= 2
            }
        }
        return try firstNumber(of: lower..<upper, where: isReached)
    }

    // MARK: - Changes of other parts

    func overrides() throws(IndexFault) -> [(row: Int64, kind: RecordKind)] {
        var found: [(row: Int64, kind: RecordKind)] = []
        for index in 0..<bytes.count(.overrides, of: KindOverride.size) {
            let override = try bytes.value(.overrides, index, as: KindOverride.self)
            found.append((override.row, RecordKind(code: override.code)))
        }
        return found
    }

    func removals() throws(IndexFault) -> [Range<Int64>] {
        var found: [Range<Int64>] = []
        for index in 0..<bytes.count(.removals, of: RowRange.size) {
            let range = try bytes.value(.removals, index, as: RowRange.self)
            guard range.lower <= range.upper else {
                throw .damaged(file: bytes.path, reason: "a range of rows is damaged")
            }
            found.append(range.lower..<range.upper)
        }
        return found
    }

    // MARK: - Entries

    var entryCount: Int { bytes.count(.entries, of: EntryPlace.size) }

    /// An entry; its value is nil if the part removes it from earlier parts.
    func entry(
        _ index: Int
    ) throws(IndexFault) -> (table: UInt8, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
        let place = try bytes.value(.entries, index, as: EntryPlace.self)
        let key = try bytes.bytes(.entryBytes, place.offset, Int(place.key))
        if place.value == EntryPlace.removed { return (place.table, key, nil) }
        return (place.table, key, try bytes.bytes(.entryBytes, place.offset + Int(place.key), Int(place.value)))
    }

    /// The first entry of a table whose key does not precede this one.
    func entry(from key: [UInt8], in table: UInt8) throws(IndexFault) -> Int {
        try firstNumber(of: 0..<entryCount) { (index) throws(IndexFault) in
            let entry = try entry(index)
            return entry.table == table ? !entry.key.lexicographicallyPrecedes(key) : entry.table > table
        }
    }
}

/// The look-ups of a part.
enum PartLookup {
    case ids, changes, replies

    var hashes: Section {
        switch self {
        case .ids: .idHashes
        case .changes: .changeHashes
        case .replies: .replyHashes
        }
    }

    var records: Section {
        switch self {
        case .ids: .idRecords
        case .changes: .changeRecords
        case .replies: .replyRecords
        }
    }
}

/// Walks through the entries of a look-up of several parts, in the order of their hashes.
struct LookupWalk {
    private let parts: [Part]
    private let lookup: PartLookup
    private var indices: [Int]
    private var hashes: [UInt64?]

    init(_ parts: [Part], _ lookup: PartLookup) throws(IndexFault) {
        (self.parts, self.lookup) = (parts, lookup)
        indices = parts.map { _ in 0 }
        hashes = parts.map { _ in nil }
        for part in parts.indices { try load(part) }
    }

    /// The smallest hash that was not taken.
    var next: UInt64? {
        var smallest: UInt64?
        for case let hash? in hashes where smallest.map({ hash < $0 }) ?? true { smallest = hash }
        return smallest
    }

    /// Calls `body` with each part and record of a hash, if it is the next one, and goes beyond it.
    mutating func take(_ hash: UInt64, _ body: (_ part: Int, _ number: Int) throws(IndexFault) -> Void)
        throws(IndexFault)
    {
        for part in parts.indices {
            while hashes[part] == hash {
                try body(part, try parts[part].number(lookup, indices[part]))
                indices[part] += 1
                try load(part)
            }
        }
    }

    /// Goes to the first hash that is not smaller.
    mutating func skip(to hash: UInt64) throws(IndexFault) {
        for part in parts.indices {
            while let here = hashes[part], here < hash {
                indices[part] += 1
                try load(part)
            }
        }
    }

    private mutating func load(_ part: Int) throws(IndexFault) {
        let next = indices[part] < parts[part].count(of: lookup) ? try parts[part].hash(lookup, indices[part]) : nil
        // Otherwise the walk would not end, or miss entries: a part whose hashes are not in ascending order is damaged.
        if let next, let last = hashes[part], next < last {
            throw .damaged(file: parts[part].bytes.path, reason: "its hashes are not in ascending order")
        }
        hashes[part] = next
    }
}

extension RecordRun {
    var end: Int64 { row + Int64(count) }
    var rows: Range<Int64> { row..<end }
    var numbers: Range<Int> { Int(first)..<Int(first) + Int(count) }
}

/// The first number of a range that meets a condition, which all later ones meet too; the end of the range if none does.
@inline(__always)
func firstNumber<Number: FixedWidthInteger, Failure>(
    of range: Range<Number>, where isReached: (Number) throws(Failure) -> Bool
) throws(Failure) -> Number {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper {
        let middle = lower + (upper - lower) / 2
        if try isReached(middle) { upper = middle } else { lower = middle + 1 }
    }
    return lower
}
