internal import Files
internal import Index
package import Messages
internal import Search
internal import Words

extension ArchiveIndex {
    package enum Verdict: Sendable {
        /// There is no complete index; the text contains the reason and a remedy.
        case missing(String)
        /// The index cannot be read.
        case broken(String)
        case compared([ConversationCheck])
    }

    /// Compares the index with the files: builds another index beside it, and compares both. Changes neither.
    ///
    ///     each file of the index → its checksums, and what follows from its records
    ///     files → another index → compared record by record, and word by word (ConversationComparison)
    ///
    /// Words are written after their records, so missing words are not a fault.
    /// - Parameter progress: called on several threads with the bytes done so far and in all.
    /// - Throws: the errors of listing the conversations, and of building the other index.
    package func check(
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> Verdict {
        let ids = try catalogue.ids()
        try folder.closeToOthers()
        do {
            let words = WordReader(folder.files)
            guard let records = try words.refresh(from: IndexSource(folder.files)), let state = try records.state()
            else {
                return .missing("there is no index; `kedge index` builds it")
            }
            guard state.isReady else { return .missing("the index is not finished; `kedge index` continues it") }
            try records.check()
            let known = try CheckedIndex(records, words)
            return .compared(try compare(ids, known, progress))
        } catch let error as StoreError {
            throw error
        } catch {
            guard IndexFault.isDamage(error) else { throw .readingIndex(error) }
            return .broken("\(error)")
        }
    }

    private func compare(
        _ ids: [ConversationID], _ known: CheckedIndex, _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) throws -> [ConversationCheck] {
        guard let aside = TemporaryIndexes.make() else {
            throw StoreError.unavailable("\(TemporaryIndexes.parent): no folder can be made in it; make room")
        }
        defer { TemporaryIndexes.remove(aside) }
        let control = IndexControl { progress($0.done, max(1, $0.total)) }
        let failures: [(ConversationID, StoreError)]
        do {
            failures = try IndexBuilder(catalogue: catalogue, folder: aside, control: control).run()
        } catch {
            throw StoreError.unavailable("\(error)")
        }
        let words = WordReader(aside.files)
        guard let records = try words.refresh(from: IndexSource(aside.files)) else {
            throw StoreError.unavailable("\(aside.path): the index is gone; try again")
        }
        let other = try CheckedIndex(records, words)
        var obstacles: [ConversationID: StoreError] = [:]
        for (id, error) in failures { obstacles[id] = error }
        var checks = try ids.map { id in
            do {
                if let error = obstacles[id] { throw error }
                return try check(id, known, other)
            } catch let error as StoreError {
                var check = ConversationCheck(id: id)
                check.obstacle = "\(error)"
                return check
            }
        }
        let there = Set(ids)
        try known.records.forEachEntry(of: .conversations) { id, _ in
            var check = ConversationCheck(id: ConversationID(String(decoding: id, as: UTF8.self)))
            check.faults.add("the index says there is such a conversation, the archive has none")
            if !there.contains(check.id) { checks.append(check) }
            return true
        }
        return checks
    }

    private func check(
        _ id: ConversationID, _ known: CheckedIndex, _ other: CheckedIndex
    ) throws -> ConversationCheck {
        let segments = try catalogue.log(of: id)?.segments ?? []
        guard let one = try IndexedConversation.find(id, in: known.records),
            let two = try IndexedConversation.find(id, in: other.records)
        else {
            var check = ConversationCheck(id: id)
            (check.missingBytes, check.isUnknown) = (segments.size, true)
            return check
        }
        var comparison = ConversationComparison(segments, (known, one), (other, two))
        try comparison.run()
        return comparison.check
    }
}

/// The result of comparing the index of a conversation with its files.
package struct ConversationCheck: Sendable {
    package let id: ConversationID
    /// The number of records in the files.
    package internal(set) var records = 0
    package internal(set) var messages = 0
    /// The bytes of whole lines that are not indexed yet. Not an error.
    package internal(set) var missingBytes: Int64 = 0
    /// True if the conversation is not indexed yet. Not an error.
    package internal(set) var isUnknown = false
    /// The number of messages whose words, or whose edits, are not indexed yet. Not an error.
    package internal(set) var missingWords = 0
    /// The differences between index and files, one line each.
    package internal(set) var faults = ProblemList(most: 20)

    /// The reason why the check could not be completed; nil if it was.
    package internal(set) var obstacle: String?

    /// True if the check was completed and found no difference. Some lines may not be indexed yet.
    package var isRight: Bool { faults.lines.isEmpty && obstacle == nil }

    init(id: ConversationID) { self.id = id }
}

/// An index, with a number for the words of each text.
struct CheckedIndex {
    let records: IndexSnapshot
    let words: WordReader
    /// The rows of all records, in runs without a gap: the first row of each run, and the number of its record among all.
    private var runs: [(row: Int64, number: Int)] = []
    /// By the number of a record: a sum over all its words and their places.
    private var sums: [UInt64] = []
    /// The rows of messages whose words are outdated.
    private(set) var stale: Set<Int64> = []

