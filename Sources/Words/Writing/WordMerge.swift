internal import Index

/// Merges several word files into one: for each term, the postings of one file after those of another.
struct WordMerge {
    private let shards: [WordShard]

    /// - Parameter shards: oldest first; of several amendments of a message, the newest counts.
    init(_ shards: [WordShard]) { self.shards = shards }

    /// - Parameter check: called now and then; the errors it throws end the merge.
    /// - Throws: `IndexFault`, and the errors of `check`.
    func write(to file: NewFile, check: () throws -> Void) throws -> IndexFile {
        var writer = WordShardWriter(file)
        var sources: [Source] = []
        var base: UInt32 = 0
        for shard in shards {
            sources.append(try Source(shard, base: base))
            base += shard.documents
        }
        // The current term of each, see `WordTerm.beginning`: most terms differ in it.
        var beginnings = sources.map(\.beginning)
        var first: [Int] = []
        var count = 0
        while true {
            WordMerge.find(&first, beginnings, of: sources)
            guard let any = first.first else { break }
            for index in first { try sources[index].addPostings(to: &writer) }
            sources[any].term.withUnsafeBytes { writer.endTerm($0) }
            try writer.endBlockIfFull()
            for index in first {
                try sources[index].advance()
                beginnings[index] = sources[index].beginning
            }
            if count % 1_024 == 0 {
                try check()
                for shard in shards { shard.bytes.release() }
            }
            count += 1
        }
        var progress: [Int64: WordProgress] = [:]
        for shard in shards {
            try shard.addProgress(to: &progress)
            try shard.bytes.checkLoss()
        }
        let facts = WordShard.Facts(
            messages: shards.reduce(0) { $0 + $1.facts.messages }, stale: shards.last?.facts.stale ?? 0)
        return try writer.finish(
            stretches(), edits: edits(), amendments: Amendments.latest(of: shards.flatMap(\.amendments)),
            progress: progress, facts)
    }

    /// Finds the sources at the first of all terms, oldest first; none at the end of all sources.
    private static func find(_ first: inout [Int], _ beginnings: [UInt64], of sources: [Source]) {
        first.removeAll(keepingCapacity: true)
        var lowest = Source.end
        for index in beginnings.indices where beginnings[index] <= lowest && beginnings[index] != Source.end {
            if beginnings[index] < lowest { first.removeAll(keepingCapacity: true) }
            lowest = beginnings[index]
            first.append(index)
        }
        if first.count > 1, !WordTerm.isWhole(lowest) { keepFirst(&first, of: sources) }
    }

    /// Of sources at terms with the same beginning, keeps those at the first term.
    private static func keepFirst(_ first: inout [Int], of sources: [Source]) {
        let all = first
        first.removeAll(keepingCapacity: true)
        for index in all {
            let order = first.first.map { WordTerm.order(sources[index].term, sources[$0].term) } ?? 0
            if order > 0 { continue }
            if order < 0 { first.removeAll(keepingCapacity: true) }
            first.append(index)
        }
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
        private var block = WordShard.Block(path: "")
        private var nextBlock = 0
        private var entry: WordShard.Entry?
        /// The first bytes of its term, or `end`.
        private(set) var beginning = Source.end

        /// After the beginnings of all terms: no UTF-8 has such bytes.
        static let end = UInt64.max

        /// Begins at the first term.
        init(_ shard: WordShard, base: UInt32) throws(IndexFault) {
            self.shard = shard
            self.base = base
            try advance()
        }

        var term: [UInt8] { block.term }

        mutating func advance() throws(IndexFault) {
            entry = try block.next()
            while entry == nil, nextBlock < shard.blocks {
                block = try shard.read(nextBlock)
                nextBlock += 1
                entry = try block.next()
            }
            beginning = entry == nil ? Source.end : block.term.withUnsafeBytes { WordTerm.beginning($0) }
        }

        func addPostings(to writer: inout WordShardWriter) throws(IndexFault) {
            guard let entry else { return }
            writer.addPostings(try shard.postings(entry).bytes, entry, base: base)
        }
    }
}
