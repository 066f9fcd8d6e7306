package import Messages

/// Looks for the ends of all conversations on the thread of searches, and lets others have it between some of them.
actor EndsRun {
    private static let conversationsAtOnce = 64

    private nonisolated let executor: ThreadExecutor
    private let catalogue: Catalogue
    private let blocks = BlockReader()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ catalogue: Catalogue, on executor: ThreadExecutor) {
        self.catalogue = catalogue
        self.executor = executor
    }

    /// By the sizes of the files, of which none is read. A conversation that cannot be looked into has no end.
    /// - Throws: `unreadable`, `unavailable` when the folder of all of them cannot be read.
    func ends() async throws(StoreError) -> [ConversationID: Cursor] {
        var ends: [ConversationID: Cursor] = [:]
        for (number, id) in try catalogue.ids().enumerated() {
            if number.isMultiple(of: EndsRun.conversationsAtOnce) { await Task.yield() }
            if let segments = try? segments(of: id) { ends[id] = LogEnd(of: segments).cursor }
        }
        return ends
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
    /// - Throws: `unreadable`, `unavailable` when the folder of all conversations cannot be read.
    package func ends() async throws(StoreError) -> [ConversationID: Cursor] {
        try await EndsRun(catalogue, on: searches).ends()
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await EndsRun(catalogue, on: searches).lastMessages(before: ends)
    }
}
