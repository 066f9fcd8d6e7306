internal import Index

/// Encodes the postings of the terms of a block.
struct PostingsEncoder {
    /// The most bytes that one number of a posting takes as a varint.
    private static let longest = 5

    private var room = ByteRoom()
    /// The start of the postings of the current term.
    private var start = 0
    /// The number of documents that contain the current term.
    private(set) var documents: UInt32 = 0
    /// The last document that contains the current term.
    private(set) var last: UInt32 = 0

    /// The number of bytes of all terms.
    var count: Int { room.count }

    var bytes: ArraySlice<UInt8> { room.bytes }

    /// The number of bytes of the current term.
    var countOfTerm: Int { room.count - start }

    mutating func endTerm() {
        start = room.count
        (documents, last) = (0, 0)
    }

    mutating func removeAll() {
        room.removeAll()
        endTerm()
    }

    /// A place of a word.
    struct Place {
        let document: UInt32
        /// The number of words before this one in the text.
        let position: UInt32
    }

    /// - Parameter places: places in documents after those already added, sorted by document and position.
    mutating func add(_ places: UnsafeBufferPointer<Place>) {
        var (documents, last) = (documents, last)
        // Each place takes a distance, a number of occurrences and a position at most.
        room.append(atMost: places.count * 3 * PostingsEncoder.longest) { end in
            var first = 0
            while first < places.count {
                let document = places[first].document
                var next = first + 1
                while next < places.count, places[next].document == document { next += 1 }
                let distance = UInt64(document - last)
                if next - first == 1 {
                    end.write(varint: distance << 1 | 1)
                } else {
                    end.write(varint: distance << 1)
                    end.write(varint: UInt64(next - first))
                }
                var before: UInt32 = 0
                for index in first..<next {
                    end.write(varint: UInt64(places[index].position - before))
                    before = places[index].position
                }
                documents += 1
                last = document
                first = next
            }
        }
        (self.documents, self.last) = (documents, last)
    }

    /// Adds the places in one document, which must come after the documents already added.
    /// - Parameters:
    ///   - count: the number of positions.
    ///   - forEachPosition: calls its argument with each position, in ascending order.
    mutating func add(_ document: UInt32, _ count: Int, _ forEachPosition: ((UInt32) -> Void) -> Void) {
        room.append(atMost: 2 * PostingsEncoder.longest) { end in
            end.write(varint: UInt64(document - last) << 1 | (count == 1 ? 1 : 0))
            if count != 1 { end.write(varint: UInt64(count)) }
        }
        var before: UInt32 = 0
        forEachPosition { position in
            room.append(atMost: PostingsEncoder.longest) { $0.write(varint: UInt64(position - before)) }
            before = position
        }
        documents += 1
        last = document
    }

    /// Adds the postings of another file, whose documents come after those already added.
    /// - Parameters:
    ///   - count: the number of documents.
    ///   - otherLast: the last of these documents.
    ///   - base: the number of the file's first document here.
    mutating func add(
        _ postings: UnsafeRawBufferPointer, documents: UInt32, last otherLast: UInt32, base: UInt32
    ) {
        var reader = ByteReader(postings)
        let first = reader.varint()
        let document = base &+ UInt32(truncatingIfNeeded: first >> 1)
        let rest = UnsafeRawBufferPointer(rebasing: postings[reader.offset...])
        let distance = UInt64(document &- last)
        room.append(atMost: PostingsEncoder.longest + rest.count) { end in
            end.write(varint: distance << 1 | first & 1)
            end.write(rest)
        }
        self.documents += documents
        last = base &+ otherLast
    }
}
