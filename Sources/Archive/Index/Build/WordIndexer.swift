import Glibc
internal import JSON
internal import Index
internal import Messages
internal import Search
internal import Words

/// Updates the words of the index to its records:
///
///     rows of messages and edits → their lines → words
///     rows of edits and deletions → the record with the current text of each message
///
/// The second step needs the index of IDs.
final class WordIndexer {
    /// The number of conversations to process together.
    static let conversationsAtOnce = 4_096
    /// The number of records to select at once.
    private static let rowBatch = 2_000
    /// The number of edited messages to hold in memory at once.
    private static let textBatch = 256
    /// The number of bytes of lines to read at once.
    private static let read: Int64 = 256 << 10

    private let catalogue: Catalogue
    private let source: IndexSource
    let words: WordWriter
    private let control: IndexControl
    /// Words are taken from the lines themselves. Edits tell only which line has the current text.
    private let blocks = BlockReader(longestText: 0)
    /// The progress of segments with words that are only in memory, by segment key (see `RecordRow`).
    private var reached: [Int64: WordProgress] = [:]
    /// The conversations whose files cannot be read, with the errors. A later run adds their words.
    private(set) var failures: [ConversationID: StoreError] = [:]

    /// - Parameter source: the records.
    init(_ catalogue: Catalogue, records source: IndexSource, _ words: WordWriter, _ control: IndexControl) {
        self.catalogue = catalogue
        self.source = source
        self.words = words
        self.control = control
    }

    /// Updates the words of all conversations.
    /// - Throws: `IndexFault`, `CancellationError`.
    func addPending() throws {
        try amendStale()
        let segments = try pending()
        let bytes = try missingBytes(of: segments)
        control.report { $0.wordsTotal = $0.words + bytes }
        var known: Set<Int64> = []
        let pending = segments.map { RecordRow($0.lowerBound).conversation }.filter { known.insert($0).inserted }
        for some in pending.chunks(ofCount: WordIndexer.conversationsAtOnce) {
            try addMessages(of: some)
            try addEdits(of: some)
        }
        try commit()
    }

    /// True if so many words belong to deleted texts that building all words again is better.
    func hasGarbage() throws -> Bool {
        let records = try records()
        let messages = try records.counts(in: 0..<Int64.max).messages
        guard isGarbage(besides: messages) else { return false }
        // The words of repeats are indexed too. Counting repeats takes longer, so it is done second.
        var repeats = 0
        try records.forEach(in: 0..<Int64.max) { _, record in
            if record.kind.isRepeated, record.kind.isAnyMessage { repeats += 1 }
            return true
        }
        return isGarbage(besides: messages + repeats)
    }

    /// The current records.
    private func records() throws(IndexFault) -> IndexSnapshot {
        // Another index may have taken the place of the one to which the words belong.
        guard let records = try source.current(), records.identity == words.identity else {
            throw .system(file: source.files.manifest, code: ESTALE)
        }
        return records
    }

    private func isGarbage(besides messages: Int) -> Bool {
        words.texts > 10_000 && words.texts - messages > words.texts / 5
    }

    private func commit(stale: Int64? = nil) throws {
        try words.commit(reached, stale: stale) { [control] in try control.checkCancellation() }
        reached = [:]
    }

    /// Has the words in memory written, while more are added.
    private func beginCommit() throws {
        try words.beginCommit(reached) { [control] in try control.checkCancellation() }
        reached = [:]
    }

    /// - Parameter segment: the key of the segment (see `RecordRow`).
    private func progress(of segment: Int64) -> WordProgress { reached[segment] ?? words.progress(of: segment) }

    /// Updates the messages that lost edits or deletions because the files of those are gone.
    private func amendStale() throws {
        let records = try records()
        let rows = try records.stale(after: words.stale)
        let last = try records.state()?.stale ?? 0
        if last == words.stale { return }
        let known = failures.count
        let conversations = Dictionary(grouping: rows) { RecordRow($0).conversation }
        for (conversation, rows) in conversations.sorted(by: { $0.key < $1.key }) {
            guard let log = try log(of: conversation) else { continue }
            try amend(rows.sorted(), log)
        }
        // If some files could not be read, the next run tries again.
        if failures.count == known { try commit(stale: last) }
    }

    // MARK: - Missing words

    /// The bytes of the messages that are among the records but not among the words.
    private func missingBytes(of segments: [Range<Int64>]) throws -> Int64 {
        let records = try records()
        var bytes: Int64 = 0
        for rows in segments {
            let done = progress(of: RecordRow(rows.lowerBound).segmentKey).messages
            try records.forEach(in: rows.after(done)) { _, record in
                if record.kind.isMessage { bytes += Int64(record.length) }
                return true
            }
        }
        return bytes
    }

