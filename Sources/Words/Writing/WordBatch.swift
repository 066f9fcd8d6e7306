internal import Index

/// The contents of one word file: the words of some texts, and the effects of edits.
struct WordBatch: Sendable {
    /// A gap of at most this many rows without text (reactions and the like) becomes documents without words; a longer
    /// gap begins a new stretch.
    private static let gap: Int64 = 16

    var words = CollectedWords()
    private(set) var stretches: [WordShard.Stretch] = []
    private(set) var documents: UInt32 = 0
    /// Documents that are messages.
    private(set) var messages: UInt32 = 0
    private(set) var edits: [UInt32] = []
    private(set) var amendments: [WordAmendment] = []

    var isEmpty: Bool { documents == 0 && amendments.isEmpty }

    /// Begins the text of the next row.
    /// - Returns: its document.
    mutating func addText(row: Int64, isEdit: Bool) -> UInt32 {
        let document = begin(row)
        if isEdit { edits.append(document) } else { messages += 1 }
        return document
    }

    private mutating func begin(_ row: Int64) -> UInt32 {
        if let last = stretches.last {
            let distance = row - last.firstRow - Int64(last.count)
            if (0...WordBatch.gap).contains(distance) {
                let new = UInt32(distance) + 1
                stretches[stretches.count - 1] = WordShard.Stretch(
                    firstRow: last.firstRow, firstDocument: last.firstDocument, count: last.count + new)
                documents += new
                return documents - 1
            }
        }
        stretches.append(WordShard.Stretch(firstRow: row, firstDocument: documents, count: 1))
        documents += 1
        return documents - 1
    }

    mutating func add(_ amendment: WordAmendment) { amendments.append(amendment) }

    /// - Parameter progress: the new progress of segments.
    func write(to file: NewFile, progress: [Int64: WordProgress], stale: Int64) throws(IndexFault) -> IndexFile {
        var writer = WordShardWriter(file)
        try words.write(to: &writer)
        return try writer.finish(
            stretches, edits: edits, amendments: Amendments.latest(of: amendments), progress: progress,
            WordShard.Facts(messages: Int64(messages), stale: stale))
    }
}
