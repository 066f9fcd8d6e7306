internal import SQLite
internal import Messages

/// Compares the rows of a conversation with the lines of its files. Both are in the same order, so one pass is enough.
final class RecordCheck {
    private let known: IndexedConversation
    private let segments: [Segment]
    private let database: Database
    private let people: CheckedPeople
    private let words: WordCheck?
    private let records = RecordReader()
    private let rows: CheckedRows
    private var problems: CheckedProblems
    /// The hashes that several records share. Only such records can be repeats.
    private let shared: Set<Int64>
    private var ids: Set<MessageID> = []
    /// The hashes of the roots that replies name; `roots` has the IDs of the messages with these hashes read so far.
    private let rootHashes: Set<Int64>
    private var roots: Set<MessageID> = []
    /// The hashes that records name as what they are about.
    private let spokenOf: Set<Int64>
    private let quiet: [Int64: Int64]
    /// The counts of the current segment so far, computed from its file.
    private var running = RecordCounts()
    /// The highest number of skipped lines in a segment.
    private var mostProblems = 0
    /// The last row that matches a line.
    private var lastRow: Int64 = .min
    private var check: ConversationCheck

    init(
        _ known: IndexedConversation, _ segments: [Segment], _ database: Database, people: CheckedPeople,
        words: WordCheck?
    ) throws {
        self.known = known
        self.segments = segments
        self.database = database
        self.people = people
        self.words = words
        rows = try CheckedRows(known, database)
        problems = try CheckedProblems(known, database)
        let all = RecordRow.all(of: known.number)
        var (ids, shared, rootHashes, spokenOf): (Set<Int64>, Set<Int64>, Set<Int64>, Set<Int64>) = ([], [], [], [])
        try RecordTable(database).forEach(in: all) { _, record in
            if !ids.insert(record.hash).inserted { shared.insert(record.hash) }
            guard let target = record.target else { return true }
            spokenOf.insert(target)
            if record.kind.isMessage { rootHashes.insert(target) }
            return true
        }
        (self.shared, self.rootHashes, self.spokenOf) = (shared, rootHashes, spokenOf)
        quiet = try QuietRows(database: database).words(of: all)
        check = ConversationCheck(id: known.id)
    }

    /// - Parameter progress: called with the number of bytes compared so far.
    func run(progress: (Int64) -> Void) throws -> ConversationCheck {
        do {
            words?.begin(known.number)
            guard try compareAll(progress) else {
                words?.giveUp()
                return check
            }
            try compareEnd()
            try words?.compareEdits(known, segments, database)
        } catch let error as StoreError {
            words?.giveUp()
            check.obstacle = "\(error)"
        }
        return check
    }

    /// - Returns: whether all segments could be compared.
    private func compareAll(_ progress: (Int64) -> Void) throws -> Bool {
        var done: Int64 = 0
        for (number, segment) in known.segments.enumerated() {
            if let fault = try staleness(of: segment, number) {
                check.faults.add(fault)
                return false
            }
            try compare(segment, number) { progress(done + $0) }
            done += segment.size
        }
        for segment in segments.dropFirst(known.segments.count) { check.missingBytes += segment.stamp.size }
        return true
    }

    /// Why a segment's file cannot match its rows; nil if it can. Adds lines that are not indexed yet to
    /// `missingBytes`.
    private func staleness(of known: IndexedSegment, _ number: Int) throws -> String? {
        guard number < segments.count else {
            return "\(check.id)/\(known.name): the index has it, but the file does not exist"
        }
        let now = segments[number]
        let isLast = number == self.known.segments.count - 1
        if now.name != known.name {
            return "\(now.label): the index says that file \(number + 1) is \(known.name)"
        }
        let isGrown = isLast && known.isHead(of: now)
        guard known.isSame(now.stamp) || isGrown, known.size <= now.stamp.size else {
            return
                "\(now.label): the index says it was another file or another state of it: \(known.stamp.description), "
                + "now \(now.stamp.description)"
        }
        if known.size < now.stamp.size {
            var rest = LineScanner(try File(now.path), size: now.stamp.size, from: known.size)
            // An unfinished last line, of a killed or running writer, counts as absent.
            let isTorn = try number == segments.count - 1 && !(rest.next()?.isTerminated ?? true)
            if !isTorn { check.missingBytes += now.stamp.size - known.size }
        }
        return nil
    }

