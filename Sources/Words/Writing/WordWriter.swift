import Glibc
package import Index
internal import Search
internal import Threads

/// Adds words to an archive, in small files, and merges these now and then:
///
///     texts → words in memory → a file of words → the next generation of the index names it
///                                    eight of a size → one file
///
/// So each word is written about three times in an archive of millions, and a search reads about twenty files. (This is
/// the usual log-structured merge: O'Neil and others, Acta Informatica 33, 1996.) Use it in one process at a time, on
/// one thread; it can write on another one, meanwhile the first one collects the next words.
package final class WordWriter {
    package static let usualCapacity = 256 << 10
    private static let mostDocuments: UInt32 = 1 << 18

    private let index: IndexFiles
    /// That of the index to whose records the words belong.
    package let identity: UInt64
    private let capacity: Int
    private var collector = WordCollector()
    private var tokenizer = Tokenizer(UnsafeBufferPointer(start: nil, count: 0))
    /// The next file.
    private var batch = WordBatch()
    // The progress that the files state for words that were committed, even if they are still being written.
    private var done: [Int64: WordProgress]
    private var committedTexts: Int
    /// The last applied entry of the index's list of stale messages (messages whose edits are gone).
    package private(set) var stale: Int64
    /// The files after the last commit, or the error of that commit; nil while the thread writes.
    private let written: Monitor<Result<WordFiles, any Error>?>
    /// The thread that writes. It is started when it is needed first.
    private let thread = SerialThread()

    /// Opens the words of an index.
    /// - Parameter capacity: the approximate number of words to keep in memory.
    package init(_ index: IndexFiles, capacity: Int = WordWriter.usualCapacity) throws(IndexFault) {
        guard let manifest = try index.readManifest() else { throw .system(file: index.manifest, code: ESTALE) }
        (self.index, identity, self.capacity) = (index, manifest.identity, capacity)
        var words = WordFiles(files: [], next: manifest.next)
        (done, stale) = ([:], 0)
        for file in manifest.words {
            let shard: WordShard
            do throws(IndexFault) {
                shard = try WordShard(file, of: index)
            } catch {
                // Nobody else writes.
                guard case .system(let path, ENOENT) = error else { throw error }
                throw .damaged(file: path, reason: "it is missing")
            }
            words.files.append(WordFile(file: file, documents: shard.documents, messages: shard.facts.messages))
            try shard.addProgress(to: &done)
            stale = shard.facts.stale
        }
        committedTexts = Int(words.files.reduce(0) { $0 + $1.messages })
        written = Monitor(.success(words))
    }

    /// The number of texts of messages, including messages that no record mentions any more.
    package var texts: Int { committedTexts + Int(batch.messages) }

    package func progress(of segment: Int64) -> WordProgress { done[segment] ?? WordProgress() }

    /// True if the words in memory should be written now.
    package var isFull: Bool { collector.words.count >= capacity || batch.documents >= WordWriter.mostDocuments }

    /// Adds the words of a text.
    /// - Parameters:
    ///   - row: the row of the record that holds the text.
    ///   - isEdit: true if the text replaces that of another record.
    package func add(_ text: UnsafeRawBufferPointer, row: Int64, isEdit: Bool) {
        let document = batch.addText(row: row, isEdit: isEdit)
        text.withMemoryRebound(to: UInt8.self) { collector.add($0, by: &tokenizer, document: document) }
    }

    /// Records the current text of a message.
    /// - Parameters:
    ///   - message: the row of the message.
    ///   - text: the row of the record that holds the text; nil for a deleted message.
    package func amend(_ message: Int64, text: Int64?) { batch.add(WordAmendment(message: message, text: text ?? 0)) }

    // MARK: - Writing

    /// Writes all added words, which readers see from then on, together with:
    /// - Parameters:
    ///   - done: segments, with the last rows whose words are written.
    ///   - stale: the new value of `stale`.
    ///   - check: called now and then; the errors it throws end the writing.
    /// - Throws: `IndexFault`, and the errors of `check`; also those of a commit that was begun before. The added words
    ///   are then lost, and the previous ones stay. All further commits fail with the same error.
    package func commit(
        _ done: [Int64: WordProgress], stale: Int64? = nil, check: @escaping @Sendable () throws -> Void = {}
    ) throws {
        let words = try finish()
        guard var commit = take(done, stale, check) else { return }
        let result = Result { try commit.write(after: words) }
        written.change { $0 = result }
        _ = try result.get()
    }

    /// Like `commit`, on another thread. Waits only for the commit that was begun before.
    /// - Parameter check: called on that thread.
    /// - Throws: the errors of the commit before.
    package func beginCommit(
        _ done: [Int64: WordProgress], check: @escaping @Sendable () throws -> Void = {}
    ) throws {
        let words = try finish()
        guard let taken = take(done, nil, check) else { return }
        written.change { $0 = nil }
        thread.run { [written] in
            var commit = taken
            let result = Result { try commit.write(after: words) }
            written.change { $0 = result }
        }
    }

    /// Waits for the commit that was begun.
    /// - Throws: the errors of that commit, see `commit`.
    /// - Returns: the current files.
    @discardableResult
    func finish() throws -> WordFiles { try written.wait { $0 }.get() }

    /// Waits for the commit that was begun. Nothing is written afterwards.
    package func close() { _ = try? finish() }

    /// Takes out everything that was added; nil if there is nothing to write.
    private func take(
        _ done: [Int64: WordProgress], _ stale: Int64?, _ check: @escaping @Sendable () throws -> Void
    ) -> WordCommit? {
        let isChanged =
            !batch.isEmpty || stale.map { $0 != self.stale } ?? false || done.contains { self.done[$0.key] != $0.value }
        guard isChanged else { return nil }
        self.stale = stale ?? self.stale
        self.done.merge(done) { $1 }
        committedTexts += Int(batch.messages)
        batch.words = collector.take()
        defer { batch = WordBatch() }
        return WordCommit(
            index: index, identity: identity, batch: batch, done: done, stale: self.stale, check: check)
    }
}
