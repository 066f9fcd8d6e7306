import Glibc
internal import Index
internal import Messages
internal import Search
internal import Words

/// The index as searches use it, on the search thread.
final class SearchIndex {
    private let folder: IndexFolder
    let records: IndexReader
    private let words: WordReader
    /// Reads lines that the index does not cover.
    private let blocks = BlockReader()
    private var sets: [SetKey: RowSet] = [:]
    /// True if no other user can change the files of the index folder.
    private lazy var isOwn = (try? folder.closeToOthers()) != nil
    /// The most tries to open a generation. A try fails when a writer has merged the files of that generation meanwhile.
    private static let tries = 5
    /// True if the generation that was read names words that are gone.
    private var isOutdated = false

    init(_ folder: IndexFolder) {
        self.folder = folder
        records = IndexReader(folder)
        words = WordReader(folder.files)
    }

    /// If the words leave more bytes than this uncovered, the search scans the whole log: there would be too many edits
    /// and repeats.
    private static let mostRest: Int64 = 8 << 20

    /// The part of a conversation that the word index covers; nil if it covers too little.
    func coverage(of id: ConversationID, _ segments: [Segment]) -> WordCoverage? {
        for _ in 0..<SearchIndex.tries {
            isOutdated = false
            let found: WordCoverage?? = try? records.read(id, segments) { (view) throws(StoreError) in
                try view.flatMap { (view) throws(StoreError) in try coverage(of: id, segments, view) }
            }
            if !isOutdated { return found ?? nil }
        }
        return nil
    }

    private func coverage(
        of id: ConversationID, _ segments: [Segment], _ view: IndexView
    ) throws(StoreError) -> WordCoverage? {
        let state = try view.state()
        guard isOpen(view.snapshot), let end = self.end(of: view.conversation, state), end > view.rows.lowerBound else {
            return nil
        }
        // The records may reach further than the words, and if files have changed, the words further than the
        // records.
        let rows = view.rows.lowerBound..<end
        guard let last = try view.record(before: rows.upperBound) else { return nil }
        let isAll = try view.record(before: view.rows.upperBound)?.row == last.row
        let place = isAll ? view.end : LinePlace(segment: last.place.segment, offset: last.end)
        let mainCount = try view.mainCount(before: last.row + 1)
        if segments.size - segments.size(before: place) > SearchIndex.mostRest { return nil }
        let reader = try ConversationReader(segments, blocks: blocks, index: view)
        return WordCoverage(
            conversation: id, segments: segments, rows: rows,
            stretches: view.conversation.segments.indices.map { view.conversation.rows(of: $0).clamped(to: rows) },
            state: state, isExact: !view.conversation.isPart,
            counted: CountedMessages(end: place, mainCount: mainCount, repeats: try reader.allRepeats()))
    }

    /// Opens the words of a generation. Returns false if they cannot be used.
    private func isOpen(_ generation: IndexSnapshot) -> Bool {
        guard isOwn else { return false }
        do throws(IndexFault) {
            // Sets found earlier lack the rows that the words cover now.
            if try words.open(generation) { sets = [:] }
            return true
        } catch {
            if case .system(_, ENOENT) = error { isOutdated = true }
            return false
        }
    }

    /// The messages that the records of the index have counted; nil if they cannot be read.
    func counted(_ id: ConversationID, _ segments: [Segment]) -> CountedMessages? {
        try? records.read(id, segments) { (view) throws(StoreError) in
            let end = view?.end ?? .first
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            let isNearlyAll = segments.size - segments.size(before: end) <= SearchIndex.mostRest
            return CountedMessages(
                end: end, mainCount: try view?.mainCount(before: end) ?? 0,
                repeats: isNearlyAll ? try reader.allRepeats() : reader.log.repeats)
        }
    }

    /// The row after the last one up to which the words include all messages and all their changes; nil if they include
    /// none.
    private func end(of conversation: IndexedConversation, _ state: (identity: UInt64, stale: Int64)) -> Int64? {
        // Some messages have lost edits that their words still have.
        if words.stale != state.stale { return nil }
        var end: Int64?
        for index in conversation.segments.indices {
            let rows = conversation.rows(of: index)
            // A segment without any record has no words either.
            if rows.isEmpty { continue }
            let done = words.progress(of: RecordRow(rows.lowerBound).segmentKey).map { min($0.messages, $0.edits) }
            // A message counts as covered only when its edits are covered too.
            guard let done, done >= rows.lowerBound else { return end }
            end = min(rows.upperBound, done + 1)
            if end != rows.upperBound { return end }
        }
        return end
    }

    // MARK: - Words

    /// Finds the rows of all messages, of all conversations, that meet a condition on words. The result is kept: the
    /// same condition is looked up only once.
    /// - Parameter isCurrent: true to look in current texts only. If not, the result also contains messages
    ///   with an older version that matches, and possibly others.
    /// - Throws: `IndexFault`, `CancellationError`.
    func set(of wanted: WordCondition, isCurrent: Bool) throws -> RowSet {
        let key = SetKey(wanted: wanted, isCurrent: isCurrent)
        if let known = sets[key] { return known }
        let found = try words.rows(wanted, isCurrent: isCurrent) { try Task.checkCancellation() }
        sets[key] = found
        return found
    }

