internal import Algorithms
package import Messages
internal import Threads

/// Finds the log ends of all conversations. Runs on the search thread, and lets other work run there after every few
/// conversations.
actor EndsRun {
    private static let conversationsAtOnce = 64

    private nonisolated let executor: SerialThread
    private let catalogue: Catalogue
    /// Knows the files of the folders that have not changed since; nil if there is no index.
    private let index: IndexReader?
    private let blocks = BlockReader()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ catalogue: Catalogue, _ index: IndexFolder?, on executor: SerialThread) {
        self.catalogue = catalogue
        self.index = index.map { IndexReader($0) }
        self.executor = executor
    }

    /// The ends of all logs at a moment, from the sizes of the files. Reads only files that have changed since that
    /// moment. Leaves out conversations that cannot be read.
    /// - Throws: `unreadable`, `unavailable` if the folder of all conversations cannot be read.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        var ends: [ConversationID: Cursor] = [:]
        for ids in try catalogue.ids().chunks(ofCount: EndsRun.conversationsAtOnce) {
            await Task.yield()
            for (id, segments) in segments(of: ids) {
                guard let end = try? end(of: segments, at: moment) else { continue }
                ends[id] = LogEnd(at: end, of: segments).cursor
            }
        }
        return ends
    }

    /// How far the clock of a file system may lag, in milliseconds.
    private static let clockError: Int64 = 1_000

    /// A message may arrive after `moment` but before this conversation is examined. So if the last file has changed
    /// since `moment`, its last lines with later times do not count.
    private func end(of segments: [Segment], at moment: Timestamp) throws(StoreError) -> LinePlace {
        var end = LinePlace.end(of: segments)
        guard let stamp = segments.last?.stamp,
            Int64(stamp.seconds) * 1_000 + Int64(stamp.nanoseconds) / 1_000_000
                >= moment.milliseconds - EndsRun.clockError
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
        for ids in ends.keys.chunks(ofCount: EndsRun.conversationsAtOnce) {
            await Task.yield()
            for (id, segments) in segments(of: ids) {
                guard let end = ends[id].flatMap({ try? LogEnd($0) }),
                    let message = try? blocks.lastMessage(of: PlainLog(segments: segments), before: end.place)
                else { continue }
                last[id] = message
            }
        }
        return last
    }

    /// The current files of these conversations, without those that cannot be read.
    private func segments(of ids: some Sequence<ConversationID>) -> [(ConversationID, [Segment])] {
        let find = { (session: IndexSession?) in
            ids.compactMap { id -> (ConversationID, [Segment])? in
                var strays = ProblemList()
                guard let stamp = (try? self.catalogue.stamp(of: id)) ?? nil,
                    let segments = try? self.catalogue.segments(
                        of: id, stamp, known: (try? session?.conversation(id)) ?? nil, &strays)
                else { return nil }
                return (id, segments)
            }
        }
        return index?.readMany(find) ?? find(nil)
    }
}

extension JSONArchive {
    /// The ends of all logs at a moment, without the conversations that cannot be read.
    /// - Throws: `unreadable` or `unavailable` if the folder of all conversations cannot be read.
    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await EndsRun(catalogue, service?.folder, on: searches).ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await EndsRun(catalogue, service?.folder, on: searches).lastMessages(before: ends)
    }
}