    init(_ records: IndexSnapshot, _ words: WordReader) throws {
        (self.records, self.words) = (records, words)
        stale = try records.stale(after: words.stale)
        var (runs, count, last) = (self.runs, 0, Int64.min)
        try records.forEach(in: 0..<Int64.max) { row, _ in
            if row != last + 1 { runs.append((row, count)) }
            (last, count) = (row, count + 1)
            return true
        }
        var sums = [UInt64](repeating: 0, count: count)
        try words.forEachWord { term, row, positions in
            // Words of records that are gone find nothing.
            guard let number = CheckedIndex.number(of: row, in: runs, count) else { return }
            var hash = term.withUnsafeBytes { IDHash($0).value }
            for position in positions { hash = (hash ^ UInt64(position)) &* 0x9E37_79B9_7F4A_7C15 }
            sums[number] &+= hash
        }
        (self.runs, self.sums) = (runs, sums)
    }

    private static func number(of row: Int64, in runs: [(row: Int64, number: Int)], _ count: Int) -> Int? {
        let index = runs.partitioningIndex { $0.row > row }
        guard index > 0 else { return nil }
        let number = runs[index - 1].number + Int(row - runs[index - 1].row)
        return number < (index < runs.count ? runs[index].number : count) ? number : nil
    }

    func sum(of row: Int64) -> UInt64 { CheckedIndex.number(of: row, in: runs, sums.count).map { sums[$0] } ?? 0 }

    func progress(of row: Int64) -> WordProgress { words.progress(of: RecordRow(row).segmentKey) ?? WordProgress() }

    func person(_ number: UInt32) throws(IndexFault) -> String {
        if number == 0 { return "nobody" }
        return try records.personID(number).map(printable) ?? "a person it does not know"
    }
}

/// Compares a conversation in an index with the same one in another index, which was just made of its files.
struct ConversationComparison {
    private let segments: [Segment]
    /// The index of each current file, by its name.
    private let numbers: [String: Int]
    private let known: CheckedIndex
    private let conversation: IndexedConversation
    private let other: CheckedIndex
    private let made: IndexedConversation
    private(set) var check: ConversationCheck

    /// - Parameter segments: the current files.
    init(
        _ segments: [Segment], _ known: (CheckedIndex, IndexedConversation),
        _ other: (CheckedIndex, IndexedConversation)
    ) {
        self.segments = segments
        numbers = segments.indicesByName
        (self.known, conversation) = known
        (self.other, made) = other
        check = ConversationCheck(id: conversation.id)
    }

    mutating func run() throws {
        for number in conversation.segments.indices {
            if let fault = try staleness(of: number) {
                check.faults.add(fault)
                return
            }
            let name = conversation.segments[number].name
            let isSame = number < made.segments.count && made.segments[number].name == name
            guard let index = isSame ? number : made.segments.firstIndex(where: { $0.name == name }) else { continue }
            try compare(number, with: index)
        }
        for segment in segments.dropFirst(conversation.segments.count) { check.missingBytes += segment.stamp.size }
        try compareProblems()
    }

