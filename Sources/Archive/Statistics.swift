internal import ArchiveFormat
internal import Files
internal import Index
internal import JSON
internal import Messages

extension ArchiveIndex {
    /// Counts the messages of a conversation through the index; without one, reads all lines.
    ///
    ///     files → index (without words) → rows ┐
    ///             lines that are not in it ────┴→ StatisticsCounter → Statistics
    ///
    /// May take as long as reading the archive; with an index, a fraction of a second for a million messages.
    /// - Parameters:
    ///   - zone: the time zone that determines the month and the hour of a message.
    ///   - progress: called with the bytes read so far and in all.
    /// - Throws: `noSuchConversation`; `unreadable`, `unavailable` if the files cannot be read.
    func statistics(
        of id: ConversationID, in zone: Zone,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        guard let path = try catalogue.folder(of: id) else { throw .noSuchConversation(id, nearest: []) }
        var problems: [String] = []
        do {
            let control = IndexControl { progress($0.done, $0.total) }
            _ = try IndexBuilder(catalogue: catalogue, folder: folder, control: control).run(
                first: id, withWords: false)
        } catch let error as IndexFault where error.isLocked {
            problems.append("\(error); the rest is read from the files")
        } catch {
            problems.append("\(error)")
        }
        var strays = ProblemList()
        let segments = try Segment.all(in: path, of: id, &strays)
        problems += strays.all(source: id.rawValue)
        let counted = try countRows(of: id, segments, zone)
        let (counter, passedOver) =
            if let counted { counted } else { try countLines(of: segments, zone, progress) }
        let people = People(path: catalogue.paths.people)
        let names = people.names(counter.senders, in: id)
        // The problems are the skipped lines and the reason for a missing index.
        return (
            counter.statistics(names: names),
            problems + passedOver.all(source: id.rawValue) + people.problems.all(source: "people.json")
        )
    }

    /// Returns nil if the index covers the conversation only in part or not at all.
    private func countRows(
        of id: ConversationID, _ segments: [Segment], _ zone: Zone
    ) throws(StoreError) -> (StatisticsCounter, ProblemList)? {
        let blocks = BlockReader()
        return try IndexReader(folder).read(id, segments) {
            (view) throws(StoreError) -> (StatisticsCounter, ProblemList)? in
            guard let view else { return nil }
            // The reader knows which of the uncovered lines repeat an ID.
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            guard reader.isCovered else { return nil }
            var counter = StatisticsCounter(zone: zone)
            try view.countMessages(with: &counter)
            try reader.forEachUncoveredRecord { _, head, fields in
                if head.isMessage { counter.add(head, fields) }
            }
            return (counter, try view.problems())
        }
    }

    private func countLines(
        of segments: [Segment], _ zone: Zone, _ progress: (Int64, Int64) -> Void
    ) throws(StoreError) -> (StatisticsCounter, ProblemList) {
        var counter = StatisticsCounter(zone: zone)
        var problems = ProblemList()
        let records = RecordReader()
        var known = KnownIDs(segments)
        let total = segments.size
        var done: Int64 = 0
        for (number, segment) in segments.enumerated() {
            var lines = LineScanner(try File(segment.path), size: segment.stamp.size)
            while let line = try lines.next() {
                if lines.number % 4_096 == 0 { progress(done + line.end, total) }
                if line.isBlank { continue }
                let fault: LineFault
                switch try records.read(line) {
                case .success(let (head, fields)?):
                    if try known.insert(head.id, at: LinePlace(segment: number, offset: line.offset)) {
                        if head.isMessage { counter.add(head, fields) }
                        continue
                    }
                    fault = .repeated(head.messageID)
                case .success(nil): continue
                case .failure(let found): fault = found
                }
                // An unfinished last line, of a killed or running writer, is not an error.
                guard line.isTerminated || number < segments.count - 1 else { continue }
                problems.add("\(segment.label):\(lines.number): \(fault.text)")
            }
            done += segment.stamp.size
        }
        return (counter, problems)
    }
}

extension StatisticsCounter {
    fileprivate mutating func add(_ head: RecordHead, _ fields: JSONFields) {
        add(
            head.at, slot: fields.text(RecordKey.from).map { slot(of: PersonID($0)) },
            isPresence: head.isPresence)
    }
}

extension IndexView {
    /// Adds all indexed messages in the order of the log.
    fileprivate func countMessages(with counter: inout StatisticsCounter) throws(StoreError) {
        var counted = counter
        try attempt {
            var slots: [UInt32: Int] = [:]
            try snapshot.forEach(in: rows) { (_, record) throws(IndexFault) in
                guard record.kind.isMessage else { return true }
                var slot: Int?
                if record.sender != 0 {
                    slot = slots[record.sender]
                    if slot == nil { slot = counted.slot(of: try person(record.sender)) }
                    slots[record.sender] = slot
                }
                counted.add(
                    Timestamp(milliseconds: record.at), slot: slot, isPresence: record.kind.isPresence)
                return true
            }
        }
        counter = counted
    }

    private func person(_ number: UInt32) throws(IndexFault) -> PersonID {
        guard let id = try snapshot.personID(number) else {
            throw .damaged(file: "index", reason: "it names no person \(number)")
        }
        return PersonID(id)
    }
}

/// The IDs of a log read from its beginning: their hashes and places, some 30 bytes each.
struct KnownIDs {
    private let log: PlainLog
    private let blocks = BlockReader()
    private var places: [IDHash: LinePlace] = [:]

    init(_ segments: [Segment]) { log = PlainLog(segments: segments) }

    /// - Returns: false if an earlier line has exactly this ID.
    /// - Throws: the errors of reading that line.
    mutating func insert(_ id: UnsafeRawBufferPointer, at place: LinePlace) throws(StoreError) -> Bool {
        let hash = IDHash(id)
        guard let known = places[hash] else {
            places[hash] = place
            return true
        }
        var isSame = false
        if let block = try BlockWalk(segments: log.segments).block(from: known) {
            try blocks.forEachRecord(of: block, in: log) { _, head, _ in
                isSame = head.id.elementsEqual(id)
                return false
            }
        }
        return !isSame
    }
}
