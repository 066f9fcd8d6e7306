internal import Algorithms

/// The words of a stretch of records, in a file that never changes: which texts contain a word, and at which positions.
///
///     header
///     block, block, …        up to 32 terms each, in the order of their bytes:
///                              the postings of each term, then the terms
///     table of blocks        where the terms of each block begin, and their checksum
///     stretches              which rows the documents are
///     edits                  which documents are edits
///     amendments             the current texts of amended messages
///
/// A document is a record, numbered from 0 within the file. The postings of a term hold for each document: twice the
/// distance from the document before, plus 1 when the term occurs once there; otherwise the number of occurrences
/// follows. Then come the distances between its positions. A checksum verifies everything that is read. (Blocks of
/// terms that share beginnings, and postings made of distances, are the usual form of an inverted index: Zobel and
/// Moffat, "Inverted files for text search engines", ACM Computing Surveys 38, 2006.)
final class WordShard {
    static let magic: UInt64 = 0x3273_6472_6F77_656B
    static let headerSize = 72
    /// The size of an entry in the table of blocks, in bytes.
    static let blockEntrySize = 20

    /// Documents whose rows follow each other.
    struct Stretch: Equatable {
        let firstRow: Int64
        let firstDocument: UInt32
        let count: UInt32
    }

    let file: StoredFile
    /// The number of documents of all kinds.
    let documents: UInt32
    let stretches: [Stretch]
    /// The documents that are edits, in ascending order.
    let edits: [UInt32]
    let amendments: [WordAmendment]
    let blocks: UInt32
    private let table: Int64
    private let tableChecksum: UInt32
    /// The table of blocks, after the first lookup of a term.
    private var tableBytes: [UInt8] = []

