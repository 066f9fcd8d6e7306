internal import Search
internal import Algorithms
internal import Messages
internal import SQLite
internal import Words

/// Compares the words of the index with those of the files. For each text, it keeps the row of the record and one sum,
/// 16 bytes in all. The sum adds a hash of each word and its position, so the order does not matter. Each word in the
/// index is then subtracted from the sum of its text. A sum other than zero at the end is a fault.
final class WordCheck {
    private let words: WordReader
    /// The rows of the texts that should be indexed, rising, and the sums of their words.
    private var keys: [Int64] = []
    private var sums: [UInt64] = []
    /// The number of words in all of them.
    private var expected = 0
    // State of the conversation that is being read.
    private var conversation: Int64 = 0
    private var first = 0
    /// The progress of the segment that is being read.
    private var done = WordProgress()
    private var targets: Set<MessageID> = []
    private var found: [Int64: WordFindings] = [:]

    /// - Parameter words: must have been refreshed; the check reads only the state of that moment.
    init(_ words: WordReader) { self.words = words }

    func findings(of conversation: Int64) -> WordFindings { found[conversation] ?? WordFindings() }

    // MARK: - Expected words

    /// - Parameter conversation: has a higher number than the one before.
    func begin(_ conversation: Int64) {
        self.conversation = conversation
        first = keys.count
        targets = []
    }

    /// - Parameter key: identifies the segment (see `RecordRow`).
    func begin(segment key: Int64) { done = progress(of: key) }

    private func progress(of segment: Int64) -> WordProgress { words.progress(of: segment) ?? WordProgress() }

    /// Whether the words of a message should be indexed.
    private func isDone(_ row: Int64) -> Bool { row <= progress(of: RecordRow(row).segmentKey).messages }

    /// Removes the current conversation from the check: its files differ from the indexed ones, so the expected words
    /// are unknown.
    func giveUp() {
        keys.removeSubrange(first...)
        sums.removeSubrange(first...)
        found[conversation] = nil
    }

    /// Adds the text of a message or an edit. Rows must rise.
    /// - Parameter isEdit: whether the text is that of an edit; a missing edit does not count as a missing message.
    func expect(_ row: Int64, _ bytes: UnsafeRawBufferPointer, isEdit: Bool) {
        guard row <= done.messages else {
            if !isEdit { found[conversation, default: WordFindings()].missing += 1 }
            return
        }
        guard keys.last.map({ $0 < row }) ?? true else { return }
        let (sum, count) = WordCheck.sum(bytes)
        keys.append(row)
        sums.append(sum)
        expected += count
    }

    /// Notes that a line edits or deletes a message. Whether it has an effect depends on its author.
    func note(editOf target: UnsafeRawBufferPointer) {
        targets.insert(MessageID(String(decoding: target, as: UTF8.self)))
    }

    /// Compares the current texts of edited and deleted messages.
    /// - Parameter segments: the current files. The words may already include lines that are not among the records yet.
    func compareEdits(_ known: IndexedConversation, _ segments: [Segment], _ records: Database) throws {
        let view = IndexView(known, records, IndexView.Failure())
        let reader = try ConversationReader(segments, blocks: BlockReader(longestText: 0), index: view)
        let all = Array(targets)
        // The words do not yet reflect that these messages lost edits or that repeats changed.
        let stale = try Set(records.all(Int64.self, "SELECT row FROM stale WHERE number > ?", words.stale))
        var compared: Set<Int64> = []
        for start in stride(from: 0, to: all.count, by: 512) {
            let messages = try reader.messages(Set(all[start..<min(all.count, start + 512)]))
            for folded in try reader.folded(messages.values).values {
                let message = folded.stored
                let rows = try view.records(ofID: IDHash(message.id))
                guard let row = rows.first(where: { $0.place == message.place })?.row, isDone(row) else { continue }
                compared.insert(row)
                // There are no words that an edit could replace.
                if message.isDeleted { continue }
                if stale.contains(row) {
                    found[conversation, default: WordFindings()].missing += 1
                } else if let edit = folded.lastTextChange, try !isAmended(row) || !isDone(edit, view) {
                    found[conversation, default: WordFindings()].missing += 1
                } else {
                    try compare(try view.textRow(of: folded, row: row) ?? 0, row, records)
                }
            }
        }
        for row in try words.amendedMessages(in: view.rows)
        where isDone(row) && !compared.contains(row) && !stale.contains(row) {
            // The row of a deleted file or of a repeat has no message, so its text does not matter.
            if let kind = try view.record(row)?.kind, kind.isMessage, !kind.isDeleted { try compare(row, row, records) }
        }
    }

