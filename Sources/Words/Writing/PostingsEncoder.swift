/// Writes the postings of one term.
struct PostingsEncoder {
    private(set) var bytes: [UInt8] = []
    private(set) var documents: UInt32 = 0
    private(set) var last: UInt32 = 0

    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        (documents, last) = (0, 0)
    }

    /// - Parameters:
    ///   - document: behind those before.
    ///   - positions: rising, at least one.
    mutating func add(_ document: UInt32, _ positions: UnsafeBufferPointer<UInt32>) {
        let distance = UInt64(document - last)
        if positions.count == 1 {
            bytes.append(varint: distance << 1 | 1)
        } else {
            bytes.append(varint: distance << 1)
            bytes.append(varint: UInt64(positions.count))
        }
        var before: UInt32 = 0
        for position in positions {
            bytes.append(varint: UInt64(position - before))
            before = position
        }
        documents += 1
        last = document
    }

    /// Adds the postings of another file, whose documents come after those before.
    /// - Parameter base: the number that its first document has here.
    mutating func add(_ other: Postings, last otherLast: UInt32, base: UInt32) {
        other.bytes.withUnsafeBytes { source in
            var reader = ByteReader(source)
            let first = reader.varint()
            let document = base &+ UInt32(truncatingIfNeeded: first >> 1)
            bytes.append(varint: UInt64(document &- last) << 1 | first & 1)
            bytes.append(contentsOf: source[reader.offset...])
        }
        documents += other.documents
        last = base &+ otherLast
    }
}