    /// The rows of the segments with records that are missing from the words, rising.
    private func pending() throws -> [Range<Int64>] {
        var pending: [Range<Int64>] = []
        try records().forEachEntry(of: .segments) { key, value in
            var key = ByteReader(key)
            let (conversation, number) = (key.key(), key.key())
            let segment = IndexedSegment(number: number, value)
            let start = RecordRow.all(of: conversation, segment: number).lowerBound
            let rows = start + segment.first..<start + segment.next
            let progress = progress(of: RecordRow(start).segmentKey)
            if !rows.isEmpty, min(progress.messages, progress.edits) < rows.upperBound - 1 { pending.append(rows) }
            return true
        }
        return pending
    }

    // MARK: - Words

    /// Adds the texts that are among the records but not among the words.
    /// - Throws: the errors of `addPending`.
    func addMessages(of conversations: some Sequence<Int64>) throws {
        for conversation in conversations {
            try control.checkCancellation()
            guard let log = try log(of: conversation) else { continue }
            for index in log.known.segments.indices {
                while failures[log.known.id] == nil, progress(of: log.key(of: index)).messages < log.lastRow(of: index)
                {
                    try control.checkCancellation()
                    try addMessages(of: index, log)
                }
            }
        }
    }

    /// Adds some more texts of a segment. The memory that their words take follows the longest text, not the number of texts.
    private func addMessages(of index: Int, _ log: IndexedLog) throws {
        let key = log.key(of: index)
        var progress = progress(of: key)
        let some = try texts(of: index, log, after: progress.messages)
        for (block, records) in some.records.stretches(ofBytes: WordIndexer.read) {
            do throws(StoreError) {
                try add(records, of: block, log)
            } catch {
                // The other conversations are still updated.
                failures[log.known.id] = error
                return
            }
            progress.messages = records.last?.row ?? progress.messages
            reached[key] = progress
            control.report { $0.words += records.reduce(0) { $0 + Int64($1.length) } }
            if words.isFull { try beginCommit() }
        }
        progress.messages = some.end
        reached[key] = progress
    }

    /// The next records of a segment that have a text, and the last row that was examined.
    private func texts(
        of index: Int, _ log: IndexedLog, after row: Int64
    ) throws -> (records: [IndexedRecord], end: Int64) {
        let rows = log.known.rows(of: index)
        var found: [IndexedRecord] = []
        var end = row
        var count = 0
        try log.records.forEach(in: rows.after(row)) { (row, record) throws(IndexFault) in
            end = row
            count += 1
            // Includes repeats: a repeat becomes the first record with its ID if the file of the first one is removed.
            if record.kind.isAnyMessage || record.kind.isAnyEdit {
                found.append(try IndexedRecord(record, at: row, of: log.known))
            }
            return count < WordIndexer.rowBatch
        }
        return (found, count < WordIndexer.rowBatch ? rows.upperBound - 1 : end)
    }

    private func add(
        _ records: ArraySlice<IndexedRecord>, of block: Block, _ log: IndexedLog
    ) throws(StoreError) {
        var next = records.startIndex
        try blocks.forEachRecord(of: block, in: log.files, at: records.lazy.map(\.place)) { place, head, fields in
            while next < records.endIndex, records[next].place < place { next += 1 }
            guard next < records.endIndex, records[next].place == place else { return true }
            words.add(head.indexedText(fields), row: records[next].row, isEdit: records[next].kind.isAnyEdit)
            next += 1
            return true
        }
    }

    // MARK: - Edits and deletions

    /// Applies the edits and deletions that are among the records but not among the words.
    private func addEdits(of conversations: some Sequence<Int64>) throws {
        for conversation in conversations {
            try control.checkCancellation()
            guard let log = try log(of: conversation) else { continue }
            let segments = log.known.segments.indices
            let lastProcessed = segments.last { self.progress(of: log.key(of: $0)).edits > 0 } ?? 0
            for index in segments {
                let key = log.key(of: index)
                var progress = progress(of: key)
                guard progress.edits < log.lastRow(of: index) else { continue }
                var rows = try edited(by: index, log, after: progress.edits)
                // The segment may have been added before others whose edits were processed.
                if index < lastProcessed { rows.formUnion(try editedLater(in: index, log, after: progress.edits)) }
                if !rows.isEmpty, try !amend(rows.sorted(), log) { break }
                progress.edits = log.lastRow(of: index)
                reached[key] = progress
                if words.isFull { try beginCommit() }
            }
        }
    }

