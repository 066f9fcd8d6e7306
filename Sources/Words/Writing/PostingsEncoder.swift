/// Encodes the postings of one term.
struct PostingsEncoder {
    /// The longest varint of these numbers, in bytes.
    private static let longest = 5

    /// The bytes, and room for more: to append each by itself would take several times as long.
    private var room: [UInt8] = []
    private var count = 0
    private(set) var documents: UInt32 = 0
    private(set) var last: UInt32 = 0

    mutating func reset() {
        count = 0
        (documents, last) = (0, 0)
    }

    var bytes: ArraySlice<UInt8> { room[..<count] }

    /// Where a word stands.
    struct Place {
        let document: UInt32
        /// Words before it in the text.
        let position: UInt32
    }

    /// - Parameter places: in documents after those before, by document and position.
    mutating func add(_ places: UnsafeBufferPointer<Place>) {
        // Each place takes a distance, a number of occurrences and a position at most.
        makeRoom(places.count * 3 * PostingsEncoder.longest)
        (count, documents, last) = room.withUnsafeMutableBufferPointer { room in
            var (end, documents, last) = (count, documents, last)
            var start = 0
            while start < places.count {
                let document = places[start].document
                var next = start + 1
                while next < places.count, places[next].document == document { next += 1 }
                let distance = UInt64(document - last)
                if next - start == 1 {
                    PostingsEncoder.write(distance << 1 | 1, to: room, at: &end)
                } else {
                    PostingsEncoder.write(distance << 1, to: room, at: &end)
                    PostingsEncoder.write(UInt64(next - start), to: room, at: &end)
                }
                var before: UInt32 = 0
                for index in start..<next {
                    PostingsEncoder.write(UInt64(places[index].position - before), to: room, at: &end)
                    before = places[index].position
                }
                documents += 1
                last = document
                start = next
            }
            return (end, documents, last)
        }
    }

    /// Adds the postings of another file, whose documents come after those before.
    /// - Parameters:
    ///   - count: how many documents they are of.
    ///   - otherLast: the last of these.
    ///   - base: the number that its first document has here.
    mutating func add(
        _ postings: UnsafeRawBufferPointer, documents: UInt32, last otherLast: UInt32, base: UInt32
    ) {
        var reader = ByteReader(postings)
        let first = reader.varint()
        let document = base &+ UInt32(truncatingIfNeeded: first >> 1)
        let rest = UnsafeRawBufferPointer(rebasing: postings[reader.offset...])
        makeRoom(PostingsEncoder.longest + rest.count)
        count = room.withUnsafeMutableBufferPointer { room in
            var end = count
            PostingsEncoder.write(UInt64(document &- last) << 1 | first & 1, to: room, at: &end)
            UnsafeMutableRawBufferPointer(room)[end...].copyBytes(from: rest)
            return end + rest.count
        }
        self.documents += documents
        last = base &+ otherLast
    }

    private mutating func makeRoom(_ needed: Int) {
        let missing = count + needed - room.count
        if missing > 0 { room.append(contentsOf: repeatElement(0, count: max(missing, room.count))) }
    }

    @inline(__always)
    private static func write(_ number: UInt64, to room: UnsafeMutableBufferPointer<UInt8>, at end: inout Int) {
        var rest = number
        while rest >= 0x80 {
            room[end] = UInt8(truncatingIfNeeded: rest) | 0x80
            end += 1
            rest >>= 7
        }
        room[end] = UInt8(truncatingIfNeeded: rest)
        end += 1
    }
}
