import Glibc

/// Finds the messages whose texts contain words. Use it on one thread only.
package final class WordReader {
    /// A writer may merge files while this opens them; then it reads the manifest again.
    private static let tries = 5
    /// Documents between two calls of `check`.
    private static let stride = 65_536

    private let folder: WordFolder
    private var manifest: WordManifest?
    /// The open file of the manifest, to detect that another one has replaced it.
    private var file: StoredFile?
    private var shards: [UInt32: WordShard] = [:]
    /// The amendments of all files, after their first use.
    private var known: Amendments?

    package init(_ folder: WordFolder) { self.folder = folder }

    /// Opens the current words, if they have changed.
    /// - Returns: true if they have.
    /// - Throws: `WordFault`
    package func refresh() throws(WordFault) -> Bool {
        if let file, !file.isRemoved { return false }
        let before = manifest
        for attempt in 1...WordReader.tries {
            let found = try WordManifest.read(folder.manifest)
            do throws(WordFault) {
                try open(found?.manifest)
                file = found?.file
                return manifest != before
            } catch {
                guard case .system(_, ENOENT) = error, attempt < WordReader.tries else { throw error }
            }
        }
        return false
    }

    private func open(_ found: WordManifest?) throws(WordFault) {
        var opened: [UInt32: WordShard] = [:]
        for shard in found?.shards ?? [] {
            if let kept = shards[shard.number] {
                opened[shard.number] = kept
            } else {
                opened[shard.number] = try WordShard(folder.shard(shard.number))
            }
        }
        (manifest, shards, known) = (found, opened, nil)
    }

    /// The index to whose records the words belong; nil when there are no words.
    package var identity: Int64? { manifest?.identity }

    /// See `WordWriter.stale`.
    package var stale: Int64 { manifest?.stale ?? 0 }

    package func progress(of segment: Int64) -> WordProgress? { manifest?.done[segment] }

    /// Finds messages by their words, and returns their rows.
    /// - Parameters:
    ///   - isCurrent: true if only current texts count. If not, it finds every message that matched at any time, and
    ///     possibly others.
    ///   - check: called now and then; the errors it throws end the search.
    /// - Throws: `WordFault`, and the errors of `check`.
    package func rows(
        _ wanted: WordCondition, isCurrent: Bool, check: () throws -> Void = {}
    ) throws -> RowSet {
        let amendments = try self.amendments()
        var found = RowSet()
        var edits: [Int64] = []
        for shard in newestFirst() { try insertRows(of: shard, wanted, check, into: &found, edits: &edits) }
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
    /// - Throws: `WordFault`
    func amendments() throws(WordFault) -> Amendments {
        if let known { return known }
        // The oldest first: what is said later counts.
        let new = Amendments(newestFirst().reversed().map(\.amendments))
        known = new
        return new
    }

    /// The deleted messages among `rows`.
    /// - Throws: `WordFault`
    package func deleted(among rows: [Int64]) throws(WordFault) -> Set<Int64> {
        let amendments = try amendments()
        return Set(rows.filter { amendments.text(of: $0) == 0 })
    }

    private func newestFirst() -> [WordShard] {
        (manifest?.shards ?? []).reversed().compactMap { shards[$0.number] }
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
                // Where it stands in a text does not matter.
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
    /// - Throws: `WordFault`, and the errors of `body`.
    package func forEachWord(
        _ body: (_ term: [UInt8], _ row: Int64, _ positions: [UInt32]) throws -> Void
    ) throws {
        for shard in newestFirst() {
            try shard.forEachTerm(from: []) { term, entry in
                let postings = try shard.postings(entry)
                var rows = WordShard.RowFinder(shard)
                var positions: [UInt32] = []
                try postings.bytes.withUnsafeBytes { bytes in
                    var cursor = Postings.Cursor(bytes, documents: postings.documents)
                    while cursor.next() {
                        let document = cursor.document
                        cursor.readPositions(into: &positions)
                        guard let row = rows.row(of: document) else { continue }
                        try body(term, row, positions)
                    }
                }
                return true
            }
        }
    }

    /// The row of the record that holds the current text of a message; 0 for a deleted message.
    /// - Throws: `WordFault`
    package func text(of message: Int64) throws(WordFault) -> Int64 { try amendments().text(of: message) }
}
