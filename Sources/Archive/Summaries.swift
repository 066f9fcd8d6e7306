internal import Files
package import Messages
internal import Search
internal import Threads

extension JSONArchive {
    /// Counts messages, thread replies included; the times are those of the first and the last one in the log.
    /// - Throws: `noSuchConversation`, `unreadable`, `unavailable`
    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await summaries(of: [try conversation(id)], since: ReadStates(), for: nil, withNewest: true)[0].get()
    }

    /// Uses one read transaction of the index, and a second one on another thread for more than a thousand conversations. The index
    /// is updated first if files have grown. Lists the folder of each conversation, and reads files only for the newest messages.
    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        let wanted = SummaryRequest(read: read, reader: reader, withNewest: withNewest)
        var found = await indexedSummaries(of: conversations, wanted)
        if let first = found.firstIndex(where: { $0 == nil }) {
            await indexRecords(first: conversations[first].id)
            let missing = found.indices.filter { found[$0] == nil }
            let again = await indexedSummaries(of: missing.map { conversations[$0] }, wanted)
            for (index, summary) in zip(missing, again) { found[index] = summary }
        }
        var results: [Result<ConversationSummary, StoreError>] = []
        for (conversation, summary) in zip(conversations, found) {
            if let summary {
                results.append(summary)
            } else {
                results.append(await readSummary(of: conversation, wanted))
            }
        }
        return results
    }

    /// - Returns: nil for each conversation that the index does not cover.
    private func indexedSummaries(
        of conversations: [Conversation], _ wanted: SummaryRequest
    ) async -> [Result<ConversationSummary, StoreError>?] {
        defer { reportPeople() }
        let reader = SummaryReader(catalogue: catalogue, assembly: assembly, found: found, blocks: blocks)
        guard conversations.count > SummaryReader.atOnce, service != nil else {
            return withManyIndexed { reader.summaries(of: conversations[...], in: $0, wanted) }
        }
        // If there are very many, the thread of searches reads half of them meanwhile.
        let half = conversations.count / 2
        let run = logsRun
        async let others = run.summaries(of: conversations[half...], assembly, found, wanted)
        return withManyIndexed { reader.summaries(of: conversations[..<half], in: $0, wanted) } + (await others)
    }

    /// Uses the index if it covers the files; otherwise reads them all.
    private func totals(of id: ConversationID) async throws(StoreError) -> Totals {
        let segments = try segments(of: id)
        let (indexed, repeats) = try pages(of: id, segments) { (pages) throws(StoreError) in
            (try pages.reader.totals(), pages.reader.log.repeats)
        }
        if let indexed { return indexed }
        let (totals, problems) = try await logsRun.totals(of: segments, repeats: repeats)
        report(of: id, problems)
        return totals
    }

    /// Reads the log if the index does not cover the conversation.
    private func readSummary(
        of conversation: Conversation, _ wanted: SummaryRequest
    ) async -> Result<ConversationSummary, StoreError> {
        do throws(StoreError) {
            let totals = try await totals(of: conversation.id)
            let reading = try pages(of: conversation.id) { (pages) throws(StoreError) in
                try pages.reading(of: conversation, totals, wanted)
            }
            let sender = reading.newest?.stored.sender
            return .success(
                reading.summary(people.names(Set([sender].compactMap(\.self)), in: conversation.id)))
        } catch {
            return .failure(error)
        }
    }
}

/// Reads summaries from the index, on one thread.
private struct SummaryReader {
    /// The number of conversations whose newest messages and their amendments are in memory together.
    static let atOnce = 1_024

    let catalogue: Catalogue
    let assembly: Assembly
    let found: Problems
    let blocks: BlockReader

    /// - Parameter session: nil if there is no index.
    /// - Returns: nil for each conversation that the index does not cover.
    func summaries(
        of conversations: ArraySlice<Conversation>, in session: IndexSession?, _ wanted: SummaryRequest
    ) -> [Result<ConversationSummary, StoreError>?] {
        guard let session else { return conversations.map { _ in nil } }
        return conversations.chunks(ofCount: SummaryReader.atOnce).flatMap { conversations in
            let readings = conversations.map { conversation in
                Result { () throws(StoreError) in try reading(of: conversation, in: session, wanted) }
            }
            // Finding names needs a walk through the people file, so one walk finds the names for many conversations.
            let senders = readings.compactMap { (try? $0.get())?.newest?.stored.sender }
            let names = assembly.people.names(Set(senders))
            return readings.map { reading -> Result<ConversationSummary, StoreError>? in
                switch reading {
                case .success(let reading?): .success(reading.summary(names))
                case .success(nil): nil
                case .failure(let error): .failure(error)
                }
            }
        }
    }

