internal import Algorithms
import Glibc
internal import SQLite
internal import Messages

/// Updates the records of the index to the current files, one conversation after the other:
///
///     folders → changed segments → delete their rows → new lines, in batches → rows
///             → after all rows: the look-ups of IDs, repeated IDs, replies without a root
///
/// Each batch and the place at which it ends are written in one transaction, so a killed indexer continues there.
/// Adding or removing a segment costs time only for its own lines, wherever it is in the log.
final class RecordIndexer {
    /// The most bytes that a batch reads.
    private static let batch: Int64 = 8 << 20
    /// Conversations below these limits are indexed in one transaction, since a transaction takes longer than reading
    /// their lines.
    private static let group: (conversations: Int, bytes: Int64) = (512, 1 << 20)

    /// Conversations whose files are listed before those that have changed are indexed: of a hundred thousand, the lists of all files
    /// would take more memory than anything else.
    private static let listedAtOnce = 8_192

    private let catalogue: Catalogue
    private let queue: IndexConnection
    private let control: IndexControl
    private let tools = RowWriter.Tools()
    /// The bytes of new records that the word indexer has not been notified of.
    private var unnoted: Int64 = 0
    /// A time before this update looks at any file, in seconds since 1970.
    private let now = time(nil)

    init(_ catalogue: Catalogue, _ queue: IndexConnection, _ control: IndexControl) {
        self.catalogue = catalogue
        self.queue = queue
        self.control = control
    }

    /// - Parameter ids: all conversations, in the order of indexing. The index deletes others.
    /// - Returns: the conversations that could not be read, with the errors.
    /// - Throws: the errors of SQLite; `CancellationError`.
    func update(_ ids: [ConversationID]) throws -> [(ConversationID, StoreError)] {
        var failures: [(ConversationID, StoreError)] = []
        try removeVanished(besides: ids)
        var (listed, bytes, expected): (Int, Int64, Int64) = (0, 0, 0)
        for some in ids.chunks(ofCount: RecordIndexer.listedAtOnce) {
            let work = try work(some, &failures)
            listed += some.count
            bytes += work.reduce(0) { $0 + $1.bytes }
            // The others are expected to be as large as those that are listed.
            let more = bytes * Int64(ids.count) / Int64(listed) - expected
            expected += more
            control.report { progress in
                progress.recordsTotal += more
                progress.wordsTotal += more
            }
            for group in RecordIndexer.groups(work) {
                if group.count > 1, try index(together: group) { continue }
                for work in group {
                    do {
                        try index(work, by: .each(queue))
                    } catch let error as StoreError {
                        tools.people.forget()
                        failures.append((work.id, error))
                    }
                }
            }
        }
        if try !queue.read(RecordSchema.isReady) { failures += try makeReady() }
        return failures
    }

    /// A conversation whose index entry is not up to date.
    private struct Work {
        let id: ConversationID
        let segments: [Segment]
        /// Nil if the conversation is new.
        let known: IndexedConversation?
        let change: SegmentChange
        /// The state of the folder before its segments were listed; nil if they have to be listed each time.
        let folder: FileStamp?

        /// The bytes to read.
        var bytes: Int64 { change.bytes }
    }

    /// Groups small conversations that are indexed in one transaction; keeps the order.
    private static func groups(_ work: [Work]) -> [ArraySlice<Work>] {
        var groups: [ArraySlice<Work>] = []
        var (start, bytes): (Int, Int64) = (0, 0)
        for (index, some) in work.enumerated() {
            if index > start, bytes + some.bytes > group.bytes || index - start == group.conversations {
                groups.append(work[start..<index])
                (start, bytes) = (index, 0)
            }
            bytes += some.bytes
        }
        if start < work.count { groups.append(work[start...]) }
        return groups
    }

    /// How to write changes.
    private enum Writing {
        /// Each change in a transaction of its own.
        case each(IndexConnection)
        /// All changes in the current transaction.
        case within(Database)

