internal import Threads

/// Connects the threads that build an index with the code that observes or stops them.
final class IndexControl: Sendable {
    private struct State {
        var progress = IndexProgress()
        var isCancelled = false
        /// True if the current attempt has failed. It may be restarted.
        var isGivenUp = false
        /// The conversations with new records. The same number is never twice in a row.
        var moved: ArraySlice<Int64> = []
        var isOver = false
    }

    private let state = Monitor(State())
    private let observer: @Sendable (IndexProgress) -> Void
    /// Called once, when all records are in the index and the words are not yet.
    let whenRecordsAreThere: @Sendable () -> Void

    /// - Parameter observer: called after each step, on the thread that made it.
    init(
        observer: @escaping @Sendable (IndexProgress) -> Void = { _ in },
        whenRecordsAreThere: @escaping @Sendable () -> Void = {}
    ) {
        self.observer = observer
        self.whenRecordsAreThere = whenRecordsAreThere
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// - Throws: `CancellationError` if the build was cancelled or has failed.
    func checkCancellation() throws {
        if state.withLock({ $0.isCancelled || $0.isGivenUp }) { throw CancellationError() }
    }

    /// Stops all threads of the current attempt after a failure.
    func giveUp() {
        state.withLock { $0.isGivenUp = true }
        endRecords()
    }

    /// Prepares a new attempt after `giveUp`.
    func restart() {
        state.withLock { state in
            state.isGivenUp = false
            state.isOver = false
            state.moved = []
            state.progress = IndexProgress()
        }
    }

    /// Changes the progress and reports it to the observer.
    func report(_ change: (inout IndexProgress) -> Void) {
        let progress = state.withLock { state in
            change(&state.progress)
            return state.progress
        }
        observer(progress)
    }

    /// Records that a conversation has new records.
    func note(records conversation: Int64) {
        state.change { state in
            if state.moved.last != conversation { state.moved.append(conversation) }
        }
    }

    /// Records that no more records come.
    func endRecords() {
        state.change { $0.isOver = true }
    }

    /// Waits for conversations with new records; returns nil after the last ones.
    func nextMoves(most: Int) -> [Int64]? {
        let moved: [Int64] = state.wait { state in
            guard !state.moved.isEmpty || state.isOver else { return nil }
            defer { state.moved = state.moved.dropFirst(most) }
            return Array(state.moved.prefix(most))
        }
        return moved.isEmpty ? nil : moved
    }
}

/// The progress of a build, in bytes of the archive.
struct IndexProgress: Hashable, Sendable {
    /// The bytes that were not indexed at the start (totals), and those of them whose records or words are indexed now.
    var records: Int64 = 0
    var recordsTotal: Int64 = 0
    var words: Int64 = 0
    var wordsTotal: Int64 = 0

    /// A weighted sum: words take twice the time of records.
    var done: Int64 { (records + 2 * words) / 3 }
    var total: Int64 { (recordsTotal + 2 * wordsTotal) / 3 }
    /// From 0 to 1.
    var share: Double { total == 0 ? 1 : min(1, Double(done) / Double(total)) }
}
