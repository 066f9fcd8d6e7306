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
        for source in sources { try source.advance() }
        var encoder = PostingsEncoder()
        var count = 0
        while true {
            let those = WordMerge.first(of: sources)
            guard let first = those.first else { break }
            encoder.reset()
            for source in those { try source.addPostings(to: &encoder) }
            try first.term.withUnsafeBytes { (bytes) throws in try writer.add(bytes, encoder) }
            for source in those { try source.advance() }
            if count % 1_024 == 0 { try check() }
            count += 1
        }
        return try writer.finish(
            stretches(), edits: edits(), amendments: Amendments.latest(of: shards.flatMap(\.amendments)))
    }

    /// Those that are at the first term of all, oldest first; none at the end of all.
    private static func first(of sources: [Source]) -> [Source] {
        var first: [Source] = []
        for source in sources where !source.isAtEnd {
            if let known = first.first {
                if known.precedes(source) { continue }
                if source.precedes(known) { first.removeAll(keepingCapacity: true) }
            }
            first.append(source)
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
    private final class Source {
        private let shard: WordShard
        private let base: UInt32
        private var block = WordShard.Block.none
        private var nextBlock: UInt32 = 0

        init(_ shard: WordShard, base: UInt32) {
            self.shard = shard
            self.base = base
        }

        var term: [UInt8] { block.term }
        var isAtEnd: Bool { entry == nil }
        private var entry: WordShard.Entry?
        /// Of the term (see `WordTerm.beginning`): most terms differ in it.
        private var beginning: UInt64 = 0

        func precedes(_ other: Source) -> Bool {
            beginning == other.beginning ? WordTerm.precedes(term, other.term) : beginning < other.beginning
        }

        func advance() throws(WordFault) {
            entry = try shard.next(in: &block)
            while entry == nil, nextBlock < shard.blocks {
                block = try shard.read(nextBlock)
                nextBlock += 1
                entry = try shard.next(in: &block)
            }
            beginning = block.term.withUnsafeBytes { WordTerm.beginning($0) }
        }

        func addPostings(to encoder: inout PostingsEncoder) throws(WordFault) {
            guard let entry else { return }
            try shard.withPostings(entry, in: block) { bytes in
                encoder.add(bytes, documents: entry.documents, last: entry.last, base: base)
            }
        }
    }
}
