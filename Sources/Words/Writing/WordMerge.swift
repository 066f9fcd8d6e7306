/// Merges several word files into one: for each term, the postings of one file after those of another.
struct WordMerge {
    private let shards: [WordShard]

    /// - Parameter shards: oldest first; of several amendments of a message, the newest counts.
    init(_ shards: [WordShard]) { self.shards = shards }

    /// - Parameter check: called now and then; the errors it throws end the merge.
    /// - Returns: the length of the new file, in bytes.
    /// - Throws: `WordFault`, and the errors of `check`.
    func write(to path: String, check: () throws -> Void) throws -> Int64 {
        var writer = try WordShardWriter(path)
        var sources: [Source] = []
        var base: UInt32 = 0
        for shard in shards {
            sources.append(Source(shard, base: base))
            base += shard.documents
        }
        for index in sources.indices { try sources[index].advance() }
        var encoder = PostingsEncoder()
        var count = 0
        while let term = WordMerge.firstTerm(of: sources) {
            encoder.reset()
            for index in sources.indices where sources[index].term == term {
                try sources[index].addPostings(to: &encoder)
                try sources[index].advance()
            }
            try term.withUnsafeBytes { (bytes) throws in try writer.add(bytes, encoder) }
            if count % 1_024 == 0 { try check() }
            count += 1
        }
        return try writer.finish(
            stretches(), edits: edits(), amendments: Amendments.latest(of: shards.flatMap(\.amendments)))
    }

    /// The first term that any of them is at; nil at the end of all.
    private static func firstTerm(of sources: [Source]) -> [UInt8]? {
        var first: [UInt8]?
        for source in sources {
            guard let term = source.term else { continue }
            if let known = first, !WordTerm.precedes(term, known) { continue }
            first = term
        }
        return first
    }

    private func stretches() -> [WordShard.Stretch] {
        var merged: [WordShard.Stretch] = []
        var document: UInt32 = 0
        for stretch in shards.flatMap(\.stretches) {
            if let last = merged.last, last.firstRow + Int64(last.count) == stretch.firstRow {
                merged[merged.count - 1] = WordShard.Stretch(
                    firstRow: last.firstRow, firstDocument: last.firstDocument, count: last.count + stretch.count)
            } else {
                merged.append(
                    WordShard.Stretch(firstRow: stretch.firstRow, firstDocument: document, count: stretch.count))
            }
            document += stretch.count
        }
        return merged
    }

    private func edits() -> [UInt32] {
        var merged: [UInt32] = []
        var base: UInt32 = 0
        for shard in shards {
            merged += shard.edits.map { $0 + base }
            base += shard.documents
        }
        return merged
    }

    /// One of the files, at its current term.
    private struct Source {
        private let shard: WordShard
        private let base: UInt32
        private var block: WordShard.Block?
        private var nextBlock: UInt32 = 0
        private var nextEntry = 0

        init(_ shard: WordShard, base: UInt32) {
            self.shard = shard
            self.base = base
        }

        /// Nil at the end.
        private(set) var term: [UInt8]?
        private var entry: WordShard.Entry?

        mutating func advance() throws(WordFault) {
            while nextEntry == block?.entries.count ?? 0 {
                guard nextBlock < shard.blocks else {
                    (term, entry) = (nil, nil)
                    return
                }
                block = try shard.read(nextBlock)
                nextBlock += 1
                nextEntry = 0
            }
            (term, entry) = (block?.entries[nextEntry].term, block?.entries[nextEntry].entry)
            nextEntry += 1
        }

        func addPostings(to encoder: inout PostingsEncoder) throws(WordFault) {
            guard let entry, let block else { return }
            try shard.withPostings(entry, in: block) { bytes in
                encoder.add(bytes, documents: entry.documents, last: entry.last, base: base)
            }
        }
    }
}