    /// Whether the words include the edit or deletion at a place.
    private func isDone(_ edit: LinePlace, _ view: IndexView) throws -> Bool {
        guard edit < view.end, view.conversation.segments.indices.contains(edit.segment),
            let row = try view.record(atOrAfter: edit)?.row
        else { return false }
        return isAmended(row)
    }

    /// Whether the words include the edits and deletions of a record's segment up to the record.
    private func isAmended(_ row: Int64) -> Bool { row <= progress(of: RecordRow(row).segmentKey).edits }

    /// - Parameter text: the row of the record with the current text of the message according to the files; 0 if the
    ///   message is deleted.
    private func compare(_ text: Int64, _ row: Int64, _ records: Database) throws {
        let indexed = try words.text(of: row)
        if indexed == text { return }
        let name = try WordCheck.name(row, records)
        if indexed == 0 {
            add("\(name): the index says it is deleted, the file says it is not")
        } else if text == 0 {
            add("\(name): the index has words of it, the file says it is deleted")
        } else {
            add("\(name): the index has the words of another version than the file")
        }
    }

    // MARK: - Indexed words

    /// Compares the words of all conversations.
    /// - Parameter progress: called with the finished share, 0 to 1.
    func finish(_ records: Database, progress: (Double) -> Void) throws {
        try takeAll(progress)
        for (index, row) in keys.enumerated() where sums[index] != 0 {
            conversation = RecordRow(row).conversation
            add("\(try WordCheck.name(row, records)): its words are not those of the file")
        }
    }

    private func takeAll(_ progress: (Double) -> Void) throws {
        var (last, hash) = ([UInt8](), UInt64(0))
        var (index, seen) = (0, 0)
        try words.forEachWord { term, row, positions in
            if term != last {
                last = term
                hash = WordCheck.hash(term)
            }
            index = self.index(of: row, near: index)
            if index < keys.count, keys[index] == row {
                for position in positions { sums[index] &-= WordCheck.mixed(hash, Int(position)) }
            }
            if (seen + positions.count) / 65_536 != seen / 65_536 {
                progress(min(1, Double(seen) / Double(max(1, expected))))
            }
            seen += positions.count
        }
    }

    /// The index of the first key that is not lower than `row`. Searches upwards from `start`, because the next row is
    /// usually near.
    private func index(of row: Int64, near start: Int) -> Int {
        guard start < keys.count, keys[start] <= row else { return keys.partitioningIndex { $0 >= row } }
        var (low, step) = (start, 1)
        var high = start
        while high < keys.count, keys[high] < row {
            low = high + 1
            high += step
            step *= 2
        }
        high = min(high, keys.count)
        return keys[min(low, high)..<high].partitioningIndex { $0 >= row }
    }

    private static func sum(_ bytes: UnsafeRawBufferPointer) -> (sum: UInt64, count: Int) {
        var (sum, count) = (UInt64(0), 0)
        var tokenizer = Tokenizer(bytes.assumingMemoryBound(to: UInt8.self))
        while tokenizer.next() {
            sum &+= mixed(hash(WordTerm.stored(tokenizer.folded)), count)
            count += 1
        }
        return (sum, count)
    }

    private static func hash(_ term: [UInt8]) -> UInt64 { term.withUnsafeBytes { IDHash($0).value } }

    /// - Parameter position: the number of words before it.
    private static func mixed(_ word: UInt64, _ position: Int) -> UInt64 {
        var hash = word &+ UInt64(truncatingIfNeeded: position) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    private func add(_ fault: String) { found[conversation, default: WordFindings()].faults.add(fault) }

    private static func name(_ row: Int64, _ records: Database) throws -> String {
        guard let record = try RecordTable(records).record(at: row) else { return "record \(row)" }
        let found = try records.rows(
            """
            SELECT conversation.id, segment.name FROM conversation
            JOIN segment ON segment.conversation = conversation.number AND segment.number = ?
            WHERE conversation.number = ?
            """, RecordRow(row).segment, RecordRow(row).conversation
        ) { "\($0.text(0))/\($0.text(1)) at byte \(record.offset)" }
        return found.first ?? "record \(row)"
    }
}