    /// - Throws: `WordFault`
    init(_ path: String) throws(WordFault) {
        file = try StoredFile(path)
        let header = try file.read(at: 0, count: WordShard.headerSize)
        let parts = WordShard.Parts(header)
        guard let parts, parts.length == file.size else { throw .broken(file: path) }
        documents = parts.documents
        blocks = parts.blocks
        table = parts.table
        tableChecksum = parts.tableChecksum
        let start = parts.table + Int64(parts.blocks) * Int64(WordShard.blockEntrySize)
        guard start >= 0, start <= file.size, file.size - start <= Int64(Int32.max) else {
            throw .broken(file: path)
        }
        let bytes = try file.read(at: start, count: Int(file.size - start))
        guard Checksum.of(bytes[...]) == parts.restChecksum else { throw .broken(file: path) }
        var stretches: [Stretch] = []
        var edits: [UInt32] = []
        var amendments: [WordAmendment] = []
        let isWhole = bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var first: UInt32 = 0
            for _ in 0..<parts.stretches where !reader.isBroken {
                let row = reader.fixed(Int64.self)
                let count = reader.fixed(UInt32.self)
                stretches.append(Stretch(firstRow: row, firstDocument: first, count: count))
                first &+= count
            }
            for _ in 0..<parts.edits where !reader.isBroken { edits.append(reader.fixed(UInt32.self)) }
            for _ in 0..<parts.amendments where !reader.isBroken {
                amendments.append(WordAmendment(message: reader.fixed(Int64.self), text: reader.fixed(Int64.self)))
            }
            return !reader.isBroken && reader.isAtEnd && first == parts.documents
        }
        guard isWhole else { throw .broken(file: path) }
        (self.stretches, self.edits, self.amendments) = (stretches, edits, amendments)
    }

    /// The numbers of the header.
    struct Parts {
        var documents: UInt32 = 0
        var blocks: UInt32 = 0
        var stretches: UInt32 = 0
        var edits: UInt32 = 0
        var amendments: UInt32 = 0
        /// The place of the table of blocks, in bytes.
        var table: Int64 = 0
        /// The length of the file, in bytes.
        var length: Int64 = 0
        var tableChecksum: UInt32 = 0
        /// For everything after the table.
        var restChecksum: UInt32 = 0

        init() {}

        /// Nil for bytes that are not such a header.
        init?(_ bytes: [UInt8]) {
            let isWhole = bytes.withUnsafeBytes { bytes in
                var reader = ByteReader(bytes)
                let magic = reader.fixed(UInt64.self)
                documents = reader.fixed(UInt32.self)
                blocks = reader.fixed(UInt32.self)
                stretches = reader.fixed(UInt32.self)
                edits = reader.fixed(UInt32.self)
                amendments = reader.fixed(UInt32.self)
                tableChecksum = reader.fixed(UInt32.self)
                restChecksum = reader.fixed(UInt32.self)
                table = reader.fixed(Int64.self)
                length = reader.fixed(Int64.self)
                let end = reader.offset
                let checksum = reader.fixed(UInt32.self)
                return magic == WordShard.magic && !reader.isBroken
                    && checksum == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            }
            guard isWhole, table >= Int64(WordShard.headerSize) else { return nil }
        }

        var bytes: [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(fixed: WordShard.magic)
            for number in [documents, blocks, stretches, edits, amendments, tableChecksum, restChecksum] {
                bytes.append(fixed: number)
            }
            bytes.append(fixed: table)
            bytes.append(fixed: length)
            bytes.append(fixed: Checksum.of(bytes[...]))
            bytes += [UInt8](repeating: 0, count: WordShard.headerSize - bytes.count)
            return bytes
        }
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
        /// The place of the postings in the file, and their length, in bytes.
        let offset: Int64
        let length: Int
        let checksum: UInt32
        /// The number of documents that contain the term, and the last of them.
        let documents: UInt32
        let last: UInt32
    }

    /// The postings of a term, verified; nil when no text contains it.
    func postings(of term: [UInt8]) throws(WordFault) -> Postings? {
        guard let block = try block(for: term) else { return nil }
        var found: Entry?
        try forEachEntry(in: block) { name, entry in
            if name.elementsEqual(term) { found = entry }
            return found == nil
        }
        guard let found else { return nil }
        return try postings(found)
    }

    func postings(_ entry: Entry) throws(WordFault) -> Postings {
        let bytes = try file.read(at: entry.offset, count: entry.length)
        guard Checksum.of(bytes[...]) == entry.checksum else { throw .broken(file: file.path) }
        return Postings(bytes: bytes, documents: entry.documents)
    }

    /// Calls `body` with the terms that begin with some bytes, in order, until it returns false.
    func forEachTerm(
        from prefix: [UInt8], _ body: (_ term: [UInt8], Entry) throws -> Bool
    ) throws {
        guard let first = try block(for: prefix) ?? (blocks > 0 ? 0 : nil) else { return }
        var goesOn = true
        for block in first..<blocks where goesOn {
            for (term, entry) in try entries(in: block) where goesOn && !term.lexicographicallyPrecedes(prefix) {
                goesOn = try term.starts(with: prefix) && body(term, entry)
            }
        }
    }

    /// The terms of a block, in their order.
    private func entries(in block: UInt32) throws(WordFault) -> [(term: [UInt8], entry: Entry)] {
        var entries: [(term: [UInt8], entry: Entry)] = []
        try forEachEntry(in: block) { name, entry in
            entries.append((name, entry))
            return true
        }
        return entries
    }

    /// Bytes of postings that are read together, at most.
    private static let mostTogether: Int64 = 128 << 10

    /// Reads a block once, where to read each of its terms by itself would take several times as long.
    func read(_ block: UInt32) throws(WordFault) -> Block {
        let (terms, length, checksum, start) = try place(of: block)
        let isTogether = terms - start <= WordShard.mostTogether
        let first = isTogether ? start : terms
        let bytes = try file.read(at: first, count: Int(terms - first) + length)
        guard Checksum.of(bytes[Int(terms - first)...]) == checksum else { throw .broken(file: file.path) }
        return Block(bytes: bytes, postings: start..<terms, terms: Int(terms - first))
    }

    /// The entry of the next term of a block; nil after the last one.
    func next(in block: inout Block) throws(WordFault) -> Entry? {
        do throws(BrokenEntry) { return try block.next() } catch { throw .broken(file: file.path) }
    }

    /// Gives the bytes of the postings of a term, checked.
    func withPostings(
        _ entry: Entry, in block: Block, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(WordFault) {
        guard let range = block.range(of: entry) else {
            return try postings(entry).bytes.withUnsafeBytes { body($0) }
        }
        let isWhole = block.bytes.withUnsafeBytes { bytes in
            let postings = UnsafeRawBufferPointer(rebasing: bytes[range])
            guard Checksum.of(postings) == entry.checksum else { return false }
            body(postings)
            return true
        }
        if !isWhole { throw .broken(file: file.path) }
    }

    /// The last block whose first term is not after this one.
    private func block(for term: [UInt8]) throws(WordFault) -> UInt32? {
        var (low, high) = (UInt32(0), blocks)
        while low < high {
            let middle = low + (high - low) / 2
            var isAfter = false
            try forEachEntry(in: middle) { name, _ in
                isAfter = term.lexicographicallyPrecedes(name)
                return false
            }
            if isAfter { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The place of a block's terms and of its postings.
    private func place(of block: UInt32) throws(WordFault) -> (
        terms: Int64, length: Int, checksum: UInt32, start: Int64
    ) {
        if tableBytes.isEmpty {
            let read = try file.read(at: table, count: Int(blocks) * WordShard.blockEntrySize)
            guard Checksum.of(read[...]) == tableChecksum else { throw .broken(file: file.path) }
            tableBytes = read
        }
        let place: (terms: Int64, length: Int, checksum: UInt32, start: Int64) = tableBytes.withUnsafeBytes { bytes in
            let start = Int(block) * WordShard.blockEntrySize
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(WordShard.blockEntrySize)))
            let terms = reader.fixed(Int64.self)
            let length = reader.fixed(UInt32.self)
            let checksum = reader.fixed(UInt32.self)
            let postings = reader.fixed(UInt32.self)
            return (terms, Int(length), checksum, terms - Int64(postings))
        }
        guard place.start >= Int64(WordShard.headerSize), place.start <= place.terms else {
            throw .broken(file: file.path)
        }
        return place
    }

    private func forEachEntry(
        in block: UInt32, _ body: (_ term: [UInt8], Entry) -> Bool
    ) throws(WordFault) {
        let (terms, length, checksum, start) = try place(of: block)
        let bytes = try file.read(at: terms, count: length)
        try forEachEntry(in: bytes[...], checksum, start..<terms, body)
    }

    /// - Parameters:
    ///   - bytes: of the terms of a block.
    ///   - postings: where their postings stand.
    private func forEachEntry(
        in bytes: ArraySlice<UInt8>, _ checksum: UInt32, _ postings: Range<Int64>,
        _ body: (_ term: [UInt8], Entry) -> Bool
    ) throws(WordFault) {
        guard Checksum.of(bytes) == checksum else { throw .broken(file: file.path) }
        let isWhole = bytes.withUnsafeBytes { bytes in
            var parser = EntryParser(postings)
            do throws(BrokenEntry) {
                while let entry = try parser.next(bytes), body(parser.name, entry) {}
                return true
            } catch {
                return false
            }
        }
        guard isWhole else { throw .broken(file: file.path) }
    }
}