        func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
            switch self {
            case .each(let queue): try queue.write(body)
            case .within(let database): try body(database)
            }
        }
    }

    /// Indexes several small conversations in one transaction.
    /// - Returns: false if one of them cannot be read. Nothing is written then.
    private func index(together group: ArraySlice<Work>) throws -> Bool {
        do {
            let numbers = try queue.write { database in
                try group.map { work in
                    try control.checkCancellation()
                    return try index(work, by: .within(database))
                }
            }
            let bytes = group.reduce(0) { $0 + $1.bytes }
            control.report { $0.records += bytes }
            for number in numbers { control.note(records: number) }
            return true
        } catch is StoreError {
            tools.people.forget()
            return false
        }
    }

    /// The work for some conversations.
    private func work(
        _ ids: some Sequence<ConversationID>, _ failures: inout [(ConversationID, StoreError)]
    ) throws -> [Work] {
        var work: [Work] = []
        // One read transaction for all: to begin one takes as long as to find a conversation.
        try queue.read { database in
            for id in ids {
                do {
                    if let some = try self.work(id, in: database) { work.append(some) }
                } catch let error as StoreError {
                    failures.append((id, error))
                }
            }
        }
        return work
    }

    private func work(_ id: ConversationID, in database: Database) throws -> Work? {
        guard let stamp = try catalogue.stamp(of: id) else { return nil }
        var strays = ProblemList()
        let known = try IndexedConversation.find(id, in: database)
        let segments = try catalogue.segments(of: id, stamp, known: known, &strays)
        let change = SegmentChange(from: known?.segments ?? [], to: segments)
        let folder = strays.lines.isEmpty ? stamp : nil
        if let known, change.isNone, try isKept(known, folder, in: database) { return nil }
        return Work(id: id, segments: segments, known: known, change: change, folder: folder)
    }

    /// Returns true if the stamps of the folder and of its conversation.json equal those in the index.
    private func isKept(_ known: IndexedConversation, _ folder: FileStamp?, in database: Database) throws -> Bool {
        let file = catalogue.descriptionStamp(of: known.id)
        return known.folder == IndexedFolder.lasting(folder, at: now)
            && known.description == (IndexedFolder.keeps(file, at: now) ? file : nil)
    }

    /// - Returns: the conversations that could not be read, with the errors.
    private func makeReady() throws -> [(ConversationID, StoreError)] {
        try queue.write { database in
            let lookups = LookupBuilder(database)
            try lookups.run(records: database.first(Int.self, "SELECT sum(next) FROM segment") ?? 0)
            try database.run("UPDATE state SET ready = 1")
            let root = RootMarker(database)
            try root.mark(loose: lookups.loose.sorted())
            let (marked, failures) = try RepeatFinder(database, tools.lookups).markAll(lookups.shared, catalogue)
            var changed = lookups.loose
            for (conversation, repeats) in marked {
                changed += try repeats.rows + root.mark(repeats.roots, of: conversation)
            }
            try Recount(database).run(changed)
            return failures
        }
    }

    private func removeVanished(besides ids: [ConversationID]) throws {
        let known = try queue.read { try $0.all(String.self, "SELECT id FROM conversation") }
        let gone = Set(known).subtracting(ids.map(\.rawValue))
        if gone.isEmpty { return }
        try queue.write { database in
            let conversations = try gone.compactMap { try IndexedConversation.find(ConversationID($0), in: database) }
            try IndexedConversation.remove(conversations, from: database)
        }
    }

    /// - Returns: the number of the conversation.
    @discardableResult
    private func index(_ work: Work, by writing: Writing) throws -> Int64 {
        let log = PlainLog(segments: work.segments)
        var known = try catalogue.withFolder(of: work.id, work.folder, at: now) { folder in
            try writing.write { database in
                let known = try work.known ?? IndexedConversation.add(work.id, folder, to: database)
                let changed = try work.change.apply(
                    to: known, log, tools.lookups, in: database, isReady: RecordSchema.isReady(database))
                if work.known != nil { try folder.save(of: changed.number, to: database) }
                return changed
            }
        }
        for index in log.segments.indices { try self.index(index, of: &known, log, by: writing) }
        if case .each = writing { noteRecords(of: known.number, bytes: RecordIndexer.group.bytes) }
        return known.number
    }

    /// Indexes the new lines of a segment.
    /// - Parameters:
    ///   - index: the index of the segment, in the conversation and in the log.
    private func index(
        _ index: Int, of known: inout IndexedConversation, _ log: PlainLog, by writing: Writing
    ) throws {
        let segment = log.segments[index]
        let isLast = index == log.segments.count - 1
        let size = known.segments[index].size
        // If another segment follows, a last line without line feed is indexed too.
        if known.segments[index].isSame(segment.stamp), isLast || size == segment.stamp.size { return }
        var lines = LineScanner(
            try File(segment.path), size: segment.stamp.size, from: size, after: known.segments[index].lines)
        var isOver = false
        while !isOver {
            try control.checkCancellation()
            let start = known.segments[index].size
            try writing.write { database in
                let batch = try read(&lines, into: index, of: known, log, isLast: isLast, database)
                isOver = batch.isOver
                known.replace(index, by: batch.segment)
                known = try batch.effects.settle(known, log, tools.lookups, in: database)
            }
            guard case .each = writing else { continue }
            let end = known.segments[index].size
            control.report { $0.records += end - start }
            noteRecords(of: known.number, bytes: end - start)
        }
    }

    /// Notifies the word indexer of new records. Small segments are collected first, since each notification makes it
    /// examine all segments.
    private func noteRecords(of conversation: Int64, bytes: Int64) {
        unnoted += bytes
        if unnoted < RecordIndexer.group.bytes { return }
        unnoted = 0
        control.note(records: conversation)
    }

    /// The result of reading some lines of a segment.
    private struct Batch {
        /// The segment including these lines.
        let segment: IndexedSegment
        /// The changes that the lines cause in later segments.
        let effects: SegmentEffects
        /// Whether the end of the segment is reached.
        let isOver: Bool
    }

    /// Reads some lines of a segment and saves it. The writer holds a copy of `known` and must be released before
    /// `known` changes: otherwise Swift would copy all segments for each one, which takes longer than reading the lines
    /// if there are thousands of segments.
    private func read(
        _ lines: inout LineScanner, into index: Int, of known: IndexedConversation, _ log: PlainLog, isLast: Bool,
        _ database: Database
    ) throws -> Batch {
        var writer = try RowWriter(
            database, known, segment: index, log: log, tools: tools, isReady: RecordSchema.isReady(database))
        var (end, number, isOver) = (known.segments[index].size, known.segments[index].lines, false)
        let limit = end + RecordIndexer.batch
        while end < limit {
            // A last line without line feed is ignored: its writer was killed or is still writing.
            guard let line = try lines.next(), line.isTerminated || !isLast else {
                isOver = true
                break
            }
            try writer.add(line, number: lines.number)
            (end, number) = (line.end, lines.number)
        }
        try writer.save { indexed in
            (indexed.size, indexed.lines) = (end, number)
            indexed.tail = try IndexedSegment.tail(of: lines.file, size: end)
            // Only a segment that was read to its end gets the stamp that lets the next run skip it.
            if isOver { indexed.stamp = log.segments[index].stamp }
        }
        return Batch(segment: writer.segment, effects: writer.effects, isOver: isOver)
    }
}
