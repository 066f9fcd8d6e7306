import Glibc
internal import Search

/// Adds words to an archive, in small files, and merges these now and then:
///
///     texts → words in memory → a file of words → the manifest names it
///                                    eight of a size → one file
///
/// So each word is written about three times in an archive of millions, and a search reads about twenty files. (This is
/// the usual log-structured merge: O'Neil and others, Acta Informatica 33, 1996.) Use it in one process at a time, on
/// one thread.
package final class WordWriter {
    package static let usualCapacity = 256 << 10
    private static let mostDocuments: UInt32 = 1 << 18
    /// How many files of a size are merged, and how much larger the files of the next size are.
    private static let fanIn = 8
    private static let smallest: Int64 = 256 << 10
    /// Files are not merged beyond this number of documents.
    private static let mostMerged: UInt64 = 1 << 28
    /// A gap of at most this many rows without text (reactions and the like) becomes documents without words; a longer
    /// gap begins a new stretch.
    private static let gap: Int64 = 16

    private let folder: WordFolder
    private let capacity: Int
    private var manifest: WordManifest
    // The contents of the next file.
    private var collector = WordCollector()
    private var tokenizer = Tokenizer(UnsafeBufferPointer(start: nil, count: 0))
    private var stretches: [WordShard.Stretch] = []
    private var documents: UInt32 = 0
    private var messages: UInt32 = 0
    private var edits: [UInt32] = []
    private var amendments: [Amendment] = []

    /// - Parameters:
    ///   - identity: names the index whose records the words belong to. Removes damaged words, and words of another
    ///     index.
    ///   - capacity: about how many words to keep in memory.
    /// - Throws: `system`
    package init(
        _ folder: WordFolder, of identity: Int64, capacity: Int = WordWriter.usualCapacity
    ) throws(WordFault) {
        self.folder = folder
        self.capacity = capacity
        let found: WordManifest?
        do throws(WordFault) {
            found = try WordWriter.wholeManifest(folder)
        } catch {
            guard case .broken = error else { throw error }
            found = nil
        }
        if let found, found.identity == identity {
            manifest = found
            folder.removeStrays(besides: found)
        } else {
            folder.removeAll()
            manifest = WordManifest()
            manifest.identity = identity
            // A reader that has former files open must not mistake new files for them.
            manifest.nextNumber = .random(in: 1...1 << 30)
        }
    }

    /// The manifest, verified together with the files that it names.
    private static func wholeManifest(_ folder: WordFolder) throws(WordFault) -> WordManifest? {
        guard let (found, _) = try WordManifest.read(folder.manifest) else { return nil }
        for shard in found.shards {
            let path = folder.shard(shard.number)
            do throws(WordFault) {
                _ = try WordShard(path)
            } catch {
                if case .system(_, ENOENT) = error { throw .broken(file: path) }
                throw error
            }
        }
        return found
    }

    /// The last entry of the index's list of stale messages (their edits are gone) that the words have taken in.
    package var stale: Int64 { manifest.stale }

    /// The number of texts of messages, including messages that no record mentions any more.
    package var texts: Int { manifest.shards.reduce(0) { $0 + Int($1.messages) } + Int(messages) }

    package func progress(of segment: Int64) -> WordProgress { manifest.done[segment] ?? WordProgress() }

    /// Whether the words in memory should be written now.
    package var isFull: Bool { collector.words.count >= capacity || documents >= WordWriter.mostDocuments }

    /// Adds the words of a text.
    /// - Parameters:
    ///   - row: of the record that holds the text.
    ///   - isEdit: whether the text replaces that of another record.
    package func add(_ text: UnsafeRawBufferPointer, row: Int64, isEdit: Bool) {
        let document = begin(row)
        if isEdit { edits.append(document) } else { messages += 1 }
        text.withMemoryRebound(to: UInt8.self) { text in
            tokenizer.read(text)
            collector.add(&tokenizer, document: document)
        }
    }

    /// Begins the document of the next row.
    private func begin(_ row: Int64) -> UInt32 {
        if let last = stretches.last {
            let distance = row - last.firstRow - Int64(last.count)
            if (0...WordWriter.gap).contains(distance) {
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

    /// Notes the current text of a message.
    /// - Parameters:
    ///   - message: its row.
    ///   - text: the row of the record that holds the text; nil for a deleted message.
    package func amend(_ message: Int64, text: Int64?) {
        amendments.append(Amendment(message: message, text: text ?? 0))
    }

    /// Writes everything that was added, for readers to see from now on, together with these:
    /// - Parameters:
    ///   - done: segments, with the last rows whose words are written.
    ///   - stale: the new value of `stale`.
    ///   - check: called now and then; the errors it throws end the writing.
    /// - Throws: `WordFault`, and the errors of `check`. The added words are then lost, and the former ones stay.
    package func commit(
        _ done: [Int64: WordProgress], stale: Int64? = nil, check: () throws -> Void = {}
    ) throws {
        let isChanged =
            documents > 0 || !amendments.isEmpty || stale.map { $0 != manifest.stale } ?? false
            || done.contains { manifest.done[$0.key] != $0.value }
        guard isChanged else { return }
        var next = manifest
        next.stale = stale ?? next.stale
        next.done.merge(done) { $1 }
        if documents > 0 || !amendments.isEmpty { next.shards.append(try writeShard(&next)) }
        try merge(&next, check)
        try next.write(to: folder.manifest)
        for shard in manifest.shards where !next.shards.contains(shard) { unlink(folder.shard(shard.number)) }
        manifest = next
    }

    private func writeShard(_ next: inout WordManifest) throws(WordFault) -> WordManifest.Shard {
        let number = next.nextNumber
        next.nextNumber += 1
        var writer = try WordShardWriter(folder.shard(number))
        try collector.take().write(to: &writer)
        let bytes = try writer.finish(stretches, edits: edits, amendments: Amendments.latest(of: amendments))
        defer {
            (stretches, documents, messages, edits, amendments) = ([], 0, 0, [], [])
        }
        return WordManifest.Shard(number: number, documents: documents, messages: messages, bytes: bytes)
    }

    /// Merges the newest files as long as enough of them have the same size.
    private func merge(_ next: inout WordManifest, _ check: () throws -> Void) throws {
        while let count = WordWriter.mergeable(next.shards) {
            let old = Array(next.shards.suffix(count))
            let number = next.nextNumber
            next.nextNumber += 1
            let shards = try old.map { try WordShard(folder.shard($0.number)) }
            let bytes = try WordMerge(shards).write(to: folder.shard(number), check: check)
            next.shards.removeLast(count)
            next.shards.append(
                WordManifest.Shard(
                    number: number, documents: old.reduce(0) { $0 + $1.documents },
                    messages: old.reduce(0) { $0 + $1.messages }, bytes: bytes))
            for shard in old where !manifest.shards.contains(shard) { unlink(folder.shard(shard.number)) }
        }
    }

    /// The number of newest files to merge; nil for none.
    static func mergeable(_ shards: [WordManifest.Shard]) -> Int? {
        var (level, count) = (0, 0)
        var documents: UInt64 = 0
        for shard in shards.reversed() {
            let its = self.level(of: shard)
            if its > level {
                if count >= fanIn { break }
                level = its
            }
            documents += UInt64(shard.documents)
            guard documents <= mostMerged else { break }
            count += 1
        }
        let same = shards.suffix(count).filter { self.level(of: $0) == level }
        return same.count >= fanIn ? count : nil
    }

    private static func level(of shard: WordManifest.Shard) -> Int {
        var (level, size) = (0, smallest)
        while shard.bytes > size {
            level += 1
            size *= Int64(fanIn)
        }
        return level
    }
}
