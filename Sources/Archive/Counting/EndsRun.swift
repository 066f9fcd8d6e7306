package import Messages
internal import Threads

/// Finds the log ends of all conversations. Runs on the search thread, and lets other work run there after every few
/// conversations.
actor EndsRun {
    private static let conversationsAtOnce = 64

    private nonisolated let executor: SerialThread
    private let catalogue: Catalogue
    private let blocks = BlockReader()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ catalogue: Catalogue, on executor: SerialThread) {
        self.catalogue = catalogue
        self.executor = executor
    }

    /// The ends of all logs at a moment, from the sizes of the files. Reads only files that have changed since that
    /// moment. Leaves out conversations that cannot be read.
    /// - Throws: `unreadable`, `unavailable` if the folder of all conversations cannot be read.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        var ends: [ConversationID: Cursor] = [:]
        for (number, id) in try catalogue.ids().enumerated() {
            if number.isMultiple(of: EndsRun.conversationsAtOnce) { await Task.yield() }
            guard let segments = try? segments(of: id), let end = try? end(of: segments, at: moment) else { continue }
            ends[id] = LogEnd(at: end, of: segments).cursor
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
        for (number, (id, end)) in ends.enumerated() {
            if number.isMultiple(of: EndsRun.conversationsAtOnce) { await Task.yield() }
            if let message = try? lastMessage(of: id, before: end) { last[id] = message }
        }
        return last
    }

    private func lastMessage(of id: ConversationID, before end: Cursor) throws(StoreError) -> MessageID? {
        let log = PlainLog(segments: try segments(of: id))
        return try blocks.lastMessage(of: log, before: try LogEnd(end).place)
    }

    private func segments(of id: ConversationID) throws(StoreError) -> [Segment] {
        var strays = ProblemList()
        return try Segment.all(in: catalogue.path(of: id), of: id, &strays)
    }
}

extension JSONArchive {
    /// The ends of all logs at a moment, without the conversations that cannot be read.
    /// - Throws: `unreadable` or `unavailable` if the folder of all conversations cannot be read.
    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await EndsRun(catalogue, on: searches).ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await EndsRun(catalogue, on: searches).lastMessages(before: ends)
    }
}
