internal import Algorithms
internal import SQLite
internal import Messages

/// What was found of the words of a conversation.
struct WordFindings {
    var missing = 0
    var faults = FaultList()
}

/// Compares the words of the index with those that the messages have now. Of each message it keeps the number of its words'
/// row and one sum, 16 bytes: the sum of a hash of each word and where it stands, in whatever order they come. FTS5 then
/// gives its words one after the other, and each is taken from its sum again; what is not zero in the end is a fault.
final class WordCheck {
    private static let vocabulary = "temp.kedge_check"

    private let database: Database
    /// Rows of words that should be there, rising, and the sums of what should be in them.
    private var keys: [Int64] = []
    private var sums: [UInt64] = []
    /// Of which rows nothing is known, by their index: what they say is on its way into the words.
    private var ignored: Set<Int> = []
    /// Words in all of them.
    private var expected = 0
    private var text = WordText()
    // Of the conversation that is being read.
    private var conversation: Int64 = 0
    private var first = 0
    private var done = (messages: Int64(0), rewrites: Int64(0))
    private var changed: [Int64: Int64] = [:]
    private var targets: Set<MessageID> = []
    /// The rows of messages that the index says are deleted.
    private var gone: Set<Int64> = []
    private var found: [Int64: WordFindings] = [:]

    /// - Parameter database: of the words, within one reading that goes on as long as the check.
    init(_ database: Database) throws {
        self.database = database
        // Reads once, so that all that follows is of this state.
        _ = try database.first(Int64.self, "SELECT texts FROM state")
        try database.run("CREATE VIRTUAL TABLE \(WordCheck.vocabulary) USING fts5vocab(main, words, instance)")
    }

    /// What SQLite says of the file; nil when it is whole.
    func integrityFault() throws -> String? {
        let fault = try database.first(String.self, "PRAGMA main.quick_check(1)")
        return fault == "ok" ? nil : fault
    }

    func findings(of conversation: Int64) -> WordFindings { found[conversation] ?? WordFindings() }

    // MARK: - What should be there

    /// - Parameter conversation: of a higher number than the one before.
    func begin(_ conversation: Int64) throws {
        self.conversation = conversation
        first = keys.count
        let row = try database.rows("SELECT messages, rewrites FROM done WHERE conversation = ?", conversation) {
            (messages: $0.integer(0), rewrites: $0.integer(1))
        }
        done = row.first ?? (0, 0)
        let rows = RecordRow.all(of: conversation)
        let changes = try database.rows(
            "SELECT row, version FROM changed WHERE row >= ? AND row < ?", rows.lowerBound, rows.upperBound
        ) { ($0.integer(0), $0.integer(1)) }
        changed = Dictionary(changes, uniquingKeysWith: { $1 })
        targets = []
        gone = []
    }

    /// The files are not what was indexed: what the words should be nobody knows.
    func giveUp() {
        keys.removeSubrange(first...)
        sums.removeSubrange(first...)
        ignored = ignored.filter { $0 < first }
        found[conversation] = nil
    }

    /// A message of this row says this, as long as no later line says otherwise. Rows rise.
    func expect(_ row: Int64, _ bytes: UnsafeRawBufferPointer) {
        guard row <= done.messages else {
            found[conversation, default: WordFindings()].missing += 1
            return
        }
        let version = changed[row] ?? 0
        guard version >= 0 else {
            gone.insert(row)
            return
        }
        let key = row << WordSchema.versionBits | version
        guard (0...Int64(WordSchema.lastVersion)).contains(version), keys.last.map({ $0 < key }) ?? true else {
            add("the words of record \(row) have the version \(version), which there cannot be")
            return
        }
        let (sum, count) = sum(bytes)
        keys.append(key)
        sums.append(sum)
        expected += count
    }

    /// A message is edited or deleted, if its author says so.
    func note(rewriteOf target: UnsafeRawBufferPointer) {
        targets.insert(MessageID(String(decoding: target, as: UTF8.self)))
    }

    /// Finds out what the edited messages say now.
    /// - Parameter segments: as the files are now; what is not in the index yet may be in the words already.
    func foldRewrites(_ known: IndexedConversation, _ segments: [Segment], _ records: Database) throws {
        let view = IndexView(known, records, IndexView.Failure())
        let reader = try ConversationReader(segments, blocks: BlockReader(), index: view)
        let limit = try view.place(ofRowUpTo: done.rewrites)
        let all = Array(targets)
        for start in stride(from: 0, to: all.count, by: 512) {
            let messages = try reader.messages(Set(all[start..<min(all.count, start + 512)]))
            for folded in try reader.folded(messages.values).values {
                let message = folded.stored
                let rows = try view.records(ofID: IDHash(message.id))
                guard let row = rows.first(where: { $0.place == message.place })?.row, row <= done.messages else {
                    continue
                }
                let isOnItsWay = folded.lastRewrite.map { $0 > limit } ?? false
                if isOnItsWay { ignore(row) } else { try expect(folded, row, records) }
            }
        }
        for row in gone.sorted() {
            add("\(try WordCheck.name(row, records)): the index says it is deleted, the file says it is not")
        }
    }

