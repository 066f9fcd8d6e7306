internal import Index
internal import Search

/// The words of a stretch of records, in a file that never changes: which texts contain a word, and at which positions.
///
///     blocks                 up to 32 terms each, in the order of their bytes:
///                              the postings of each term, then the terms
///     table                  where the terms of each block begin
///     stretches              which rows the documents are
///     edits                  which documents are edits
///     amendments             the current texts of amended messages
///     progress               up to which rows of which segments the words are there
///     facts
///
/// A document is a record, numbered from 0 within the file. The postings of a term hold for each document: twice the
/// distance from the document before, plus 1 when the term occurs once there; otherwise the number of occurrences
/// follows. Then come the distances between its positions. (Blocks of terms that share beginnings, and postings made of
/// distances, are the usual form of an inverted index: Zobel and Moffat, "Inverted files for text search engines", ACM
/// Computing Surveys 38, 2006.)
final class WordShard {
    /// The sections of the file, in their order. Each but the first is an array.
    enum Section: Int { case blocks, table, stretches, edits, amendments, progress, facts }

    /// The place of the terms of a block among the blocks, and the lengths of the terms and of the postings before them, in bytes.
    struct BlockPlace: BitwiseCopyable {
        let terms: UInt64
        let length: UInt32
        let postings: UInt32
    }

    /// Documents whose rows follow each other.
    struct Stretch: BitwiseCopyable {
        let firstRow: Int64
        let firstDocument: UInt32
        let count: UInt32
    }

    struct SegmentProgress: BitwiseCopyable {
        let segment: Int64
        let progress: WordProgress
    }

    struct Facts: BitwiseCopyable {
        /// Documents that are messages.
        let messages: Int64
        /// See `WordWriter.stale`.
        let stale: Int64
    }

    let file: IndexFile
    let bytes: FileBytes
    /// The number of documents of all kinds.
    let documents: UInt32
    let stretches: [Stretch]
    /// The documents that are edits, in ascending order.
    let edits: [UInt32]
    let amendments: [WordAmendment]
    let facts: Facts
    /// The number of blocks.
    let blocks: Int

    init(_ file: IndexFile, of index: IndexFiles) throws(IndexFault) {
        self.file = file
        bytes = try FileBytes(mapping: index.words(file.number), file)
        blocks = bytes.count(Section.table.rawValue) / MemoryLayout<BlockPlace>.stride
        stretches = try bytes.values(.stretches)
        edits = try bytes.values(.edits)
        amendments = try bytes.values(.amendments)
        facts = try bytes.value(.facts, 0)
        documents = stretches.reduce(0) { $0 &+ $1.count }
        try bytes.checkLoss()
    }

    /// Replaces the progress of the segments that the file has.
    func addProgress(to done: inout [Int64: WordProgress]) throws(IndexFault) {
        let all: [SegmentProgress] = try bytes.values(.progress)
        for one in all { done[one.segment] = one.progress }
        try bytes.checkLoss()
    }

    // MARK: - Rows

    /// Maps documents to rows. Documents mostly come in order, so it first tries the stretch of the last one.
    struct RowFinder {
        private let stretches: [Stretch]
        private var current = 0

        init(_ shard: WordShard) { stretches = shard.stretches }

        @inline(__always)
        mutating func row(of document: UInt32) -> Int64? {
            if let row = row(of: document, in: current) { return row }
            if let row = row(of: document, in: current + 1) {
                current += 1
                return row
            }
            current = max(0, stretches.partitioningIndex { $0.firstDocument > document } - 1)
            return row(of: document, in: current)
        }

        private func row(of document: UInt32, in index: Int) -> Int64? {
            guard index < stretches.count, document >= stretches[index].firstDocument else { return nil }
            let offset = document - stretches[index].firstDocument
            return offset < stretches[index].count ? stretches[index].firstRow + Int64(offset) : nil
        }
    }

    /// Tells documents that are messages from those that are edits. For documents that rise.
    struct TextSorter {
        private var rows: RowFinder
        private let edits: [UInt32]
        private var nextEdit = 0
        /// Documents so far.
        private(set) var count = 0

        init(_ shard: WordShard) {
            rows = RowFinder(shard)
            edits = shard.edits
        }

        /// Puts the row of a document where it belongs.
        @inline(__always)
        mutating func insert(_ document: UInt32, into messages: inout RowSet, edits rowsOfEdits: inout [Int64]) {
            count += 1
            while nextEdit < edits.count, edits[nextEdit] < document { nextEdit += 1 }
            guard let row = rows.row(of: document) else { return }
            if nextEdit < edits.count, edits[nextEdit] == document {
                rowsOfEdits.append(row)
            } else {
                messages.insert(row)
            }
        }
    }

    // MARK: - Terms

