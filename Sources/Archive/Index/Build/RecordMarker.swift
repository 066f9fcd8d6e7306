internal import Files
internal import Index
internal import Messages

/// Finds the two facts about records that depend on other records: whether a record repeats the ID of an earlier one, and whether
/// the root of a reply stands before it. Everything else in the index of a segment depends only on its own lines.
///
///     new and removed records ─→ hashes of IDs and roots to look at again ─→ records whose kind changes
struct RecordMarker {
    /// By the number of a conversation: the hashes of IDs for which another record may be the first one now.
    private var ids: [Int64: Set<UInt64>] = [:]
    /// By the number of a conversation: the hashes of IDs whose thread may have another root now.
    private var roots: [Int64: Set<UInt64>] = [:]
    private let catalogue: Catalogue
    private let blocks = BlockReader()

    init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// Notes the effects of removing a segment. Call it before its records are removed.
    /// - Parameter index: the index of the segment in the conversation.
    mutating func note(
        goneIn index: Int, of conversation: IndexedConversation, in writer: IndexWriter, _ state: inout IndexState
    ) throws(IndexFault) {
        let (rows, number, base) = (conversation.rows(of: index), conversation.number, writer.base)
        let all = RecordRow.all(of: number)
        // Repeats are few, so all of them are examined again.
        for row in try base.repeats(in: rows.upperBound..<all.upperBound) {
            if let record = try base.record(at: row) { ids[number, default: []].insert(record.hash) }
        }
        var (gone, stale): ([UInt64], Set<Int64>) = ([], [])
        var edited: Set<UInt64> = []
        try base.forEach(in: rows) { _, record in
            if record.kind.isMessage { gone.append(record.hash) }
            if record.kind.isTextChange { edited.insert(record.target) }
            return true
        }
        for hash in gone where try base.mayReply(to: hash) { roots[number, default: []].insert(hash) }
        // Messages of other segments that lose edits or deletions.
        for hash in edited { stale.formUnion(try base.records(ofID: hash, in: all).map(\.row)) }
        for row in stale.sorted() where !rows.contains(row) { writer.note(stale: row, &state) }
    }

    // MARK: - New records

    /// Marks the records that are affected by those that the writer has, and by removed ones.
    /// - Returns: the conversations whose files could not be read, with the errors. They are removed from the index, so that the
    ///   next run reads them again.
    mutating func mark(
        in writer: IndexWriter, _ state: inout IndexState
    ) throws -> [(conversation: IndexedConversation, error: StoreError)] {
        var current = try writer.current()
        try writer.part.forEachRecord { row, record in
            let number = RecordRow(row).conversation
            let all = RecordRow.all(of: number)
            if try current.records(ofID: record.hash, in: all, limit: 2).count > 1 {
                ids[number, default: []].insert(record.hash)
            }
            if record.kind.isHiddenReply { roots[number, default: []].insert(record.target) }
            if record.kind.isMessage, try current.mayReply(to: record.hash) {
                roots[number, default: []].insert(record.hash)
            }
        }
        var failures: [(IndexedConversation, StoreError)] = []
        for (number, hashes) in ids {
            let known = try IndexedConversation.find(number: number, in: current)
            do {
                if let known { try markRepeats(hashes, of: known, current, writer, &state) }
            } catch let error as StoreError {
                guard let known else { continue }
                try known.remove(from: writer)
                roots[number] = nil
                failures.append((known, error))
            }
        }
        if !ids.isEmpty { current = try writer.current() }
        for (number, hashes) in roots {
            for hash in hashes { try markOrphans(hash, of: number, current, writer) }
        }
        (ids, roots) = ([:], [:])
        return failures
    }

    /// The most bytes of changes in memory.
    private static let most = 4 << 20

    /// Marks the records of a new index, all at once.
    /// - Returns: see `mark`.
    mutating func markAll(
        in writer: IndexWriter, _ state: inout IndexState
    ) throws -> [(conversation: IndexedConversation, error: StoreError)] {
        var shared: [Int64: Set<UInt64>] = [:]
        try writer.base.forEachSharedID { hash, rows in
            for (row, next) in zip(rows, rows.dropFirst()) {
                let number = RecordRow(row).conversation
                if RecordRow(next).conversation == number { shared[number, default: []].insert(hash) }
            }
        }
        // A run that was killed may have marked some; the first records with their IDs may be gone since then.
        try writer.base.forEachEntry(of: .repeats) { (key, _) throws(IndexFault) in
            var key = ByteReader(key)
            let number = key.key()
            if let record = try writer.base.record(at: key.key()) { shared[number, default: []].insert(record.hash) }
            return true
        }
        var failures: [(IndexedConversation, StoreError)] = []
        for (number, hashes) in shared {
            guard let known = try IndexedConversation.find(number: number, in: writer.base) else { continue }
            do {
                try markRepeats(hashes, of: known, writer.base, writer, &state)
            } catch let error as StoreError {
                try known.remove(from: writer)
                failures.append((known, error))
            }
            if writer.part.weight > RecordMarker.most { try writer.commit(isMerging: true) }
        }
        try writer.commit(isMerging: true)
        let base = writer.base
        try base.forEachRoot { hash, rows in
            var last: Int64?
            for row in rows {
                let number = RecordRow(row).conversation
                if number != last { try markOrphans(hash, of: number, base, writer) }
                last = number
            }
            if writer.part.weight > RecordMarker.most { try writer.commit(isMerging: true) }
        }
        roots = [:]
        return failures
    }