    /// The rows of the messages that a segment's edits and deletions refer to.
    /// - Parameter row: the last row that was examined.
    private func edited(by index: Int, _ log: IndexedLog, after row: Int64) throws -> Set<Int64> {
        let (rows, all) = (log.known.rows(of: index), log.known.rows)
        var found: Set<Int64> = []
        try log.records.forEach(in: rows.after(row)) { (_, edit) throws(IndexFault) in
            guard edit.kind.isTextChange else { return true }
            for (row, message) in try log.records.records(ofID: edit.target, in: all) where message.kind.isMessage {
                found.insert(row)
            }
            return true
        }
        return found
    }

    /// The rows of a segment's messages that edits and deletions of later segments refer to.
    /// - Parameter row: the last row that was examined.
    private func editedLater(in index: Int, _ log: IndexedLog, after row: Int64) throws -> Set<Int64> {
        let rows = log.known.rows(of: index)
        let after = rows.upperBound..<max(rows.upperBound, log.known.rows.upperBound)
        var found: Set<Int64> = []
        try log.records.forEach(in: rows.after(row)) { (row, message) throws(IndexFault) in
            guard message.kind.isMessage else { return true }
            for change in try log.records.changes(of: message.hash, in: after) where change.record.kind.isTextChange {
                found.insert(row)
            }
            return true
        }
        return found
    }

    /// Sets which record's text is the current one for some messages.
    /// - Parameter rows: the rows of the messages, rising.
    /// - Returns: false if the files cannot be read.
    @discardableResult
    private func amend(_ rows: [Int64], _ log: IndexedLog) throws -> Bool {
        for some in rows.chunks(ofCount: WordIndexer.textBatch) {
            try control.checkCancellation()
            do {
                try amend(some, log)
            } catch let error as StoreError {
                failures[log.known.id] = error
                return false
            }
        }
        return true
    }

    private func amend(_ rows: ArraySlice<Int64>, _ log: IndexedLog) throws {
        let view = IndexView(log.known, log.records, IndexView.Failure())
        let reader = try ConversationReader(log.files.segments, blocks: blocks, index: view)
        var records: [IndexedRecord] = []
        for row in rows {
            if let record = try view.record(row), record.kind.isMessage { records.append(record) }
        }
        let messages = try reader.messages(at: records)
        // Only indexed lines: if one of them is removed, the records report the messages that it changed.
        let folds = try reader.folded(messages, before: view.end)
        for (record, message) in zip(records, messages) {
            let folded = folds[message.id] ?? FoldedMessage(message, [])
            words.amend(record.row, text: try view.textRow(of: folded, row: record.row))
        }
    }

    /// A conversation with the files that the index covers.
    private struct IndexedLog {
        let records: IndexSnapshot
        let known: IndexedConversation
        /// The files of all indexed segments, and possibly more.
        let files: PlainLog

        /// - Parameter index: the index of the segment; also in `lastRow`.
        func key(of index: Int) -> Int64 { RecordRow(known.rows(of: index).lowerBound).segmentKey }

        /// The last row of a segment; if the segment has no records, the row before its first one.
        func lastRow(of index: Int) -> Int64 { known.rows(of: index).upperBound - 1 }
    }

    /// Returns nil if the conversation is gone or has other files. Also returns nil if its files cannot be read, and
    /// notes that.
    private func log(of conversation: Int64) throws -> IndexedLog? {
        let records = try records()
        guard let known = try IndexedConversation.find(number: conversation, in: records), failures[known.id] == nil
        else { return nil }
        do throws(StoreError) {
            guard let files = try catalogue.log(of: known.id) else { return nil }
            // If a file has changed since, this fails, or it adds wrong words for rows that the next run deletes.
            let count = zip(known.segments, files.segments).prefix { $0.name == $1.name }.count
            return known.prefix(count).map { IndexedLog(records: records, known: $0, files: files) }
        } catch {
            failures[known.id] = error
            return nil
        }
    }
}

extension Range<Int64> {
    /// The rows after one, which may be outside.
    fileprivate func after(_ row: Int64) -> Self {
        row < upperBound ? Swift.max(row + 1, lowerBound)..<upperBound : upperBound..<upperBound
    }
}

extension IndexView {
    /// The row of the record with the current text of a message; nil if the message is deleted.
    /// - Parameter row: the row of the message.
    func textRow(of message: FoldedMessage, row: Int64) throws(StoreError) -> Int64? {
        if message.isDeleted { return nil }
        guard let edit = message.lastTextChange, conversation.segments.indices.contains(edit.segment) else {
            return row
        }
        let rows = conversation.rows(of: edit.segment)
        let found = try records {
            try snapshot.changes(of: IDHash(message.stored.id).value, in: rows)
        }
        return found.first { $0.place.offset == edit.offset }?.row ?? row
    }
}