    /// The place of a term's postings.
    struct Entry {
        /// The place of the postings among the blocks, and their length, in bytes.
        let offset: Int
        let length: Int
        /// The number of documents that contain the term, and the last of them.
        let documents: UInt32
        let last: UInt32
    }

    /// The postings of a term; nil when no text contains it.
    func postings(of term: [UInt8]) throws(IndexFault) -> Postings? {
        guard let number = try block(for: term) else { return nil }
        var block = try read(number)
        while let entry = try block.next() { if block.term == term { return try postings(entry) } }
        return nil
    }

    func postings(_ entry: Entry) throws(IndexFault) -> Postings {
        let bytes = try bytes.bytes(Section.blocks.rawValue, entry.offset, entry.length)
        return Postings(bytes: bytes, documents: entry.documents)
    }

    /// Calls `body` with the terms that begin with some bytes, in order, until it returns false.
    func forEachTerm(
        from prefix: [UInt8], _ body: (_ term: [UInt8], Entry) throws -> Bool
    ) throws {
        for number in (try block(for: prefix) ?? 0)..<blocks {
            var block = try read(number)
            while let entry = try block.next() {
                if block.term.lexicographicallyPrecedes(prefix) { continue }
                guard block.term.starts(with: prefix), try body(block.term, entry) else { return }
            }
        }
    }

    /// The last block whose first term is not after this one.
    private func block(for term: [UInt8]) throws(IndexFault) -> Int? {
        var (low, high) = (0, blocks)
        while low < high {
            let middle = low + (high - low) / 2
            var block = try read(middle)
            if try block.next() != nil, term.lexicographicallyPrecedes(block.term) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low > 0 ? low - 1 : nil
    }

    func read(_ block: Int) throws(IndexFault) -> Block {
        let place: BlockPlace = try bytes.value(.table, block)
        let terms = Int(truncatingIfNeeded: place.terms)
        let bytes = try bytes.bytes(Section.blocks.rawValue, terms, Int(place.length))
        return Block(bytes, path: self.bytes.path, postings: terms - Int(place.postings)..<terms)
    }

    /// The terms of a block, one after the other. Valid as long as the file is open.
    struct Block {
        private let path: String
        private var reader: ByteReader
        /// The postings that were not read.
        private var postings: Range<Int>
        /// The term of the last entry.
        private(set) var term: [UInt8] = []

        /// - Parameters:
        ///   - terms: none if they are left out.
        ///   - path: of the file, for errors.
        ///   - postings: the place of the postings among the blocks.
        init(
            _ terms: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0), path: String,
            postings: Range<Int> = 0..<0
        ) {
            (reader, self.path, self.postings) = (ByteReader(terms), path, postings)
        }

        /// The entry of the next term; nil after the last one.
        mutating func next() throws(IndexFault) -> Entry? {
            if reader.isAtEnd { return nil }
            let shared = Int(truncatingIfNeeded: reader.varint())
            let rest = Int(truncatingIfNeeded: reader.varint())
            guard shared >= 0, shared <= term.count, let ending = reader.take(rest) else { throw damage }
            term.removeLast(term.count - shared)
            term.append(contentsOf: ending)
            let documents = UInt32(clamping: reader.varint())
            let last = UInt32(clamping: reader.varint())
            let length = Int(truncatingIfNeeded: reader.varint())
            guard !reader.isBroken, length >= 0, length <= postings.count else { throw damage }
            let offset = postings.lowerBound
            postings = offset + length..<postings.upperBound
            return Entry(offset: offset, length: length, documents: documents, last: last)
        }

        private var damage: IndexFault { .damaged(file: path, reason: "a block of its words is damaged") }
    }
}

/// The last rows of a segment whose words are written.
package struct WordProgress: Equatable, Sendable, BitwiseCopyable {
    /// The row for the words of messages and edits.
    package var messages: Int64
    /// The row for the effects of edits and deletions on their messages.
    package var edits: Int64

    package init(messages: Int64 = 0, edits: Int64 = 0) { (self.messages, self.edits) = (messages, edits) }
}

extension FileBytes {
    /// All values of a section.
    fileprivate func values<Value: BitwiseCopyable>(_ section: WordShard.Section) throws(IndexFault) -> [Value] {
        let count = count(section.rawValue) / MemoryLayout<Value>.stride
        // The standard library would write the count into the array that all empty arrays share, from any thread.
        if count == 0 { return [] }
        let source = try bytes(section.rawValue, 0, count * MemoryLayout<Value>.stride)
        return [Value](unsafeUninitializedCapacity: count) { values, initialized in
            UnsafeMutableRawBufferPointer(values).copyMemory(from: source)
            initialized = count
        }
    }

    fileprivate func value<Value: BitwiseCopyable>(
        _ section: WordShard.Section, _ index: Int
    ) throws(IndexFault) -> Value {
        let size = MemoryLayout<Value>.stride
        return try bytes(section.rawValue, index * size, size).loadUnaligned(as: Value.self)
    }
}