    private func index(of row: Int64) -> Int? {
        let index = keys.partitioningIndex { $0 >= row << WordSchema.versionBits }
        return index < keys.count && keys[index] >> WordSchema.versionBits == row ? index : nil
    }

    /// What its words are is between two states.
    private func ignore(_ row: Int64) {
        found[conversation, default: WordFindings()].missing += 1
        gone.remove(row)
        if let index = index(of: row) { ignored.insert(index) }
    }

    private func expect(_ message: FoldedMessage, _ row: Int64, _ records: Database) throws {
        let isGone = gone.remove(row) != nil
        if isGone, !message.isDeleted {
            add("\(try WordCheck.name(row, records)): the index says it is deleted, the file says it is not")
        }
        guard let index = index(of: row) else { return }
        if message.isDeleted {
            add("\(try WordCheck.name(row, records)): the index has words of it, the file says it is deleted")
            ignored.insert(index)
        } else {
            var text = message.text
            sums[index] = text.withUTF8 { sum(UnsafeRawBufferPointer($0)).sum }
        }
    }

    // MARK: - What is there

    /// Compares the words of all conversations.
    /// - Parameter progress: told how far it is, 0 to 1.
    func finish(_ records: Database, progress: (Double) -> Void) throws {
        try takeAll(progress)
        for (index, key) in keys.enumerated() where sums[index] != 0 && !ignored.contains(index) {
            let row = key >> WordSchema.versionBits
            conversation = RecordRow(row).conversation
            let version = key & Int64(WordSchema.lastVersion)
            add("\(try WordCheck.name(row, records)): its words, version \(version), are not those of the file")
        }
    }

    private func takeAll(_ progress: (Double) -> Void) throws {
        let select = try database.statement("SELECT term, doc, offset FROM \(WordCheck.vocabulary)")
        defer { select.reset() }
        var (term, hash) = ([UInt8](), UInt64(0))
        var (index, seen) = (0, 0)
        while try select.step() {
            let bytes = select.bytes(0)
            if !bytes.elementsEqual(term) {
                term = Array(bytes)
                hash = IDHash(bytes).value
                index = 0
            }
            // Of one word, the rows rise.
            let key = select.integer(1)
            index = self.index(atOrBehind: key, from: index)
            if index < keys.count, keys[index] == key {
                sums[index] &-= WordCheck.mixed(hash, Int(select.integer(2)))
            }
            seen += 1
            if seen % 65_536 == 0 { progress(min(1, Double(seen) / Double(max(1, expected)))) }
        }
    }

    /// The first key that is not lower: near by, most often.
    private func index(atOrBehind key: Int64, from start: Int) -> Int {
        var (low, step) = (start, 1)
        var high = start
        while high < keys.count, keys[high] < key {
            low = high + 1
            high += step
            step *= 2
        }
        high = min(high, keys.count)
        while low < high {
            let middle = low + (high - low) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The words of a text as FTS5 has them.
    private func sum(_ bytes: UnsafeRawBufferPointer) -> (sum: UInt64, count: Int) {
        text.set(bytes.assumingMemoryBound(to: UInt8.self))
        return text.bytes.withUnsafeBytes { bytes in
            var (sum, count, start) = (UInt64(0), 0, 0)
            for (index, byte) in bytes.enumerated() where byte == 0x20 {
                sum &+= WordCheck.hash(UnsafeRawBufferPointer(rebasing: bytes[start..<index]), count)
                count += 1
                start = index + 1
            }
            return (sum, count)
        }
    }

    /// - Parameter offset: how many words stand before it.
    private static func hash(_ word: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        mixed(IDHash(word).value, offset)
    }

    private static func mixed(_ word: UInt64, _ offset: Int) -> UInt64 {
        var hash = word &+ UInt64(truncatingIfNeeded: offset) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    private func add(_ fault: String) { found[conversation, default: WordFindings()].faults.add(fault) }

    private static func name(_ row: Int64, _ records: Database) throws -> String {
        let found = try records.rows(
            """
            SELECT conversation.id, segment.name, offset FROM record
            JOIN conversation ON conversation.number = ?
            JOIN segment ON segment.conversation = conversation.number AND segment.number = record.segment
            WHERE row = ?
            """, RecordRow(row).conversation, row
        ) { "\($0.text(0))/\($0.text(1)) at byte \($0.integer(2))" }
        return found.first ?? "record \(row)"
    }
}

extension IndexView {
    /// Of the last record up to a row; before all lines when there is none.
    fileprivate func place(ofRowUpTo row: Int64) throws(StoreError) -> LinePlace {
        guard row >= rows.lowerBound else { return .first }
        let last = try attempt {
            try database.rows(
                "SELECT segment, offset FROM record WHERE row >= ? AND row <= ? ORDER BY row DESC LIMIT 1",
                rows.lowerBound, row
            ) { LinePlace(segment: Int($0.integer(0)), offset: $0.integer(1)) }
        }
        return last.first ?? .first
    }
}