    /// The reason why a segment's file cannot match its entry; nil if it can. Adds lines that are not indexed yet to
    /// `missingBytes`.
    private mutating func staleness(of number: Int) throws -> String? {
        let known = conversation.segments[number]
        guard number < segments.count else {
            return "\(check.id)/\(known.name): the index has it, but the file does not exist"
        }
        let now = segments[number]
        if now.name != known.name { return "\(now.label): the index says that file \(number + 1) is \(known.name)" }
        let isGrown = number == conversation.segments.count - 1 && known.isHead(of: now)
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

    // MARK: - Records

    private mutating func compare(_ number: Int, with index: Int) throws {
        let (one, two) = (conversation.segments[number], made.segments[index])
        let label = segments[number].label
        if one.size == two.size {
            expect("lines", one.lines, two.lines, label)
            expect("hash of its end", one.tail, two.tail, label)
            expect("lines skipped", one.problems, two.problems, label)
        }
        var left = RecordCursor(known.records, conversation.rows(of: number))
        var right = RecordCursor(other.records, made.rows(of: index))
        while true {
            let (a, b) = (try left.current(), try right.current().flatMap { $0.record.offset < one.size ? $0 : nil })
            guard let offset = [a?.record.offset, b?.record.offset].compactMap(\.self).min() else { return }
            let name = "\(label) at byte \(offset)"
            guard let a, a.record.offset == offset else {
                check.faults.add("\(name): the file has a record, the index has none")
                right.advance()
                continue
            }
            guard let b, b.record.offset == offset else {
                check.faults.add("\(name): the index has a record, the file has none there")
                left.advance()
                continue
            }
            check.records += 1
            if b.record.kind.isMessage { check.messages += 1 }
            try compare(a.record, b.record, name)
            try compareWords(a, b, name)
            left.advance()
            right.advance()
        }
    }

    private mutating func compare(_ a: IndexRecord, _ b: IndexRecord, _ name: String) throws(IndexFault) {
        expect("kind", a.kind.description, b.kind.description, name)
        expect("length", a.length, b.length, name)
        expect("time", a.at, b.at, name)
        expect("hash of its ID", a.hash, b.hash, name)
        expect("target", a.target, b.target, name)
        expect("sender", try known.person(a.sender), try other.person(b.sender), name)
    }

    private mutating func compareProblems() throws(IndexFault) {
        let (one, two) = (try problems(of: conversation, in: known), try problems(of: made, in: other))
        for problem in one.subtracting(two).sorted() {
            check.faults.add("\(problem): recorded in the index, but not found in the file")
        }
        if check.missingBytes > 0 { return }
        for problem in two.subtracting(one).sorted() {
            check.faults.add("\(problem): found in the file, but not recorded in the index")
        }
    }

    /// The skipped lines of the segments whose skipped lines are all kept.
    private func problems(
        of conversation: IndexedConversation, in index: CheckedIndex
    ) throws(IndexFault) -> Set<String> {
        var found: Set<String> = []
        try conversation.forEachProblem(in: index.records) { segment, line in
            if segment.problems <= ProblemList.kept { found.insert(line) }
            return true
        }
        return found
    }

    private mutating func expect<Value: Equatable>(_ what: String, _ indexed: Value, _ written: Value, _ name: String) {
        if indexed != written {
            check.faults.add("\(name): \(what): the index says \(indexed), the file says \(written)")
        }
    }

    // MARK: - Words

    private mutating func compareWords(
        _ a: (row: Int64, record: IndexRecord), _ b: (row: Int64, record: IndexRecord), _ name: String
    ) throws {
        // The words of repeats are of no use.
        guard b.record.kind.isMessage || b.record.kind.isEdit else { return }
        guard a.row <= known.progress(of: a.row).messages, !known.stale.contains(a.row) else {
            if b.record.kind.isMessage { check.missingWords += 1 }
            return
        }
        if known.sum(of: a.row) != other.sum(of: b.row) {
            check.faults.add("\(name): the index has other words than the file")
            return
        }
        guard b.record.kind.isMessage else { return }
        for change in try known.records.changes(of: a.record.hash, in: conversation.rows)
        where change.record.kind.isTextChange && change.row > known.progress(of: change.row).edits {
            check.missingWords += 1
            return
        }
        let (text, expected) = (known.words.text(of: a.row), other.words.text(of: b.row))
        let rows = made.rows
        // Lines that the index does not know yet may have changed it.
        for change in try other.records.changes(of: b.record.hash, in: rows) where change.record.kind.isTextChange {
            if try place(of: change.row, in: made, other) >= conversation.end { return }
        }
        let isSame =
            text == 0 || expected == 0
            ? text == expected
            : try place(of: text, in: conversation, known) == place(of: expected, in: made, other)
        if isSame { return }
        check.faults.add(
            text == 0
                ? "\(name): the index says it is deleted, the file says it is not"
                : expected == 0
                    ? "\(name): the index has words of it, the file says it is deleted"
                    : "\(name): the index has the words of another version than the file")
    }

    /// The place of a record in the current files; the start of the log if there is no such record.
    private func place(
        of row: Int64, in conversation: IndexedConversation, _ index: CheckedIndex
    ) throws(IndexFault) -> LinePlace {
        guard let record = try index.records.record(at: row),
            let number = conversation.index(ofSegment: RecordRow(row).segment)
        else { return .start }
        return LinePlace(segment: numbers[conversation.segments[number].name] ?? 0, offset: record.offset)
    }
}

/// The records of some rows, one after the other.
private struct RecordCursor {
    private static let step = 1_024
    private let records: IndexSnapshot
    private var rows: Range<Int64>
    private var found: ArraySlice<(row: Int64, record: IndexRecord)> = []

    init(_ records: IndexSnapshot, _ rows: Range<Int64>) { (self.records, self.rows) = (records, rows) }

    mutating func current() throws(IndexFault) -> (row: Int64, record: IndexRecord)? {
        if found.isEmpty {
            var next: [(row: Int64, record: IndexRecord)] = []
            try records.forEach(in: rows) { row, record in
                next.append((row, record))
                return next.count < RecordCursor.step
            }
            if let last = next.last { rows = last.row + 1..<rows.upperBound }
            found = next[...]
        }
        return found.first
    }

    mutating func advance() { found.removeFirst() }
}

extension RecordKind {
    /// The kind in words, for people.
    fileprivate var description: String {
        let names: [UInt16: String] = [
            RecordKind.text: "text", RecordKind.action: "action", RecordKind.system: "system", RecordKind.edit: "edit",
            RecordKind.delete: "deletion", RecordKind.reaction: "reaction",
        ]
        let flags: [(UInt16, String)] = [
            (RecordKind.main, "main"), (RecordKind.orphan, "without a root before it"),
            (RecordKind.attachments, "files"), (RecordKind.deleted, "deleted"), (RecordKind.presence, "presence"),
            (RecordKind.repeated, "repeated"), (RecordKind.reply, "a reply"),
        ]
        return ([names[type] ?? "\(type)"] + flags.filter { has($0.0) }.map(\.1)).joined(separator: ", ")
    }
}

extension FileStamp {
    fileprivate var description: String { "\(size) bytes, inode \(inode), changed at \(seconds).\(nanoseconds)" }
}
