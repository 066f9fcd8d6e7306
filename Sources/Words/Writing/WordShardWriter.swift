internal import Index

/// Writes a word file: terms in the order of their bytes, then the rows of the documents.
struct WordShardWriter {
    /// The limits of a block: its terms, and the bytes of its postings. A search reads all terms of a block.
    private static let termsOfBlock = 32
    private static let bytesOfBlock = 64 << 10
    /// The most bytes of the numbers of a term: five varints.
    private static let mostOfEntry = 5 * 10

    private let output: SectionWriter
    private var table: [WordShard.BlockPlace] = []
    // The block under way.
    private var postings = PostingsEncoder()
    private var terms = ByteRoom()
    private var count = 0
    /// The last term.
    private var last = ByteRoom()

    init(_ file: NewFile) { output = SectionWriter(file) }

    /// Adds the places of the next term.
    mutating func addPostings(_ places: UnsafeBufferPointer<PostingsEncoder.Place>) { postings.add(places) }

    /// Adds the places of the next term in one document, for places that do not fit in memory.
    mutating func addPostings(of document: UInt32, _ count: Int, _ forEachPosition: ((UInt32) -> Void) -> Void) {
        postings.add(document, count, forEachPosition)
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
        terms.append(atMost: ending.count + WordShardWriter.mostOfEntry) { end in
            end.write(varint: UInt64(shared))
            end.write(varint: UInt64(ending.count))
            end.write(ending)
            end.write(varint: UInt64(postings.documents))
            end.write(varint: UInt64(postings.last))
            end.write(varint: UInt64(postings.countOfTerm))
        }
        postings.endTerm()
        count += 1
    }

    /// Writes the block under way if it has its size.
    mutating func endBlockIfFull() throws(IndexFault) {
        if count >= WordShardWriter.termsOfBlock || postings.count >= WordShardWriter.bytesOfBlock { try endBlock() }
    }

    private mutating func endBlock() throws(IndexFault) {
        if count == 0 { return }
        try output.write(postings.bytes)
        table.append(
            WordShard.BlockPlace(
                terms: UInt64(output.count), length: UInt32(clamping: terms.count),
                postings: UInt32(clamping: postings.count)))
        try output.write(terms.bytes)
        postings.removeAll()
        terms.removeAll()
        last.removeAll()
        count = 0
    }

    /// Ends the file and names it.
    /// - Parameters:
    ///   - edits: documents, in ascending order.
    ///   - amendments: sorted by message.
    mutating func finish(
        _ stretches: [WordShard.Stretch], edits: [UInt32], amendments: [WordAmendment],
        progress: [Int64: WordProgress], _ facts: WordShard.Facts
    ) throws(IndexFault) -> IndexFile {
        try endBlock()
        // In the order of `WordShard.Section`.
        try output.add(table)
        try output.add(stretches)
        try output.add(edits)
        try output.add(amendments)
        try output.add(
            progress.sorted { $0.key < $1.key }.map { WordShard.SegmentProgress(segment: $0.key, progress: $0.value) })
        try output.add([facts])
        return try output.finish()
    }
}