    private func compare(_ segment: IndexedSegment, _ number: Int, _ progress: (Int64) -> Void) throws {
        let label = segments[number].label
        running = RecordCounts()
        words?.begin(segment: RecordRow(known.rows(of: number).lowerBound).segmentKey)
        expect(
            "hash of its end", segment.tail,
            try IndexedSegment.tail(of: File(segments[number].path), size: segment.size),
            label)
        var lines = LineScanner(try File(segments[number].path), size: segment.size)
        while let line = try lines.next() {
            if lines.number % 4_096 == 0 { progress(line.end) }
            if line.isBlank { continue }
            switch try records.read(line) {
            case .success(let record?): try compare(record.head, record.fields, line, lines.number, number)
            case .success(nil): continue
            case .failure(let fault): note(fault, lines.number, number)
            }
        }
        expect("lines", segment.lines, lines.number, label)
        try compareCounts(of: number, label)
    }

    private func compareCounts(of number: Int, _ label: String) throws {
        let (segment, counts) = (known.segments[number], known.segments[number].counts)
        let rows = RecordRow.all(of: known.number, segment: segment.number)
        while let row = self.rows.current, row.row < rows.upperBound {
            addStray(row)
            try self.rows.advance()
        }
        expect("messages", counts.messages, running.messages, label)
        expect("presence lines", counts.presence, running.presence, label)
        expect("messages of the main timeline", counts.mainCount, running.mainCount, label)
        expect("latest time", time(counts.peak), time(running.peak), label)
        expect("first time", counts.first.map(time) ?? "none", running.first.map(time) ?? "none", label)
        expect("last time", counts.last.map(time) ?? "none", running.last.map(time) ?? "none", label)
        if rows.contains(lastRow), segment.next <= RecordRow(lastRow).sequence {
            check.faults.add(
                "\(label): the index says the next record is number \(segment.next), there is \(RecordRow(lastRow).sequence)"
            )
        }
        expect("lines skipped", counts.problems, running.problems, label)
    }

    private func note(_ fault: LineFault, _ line: Int, _ segment: Int) {
        running.problems += 1
        mostProblems = max(mostProblems, running.problems)
        problems.note("\(fault.reason); the line is skipped", line, segment) {
            check.faults.add("\(segments[segment].label):\(line): \($0)")
        }
    }

    /// Compares a record with its row.
    private func compare(_ head: RecordHead, _ fields: Fields, _ line: LogLine, _ number: Int, _ segment: Int) throws {
        check.records += 1
        let place = LinePlace(segment: segment, offset: line.offset)
        let hash = Int64(bitPattern: IDHash(head.id).value)
        var kind = RecordKind(head, fields)
        let before = running.mainCount
        // Rows before this place with another hash match no line.
        while let row = rows.current, row.place < place, row.record.hash != hash {
            addStray(row)
            try rows.advance()
        }
        let row = rows.current.flatMap { $0.place == place || $0.record.hash == hash ? $0 : nil }
        if shared.contains(hash) || row?.record.kind.isRepeated == true {
            let id = MessageID(String(decoding: head.id, as: UTF8.self))
            if !ids.insert(id).inserted {
                kind = kind.repeated
                note(.repeated(id), number, segment)
            }
        }
        if !kind.isRepeated, head.isReply, !roots.contains(MessageID(String(decoding: head.target, as: UTF8.self))) {
            kind = kind.loose(true)
        }
        running.add(kind, at: head.at.milliseconds)
        if kind.isMessage, rootHashes.contains(hash) {
            roots.insert(MessageID(String(decoding: head.id, as: UTF8.self)))
        }
        if kind.isMessage { check.messages += 1 }
        let word = row.flatMap { quiet[QuietRows.word(of: $0.row)] } ?? 0
        if let row, word & QuietRows.bit(of: row.row) != 0, spokenOf.contains(hash) {
            check.faults.add("\(name(place)): the index says that no record speaks of it, and knows one that does")
        }
        guard let row else {
            check.faults.add("\(name(place)): the file has a record, the index has none")
            return
        }
        compare(row, kind, head, fields, line, place, before)
        lastRow = row.row
        try rows.advance()
        if kind.isMessage || kind.isEdit {
            words?.expect(row.row, head.indexedText(fields), isEdit: kind.isEdit)
        }
        if kind.isTextChange { words?.note(editOf: head.target) }
    }

