/// Writes one part that replaces several successive ones, in little memory: it reads the parts in the order of their rows, then in the
/// order of their hashes. The bytes are those that `PartBuilder` makes of the same records.
///
///     records of all parts ─→ stretches ─→ new numbers
///     look-ups of all parts, side by side ─→ the smallest hash ─→ its records by their new numbers
struct PartMerge {
    private let parts: [Part]
    private let isOldest: Bool
    private let all: IndexSnapshot
    /// For each part the records that stay, by their numbers.
    private var moves: [[Move]]
    private var runs: [RecordRun] = []
    private var marks: [RecordMark] = []
    private var count = 0

    /// Successive records and the new number of the first one.
    private struct Move {
        let numbers: Range<Int>
        let new: Int
    }

    /// - Parameters:
    ///   - parts: from the oldest to the newest.
    ///   - isOldest: whether no older parts exist, to whose records changes could refer.
    init(_ parts: [Part], isOldest: Bool) throws(IndexFault) {
        (self.parts, self.isOldest) = (parts, isOldest)
        all = try IndexSnapshot(parts)
        moves = parts.map { _ in [] }
        var next: Int64 = 0
        while let stretch = try all.stretch(from: next, below: .max) {
            let length = stretch.rows.count
            moves[stretch.part].append(Move(numbers: stretch.number..<stretch.number + length, new: count))
            if let last = runs.indices.last, runs[last].end == stretch.rows.lowerBound {
                runs[last].count += UInt32(length)
            } else {
                runs.append(RecordRun(row: stretch.rows.lowerBound, first: UInt32(count), count: UInt32(length)))
            }
            count += length
            next = stretch.rows.upperBound
        }
        guard count <= Int(UInt32.max) else {
            throw .damaged(file: "index", reason: "it has too many records for one part")
        }
    }

    /// Writes the part into an empty file, and names it.
    mutating func write(to file: NewFile) throws(IndexFault) -> IndexFile {
        let (places, text) = try entries()
        let (overrides, removals) = try changes()
        let counts = try (changes: remaining(.changes), replies: remaining(.replies))
        let sizes = [
            count * IndexRecord.size, runs.count * RecordRun.size,
            (count + RecordMark.width - 1) / RecordMark.width * RecordMark.size, count * 8, count * 4,
            counts.changes * 8,
            counts.changes * 4, counts.replies * 8, counts.replies * 4, overrides.count * KindOverride.size,
            removals.count * RowRange.size, places.count * EntryPlace.size, text.count,
        ]
        var sections: [Range<Int>] = []
        for size in sizes { sections.append(FileLayout.place(of: size, after: sections.last)) }
        func output(_ section: Section) -> FileOutput {
            FileOutput(file, from: sections[section.rawValue].lowerBound)
        }
        try writeRecords(output(.records))
        try write(.changes, output(.changeHashes), output(.changeRecords))
        try write(.replies, output(.replyHashes), output(.replyRecords))
        try write(.ids, output(.idHashes), output(.idRecords))
        try output(.runs).write(all: runs)
        try output(.marks).write(all: marks)
        try output(.overrides).write(all: overrides)
        try output(.removals).write(all: removals)
        try output(.entries).write(all: places)
        try output(.entryBytes).write(all: text)
        try all.checkLosses()
        return try file.finish(sections)
    }

    // MARK: - Records

    private mutating func writeRecords(_ output: FileOutput) throws(IndexFault) {
        var marks: [RecordMark] = []
        var counts = RecordCounts()
        var number = 0
        try all.forEach(in: 0..<Int64.max) { (_, record) throws(IndexFault) in
            if number % RecordMark.width == 0 { marks.append(RecordMark(after: counts)) }
            counts.add(record.kind)
            if record.kind.isAnyMessage {
                marks[marks.count - 1].latest = max(marks[marks.count - 1].latest, record.at)
            }
            number += 1
            if number % PartMerge.released == 0 { release() }
            try output.write(record)
            return true
        }
        try output.flush()
        guard number == count else { throw .damaged(file: "index", reason: "its rows overlap") }
        self.marks = marks
    }

    /// The values that are read between two calls of `release`.
    private static let released = 1 << 16

    private func release() { for part in parts { part.bytes.release() } }

    /// The new number of a record; nil if it is gone.
    private func new(_ number: Int, of part: Int) -> Int? {
        let moves = moves[part]
        let index = firstNumber(of: 0..<moves.count) { moves[$0].numbers.upperBound > number }
        guard index < moves.count, moves[index].numbers.contains(number) else { return nil }
        return moves[index].new + number - moves[index].numbers.lowerBound
    }

    // MARK: - Look-ups

    /// The number of entries of a look-up whose records stay.
    private func remaining(_ lookup: PartLookup) throws(IndexFault) -> Int {
        var remaining = 0
        for (index, part) in parts.enumerated() {
            for entry in 0..<part.count(of: lookup) where new(try part.number(lookup, entry), of: index) != nil {
                remaining += 1
            }
        }
        return remaining
    }

    private mutating func write(
        _ lookup: PartLookup, _ hashes: FileOutput, _ records: FileOutput
    ) throws(IndexFault) {
        var walk = try LookupWalk(parts, lookup)
        var references = lookup == .ids ? [try LookupWalk(parts, .changes), try LookupWalk(parts, .replies)] : []
        var same: [Int] = []
        var walked = 0
        while let hash = walk.next {
            walked += 1
            if walked % PartMerge.released == 0 { release() }
            same.removeAll(keepingCapacity: true)
            try walk.take(hash) { part, number in if let new = new(number, of: part) { same.append(new) } }
            if same.count > 1 { same.sort() }
            for number in same {
                try hashes.write(hash)
                try records.write(UInt32(number))
            }
            guard lookup == .ids else { continue }
            var isReferred = false
            for index in references.indices {
                try references[index].skip(to: hash)
                try references[index].take(hash) { part, number in
                    if new(number, of: part) != nil { isReferred = true }
                }
            }
            for number in same where !isReferred {
                marks[number / RecordMark.width].unreferenced |= 1 << UInt64(number % RecordMark.width)
            }
        }
        try hashes.flush()
        try records.flush()
        // The bits beyond the last record are set, as `PartBuilder` leaves them.
        if lookup == .ids, count % RecordMark.width != 0 {
            marks[marks.count - 1].unreferenced |= .max << UInt64(count % RecordMark.width)
        }
    }

    // MARK: - Changes and entries

    private func changes() throws(IndexFault) -> (overrides: [KindOverride], removals: [RowRange]) {
        if isOldest { return ([], []) }
        let applied = Set(all.overrides.map(\.row))
        var kinds: [Int64: RecordKind] = [:]
        for part in parts { for (row, kind) in try part.overrides() where !applied.contains(row) { kinds[row] = kind } }
        return (
            kinds.sorted { $0.key < $1.key }.map { KindOverride(row: $0.key, code: $0.value.code) },
            all.removals.map { RowRange(lower: $0.lowerBound, upper: $0.upperBound) }
        )
    }

    private func entries() throws(IndexFault) -> (places: [EntryPlace], text: [UInt8]) {
        var (places, text): ([EntryPlace], [UInt8]) = ([], [])
        try all.forEachEntry(isWithRemoved: !isOldest) { table, key, value in
            places.append(
                EntryPlace(
                    packed: UInt64(table) << 56 | UInt64(text.count), key: UInt32(key.count),
                    value: value.map { UInt32($0.count) } ?? EntryPlace.removed))
            text += key
            if let value { text += value }
            return true
        }
        return (places, text)
    }
}
