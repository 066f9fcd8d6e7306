internal import Index
internal import Messages

/// A message of the index, as it is needed to decide whether it is a hit.
struct RecordColumns {
    let row: Int64
    let record: IndexRecord

    var kind: RecordKind { record.kind }
    /// The number of a person; 0 for none.
    var sender: UInt32 { record.sender }
    /// The hash of the ID of the thread's root.
    var thread: IDHash? { kind.has(RecordKind.target) ? IDHash(value: record.target) : nil }
}

extension IndexView {
    /// The messages at these rows.
    /// - Parameter rows: in descending order.
    func columns(of rows: [Int64]) throws(StoreError) -> [RecordColumns] {
        try attempt {
            var found: [RecordColumns] = []
            found.reserveCapacity(rows.count)
            for row in rows {
                guard let record = try snapshot.record(at: row), record.kind.isMessage else { continue }
                found.append(RecordColumns(row: row, record: record))
            }
            return found
        }
    }

    /// The messages of a range of rows, last ones first.
    func columns(in range: Range<Int64>, limit: Int) throws(StoreError) -> [RecordColumns] {
        try attempt {
            var found: [RecordColumns] = []
            found.reserveCapacity(limit)
            try snapshot.forEachBackwards(in: range) { row, record in
                if record.kind.isMessage { found.append(RecordColumns(row: row, record: record)) }
                return found.count < limit
            }
            return found
        }
    }

    /// The ID of a person; nil if there is none with this number.
    func personID(_ number: UInt32) throws(StoreError) -> String? {
        try attempt {
            try snapshot.value(of: IndexTable.key(Int64(number)), in: .peopleIDs)
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
