internal import SQLite

/// Successive records of one segment, one after the other.
struct RecordPage {
    /// The most records. As many as fit into a page of SQLite, so that reading one of them reads one page of the file.
    static let capacity = 127

    /// The row of the first record.
    let first: Int64
    private var bytes: [UInt8]
    private(set) var count: Int

    /// A page without records.
    init(first: Int64) {
        self.first = first
        bytes = [UInt8](repeating: 0, count: RecordPage.capacity * PackedRecord.size)
        count = 0
    }

    /// - Parameter sum: the checksum of the bytes.
    /// - Throws: `corrupt` if the bytes are no whole number of records or have another checksum.
    init(first: Int64, _ stored: UnsafeRawBufferPointer, sum: Int64) throws {
        guard !stored.isEmpty, stored.count % PackedRecord.size == 0, BlobSum.of(stored, key: first) == sum else {
            throw DatabaseError(.corrupt, "a page of records is damaged")
        }
        self.first = first
        count = stored.count / PackedRecord.size
        bytes = Array(stored)
    }

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
        let missing = (count + 1) * PackedRecord.size - bytes.count
        if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: missing)) }
        count += 1
        self[rows.upperBound - 1] = record
    }

    /// Calls `body` with the bytes of all records.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<(count * PackedRecord.size)])) }
    }

    private func range(of row: Int64) -> Range<Int> {
        let start = Int(row - first) * PackedRecord.size
        return start..<start + PackedRecord.size
    }
}
