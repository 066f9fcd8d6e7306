internal import Algorithms
internal import Files
internal import Index
package import Messages
internal import Words

/// Compares the index of an archive with its files: builds another index beside it, and compares both. Changes neither.
///
///     each file of the index → its checksums, and what follows from its records
///     files → another index → compared record by record, and word by word (ConversationComparison)
///
/// Words are written after their records, so missing words are not a fault.
package struct IndexCheck: Sendable {
    package enum Verdict: Sendable {
        /// There is no complete index; the text contains the reason and a remedy.
        case missing(String)
        /// The index cannot be read.
        case broken(String)
        case compared([ConversationCheck])
    }

    private let catalogue: Catalogue
    private let folder: IndexFolder

    /// - Parameters:
    ///   - path: the archive.
    ///   - folder: the folder of its index.
    package init(archive path: String, in folder: IndexFolder) {
        catalogue = Catalogue(archive: path)
        self.folder = folder
    }

    /// - Parameter progress: called on several threads with the bytes done so far and in all.
    /// - Throws: the errors of listing the conversations, and of building the other index.
    package func run(
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
            guard IndexFailure.isDamage(error) else { throw IndexFailure.reading(error) }
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
