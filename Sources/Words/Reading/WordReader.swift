import Glibc
package import Index

/// Finds the messages whose texts contain words. Use it on one thread only.
package final class WordReader {
    /// Documents between two calls of `check`.
    private static let stride = 65_536

    private let index: IndexFiles
    /// That of the index to whose records the words belong.
    private var identity: UInt64 = 0
    /// Oldest first.
    private var shards: [WordShard] = []
    private var done: [Int64: WordProgress] = [:]
    /// The amendments of all files, after their first use.
    private var known: Amendments?

    package init(_ index: IndexFiles) { self.index = index }

    /// Opens the words of a generation.
    /// - Returns: true if they are others than those that were open.
    /// - Throws: also `ENOENT`, if a writer has merged files since the generation was read.
    package func open(_ generation: IndexSnapshot) throws(IndexFault) -> Bool {
        let isSame = generation.identity == identity
        if isSame, generation.words == shards.map(\.file) { return false }
        var opened: [WordShard] = []
        for file in generation.words {
            if isSame, let kept = shards.first(where: { $0.file == file }) {
                opened.append(kept)
            } else {
                opened.append(try WordShard(file, of: index))
            }
        }
        var done: [Int64: WordProgress] = [:]
        for shard in opened { try shard.addProgress(to: &done) }
        (identity, shards, self.done, known) = (generation.identity, opened, done, nil)
        return true
    }

    /// Opens the words of the current generation.
    /// - Returns: the generation; nil if there is no index.
    package func refresh(from source: IndexSource) throws(IndexFault) -> IndexSnapshot? {
        while let generation = try source.current() {
            do throws(IndexFault) {
                _ = try open(generation)
                return generation
            } catch {
                guard case .system(let path, ENOENT) = error else { throw error }
                if try source.current() === generation { throw .damaged(file: path, reason: "it is missing") }
            }
        }
        return nil
    }

    /// See `WordWriter.stale`.
    package var stale: Int64 { shards.last?.facts.stale ?? 0 }

    package func progress(of segment: Int64) -> WordProgress? { done[segment] }

    /// Finds messages by their words, and returns their rows.
    /// - Parameters:
    ///   - isCurrent: true if only current texts count. If not, it finds every message that matched at any time, and
    ///     possibly others.
    ///   - check: called now and then; the errors it throws end the search.
    /// - Throws: `IndexFault`, and the errors of `check`.
    package func rows(
        _ wanted: WordCondition, isCurrent: Bool, check: () throws -> Void = {}
    ) throws -> RowSet {
        let amendments = amendments()
        var found = RowSet()
        var edits: [Int64] = []
        for shard in shards.reversed() {
            try insertRows(of: shard, wanted, check, into: &found, edits: &edits)
            try shard.bytes.checkLoss()
        }
        if isCurrent {
            // All edits and deletions are gone through once: a look at them for each message takes longer than all the rest.
            if !found.isEmpty { amendments.forEachOverruledMessage { found.remove($0) } }
            for edit in edits { for message in amendments.messages(withTextOf: edit) { found.insert(message) } }
        } else {
            amendments.forEachMessage { found.insert($0) }
        }
        found.finish()
        return found
    }

    /// The amendments of all word files.
    private func amendments() -> Amendments {
        if let known { return known }
        // The oldest first: what is said later counts.
        let new = Amendments(shards.map(\.amendments))
        known = new
        return new
    }

    /// The deleted messages among `rows`.
    package func deleted(among rows: [Int64]) -> Set<Int64> {
        let amendments = amendments()
        return Set(rows.filter { amendments.text(of: $0) == 0 })
    }

    /// Inserts the rows of the messages whose own lines match.
    /// - Parameter edits: receives the rows of the edits that match.
    private func insertRows(
        of shard: WordShard, _ wanted: WordCondition, _ check: () throws -> Void, into found: inout RowSet,
        edits: inout [Int64]
    ) throws {
        switch wanted {
        case .phrases(let phrases):
            if phrases.count == 1, phrases[0].count == 1 {
                // Its place in the text does not matter.
                guard let postings = try shard.postings(of: phrases[0][0]) else { return }
                return try insertRows(of: shard, postings, check, into: &found, edits: &edits)
            }
            var sorter = WordShard.TextSorter(shard)
            try PhraseMatch(phrases).forEachDocument(of: shard) { document in
                sorter.insert(document, into: &found, edits: &edits)
                if sorter.count % WordReader.stride == 0 { try check() }
            }
        case .beginning(let prefix):
            try shard.forEachTerm(from: prefix) { _, entry in
                try check()
                try insertRows(of: shard, try shard.postings(entry), check, into: &found, edits: &edits)
                return true
            }
        }
    }

    private func insertRows(
        of shard: WordShard, _ postings: Postings, _ check: () throws -> Void, into found: inout RowSet,
        edits: inout [Int64]
    ) throws {
        var sorter = WordShard.TextSorter(shard)
        try postings.forEachDocument { document in
            sorter.insert(document, into: &found, edits: &edits)
            if sorter.count % WordReader.stride == 0 { try check() }
        }
    }

    // MARK: - For comparing

    /// Calls `body` with every word of every text, term by term within each file.
    /// - Throws: `IndexFault`, and the errors of `body`.
    package func forEachWord(
        _ body: (_ term: [UInt8], _ row: Int64, _ positions: [UInt32]) throws -> Void
    ) throws {
        for shard in shards {
            try shard.forEachTerm(from: []) { term, entry in
                let postings = try shard.postings(entry)
                var rows = WordShard.RowFinder(shard)
                var positions: [UInt32] = []
                var cursor = Postings.Cursor(postings)
                while cursor.next() {
                    let document = cursor.document
                    cursor.readPositions(into: &positions)
                    guard let row = rows.row(of: document) else { continue }
                    try body(term, row, positions)
                }
                return true
            }
            try shard.bytes.checkLoss()
        }
    }

    /// The row of the record that holds the current text of a message; 0 for a deleted message.
    package func text(of message: Int64) -> Int64 { amendments().text(of: message) }
}

/// The words that a text must contain.
package enum WordCondition: Hashable, Sendable {
    /// All of these phrases, each with its words in a row. Words as `WordTerm.stored` returns them.
    case phrases([[[UInt8]]])
    /// A word that begins with these bytes.
    case beginning([UInt8])
}
