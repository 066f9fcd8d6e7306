internal import Synchronization

/// Makes a store behave like a slow server that sometimes fails, to see how the screen looks while a page is loading.
package actor SimulatedStore: ForwardingStore {
    package let store: any MessageStore
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

    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        try await travel()
        return try await store.members(of: conversation)
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

    /// Every second failed post is stored, and only the response is lost, as with a real server.
    package func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError) {
        do {
            try await travel()
        } catch {
            if requests.isMultiple(of: 2) { try await store.send(post, to: conversation, isRetry: isRetry) }
            throw error
        }
        try await store.send(post, to: conversation, isRetry: isRetry)
    }

    package nonisolated func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        delayed(store.search(request))
    }

    package nonisolated func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        delayed(store.places(of: query, in: conversation))
    }

    /// The batches of a search after a delay. The whole search counts as one request.
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
        // If the task is cancelled, the delay ends, because nobody waits for the response.
        try? await Task.sleep(for: simulation.latency)
        if simulation.fails(request: number) { throw .unavailable("the simulated line failed (request \(number + 1))") }
    }
}

/// The faults of a simulated store: `latency:250ms,failures:0.2,after:1,seed:7`, in any order; each part is optional. The latency
/// is in milliseconds (`250ms`) or seconds (`2s`).
package struct Simulation: Hashable, Sendable {
    /// The duration of every request.
    package var latency: Duration = .zero
    /// The share of requests that fail, 0 to 1.
    package var failures = 0.0
    /// Requests that succeed before failures begin.
    package var after = 0
    /// The seed that decides which requests fail.
    package var seed: UInt64 = 0

    package init() {}

    /// - Throws: the error in the text, in one line.
    package init(parsing text: String) throws(StoreError) {
        for part in text.split(separator: ",") {
            let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2, set(pair[0], pair[1]) else {
                throw .unreadable(
                    "KEDGE_SIMULATE does not know \"\(part)\"; it takes latency:250ms,failures:0.2,after:1,seed:7")
            }
        }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
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

    /// True if this request fails. Depends only on its number, not on other requests.
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
