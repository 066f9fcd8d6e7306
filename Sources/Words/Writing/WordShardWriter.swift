/// Writes a word file: terms in the order of their bytes, then the rows of the documents.
struct WordShardWriter {
    /// The limits of a block: its terms, and the bytes of its postings. A search reads all terms of a block.
    private static let termsOfBlock = 32
    private static let bytesOfBlock: Int64 = 64 << 10

    private let file: FileWriter
    private var table: [UInt8] = []
    private var blocks: UInt32 = 0
    // The block under way.
    private var terms: [UInt8] = []
    private var count = 0
    private var last: [UInt8] = []
    private var start = Int64(WordShard.headerSize)

    /// - Throws: `WordFault`
    init(_ path: String) throws(WordFault) {
        file = try FileWriter(path)
        try file.write([UInt8](repeating: 0, count: WordShard.headerSize))
    }

    /// - Parameter term: after all terms so far, in the order of their bytes.
    mutating func add(_ term: UnsafeRawBufferPointer, _ postings: PostingsEncoder) throws(WordFault) {
        var shared = 0
        while shared < min(term.count, last.count), term[shared] == last[shared] { shared += 1 }
        terms.append(varint: UInt64(shared))
        terms.append(varint: UInt64(term.count - shared))
        terms.append(contentsOf: term[shared...])
        last.removeLast(last.count - shared)
        last.append(contentsOf: term[shared...])
        terms.append(varint: UInt64(postings.documents))
        terms.append(varint: UInt64(postings.last))
        terms.append(varint: UInt64(postings.bytes.count))
        terms.append(fixed: Checksum.of(postings.bytes))
        try file.write(postings.bytes)
        count += 1
        if count >= WordShardWriter.termsOfBlock || file.offset - start >= WordShardWriter.bytesOfBlock {
            try endBlock()
        }
    }

    private mutating func endBlock() throws(WordFault) {
        if count == 0 { return }
        table.append(fixed: file.offset)
        table.append(fixed: UInt32(clamping: terms.count))
        table.append(fixed: Checksum.of(terms[...]))
        table.append(fixed: UInt32(clamping: file.offset - start))
        try file.write(terms)
        terms.removeAll(keepingCapacity: true)
        last.removeAll(keepingCapacity: true)
        count = 0
        blocks += 1
        start = file.offset
    }

    /// Ends the file and moves it into place.
    /// - Parameters:
    ///   - edits: documents, in ascending order.
    ///   - amendments: sorted by message.
    /// - Returns: its length in bytes.
    mutating func finish(
        _ stretches: [WordShard.Stretch], edits: [UInt32], amendments: [Amendment]
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
