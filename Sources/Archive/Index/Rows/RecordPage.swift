internal import SQLite

/// Successive records of one segment, one after the other.
struct RecordPage {
    /// The most records. As many as fit into a page of SQLite, so that reading one of them reads one page of the file.
    static let capacity = 127

    /// The row of the first record.
    let first: Int64
    private(set) var bytes: [UInt8]

    /// A page without records.
    init(first: Int64) {
        self.first = first
        bytes = []
        bytes.reserveCapacity(RecordPage.capacity * PackedRecord.size)
    }

    /// - Throws: `corrupt` if the bytes are no whole number of records.
    init(first: Int64, _ stored: UnsafeRawBufferPointer) throws {
        guard !stored.isEmpty, stored.count % PackedRecord.size == 0 else {
            throw DatabaseError(.corrupt, "a page of records is not whole")
        }
        self.first = first
        bytes = Array(stored)
    }

    var count: Int { bytes.count / PackedRecord.size }
    var isFull: Bool { count >= RecordPage.capacity }
    var rows: Range<Int64> { first..<first + Int64(count) }

    /// - Parameter row: one of `rows`.
    subscript(row: Int64) -> PackedRecord {
        get { bytes.withUnsafeBytes { PackedRecord(UnsafeRawBufferPointer(rebasing: $0[range(of: row)])) } }
        set {
            let range = range(of: row)
            bytes.withUnsafeMutableBytes { newValue.write(to: UnsafeMutableRawBufferPointer(rebasing: $0[range])) }
        }
    }

    mutating func append(_ record: PackedRecord) {
        let row = rows.upperBound
        bytes.append(contentsOf: repeatElement(0, count: PackedRecord.size))
        self[row] = record
    }

    private func range(of row: Int64) -> Range<Int> {
        let start = Int(row - first) * PackedRecord.size
        return start..<start + PackedRecord.size
    }
}
