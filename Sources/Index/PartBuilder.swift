/// Makes a part from records, entries and changes. The bytes are those of a file, and can be read from memory as they are.
package struct PartBuilder {
    private var records: [IndexRecord] = []
    private var runs: [RecordRun] = []
    private var overrides: [Int64: RecordKind] = [:]
    private var removals: [Range<Int64>] = []
    /// By table and key; nil removes the entry from earlier parts.
    private var entries: [EntryKey: [UInt8]?] = [:]

    package init() {}

    package var isEmpty: Bool { records.isEmpty && overrides.isEmpty && removals.isEmpty && entries.isEmpty }

    // MARK: - Content

    /// Adds a record at a row that no other record of the index has or had.
    package mutating func add(_ record: IndexRecord, at row: Int64) {
        if let last = runs.indices.last, runs[last].row + Int64(runs[last].count) == row {
            runs[last].count += 1
        } else {
            runs.append(RecordRun(row: row, first: UInt32(records.count), count: 1))
        }
        records.append(record)
    }

    /// Removes the records that were added last.
    package mutating func removeLast(_ count: Int) {
        records.removeLast(count)
        while let last = runs.last, Int(last.first) >= records.count { runs.removeLast() }
        if let last = runs.indices.last { runs[last].count = UInt32(records.count) - runs[last].first }
    }

    /// Calls `body` with the records and their rows, in the order in which they were added.
    package func forEachRecord(_ body: (Int64, IndexRecord) throws -> Void) rethrows {
        for run in runs {
            for number in run.numbers { try body(run.row + Int64(number - Int(run.first)), records[number]) }
        }
    }

    /// Gives a record another kind.
    package mutating func set(_ kind: RecordKind, at row: Int64) { overrides[row] = kind }

    /// The bytes of memory that it takes, about.
    package var weight: Int { records.count * IndexRecord.size + (overrides.count + entries.count) * 256 }

    /// The value that was set for a key, or nil to remove it.
    func value(of key: [UInt8], in table: UInt8) -> [UInt8]?? { entries[EntryKey(table: table, bytes: key)] }

    /// Removes the records at some rows, in whichever part they stand.
    package mutating func remove(_ rows: Range<Int64>) {
        if !rows.isEmpty { removals.append(rows) }
    }

    /// Sets the value of a key in a table; nil removes the key.
    package mutating func set(_ key: [UInt8], in table: UInt8, to value: [UInt8]?) {
        entries[EntryKey(table: table, bytes: key)] = .some(value)
    }

    // MARK: - Bytes

    /// The part in memory.
    package consuming func part() -> Part {
        sortRecords()
        let ids = Lookup(records.indices.lazy.map { UInt32($0) }, records) { $0.hash }
        let changes = Lookup(references { !$0.isAnyMessage }, records) { $0.target }
        let replies = Lookup(references { $0.isAnyMessage }, records) { $0.target }
        let marks = marks(ids, [changes, replies])
        let (places, text) = encodedEntries()
        let overrides = overrides.sorted { $0.key < $1.key }.map { KindOverride(row: $0.key, code: $0.value.code) }
        let removals = PartBuilder.joined(removals).map { RowRange(lower: $0.lowerBound, upper: $0.upperBound) }
        var image = PartImage()
        image.add(.records, records)
        image.add(.runs, runs)
        image.add(.marks, marks)
        image.add(.idHashes, ids.hashes)
        image.add(.idRecords, ids.numbers)
        image.add(.changeHashes, changes.hashes)
        image.add(.changeRecords, changes.numbers)
        image.add(.replyHashes, replies.hashes)
        image.add(.replyRecords, replies.numbers)
        image.add(.overrides, overrides)
        image.add(.removals, removals)
        image.add(.entries, places)
        image.add(.entryBytes, text)
        return Part(image.bytes())
    }

    /// Ranges as few ranges that do not touch each other, rising.
    static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var joined: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// Brings the records into the order of their rows.
    private mutating func sortRecords() {
        let isSorted = zip(runs, runs.dropFirst()).allSatisfy { $0.row < $1.row }
        if isSorted { return }
        var sorted: [IndexRecord] = []
        sorted.reserveCapacity(records.count)
        var joined: [RecordRun] = []
        for run in runs.sorted(by: { $0.row < $1.row }) {
            if let last = joined.indices.last, joined[last].end == run.row {
                joined[last].count += run.count
            } else {
                joined.append(RecordRun(row: run.row, first: UInt32(sorted.count), count: run.count))
            }
            sorted += records[run.numbers]
        }
        runs = joined
        records = sorted
    }

    private func references(where isWanted: (RecordKind) -> Bool) -> [UInt32] {
        var found: [UInt32] = []
        for (number, record) in records.enumerated() where record.kind.has(RecordKind.target) && isWanted(record.kind) {
            found.append(UInt32(number))
        }
        return found
    }

    private func marks(_ ids: Lookup, _ references: [Lookup]) -> [RecordMark] {
        var marks: [RecordMark] = []
        marks.reserveCapacity(records.count / RecordMark.width + 1)
        var counts = RecordCounts()
        for start in stride(from: 0, to: records.count, by: RecordMark.width) {
            var mark = RecordMark(after: counts)
            mark.unreferenced = .max
            for record in records[start..<min(records.count, start + RecordMark.width)] {
                let kind = record.kind
                counts.add(kind)
                if kind.isAnyMessage { mark.latest = max(mark.latest, record.at) }
            }
            marks.append(mark)
        }
        for lookup in references {
            // Both lists are sorted, so one walk through both finds the records of all targets.
            var next = 0
            for hash in lookup.hashes {
                while next < ids.hashes.count, ids.hashes[next] < hash { next += 1 }
                var same = next
                while same < ids.hashes.count, ids.hashes[same] == hash {
                    let number = Int(ids.numbers[same])
                    marks[number / RecordMark.width].unreferenced &= ~(1 << UInt64(number % RecordMark.width))
                    same += 1
                }
                // A target that many records share is walked through once.
                next = same
            }
        }
        return marks
    }

    private func encodedEntries() -> (places: [EntryPlace], text: [UInt8]) {
        var places: [EntryPlace] = []
        var text: [UInt8] = []
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            places.append(
                EntryPlace(
                    packed: UInt64(key.table) << 56 | UInt64(text.count), key: UInt32(key.bytes.count),
                    value: value.map { UInt32($0.count) } ?? EntryPlace.removed))
            text += key.bytes
            if let value { text += value }
        }
        return (places, text)
    }
}

