extension WordShard {
    /// The terms of a block, with their postings where these are short enough to be read together.
    struct Block {
        /// The postings, if they are here, and after them the terms.
        let bytes: [UInt8]
        /// The place of the postings in the file, and of the terms among the bytes.
        let postings: Range<Int64>
        let terms: Int
        private var parser: EntryParser

        init(bytes: [UInt8], postings: Range<Int64>, terms: Int) {
            (self.bytes, self.postings, self.terms) = (bytes, postings, terms)
            parser = EntryParser(postings)
        }

        /// Has no terms.
        static var none: Block { Block(bytes: [], postings: 0..<0, terms: 0) }

        /// The term of the last entry.
        var term: [UInt8] { parser.name }

        /// The entry of the next term; nil after the last one.
        mutating func next() throws(BrokenEntry) -> Entry? {
            var failure: BrokenEntry?
            let entry = bytes.withUnsafeBytes { bytes in
                do throws(BrokenEntry) {
                    return try parser.next(UnsafeRawBufferPointer(rebasing: bytes[terms...]))
                } catch {
                    failure = error
                    return nil
                }
            }
            if let failure { throw failure }
            return entry
        }

        /// The bytes of the postings of one of the terms; nil where they have to be read by themselves.
        func range(of entry: Entry) -> Range<Int>? {
            let start = Int(entry.offset - postings.lowerBound)
            return start + entry.length <= terms ? start..<start + entry.length : nil
        }
    }

    /// The terms of a block cannot be read.
    struct BrokenEntry: Error {}

    /// Reads the terms of a block one by one.
    struct EntryParser {
        /// The term of the last entry.
        private(set) var name: [UInt8] = []
        private var position = 0
        private var offset: Int64
        private let end: Int64

        /// - Parameter postings: the place of the block's postings in the file.
        init(_ postings: Range<Int64>) { (offset, end) = (postings.lowerBound, postings.upperBound) }

        /// - Parameter bytes: of all terms of the block.
        /// - Returns: nil after the last term.
        mutating func next(_ bytes: UnsafeRawBufferPointer) throws(BrokenEntry) -> Entry? {
            var reader = ByteReader(bytes, from: position)
            if reader.isAtEnd { return nil }
            let shared = Int(truncatingIfNeeded: reader.varint())
            let rest = Int(truncatingIfNeeded: reader.varint())
            guard shared >= 0, shared <= name.count, let ending = reader.take(rest) else { throw BrokenEntry() }
            name.removeLast(name.count - shared)
            name.append(contentsOf: ending)
            let documents = reader.varint()
            let last = reader.varint()
            let length = Int(truncatingIfNeeded: reader.varint())
            let checksum = reader.fixed(UInt32.self)
            guard !reader.isBroken, length >= 0, Int64(length) <= end - offset else { throw BrokenEntry() }
            position = reader.offset
            defer { offset += Int64(length) }
            return Entry(
                offset: offset, length: length, checksum: checksum, documents: UInt32(clamping: documents),
                last: UInt32(clamping: last))
        }
    }
}
