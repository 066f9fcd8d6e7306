internal import SQLite

/// Compares the look-ups of the records with the records themselves.
struct LookupCheck {
    private let database: Database
    private let table: RecordTable

    init(_ database: Database) {
        self.database = database
        table = RecordTable(database)
    }

    /// The differences, for people.
    func faults() throws -> [String] {
        var expected = (ids: Digest(), changes: Digest(), replies: Digest(), repeats: Digest())
        try table.scan { row, record in
            expected.ids.add(record.hash, row)
            if record.kind.isRepeated { expected.repeats.add(0, row) }
            guard let target = record.target else { return }
            if !record.kind.isAnyMessage {
                expected.changes.add(target, row)
            } else if !record.kind.isRepeated {
                expected.replies.add(target, row)
            }
        }
        var faults: [String] = []
        if try ids() != expected.ids { faults.append("the look-up of IDs does not match the records") }
        if try references(table.changes) != expected.changes {
            faults.append("the look-up of edits and reactions does not match the records")
        }
        if try references(table.replies) != expected.replies {
            faults.append("the look-up of replies does not match the records")
        }
        var repeats = Digest()
        for row in try table.repeated(in: 0..<Int64.max) { repeats.add(0, row) }
        if repeats != expected.repeats { faults.append("the list of repeated IDs does not match the records") }
        return faults
    }

    /// The entries of all blocks; nil if they are in another order than the one that look-ups rely on.
    private func ids() throws -> Digest? {
        var digest = Digest()
        var isSorted = true
        var last = IDEntry.first
        try table.ids.forEachBlock { start, entries in
            // The last entry of the block before stands before this one.
            isSorted = isSorted && (last < start || last == .first)
            for entry in entries {
                isSorted = isSorted && entry >= start && last < entry
                digest.add(entry.hash, entry.row)
                last = entry
            }
        }
        return isSorted ? digest : nil
    }

    private func references(_ table: ReferenceTable) throws -> Digest {
        var digest = Digest()
        try table.forEach { digest.add($0, $1) }
        return digest
    }

    /// A number for a set of pairs. Different sets have different ones, but for one case in 2^64.
    private struct Digest: Equatable {
        private var count = 0
        private var sum: UInt64 = 0

        mutating func add(_ hash: Int64, _ row: Int64) {
            count += 1
            var mixed = UInt64(bitPattern: hash) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: row)
            // The finalizer of SplitMix64 (Steele and others, OOPSLA 2014).
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            sum &+= mixed ^ mixed >> 31
        }
    }
}