    private func reading(
        of conversation: Conversation, in session: IndexSession, _ wanted: SummaryRequest
    ) throws(StoreError) -> SummaryReading? {
        let id = conversation.id
        let known = try session.conversation(id)
        guard let segments = try catalogue.segments(of: id, known: known, reportingTo: found) else { return nil }
        guard let view = session.view(of: known, segments) else { return nil }
        let pages = try assembly.pages(of: id, segments, view, by: blocks)
        guard let totals = try pages.reader.totals() else { return nil }
        found.replace(id.rawValue, with: try view.problems())
        return try pages.reading(of: conversation, totals, wanted)
    }
}

/// The parameters of `summaries` that apply to each conversation.
private struct SummaryRequest {
    let read: ReadStates
    let reader: PersonID?
    let withNewest: Bool
}

/// A summary before the names of people are found.
private struct SummaryReading {
    let conversation: Conversation
    let totals: Totals
    var newest: FoldedMessage?
    /// True if `newest` is the last message of the main timeline.
    var isLast = true
    var unread = Unread()

    /// The time of the last message of a person. Replies in threads count, unless lines that nobody wrote follow that message.
    private var spoken: Timestamp? {
        guard let stored = newest?.stored, stored.kind != .system else { return nil }
        return isLast ? totals.last : stored.at
    }

    func summary(_ names: [PersonID: Person]) -> ConversationSummary {
        var names = names
        // A member may have another name here than elsewhere.
        if let id = newest?.stored.sender, let member = conversation.members.first(where: { $0.id == id }) {
            names[id] = member
        }
        return ConversationSummary(
            conversation: conversation, count: totals.messages, presence: totals.presence, first: totals.first,
            last: totals.last, newest: newest.map { Message($0.brief, quote: nil, people: names) }, spoken: spoken,
            unread: unread)
    }
}

extension FoldedMessage {
    /// The message reduced to the content of one row.
    fileprivate var brief: FoldedMessage {
        var brief = self
        brief.text = text.beginning(Quote.longestText)
        brief.reactions = []
        return brief
    }
}

extension MessageAssembler {
    fileprivate func reading(
        of conversation: Conversation, _ totals: Totals, _ wanted: SummaryRequest
    ) throws(StoreError) -> SummaryReading {
        let (id, read) = (conversation.id, wanted.read)
        var reading = SummaryReading(conversation: conversation, totals: totals)
        if wanted.withNewest { (reading.newest, reading.isLast) = try newest() }
        reading.unread = try unread(since: read[id], threads: read.threads(of: id), for: wanted.reader)
        return reading
    }

    /// The number of messages at the end of the main timeline in which to look for one that a person wrote.
    private static var lookedAt: Int { 100 }

    /// The current state of the last message in the main timeline: the last one of a person, if one is near the end.
    private func newest() throws(StoreError) -> (message: FoldedMessage?, isLast: Bool) {
        let timeline = reader.timeline(.main)
        guard let last = try timeline.messages(before: .end, limit: 1).first else { return (nil, true) }
        var stored = last
        if last.kind == .system {
            let end = try timeline.messages(before: .end, limit: MessageAssembler.lookedAt)
            stored = end.last { $0.kind != .system } ?? last
        }
        return (try reader.folded([stored])[stored.id], stored.id == last.id)
    }
}

extension JSONArchive {
    /// - Throws: the errors of `ArchiveIndex.statistics`.
    package func statistics(
        of id: ConversationID, in zone: Zone, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        let folder = service?.folder ?? IndexFolder(cache: nil, archive: catalogue.archive)
        return try ArchiveIndex(archive: catalogue.archive, in: folder).statistics(of: id, in: zone, progress: progress)
    }
}

