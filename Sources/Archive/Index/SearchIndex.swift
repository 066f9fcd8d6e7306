internal import GRDB
internal import Messages

/// The index as searches ask it, on their thread.
final class SearchIndex {
    /// Pages of the database that are kept, in bytes.
    private static let cache = 2 << 20

    let records: IndexReader
    private let database: IndexDatabase
    private var queue: IndexConnection?
    private var isOpen = false

    init(_ folder: IndexFolder) {
        records = IndexReader(folder)
        database = WordSchema.database(in: folder)
    }

    /// More than this behind the words is searched together with all before: its edits and repeats would be too many.
    private static let mostRest: Int64 = 8 << 20

    /// What the words cover of a conversation; nil when they cover too little.
    func coverage(of id: ConversationID, _ segments: [Segment]) -> WordCoverage? {
        open()
        guard queue != nil else { return nil }
        let found: WordCoverage?? = try? records.read(id, segments) { (view) throws(StoreError) in
            guard let view, let done = self.done(of: view.conversation.number, try view.state())
            else { return nil }
            // Nothing is covered before its edits are.
            guard done >= view.rows.lowerBound else { return nil }
            // The records may know more than the words, and less of files that have changed.
            let rows = view.rows.lowerBound..<min(view.rows.upperBound, done + 1)
            if rows.isEmpty { return nil }
            guard let last = try view.record(before: rows.upperBound) else { return nil }
            let isAll = try view.record(before: view.rows.upperBound)?.row == last.row
            let end = isAll ? view.end : LinePlace(segment: last.place.segment, offset: last.end)
            let mains = last.main + (last.kind.isMain ? 1 : 0)
            if segments.size - segments.size(before: end) > SearchIndex.mostRest { return nil }
            let reader = try ConversationReader(segments, blocks: BlockReader(), index: view)
            return WordCoverage(
                conversation: id, segments: segments, rows: rows, end: end, mains: mains,
                repeatsBehind: try reader.allRepeats().filter { $0 >= end })
        }
        return found ?? nil
    }

    /// The row up to which all messages and what overrules them are in; nil for none.
    /// - Parameters:
    ///   - records: names the records that the words have to be of.
    ///   - stale: the last message whose words have to be made again.
    private func done(of conversation: Int64, _ state: (records: Int64, stale: Int64)) -> Int64? {
        try? queue?.read { database in
            guard try WordSchema.are(of: state.records, database),
                try Int64.fetchOne(database, sql: "SELECT stale FROM state") == state.stale
            else { return nil }
            return try Int64.fetchOne(
                database, sql: "SELECT min(messages, rewrites) FROM done WHERE conversation = ?",
                arguments: [conversation])
        }
    }

    /// The rows of messages in whose texts, in some version, the words stand: the last ones first, each once.
    /// - Throws: what SQLite says.
    func rows(matching expression: String, in rows: Range<Int64>, limit: Int) throws -> [Int64] {
        guard let queue else { return [] }
        return try queue.read { database in
            var found: [Int64] = []
            let bits = WordSchema.versionBits
            let rowIDs = try Int64.fetchCursor(
                database,
                sql: "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC",
                arguments: [expression, rows.lowerBound << bits, rows.upperBound << bits])
            while found.count < limit, let rowID = try rowIDs.next() {
                if found.last != rowID >> bits { found.append(rowID >> bits) }
            }
            return found
        }
    }

    private func open() {
        if isOpen { return }
        isOpen = true
        queue = try? database.reader(cache: SearchIndex.cache)
    }
}

/// What the words of the index cover of a conversation.
struct WordCoverage {
    let conversation: ConversationID
    /// As the files are now.
    let segments: [Segment]
    let rows: Range<Int64>
    /// Behind the last line that is covered.
    let end: LinePlace
    /// Messages of the main timeline that are covered.
    let mains: Int
    /// The lines behind it that are known to repeat an ID.
    let repeatsBehind: [LinePlace]

    /// Bytes of the log that are not covered.
    var rest: Int64 { segments.size - segments.size(before: end) }
}