    private func compare(
        _ row: CheckedRow, _ kind: RecordKind, _ head: RecordHead, _ fields: Fields, _ line: LogLine,
        _ place: LinePlace,
        _ mainCount: Int
    ) {
        let name = name(place)
        if row.place != place {
            let label =
                segments.indices.contains(row.place.segment) ? segments[row.place.segment].label : "another file"
            check.faults.add("\(name): the index says it stands in \(label) at byte \(row.place.offset)")
        }
        let record = row.record
        expect("kind", record.kind.description, kind.description, name)
        expect("length", record.length, line.length, name)
        expect("time", record.at, head.at.milliseconds, name)
        expect("latest time so far", time(record.peak ?? record.at), time(running.peak), name)
        expect("messages of the main timeline before it", record.main, mainCount, name)
        expect("hash of its ID", record.hash, Int64(bitPattern: IDHash(head.id).value), name)
        let sender = fields.bytes(RecordKey.from)
        if !people.isSame(record.sender, sender) {
            let indexed = record.sender.map { people.id($0) ?? "a person it does not know" } ?? "nobody"
            let written = sender.isEmpty ? "nobody" : String(decoding: sender, as: UTF8.self)
            check.faults.add(
                "\(name): sender: the index says \(printable(indexed)), the file says \(printable(written))")
        }
        expect("target", text(record.target), text(link(head.target)), name)
        let reply = head.isMessage ? link(fields.bytes(RecordKey.replyTo)) : nil
        expect("reply to", text(record.reply), text(reply), name)
    }

    /// Reports the rows after the last line.
    private func compareEnd() throws {
        while let row = rows.current {
            addStray(row)
            try rows.advance()
        }
        problems.finish(isComplete: mostProblems <= ProblemList.kept) { check.faults.add("\(known.id): \($0)") }
    }

    private func addStray(_ row: CheckedRow) {
        check.faults.add("\(name(row.place)): the index has a record, the file has none there")
    }

    private func expect<Value: Equatable>(_ what: String, _ indexed: Value, _ written: Value, _ name: String) {
        if indexed != written {
            check.faults.add("\(name): \(what): the index says \(indexed), the file says \(written)")
        }
    }

    private func name(_ place: LinePlace) -> String {
        let label = segments.indices.contains(place.segment) ? segments[place.segment].label : check.id.rawValue
        return "\(label) at byte \(place.offset)"
    }

    private func time(_ milliseconds: Int64) -> String { milliseconds == .min ? "none" : "\(milliseconds)" }

    private func text(_ hash: Int64?) -> String { hash.map { "\($0)" } ?? "nothing" }

    private func link(_ id: UnsafeRawBufferPointer) -> Int64? {
        id.isEmpty ? nil : Int64(bitPattern: IDHash(id).value)
    }
}

extension RecordKind: CustomStringConvertible {
    /// The kind in words, for people.
    var description: String {
        let names = [0: "text", 1: "action", 2: "system", 4: "edit", 5: "deletion", 6: "reaction"]
        var text = names[Int(code & 0x0F)] ?? "\(code & 0x0F)"
        if code & RecordKind.main != 0 { text += ", main" }
        if isLoose { text += ", without a root before it" }
        if hasAttachments { text += ", files" }
        if isDeleted { text += ", deleted" }
        if isPresence { text += ", presence" }
        if isRepeated { text += ", repeated" }
        let rest = code & ~0x3FF
        return rest == 0 ? text : text + ", \(rest)"
    }
}

extension FileStamp: CustomStringConvertible {
    var description: String { "\(size) bytes, inode \(inode), changed at \(seconds).\(nanoseconds)" }
}
