internal import Files
import Glibc
internal import Index
internal import JSON
internal import Messages
internal import Search

/// Updates the records of the index to the current files, one conversation after the other:
///
///     folders → changed segments → remove their rows → new lines → a part in memory
///     the part is full, or all lines are read → repeated IDs, replies without a root (RecordMarker) → the next generation
///
/// Each part holds the places at which its segments end, so a killed indexer continues there. Adding or removing a segment costs
/// time only for its own lines, wherever it is in the log.
final class RecordIndexer {
    /// The most bytes that a part takes in memory before it is written.
    private static let fullPart = 4 << 20
    /// The most bytes of the last changes of a new index that stay in a part of their own; larger ones are merged.
    private static let fewChanges = 256 << 10
    /// A new index has at most this many parts before they are merged.
    private static let mostParts = 64
    /// Conversations whose files are listed before those that have changed are indexed: of a hundred thousand, the lists of all files
    /// would take more memory than anything else.
    private static let listedAtOnce = 8_192
    /// The most bytes of lines that are read for a part, so that the words of these lines are not kept waiting.
    private static let mostRead: Int64 = 16 << 20
    /// The bytes of lines whose reading is reported at once.
    private static let reportedAtOnce: Int64 = 1 << 20

    private let catalogue: Catalogue
    private let writer: IndexWriter
    private let control: IndexControl
    private var marker: RecordMarker
    private let records = RecordReader()
    private var people: [IDHash: (id: [UInt8], number: UInt32)] = [:]
    private var state: IndexState
    /// The state that the last generation has.
    private var saved: IndexState?
    private var failures: [(ConversationID, StoreError)] = []
    /// The conversations with new records that are not committed.
    private var moved: [Int64] = []
    /// The bytes of lines that were read but are in no generation yet.
    private var read: Int64 = 0
    /// The bytes of lines that were read but not reported as progress yet.
    private var unreported: Int64 = 0
    /// A time before this update looks at any file, in seconds since 1970.
    private let now = time(nil)

    /// Begins a new index if there is none of this version.
    /// - Throws: `IndexFault`
    init(_ catalogue: Catalogue, _ files: IndexFiles, _ control: IndexControl) throws(IndexFault) {
        (self.catalogue, self.control) = (catalogue, control)
        marker = RecordMarker(catalogue)
        var writer = try IndexWriter(files)
        saved = try writer.base.state()
        if saved == nil {
            files.removeAll()
            writer = try IndexWriter(files)
        }
        (self.writer, state) = (writer, saved ?? IndexState())
        // The words refer to the identity of the records.
        try save()
    }