/// The key of an entry. Entries stand in the order of their tables, then of the bytes of their keys.
struct EntryKey: Hashable, Comparable {
    let table: UInt8
    let bytes: [UInt8]

    static func < (a: EntryKey, b: EntryKey) -> Bool {
        a.table == b.table ? a.bytes.lexicographicallyPrecedes(b.bytes) : a.table < b.table
    }
}

/// Numbers of records by a hash: sorted by hash, then by number.
struct Lookup {
    private(set) var hashes: [UInt64] = []
    private(set) var numbers: [UInt32] = []

    private struct Pair {
        var hash: UInt64
        var number: UInt32
    }

    /// Spreads the pairs by the first bits of their hashes, which are even, so that each bucket has few, and sorts each.
    /// - Parameter numbers: rising.
    init(_ numbers: some Collection<UInt32>, _ records: [IndexRecord], by hash: (IndexRecord) -> UInt64) {
        let count = numbers.count
        if count == 0 { return }
        var bits = 1
        while 1 << bits < count / 8, bits < 16 { bits += 1 }
        let shift = UInt64(64 - bits)
        var starts = [Int](repeating: 0, count: 1 << bits + 1)
        for number in numbers { starts[Int(hash(records[Int(number)]) >> shift) + 1] += 1 }
        for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
        var ends = starts
        let pairs = [Pair](unsafeUninitializedCapacity: count) { pairs, initialized in
            for number in numbers {
                let hash = hash(records[Int(number)])
                let bucket = Int(hash >> shift)
                pairs.initializeElement(at: ends[bucket], to: Pair(hash: hash, number: number))
                ends[bucket] += 1
            }
            for bucket in 0..<(1 << bits) { Lookup.sort(pairs, starts[bucket]..<starts[bucket + 1]) }
            initialized = count
        }
        hashes = pairs.map(\.hash)
        self.numbers = pairs.map(\.number)
    }

    private static func sort(_ pairs: UnsafeMutableBufferPointer<Pair>, _ range: Range<Int>) {
        guard range.count <= 64 else {
            // Also protects against IDs that somebody has chosen for their hashes.
            pairs[range].sort { ($0.hash, $0.number) < ($1.hash, $1.number) }
            return
        }
        for index in range.dropFirst() {
            let pair = pairs[index]
            var place = index
            while place > range.lowerBound, pairs[place - 1].hash > pair.hash {
                pairs[place] = pairs[place - 1]
                place -= 1
            }
            pairs[place] = pair
        }
    }
}

/// Puts sections together.
private struct PartImage {
    private var sections: [Range<Int>] = []
    /// The steps that copy the sections into memory.
    private var copies: [(UnsafeMutableRawPointer) -> Void] = []

    /// Adds the next section. Sections come in their order.
    mutating func add<Value: BitwiseCopyable>(_ section: Section, _ values: [Value]) {
        assert(section.rawValue == sections.count)
        let place = FileLayout.place(of: values.count * MemoryLayout<Value>.stride, after: sections.last)
        let gap = place.lowerBound - (sections.last?.upperBound ?? FileLayout.header)
        sections.append(place)
        copies.append { base in
            let start = base.advanced(by: place.lowerBound)
            start.advanced(by: -gap).initializeMemory(as: UInt8.self, repeating: 0, count: gap)
            values.withUnsafeBytes { bytes in
                if let source = bytes.baseAddress { start.copyMemory(from: source, byteCount: place.count) }
            }
        }
    }

    func bytes() -> FileBytes { FileBytes(sections) { base in for copy in copies { copy(base) } } }
}
