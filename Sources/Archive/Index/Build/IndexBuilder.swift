internal import Files
internal import Index
internal import Messages
internal import Threads
internal import Words

/// Builds the index of an archive, or updates it to the current files: the records on the caller's thread, the words of
/// these records on another thread, which has full batches of them written on a third.
struct IndexBuilder {
    /// The treatment of an existing index.
    enum Renewal {
        /// Update it: keep the records of unchanged lines.
        case none
        /// Delete it first, because it is unusable.
        case inPlace
        /// Build a new index beside it and replace it at the end. Needs disk space for both.
        case aside
    }

    let catalogue: Catalogue
    private(set) var folder: IndexFolder
    let control: IndexControl
    /// The time to wait for another process that is building the index.
    var patience = LockPatience.short
    /// True to compare an existing index with its checksums, and to make it again if it is damaged.
    var isChecking = false

    /// - Parameters:
    ///   - first: the conversation to begin with.
    /// - Returns: the conversations that could not be read, with the errors.
    /// - Throws: `CancellationError`; `IndexFault.locked`; `unavailable` for any other reason.
    func run(
        first: ConversationID? = nil, withWords: Bool = true, renewal: Renewal = .none
    ) throws -> [(ConversationID, StoreError)] {
        do {
            try folder.make()
            var patience = patience
            patience.check = { [control] in try control.checkCancellation() }
            return try folder.withLock(patience) {
                folder.removeRenewed()
                if renewal == .aside { return try makeAside(first: first, withWords: withWords) }
                folder.removeFormer()
                if renewal == .inPlace { folder.removeIndex() }
                return try makeWhole(first: first, withWords: withWords)
            }
        } catch let error as IndexFault where !error.isLocked {
            throw StoreError.savingIndex(error.description)
        } catch let error as StoreError {
            throw StoreError.savingIndex(error.description)
        }
    }

    /// Builds a new index, then replaces the old one, which stays intact until that moment.
    private func makeAside(first: ConversationID?, withWords: Bool) throws -> [(ConversationID, StoreError)] {
        var builder = self
        builder.folder = folder.renewed
        do {
            try builder.folder.make()
            let failures = try builder.makeWhole(first: first, withWords: withWords)
            try folder.takeRenewed()
            return failures
        } catch {
            folder.removeRenewed()
            throw error
        }
    }

    /// Builds the index. If it turns out to be damaged, deletes it and builds it once more.
    private func makeWhole(first: ConversationID?, withWords: Bool) throws -> [(ConversationID, StoreError)] {
        do {
            return try make(first: first, withWords: withWords)
        } catch  where IndexFault.isDamage(error) {
            folder.removeIndex()
            control.restart()
            return try make(first: first, withWords: withWords)
        }
    }

    private func make(first: ConversationID?, withWords: Bool) throws -> [(ConversationID, StoreError)] {
        var ids = try catalogue.ids()
        if let first, let index = ids.firstIndex(of: first) { ids.insert(ids.remove(at: index), at: 0) }
        let records = try RecordIndexer(catalogue, folder.files, control)
        let words = withWords ? beginWords() : nil
        do {
            let failures = try records.update(ids)
            control.endRecords()
            control.whenRecordsAreThere()
            let others = try words?() ?? [:]
            let known = Set(failures.map(\.0))
            return failures + others.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
        } catch is CancellationError {
            // If the other thread has failed, its error is the reason for the cancellation and must be thrown.
            control.giveUp()
            _ = try words?()
            throw CancellationError()
        } catch {
            control.giveUp()
            _ = try? words?()
            throw error
        }
    }

    /// Begins to build the words on a thread of its own, while the caller's thread builds the records.
    /// - Returns: waits for the end, and returns the conversations that could not be read, with the errors.
    private func beginWords() -> () throws -> [ConversationID: StoreError] {
        guard let thread = SerialThread.started() else {
            return { throw StoreError.unavailable("there is no thread for the words; try again") }
        }
        let made = Monitor<Result<[ConversationID: StoreError], any Error>?>(nil)
        thread.run {
            let result = Result { try makeWords() }
            made.change { $0 = result }
        }
        return { try made.wait { $0 }.get() }
    }

    /// Builds the words until no more records come.
    /// - Returns: the conversations that could not be read, with the errors.
    private func makeWords() throws -> [ConversationID: StoreError] {
        if isChecking { try folder.files.check() }
        let failures = try withIndexer { indexer -> [ConversationID: StoreError]? in
            while let conversations = control.nextMoves(most: WordIndexer.conversationsAtOnce) {
                try indexer.addMessages(of: conversations)
            }
            if try indexer.hasGarbage() {
                try folder.files.commit(words: [], to: indexer.words.identity)
                return nil
            }
            try indexer.addPending()
            return indexer.failures
        }
        if let failures { return failures }
        return try withIndexer { indexer in
            try indexer.addPending()
            return indexer.failures
        }
    }

    /// Calls `body` with an indexer of words. When this returns, no thread writes words any more, so that others may.
    private func withIndexer<Result>(_ body: (WordIndexer) throws -> Result) throws -> Result {
        let words = try WordWriter(folder.files)
        defer { words.close() }
        return try body(WordIndexer(catalogue, records: IndexSource(folder.files), words, control))
    }
}