    // MARK: - Repeats

    /// Marks the repeats of some hashes. Removes the mark of records that are now the first with their ID.
    private mutating func markRepeats(
        _ hashes: Set<UInt64>, of conversation: IndexedConversation, _ snapshot: IndexSnapshot, _ writer: IndexWriter,
        _ state: inout IndexState
    ) throws {
        guard let log = try catalogue.log(of: conversation.id) else { return }
        let files = log.segments.indicesByName
        let all = RecordRow.all(of: conversation.number)
        for hash in hashes {
            var known: Set<MessageID> = []
            for (row, record) in try snapshot.records(ofID: hash, in: all) {
                guard let segment = conversation.index(ofSegment: RecordRow(row).segment),
                    let file = files[conversation.segments[segment].name]
                else { continue }
                let block = Block(segment: file, offset: record.offset, length: Int(record.length))
                guard let id = try id(at: block, log) else { continue }
                // Different IDs may have the same hash.
                let isRepeat = !known.insert(id).inserted
                guard isRepeat != record.kind.isRepeated else { continue }
                writer.part.set(isRepeat ? record.kind.asRepeat : record.kind.asFirst, at: row)
                writer.set(IndexTable.key(conversation.number, row), in: .repeats, to: isRepeat ? [] : nil)
                try note(id, row, block, isRepeat: isRepeat, log, snapshot, writer)
                try noteStale(row, record, snapshot, writer, &state)
                roots[conversation.number, default: []].insert(hash)
                if record.kind.has(RecordKind.target) { roots[conversation.number, default: []].insert(record.target) }
            }
        }
    }

    private func id(at block: Block, _ log: PlainLog) throws(StoreError) -> MessageID? {
        var found: MessageID?
        try blocks.forEachRecord(of: block, in: log) { _, head, _ in
            found = head.messageID
            return false
        }
        return found
    }

    /// Notes which messages have outdated words: the record itself, or the message that it edits or deletes.
    private func noteStale(
        _ row: Int64, _ record: IndexRecord, _ snapshot: IndexSnapshot, _ writer: IndexWriter,
        _ state: inout IndexState
    ) throws(IndexFault) {
        if record.kind.isAnyMessage { writer.note(stale: row, &state) }
        guard record.kind.isAnyTextChange else { return }
        let all = RecordRow.all(of: RecordRow(row).conversation)
        for (message, _) in try snapshot.records(ofID: record.target, in: all) { writer.note(stale: message, &state) }
    }

    /// Adds or removes the problem of a skipped line.
    private func note(
        _ id: MessageID, _ row: Int64, _ block: Block, isRepeat: Bool, _ log: PlainLog, _ snapshot: IndexSnapshot,
        _ writer: IndexWriter
    ) throws {
        let (conversation, number) = (RecordRow(row).conversation, RecordRow(row).segment)
        guard var segment = try IndexedSegment.find(number, of: conversation, in: writer) else { return }
        segment.problems += isRepeat ? 1 : -1
        segment.save(of: conversation, to: writer)
        if isRepeat, segment.problems > ProblemList.kept { return }
        let text = LineFault.repeated(id).text
        // To find a line's number, the file is read up to the line. So this is not done for problems that were never
        // stored.
        if !isRepeat {
            var isKept = false
            try snapshot.forEachEntry(of: .problems, startingWith: IndexTable.key(conversation, number)) { _, value in
                isKept = value.elementsEqual(text.utf8)
                return !isKept
            }
            if !isKept { return }
        }
        let line = try LineScanner.number(ofLineAt: block.offset, in: log.segments[block.segment].path)
        let key = IndexTable.key(conversation, number, Int64(line))
        writer.set(key, in: .problems, to: isRepeat ? Array(text.utf8) : nil)
    }

    // MARK: - Orphans

    /// Moves the replies to a root that have no root before them into the main timeline (see `RootFinder`), and those that have one
    /// now out of it.
    private func markOrphans(
        _ hash: UInt64, of conversation: Int64, _ snapshot: IndexSnapshot, _ writer: IndexWriter
    ) throws(IndexFault) {
        let all = RecordRow.all(of: conversation)
        let replies = try snapshot.replies(of: hash, in: all)
        if replies.isEmpty { return }
        let root = try snapshot.records(ofID: hash, in: all).first { $0.record.kind.isMessage }?.row
        for (row, reply) in replies {
            // The author broadcast the reply to the main timeline.
            if reply.kind.isMain && !reply.kind.isOrphan { continue }
            let isOrphan = root.map { $0 >= row } ?? true
            if isOrphan != reply.kind.isOrphan { writer.part.set(reply.kind.asOrphan(isOrphan), at: row) }
        }
    }
}

extension IndexWriter {
    /// Notes that the words of a message are outdated.
    fileprivate func note(stale row: Int64, _ state: inout IndexState) {
        state.stale += 1
        set(IndexTable.key(state.stale), in: .stale, to: entry(row))
    }
}