    private struct SetKey: Hashable {
        let wanted: WordCondition
        let isCurrent: Bool
    }

    /// The rows among these whose messages are deleted, as far as the word index knows.
    func deleted(among rows: [Int64]) -> Set<Int64> { words.deleted(among: rows) }
}

/// The part of a conversation that the word index covers.
struct WordCoverage {
    let conversation: ConversationID
    /// The current files.
    let segments: [Segment]
    let rows: Range<Int64>
    /// The rows of each segment.
    let stretches: [Range<Int64>]
    /// See `IndexView.state`. The words have taken all stale messages into account.
    let state: (identity: UInt64, stale: Int64)
    /// True if the words match the files up to `end`: no file that the index knows has changed.
    let isExact: Bool
    /// The messages in the covered part.
    let counted: CountedMessages

    /// The end of the last covered line.
    var end: LinePlace { counted.end }

    /// The bytes of the log that are not covered.
    var rest: Int64 { segments.size - segments.size(before: end) }

    /// The share of the rows at or after this one, 0 to 1.
    func share(from row: Int64) -> Double {
        let (done, all) = stretches.reduce((0, 0)) { sums, rows in
            (
                sums.0 + rows.clamped(to: max(row, rows.lowerBound)..<max(row, rows.upperBound)).count,
                sums.1 + rows.count
            )
        }
        return Double(done) / Double(max(1, all))
    }
}

/// The messages of a conversation that the index has counted.
struct CountedMessages {
    /// The end of the last counted line.
    let end: LinePlace
    /// The number of counted messages in the main timeline.
    let mainCount: Int
    /// The lines of the whole log that are known to repeat an ID, sorted.
    let repeats: [LinePlace]
}

/// The words of a query in the form in which the index looks them up: phrases of whole words, and prefixes of words.
/// The index finds every hit; if `isExact` is false it also finds other messages, and the search reads their texts.
struct WordQuery {
    /// Shorter prefixes begin many words: finding the messages of one takes some hundredths of a second in a million messages. A
    /// search for the newest hits goes through the messages instead and has hits at once.
    static let shortest = 3

    /// The limits of phrases in a query and of words in a phrase for the index. A few are enough to narrow a query.
    private static let most = 32

    /// The phrases of whole words that a text must contain; nil if there are none.
    let phrases: WordCondition?
    /// Prefixes: a text must contain a word with each of them.
    let prefixes: [[UInt8]]
    /// Conditions that a text must not meet.
    let exclusions: [WordCondition]
    /// True if words and exclusions alone decide that a text matches the query.
    let isExact: Bool

    init(_ query: Query) {
        let required = Phrases(query.required, mayBeCut: true)
        // The index must not exclude a text because of a part of an excluded phrase.
        let excluded = Phrases(query.excluded, mayBeCut: false)
        phrases = required.whole.isEmpty ? nil : .phrases(required.whole)
        prefixes = required.prefixes
        exclusions = excluded.whole.map { .phrases([$0]) } + excluded.prefixes.map { .beginning($0) }
        let asksForLinks = !query.filters.marks.union(query.filters.excludedMarks).isDisjoint(with: .link)
        isExact = required.isExact && excluded.isExact && !asksForLinks && !query.hasPatterns
    }

    /// The prefixes that are long enough for a fast lookup.
    var longPrefixes: [[UInt8]] { prefixes.filter { $0.count >= WordQuery.shortest } }

    private struct Phrases {
        var whole: [[[UInt8]]] = []
        var prefixes: [[UInt8]] = []
        var isExact = true

        /// - Parameter mayBeCut: true to use a part of a phrase if the index cannot look up the whole phrase.
        init(_ phrases: [Phrase], mayBeCut: Bool) {
            for phrase in phrases.prefix(most) { add(phrase, mayBeCut: mayBeCut) }
            if phrases.count > most { isExact = false }
        }

        private mutating func add(_ phrase: Phrase, mayBeCut: Bool) {
            // The index stores only the beginning of such a word.
            let isLong = phrase.contains { $0.bytes.count > WordTerm.longest }
            let prefix = phrase.last.flatMap { $0.isPrefix ? $0.bytes : nil }
            let words = prefix == nil ? phrase[...] : phrase.dropLast()
            let isWhole = !isLong && (prefix == nil || words.isEmpty) && words.count <= most
            if !isWhole { isExact = false }
            guard isWhole || mayBeCut else { return }
            if !words.isEmpty { whole.append(words.prefix(most).map { WordTerm.stored($0.bytes) }) }
            if let prefix, prefix.count <= WordTerm.longest { prefixes.append(prefix) }
        }
    }
}
