/// Writes a word file: terms in the order of their bytes, then the rows of the documents.
struct WordShardWriter {
    /// The limits of a block: its terms, and the bytes of its postings. A search reads all terms of a block.
    private static let termsOfBlock = 32
    private static let bytesOfBlock = 64 << 10
    /// The most bytes of the numbers of a term: five varints and a checksum.
    private static let mostOfEntry = 5 * 10 + 4

    private let file: FileWriter
    private var table: [UInt8] = []
    private var blocks: UInt32 = 0
    // The block under way.
    private var postings = PostingsEncoder()
    private var terms = ByteRoom()
    private var count = 0
    /// The last term.
    private var last = ByteRoom()

    /// - Throws: `WordFault`
    init(_ path: String) throws(WordFault) {
        file = try FileWriter(path)
        try file.write([UInt8](repeating: 0, count: WordShard.headerSize))
    }

    /// Adds the places of the next term.
    mutating func addPostings(_ places: UnsafeBufferPointer<PostingsEncoder.Place>) { postings.add(places) }

    /// Adds the places of the next term in one document, for places that do not fit in memory.
    mutating func addPostings(of document: UInt32, _ count: Int, _ positions: some Sequence<UInt32>) {
        postings.add(document, count, positions)
    }

    /// Adds postings of the next term from another file, see `PostingsEncoder`.
    mutating func addPostings(_ others: UnsafeRawBufferPointer, _ entry: WordShard.Entry, base: UInt32) {
        postings.add(others, documents: entry.documents, last: entry.last, base: base)
    }

    /// Adds the term of the postings since the last term.
    /// - Parameter term: after all terms so far, in the order of their bytes.
    mutating func endTerm(_ term: UnsafeRawBufferPointer) {
        let shared = last.withBytes { last in
            var shared = 0
            while shared < min(term.count, last.count), term[shared] == last[shared] { shared += 1 }
            return shared
        }
        let ending = UnsafeRawBufferPointer(rebasing: term[shared...])
        last.removeAll(after: shared)
        last.append(atMost: ending.count) { $0.write(ending) }
        let (length, checksum) = postings.withBytesOfTerm { ($0.count, Checksum.of($0)) }
        terms.append(atMost: ending.count + WordShardWriter.mostOfEntry) { end in
            end.write(varint: UInt64(shared))
            end.write(varint: UInt64(ending.count))
            end.write(ending)
            end.write(varint: UInt64(postings.documents))
            end.write(varint: UInt64(postings.last))
            end.write(varint: UInt64(length))
            end.write(fixed: checksum)
        }
        postings.endTerm()
        count += 1
    }

    /// Writes the block under way if it has its size.
    mutating func endBlockIfFull() throws(WordFault) {
        if count >= WordShardWriter.termsOfBlock || postings.count >= WordShardWriter.bytesOfBlock { try endBlock() }
    }

    private mutating func endBlock() throws(WordFault) {
        if count == 0 { return }
        try file.write(postings.bytes)
        table.append(fixed: file.offset)
        table.append(fixed: UInt32(clamping: terms.count))
        table.append(fixed: Checksum.of(terms.bytes))
        table.append(fixed: UInt32(clamping: postings.count))
        try file.write(terms.bytes)
        postings.removeAll()
        terms.removeAll()
        last.removeAll()
        count = 0
        blocks += 1
    }

    /// Ends the file and moves it into place.
    /// - Parameters:
    ///   - edits: documents, in ascending order.
    ///   - amendments: sorted by message.
    /// - Returns: the length of the file in bytes.
    mutating func finish(
        _ stretches: [WordShard.Stretch], edits: [UInt32], amendments: [WordAmendment]
    ) throws(WordFault) -> Int64 {
        try endBlock()
        var parts = WordShard.Parts()
        parts.table = file.offset
        parts.tableChecksum = Checksum.of(table[...])
        parts.blocks = blocks
        parts.documents = stretches.reduce(0) { $0 &+ $1.count }
        parts.stretches = UInt32(clamping: stretches.count)
        parts.edits = UInt32(clamping: edits.count)
        parts.amendments = UInt32(clamping: amendments.count)
        var rest: [UInt8] = []
        for stretch in stretches {
            rest.append(fixed: stretch.firstRow)
            rest.append(fixed: stretch.count)
        }
        for edit in edits { rest.append(fixed: edit) }
        for amendment in amendments {
            rest.append(fixed: amendment.message)
            rest.append(fixed: amendment.text)
        }
        parts.restChecksum = Checksum.of(rest[...])
        try file.write(table)
        try file.write(rest)
        parts.length = file.offset
        try file.finish(beginningWith: parts.bytes)
        return parts.length
    }
}
