extension IndexSnapshot {
    /// Reads all parts, and compares what follows from their records with these.
    /// - Throws: `damaged` for the first difference.
    package func check() throws(IndexFault) {
        for part in parts { try part.check() }
        try checkLosses()
    }
}

extension Part {
    fileprivate func check() throws(IndexFault) {
        try bytes.checkAll()
        var (next, end): (Int, Int64) = (0, .min)
        for rows in try rowRanges() {
            let first = try number(from: rows.lowerBound)
            guard first == next, rows.lowerBound > end else { throw fault("its rows are not in ascending order") }
            (next, end) = (first + rows.count, rows.upperBound)
        }
        guard next == count else { throw fault("some of its records have no row") }
        var (changes, replies) = (0, 0)
        var counts = RecordCounts()
        for number in 0..<count {
            let record = try record(number)
            if number % RecordMark.width == 0 { try check(number / RecordMark.width, counts) }
            counts.add(record.kind)
            if record.kind.has(RecordKind.target) {
                if record.kind.isAnyMessage { replies += 1 } else { changes += 1 }
            }
            guard try isUnreferenced(number) else { continue }
            let isReferred = try contains(record.hash, .changes) ? true : contains(record.hash, .replies)
            if isReferred { throw fault("a record that it calls unreferenced has a reference") }
        }
        try check(.ids, count: count) { $0.hash }
        try check(.changes, count: changes) { $0.kind.isAnyMessage ? nil : $0.target }
        try check(.replies, count: replies) { $0.kind.isAnyMessage ? $0.target : nil }
    }

    private func fault(_ reason: String) -> IndexFault { .damaged(file: bytes.path, reason: reason) }

    /// - Parameter counts: those of all records before a stretch.
    private func check(_ stretch: Int, _ counts: RecordCounts) throws(IndexFault) {
        let mark = try mark(stretch)
        var latest = Int64.min
        for number in (stretch * RecordMark.width)..<min(count, (stretch + 1) * RecordMark.width) {
            let record = try record(number)
            if record.kind.isAnyMessage { latest = max(latest, record.at) }
        }
        guard Int(mark.mains) == counts.mains, Int(mark.messages) == counts.messages,
            Int(mark.presence) == counts.presence, mark.latest == latest
        else { throw fault("its counts do not match its records") }
    }

    /// Each entry is of another record, since hashes and numbers rise. So if there are enough, none is missing.
    private func check(
        _ lookup: PartLookup, count: Int, _ expected: (IndexRecord) -> UInt64?
    ) throws(IndexFault) {
        var last: (hash: UInt64, number: Int)?
        for entry in 0..<self.count(of: lookup) {
            let (hash, number) = (try hash(lookup, entry), try number(lookup, entry))
            if let last, (hash, number) <= (last.hash, last.number) { throw fault("one of its lookups is not sorted") }
            guard expected(try record(number)) == hash else { throw fault("one of its lookups names another record") }
            last = (hash, number)
        }
        guard self.count(of: lookup) == count else { throw fault("one of its lookups lacks a record") }
    }
}
