internal import SQLite
internal import Locks
internal import Messages
internal import Words

/// Makes the index of an archive, or brings it up to the files: the records on the thread of the caller, the words of
/// those records on another thread.
struct IndexBuilder {
    /// Pages of the records that are kept in memory while the index is made, in bytes. More of them make it hardly faster:
    /// SQLite sorts in so much memory as well, and what it writes is mostly new.
    private static let cache = 1 << 20

    /// How it is made where one is there already.
    enum Renewal {
        /// The index keeps the records of lines that the files still hold.
        case none
        /// The former one is forgotten first: it is of no use to anybody.
        case inPlace
        /// The former one gives way when the new one is there, which takes room for both.
        case aside
    }

    let catalogue: Catalogue
    private(set) var folder: IndexFolder
    let control: IndexControl
    /// How long to wait for another process that makes it.
    var patience = LockPatience.short

    /// - Parameters:
    ///   - first: the conversation to begin with.
    /// - Returns: the conversations that could not be read, and why.
    /// - Throws: `CancellationError`; `IndexFailure`; `IndexLocked`.
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
                if renewal == .inPlace { removeDatabases() }
                return try makeWhole(first: first, withWords: withWords)
            }
        } catch let error as DatabaseError {
            throw IndexFailure(folder.path, error)
        } catch let error as WordFault {
            throw IndexFailure(reason: error.description)
        } catch let error as StoreError {
            throw IndexFailure(reason: error.description)
        }
    }

    /// Makes another index, and then puts it in the place of the former one, which is whole as long as that has not happened.
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

    /// Makes the index; a damaged one is removed and made from the beginning, once.
    private func makeWhole(first: ConversationID?, withWords: Bool) throws -> [(ConversationID, StoreError)] {
        do {
            return try make(first: first, withWords: withWords)
        } catch  where IndexFailure.isDamage(error) {
            removeDatabases()
            control.restart()
            return try make(first: first, withWords: withWords)
        }
    }

    private func removeDatabases() {
        // Words without their records would be of none.
        folder.words.removeAll()
        folder.recordDatabase.remove()
    }

    private func make(first: ConversationID?, withWords: Bool) throws -> [(ConversationID, StoreError)] {
        var ids = try catalogue.ids()
        if let first, let index = ids.firstIndex(of: first) { ids.insert(ids.remove(at: index), at: 0) }
        let records = try folder.recordDatabase.writer(cache: IndexBuilder.cache)
        // The last one to close it has to be one that may write: only that brings the log into the database.
        defer { withExtendedLifetime(records) {} }
        let words = withWords ? WordBuilding { try makeWords() } : nil
        do {
            let failures = try RecordIndexer(catalogue, records, control).update(ids)
            control.endRecords()
            control.whenRecordsAreThere()
            let others = try words?.finish() ?? [:]
            let known = Set(failures.map(\.0))
            return failures + others.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
        } catch is CancellationError {
            // Either nobody wants the index any more, or the other thread has failed: then its reason is the one that counts.
            control.giveUp()
            _ = try words?.finish()
            throw CancellationError()
        } catch {
            control.giveUp()
            _ = try? words?.finish()
            throw error
        }
    }

    /// On a thread of its own, until no more records come.
    /// - Returns: the conversations that could not be read, and why.
    func makeWords() throws -> [ConversationID: StoreError] {
        guard let records = try folder.recordDatabase.reader(cache: 256 << 10) else { return [:] }
        let identity = try records.read { try RecordSchema.identity($0) }
        let indexer = WordIndexer(catalogue, records: records, try WordWriter(folder.words, of: identity), control)
        do {
            while let conversations = control.nextMoves(most: WordIndexer.conversationsAtOnce) {
                try indexer.addMessages(of: conversations)
            }
            if try !indexer.hasGarbage() {
                try indexer.addPending()
                return indexer.failures
            }
        } catch WordFault.broken {
            // Damage that shows only when files are merged: all words are made anew, as they are for much garbage.
            while control.nextMoves(most: WordIndexer.conversationsAtOnce) != nil {}
        }
        folder.words.removeAll()
        let anew = WordIndexer(catalogue, records: records, try WordWriter(folder.words, of: identity), control)
        try anew.addPending()
        return anew.failures
    }
}