/// Counts, ends and summaries of many conversations, found on the search thread. All but the summaries let other work run
/// there in between.
private actor LogsRun {
    private static let conversationsAtOnce = 64

    private nonisolated let executor: SerialThread
    private let catalogue: Catalogue
    /// The index, which knows the files of unchanged folders.
    private let index: IndexReader
    private let blocks = BlockReader()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ catalogue: Catalogue, _ index: IndexFolder?, on executor: SerialThread) {
        self.catalogue = catalogue
        self.index = IndexReader(index)
        self.executor = executor
    }

    /// See `SummaryReader`.
    func summaries(
        of conversations: ArraySlice<Conversation>, _ assembly: Assembly, _ found: Problems, _ wanted: SummaryRequest
    ) -> [Result<ConversationSummary, StoreError>?] {
        let reader = SummaryReader(catalogue: catalogue, assembly: assembly, found: found, blocks: blocks)
        return index.readMany { reader.summaries(of: conversations, in: $0, wanted) }
    }

    /// Counts the messages of a conversation without an index.
    /// - Parameter repeats: the lines that are known to repeat an ID, sorted.
    /// - Returns: the totals, and the lines that were skipped.
    /// - Throws: `unavailable`, `unreadable` if a segment cannot be read.
    func totals(
        of segments: [Segment], repeats: [LinePlace]
    ) async throws(StoreError) -> (totals: Totals, problems: ProblemList) {
        let count = LogCount(segments, repeats: repeats, blocks: blocks)
        while !count.isComplete {
            try count.step()
            await Task.yield()
        }
        return (count.totals, count.problems)
    }

    /// The ends of all logs at a moment, from the sizes of the files. Reads only files that have changed since that
    /// moment. Leaves out conversations that cannot be read.
    /// - Throws: `unreadable`, `unavailable` if the folder of all conversations cannot be read.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        var ends: [ConversationID: Cursor] = [:]
        for ids in try catalogue.ids().chunks(ofCount: LogsRun.conversationsAtOnce) {
            await Task.yield()
            for (id, segments) in segments(of: ids) {
                guard let end = try? end(of: segments, at: moment) else { continue }
                ends[id] = LogEnd(at: end, of: segments).cursor
            }
        }
        return ends
    }

    /// The largest lag of a file system's clock, in milliseconds.
    private static let clockError: Int64 = 1_000

    /// A message may arrive after `moment` but before this conversation is examined. So if the last file has changed
    /// since `moment`, its last lines with later times do not count.
    private func end(of segments: [Segment], at moment: Timestamp) throws(StoreError) -> LinePlace {
        var end = LinePlace.end(of: segments)
        guard let stamp = segments.last?.stamp,
            Int64(stamp.seconds) * 1_000 + Int64(stamp.nanoseconds) / 1_000_000
                >= moment.milliseconds - LogsRun.clockError
        else { return end }
        let (log, walk) = (PlainLog(segments: segments), BlockWalk(segments: segments))
        while let block = try walk.block(before: end) {
            var later: LinePlace?
            var isEarlierThere = false
            try blocks.forEachRecord(of: block, in: log) { place, head, _ in
                isEarlierThere = isEarlierThere || head.at < moment
                later = head.at < moment ? nil : later ?? place
                return true
            }
            if let later { end = later }
            if later == nil || isEarlierThere { return end }
        }
        return end
    }

    /// The last message before each of these ends.
    func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        var last: [ConversationID: MessageID] = [:]
        for ids in Array(ends.keys).chunks(ofCount: LogsRun.conversationsAtOnce) {
            for (id, segments) in segments(of: ids) {
                await Task.yield()
                guard let end = ends[id].flatMap({ try? LogEnd($0) }), let log = try? log(segments, of: id),
                    let message = try? blocks.lastMessage(of: log, before: end.place)
                else { continue }
                last[id] = message
            }
        }
        return last
    }

    /// The log with the lines that repeat an ID. They are no messages: a lookup of their IDs finds earlier lines.
    private func log(_ segments: [Segment], of id: ConversationID) throws(StoreError) -> PlainLog {
        try index.read(id, segments) { (view) throws(StoreError) in
            try ConversationReader(segments, blocks: blocks, index: view).log
        }
    }

    /// The current files of these conversations, without those that cannot be read.
    private func segments(of ids: some Sequence<ConversationID>) -> [(ConversationID, [Segment])] {
        index.readMany { session in
            ids.compactMap { id -> (ConversationID, [Segment])? in
                var strays = ProblemList()
                guard let stamp = (try? catalogue.stamp(of: id)) ?? nil,
                    let segments = try? catalogue.segments(
                        of: id, stamp, known: (try? session?.conversation(id)) ?? nil, &strays)
                else { return nil }
                return (id, segments)
            }
        }
    }
}

extension JSONArchive {
    private nonisolated var logsRun: LogsRun { LogsRun(catalogue, service?.folder, on: searches) }

    /// The ends of all logs at a moment, without the conversations that cannot be read.
    /// - Throws: `unreadable` or `unavailable` if the folder of all conversations cannot be read.
    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await logsRun.ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await logsRun.lastMessages(before: ends)
    }
}