    /// - Parameter ids: all conversations, in the order of indexing. The index deletes others.
    /// - Returns: the conversations that could not be read, with the errors.
    /// - Throws: `IndexFault`; `CancellationError`.
    func update(_ ids: [ConversationID]) throws -> [(ConversationID, StoreError)] {
        try removeVanished(besides: ids)
        var (listed, bytes, expected): (Int, Int64, Int64) = (0, 0, 0)
        for some in ids.chunks(ofCount: RecordIndexer.listedAtOnce) {
            let work = try work(some)
            listed += some.count
            bytes += work.reduce(0) { $0 + $1.bytes }
            // The others are expected to be as large as those that are listed.
            let more = bytes * Int64(ids.count) / Int64(listed) - expected
            expected += more
            control.report { progress in
                progress.recordsTotal += more
                progress.wordsTotal += more
            }
            for work in work {
                try control.checkCancellation()
                do {
                    try index(work)
                } catch let error as StoreError {
                    failures.append((work.id, error))
                }
            }
        }
        try commit()
        if !state.isReady { try makeReady() }
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

    /// The work for some conversations.
    private func work(_ ids: some Sequence<ConversationID>) throws(IndexFault) -> [Work] {
        var work: [Work] = []
        let base = writer.base
        for id in ids {
            do {
                if let some = try self.work(id, in: base) { work.append(some) }
            } catch let error as StoreError {
                failures.append((id, error))
            } catch {
                throw error as? IndexFault ?? .damaged(file: "index", reason: "\(error)")
            }
        }
        return work
    }

    private func work(_ id: ConversationID, in snapshot: IndexSnapshot) throws -> Work? {
        guard let stamp = try catalogue.stamp(of: id) else { return nil }
        var strays = ProblemList()
        let known = try IndexedConversation.find(id, in: snapshot)
        let segments = try catalogue.segments(of: id, stamp, known: known, &strays)
        let change = SegmentChange(from: known?.segments ?? [], to: segments)
        let folder = strays.lines.isEmpty ? stamp : nil
        if let known, change.isNone, isKept(known, folder) { return nil }
        return Work(id: id, segments: segments, known: known, change: change, folder: folder)
    }

    /// Returns true if the stamps of the folder and of its conversation.json equal those in the index.
    private func isKept(_ known: IndexedConversation, _ folder: FileStamp?) -> Bool {
        let file = catalogue.descriptionStamp(of: known.id)
        return known.folder == IndexedFolder.lasting(folder, at: now)
            && known.description == (IndexedFolder.keeps(file, at: now) ? file : nil)
    }

    private func removeVanished(besides ids: [ConversationID]) throws(IndexFault) {
        let there = Set(ids)
        var gone: [ConversationID] = []
        try writer.base.forEachEntry(of: .conversations) { key, _ in
            let id = ConversationID(String(decoding: key, as: UTF8.self))
            if !there.contains(id) { gone.append(id) }
            return true
        }
        for id in gone { try IndexedConversation.find(id, in: writer.base)?.remove(from: writer) }
    }

    // MARK: - Lines

    private func index(_ work: Work) throws {
        let log = PlainLog(segments: work.segments)
        var known = try work.known ?? new(work.id)
        if let changed = try work.change.apply(to: known, in: writer, &state, &marker) {
            known = changed
        } else {
            try known.remove(from: writer)
            known = try new(work.id)
            let all = SegmentChange(from: [], to: work.segments)
            known = try all.apply(to: known, in: writer, &state, &marker) ?? known
        }
        try catalogue.withFolder(of: work.id, work.folder, at: now) { known.save($0, to: writer) }
        for index in log.segments.indices { try self.index(index, of: known, log) }
        if unreported >= RecordIndexer.reportedAtOnce { report() }
        if isFull { try commit() }
    }

    /// True if the next generation should be made.
    private var isFull: Bool { writer.part.weight >= RecordIndexer.fullPart || read >= RecordIndexer.mostRead }

    private func report() {
        control.report { $0.records += unreported }
        unreported = 0
    }

    /// A conversation with a new number, since words may still refer to a deleted one.
    /// - Throws: `damaged` if no number is left. A rebuilt index starts again at the first number.
    private func new(_ id: ConversationID) throws(IndexFault) -> IndexedConversation {
        state.conversations += 1
        guard state.conversations < RecordRow.mostConversations else {
            throw .damaged(file: "index", reason: "no number is left for another conversation")
        }
        return IndexedConversation(number: state.conversations, id: id)
    }

    /// Indexes the new lines of a segment.
    /// - Parameter index: the index of the segment, in the conversation and in the log.
    private func index(_ index: Int, of known: IndexedConversation, _ log: PlainLog) throws {
        let (segment, isLast) = (log.segments[index], index == log.segments.count - 1)
        var indexed = known.segments[index]
        // If another segment follows, a last line without line feed is indexed too.
        if indexed.isSame(segment.stamp), isLast || indexed.size == segment.stamp.size { return }
        indexed = try current(indexed, of: known)
        var lines = LineScanner(
            try File(segment.path), size: segment.stamp.size, from: indexed.size, after: indexed.lines)
        // The entry that the part has.
        var written = indexed
        do {
            // A last line without line feed is ignored: its writer was killed or is still writing.
            while let line = try lines.next(), line.isTerminated || !isLast {
                try add(line, number: lines.number, to: &indexed, of: known)
                (indexed.size, indexed.lines) = (line.end, lines.number)
                read += Int64(line.length)
                unreported += Int64(line.length)
                if indexed.lines % 1_024 == 0 { try control.checkCancellation() }
                guard isFull else { continue }
                indexed.tail = try IndexedSegment.tail(of: lines.file, size: indexed.size)
                indexed.save(of: known.number, to: writer)
                moved.append(known.number)
                try commit(during: known)
                indexed = try current(indexed, of: known)
                written = indexed
            }
            indexed.tail = try IndexedSegment.tail(of: lines.file, size: indexed.size)
            // Only a segment that was read to its end gets the stamp that lets the next run skip it.
            indexed.stamp = segment.stamp
        } catch let error as StoreError {
            writer.part.removeLast(Int(indexed.next - written.next))
            throw error
        }
        indexed.save(of: known.number, to: writer)
        if indexed.next > written.next, moved.last != known.number { moved.append(known.number) }
    }

    /// The entry of a segment as it is now: repeats that a generation has marked count among its skipped lines.
    private func current(
        _ segment: IndexedSegment, of conversation: IndexedConversation
    ) throws(IndexFault) -> IndexedSegment {
        try IndexedSegment.find(segment.number, of: conversation.number, in: writer) ?? segment
    }

    /// Adds the record of a line; for an invalid line, its error.
    /// - Parameter number: the number of the line in its file, from 1.
    private func add(
        _ line: LogLine, number: Int, to segment: inout IndexedSegment, of conversation: IndexedConversation
    ) throws {
        if line.isBlank { return }
        switch try records.read(line) {
        case .success(let record?): try add(record.head, record.fields, line, to: &segment, of: conversation)
        case .success(nil): return
        case .failure(let fault):
            segment.problems += 1
            guard segment.problems <= ProblemList.kept else { return }
            let key = IndexTable.key(conversation.number, segment.number, Int64(number))
            writer.set(key, in: .problems, to: Array(fault.text.utf8))
        }
    }

    private func add(
        _ head: RecordHead, _ fields: JSONFields, _ line: LogLine, to segment: inout IndexedSegment,
        of conversation: IndexedConversation
    ) throws {
        guard segment.next < RecordRow.mostSequences else {
            throw StoreError.unavailable(
                "\(conversation.id)/\(segment.name): has too many lines for the index; the rest is read from the file")
        }
        let row = RecordRow(conversation: conversation.number, segment: segment.number, sequence: segment.next).number
        let record = IndexRecord(
            kind: RecordKind(head, fields), hash: IDHash(head.id).value,
            target: head.target.isEmpty ? 0 : IDHash(head.target).value, at: head.at.milliseconds, offset: line.offset,
            length: UInt32(clamping: line.length), sender: try number(ofPerson: fields.bytes(RecordKey.from)))
        writer.part.add(record, at: row)
        segment.next += 1
    }

    /// The most numbers of people to remember. A log of a million messages has some thousands of senders; a log of an IRC channel,
    /// some ten thousands.
    private static let remembered = 65_536

    /// Finds or assigns the number of a sender; 0 for an empty ID.
    private func number(ofPerson id: UnsafeRawBufferPointer) throws(IndexFault) -> UInt32 {
        if id.isEmpty { return 0 }
        let hash = IDHash(id)
        // Two IDs may have one hash, if somebody has chosen them for that.
        if let known = people[hash], known.id.elementsEqual(id) { return known.number }
        if people.count >= RecordIndexer.remembered { people = [:] }
        let key = Array(id)
        let number: UInt32
        if let value = try writer.value(of: key, in: .people) {
            number = ByteReader.person(value)
        } else {
            state.people += 1
            number = UInt32(truncatingIfNeeded: state.people)
            writer.set(key, in: .people, to: entry(state.people))
            writer.set(IndexTable.key(state.people), in: .peopleIDs, to: key)
        }
        people[hash] = (key, number)
        return number
    }

    // MARK: - Generations

    /// Writes the next generation, with the records that were read.
    /// - Parameter conversation: the conversation that is being read, if any.
    /// - Throws: the errors of reading lines of that conversation, which is gone from the index then.
    private func commit(during conversation: IndexedConversation? = nil) throws {
        var own: StoreError?
        if state.isReady {
            for failure in try marker.mark(in: writer, &state) {
                if failure.conversation.number == conversation?.number {
                    own = failure.error
                } else {
                    failures.append((failure.conversation.id, failure.error))
                }
            }
        }
        try save()
        report()
        read = 0
        for number in moved { control.note(records: number) }
        moved = []
        if let own { throw own }
    }

    private func save() throws(IndexFault) {
        if state != saved { writer.set([], in: .state, to: state.bytes) }
        try writer.commit(isMerging: state.isReady || writer.base.parts.count >= RecordIndexer.mostParts)
        saved = state
    }

    /// Marks the repeated IDs and the replies without a root in a new index, which only all records together show.
    private func makeReady() throws {
        try mergeIfRoom()
        failures += try marker.markAll(in: writer, &state).map { ($0.conversation.id, $0.error) }
        state.isReady = true
        // Each reader keeps these changes in memory, unless they are merged.
        let areMany = writer.part.weight > RecordIndexer.fewChanges
        try save()
        if areMany { try mergeIfRoom() }
    }

    /// Merges the parts. A merge takes as much room on the disk as the index; if the disk is full, the parts stay separate.
    private func mergeIfRoom() throws {
        do throws(IndexFault) {
            try writer.merge()
        } catch {
            guard case .system(_, ENOSPC) = error else { throw error }
        }
    }
}
