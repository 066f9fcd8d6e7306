internal import Synchronization

/// Makes a store behave like a slow server that fails now and then, to see how the screen looks while a page is on its
/// way.
package actor SimulatedStore: MessageStore {
    private let store: any MessageStore
    private let simulation: Simulation
    private var requests = 0

    package init(_ store: any MessageStore, _ simulation: Simulation) {
        self.store = store
        self.simulation = simulation
    }

    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        try await travel()
        return try await store.page(request)
    }

    package func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        try await travel()
        return try await store.message(id, in: conversation)
    }

    package func messages(
        _ ids: Set<MessageID>, in conversation: ConversationID
    ) async throws(StoreError) -> [Message] {
        try await travel()
        return try await store.messages(ids, in: conversation)
    }

    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        try await travel()
        return try await store.versions(of: id, in: conversation)
    }

    package func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        try await travel()
        return try await store.place(of: cursor, in: conversation)
    }

    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        try await travel()
        return try await store.location(of: file, progress: progress)
    }

    package nonisolated func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)> {
        store.serverReads()
    }

    package func conversations() async throws(StoreError) -> [Conversation] { try await store.conversations() }

    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        try await travel()
        return try await store.members(of: conversation)
    }

    package func invitations() async -> [Invitation] { await store.invitations() }

    package nonisolated func listChanges() -> AsyncStream<Void> { store.listChanges() }

    package func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation {
        try await store.conversation(id)
    }

    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await store.summary(of: id)
    }

    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread {
        try await store.unread(in: conversation, since: state, threads: threads, for: reader)
    }

    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await store.ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await store.lastMessages(before: ends)
    }

    package nonisolated var me: PersonID? { store.me }

    package func obstacle(in conversation: ConversationID) async -> String? {
        await store.obstacle(in: conversation)
    }

    package func makeConversation(titled title: String) async throws(StoreError) -> Conversation {
        try await travel()
        return try await store.makeConversation(titled: title)
    }

    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        try await travel()
        return try await store.join(address)
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        try await travel()
        try await store.decline(invitation)
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        try await travel()
        try await store.leave(conversation)
    }

    /// Every second failed post is stored all the same, and only the response is lost, as with a real server.
    package func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError) {
        do {
            try await travel()
        } catch {
            if requests.isMultiple(of: 2) { try await store.send(post, to: conversation, isRetry: isRetry) }
            throw error
        }
        try await store.send(post, to: conversation, isRetry: isRetry)
    }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) async {
        await store.noteTyping(by: person, in: conversation)
    }

    package nonisolated func changes(
        in conversation: ConversationID, since: Cursor?
    ) -> AsyncStream<[StoreChange]> {
        store.changes(in: conversation, since: since)
    }

    package nonisolated func arrivals(
        besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) -> AsyncStream<[Arrival]> { store.arrivals(besides: isFollowed) }

    package nonisolated func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        delayed(store.search(request))
    }

    package nonisolated func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        delayed(store.places(of: query, in: conversation))
    }

    package nonisolated func preparation() -> AsyncStream<StoreProgress> { store.preparation() }

    package func statistics(
        of id: ConversationID, in zone: Zone, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        try await store.statistics(of: id, in: zone, progress: progress)
    }

    package func knows(sender: String) async -> Bool { await store.knows(sender: sender) }

    package func problems() async -> [String] { await store.problems() }

    package func problems(in conversations: [ConversationID]) async -> [String] {
        await store.problems(in: conversations)
    }

    /// The batches of a search after a delay; the search counts as one request.
    private nonisolated func delayed<Batch: Sendable>(
        _ batches: AsyncStream<Result<Batch, StoreError>>
    ) -> AsyncStream<Result<Batch, StoreError>> {
        let journey = Mutex(Journey.ahead)
        return AsyncStream { [self] in
            switch journey.withLock({ $0 }) {
            case .failed: return nil
            case .arrived: break
            case .ahead:
                do throws(StoreError) {
                    try await travel()
                    journey.withLock { $0 = .arrived }
                } catch {
                    journey.withLock { $0 = .failed }
                    return .failure(error)
                }
            }
            // All iterators of a stream share its position.
            var iterator = batches.makeAsyncIterator()
            return await iterator.next()
        }
    }

    private enum Journey { case ahead, arrived, failed }

    private func travel() async throws(StoreError) {
        let number = requests
        requests += 1
        // Cancelling ends the delay: nobody waits for the response any more.
        try? await Task.sleep(for: simulation.latency)
        if simulation.fails(request: number) { throw .unavailable("the simulated line failed (request \(number + 1))") }
    }
}

/// How a simulated store misbehaves: `latency:250ms,failures:0.2,after:1,seed:7`, in any order; each part may be left
/// out. The latency is in milliseconds (`250ms`) or seconds (`2s`).
package struct Simulation: Hashable, Sendable {
    /// The duration of every request.
    package var latency: Duration = .zero
    /// The share of requests that fail, 0 to 1.
    package var failures = 0.0
    /// Requests that succeed before failures begin.
    package var after = 0
    /// Chooses the requests that fail: the same seed chooses the same ones.
    package var seed: UInt64 = 0

    package init() {}

    /// - Throws: what is wrong with the text, in one line.
    package init(parsing text: String) throws(SimulationError) {
        for part in text.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2, try set(pair[0], pair[1]) else { throw SimulationError(part: String(part)) }
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(SimulationError) -> Bool {
        switch name {
        case "latency":
            let (unit, digits) = value.hasSuffix("ms") ? (1, value.dropLast(2)) : (1_000, value.dropLast(1))
            guard value.hasSuffix("s"), let number = Int(digits), (0...3_600_000).contains(number) else { return false }
            latency = .milliseconds(number * unit)
        case "failures":
            guard let number = Double(value), (0...1).contains(number) else { return false }
            failures = number
        case "after":
            guard let number = Int(value), number >= 0 else { return false }
            after = number
        case "seed":
            guard let number = UInt64(value) else { return false }
            seed = number
        default: return false
        }
        return true
    }

    /// Whether a request fails: a hash of its number, so that it does not depend on what ran before.
    func fails(request number: Int) -> Bool {
        guard number >= after, failures > 0 else { return false }
        // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
        var mixed = seed &+ (UInt64(truncatingIfNeeded: number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53) < failures
    }
}

/// A part of KEDGE_SIMULATE that cannot be read.
package struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    let part: String

    package var description: String {
        "KEDGE_SIMULATE does not know \"\(part)\"; it takes latency:250ms,failures:0.2,after:1,seed:7"
    }
}
