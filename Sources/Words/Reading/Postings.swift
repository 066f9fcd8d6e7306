internal import Index

/// The documents that contain a term, and its positions in them. Valid as long as the file of words is open.
struct Postings {
    let bytes: UnsafeRawBufferPointer
    /// The number of documents.
    let documents: UInt32

    /// Iterates over the documents of a term.
    struct Cursor {
        private var reader: ByteReader
        private var left: UInt32
        /// The number of positions in the current document that have not been read yet.
        private var unread = 0
        /// The current document.
        private(set) var document: UInt32 = 0
        private var hasBegun = false

        init(_ postings: Postings) {
            reader = ByteReader(postings.bytes)
            left = postings.documents
        }

        /// Moves to the next document; false when there is none.
        @inline(__always)
        mutating func next() -> Bool {
            if unread > 0 { skipPositions() }
            guard left > 0, !reader.isBroken else { return false }
            left -= 1
            hasBegun = true
            let number = reader.varint()
            document &+= UInt32(truncatingIfNeeded: number >> 1)
            unread = number & 1 == 1 ? 1 : Int(truncatingIfNeeded: reader.varint() & 0xFFFF_FFFF)
            return !reader.isBroken
        }

        /// Moves to the first document at or after `wanted`; false when there is none.
        @inline(__always)
        mutating func next(atOrAfter wanted: UInt32) -> Bool {
            while document < wanted || !hasBegun { if !next() { return false } }
            return true
        }

        private mutating func skipPositions() {
            reader.skipVarints(unread)
            unread = 0
        }

        /// Reads the positions of the term in the current document, in ascending order: the number of words before
        /// each. Call it once for each document.
        mutating func readPositions(into positions: inout [UInt32]) {
            positions.removeAll(keepingCapacity: true)
            var position: UInt32 = 0
            while unread > 0, !reader.isBroken {
                position &+= UInt32(truncatingIfNeeded: reader.varint())
                positions.append(position)
                unread -= 1
            }
            unread = 0
        }
    }

    /// Calls `body` for each document, in ascending order.
    @inline(__always)
    func forEachDocument(_ body: (UInt32) throws -> Void) rethrows {
        var cursor = Cursor(self)
        while cursor.next() { try body(cursor.document) }
    }
}
