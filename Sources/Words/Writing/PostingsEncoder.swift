/// Encodes the postings of one term.
struct PostingsEncoder {
    private(set) var bytes: [UInt8] = []
    private(set) var documents: UInt32 = 0
    private(set) var last: UInt32 = 0

    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        (documents, last) = (0, 0)
    }

    /// Where a word stands.
    struct Place {
        let document: UInt32
        /// Words before it in the text.
        let position: UInt32
    }

    /// - Parameter places: in documents after those before, by document and position.
    mutating func add(_ places: UnsafeBufferPointer<Place>) {
        var start = 0
        while start < places.count {
            let document = places[start].document
            var end = start + 1
            while end < places.count, places[end].document == document { end += 1 }
            let distance = UInt64(document - last)
            if end - start == 1 {
                bytes.append(varint: distance << 1 | 1)
            } else {
                bytes.append(varint: distance << 1)
                bytes.append(varint: UInt64(end - start))
            }
            var before: UInt32 = 0
            for index in start..<end {
                bytes.append(varint: UInt64(places[index].position - before))
                before = places[index].position
            }
            documents += 1
            last = document
            start = end
        }
    }

    /// Adds the postings of another file, whose documents come after those before.
    /// - Parameters:
    ///   - count: how many documents they are of.
    ///   - otherLast: the last of these.
    ///   - base: the number that its first document has here.
    mutating func add(_ postings: UnsafeRawBufferPointer, documents count: UInt32, last otherLast: UInt32, base: UInt32)
    {
        var reader = ByteReader(postings)
        let first = reader.varint()
        let document = base &+ UInt32(truncatingIfNeeded: first >> 1)
        bytes.append(varint: UInt64(document &- last) << 1 | first & 1)
        bytes.append(contentsOf: postings[reader.offset...])
        documents += count
        last = base &+ otherLast
    }
}
