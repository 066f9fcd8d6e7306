internal import Threads

/// What those who make an index, those who watch it being made and those who stop it know of each other.
final class IndexControl: Sendable {
    private struct State {
        var progress = IndexProgress()
        var isCancelled = false
        /// Whether what is under way is given up, perhaps to be begun anew.
        var isGivenUp = false
        /// The conversations that have new records, each once.
        var moved: ArraySlice<Int64> = []
        var isOver = false
    }

    private let state = Monitor(State())
    private let observer: @Sendable (IndexProgress) -> Void
    /// Called once all records are in the index, before all words are.
    let whenRecordsAreThere: @Sendable () -> Void

    /// - Parameter observer: told of each step, on the thread that made it.
    init(
        observer: @escaping @Sendable (IndexProgress) -> Void = { _ in },
        whenRecordsAreThere: @escaping @Sendable () -> Void = {}
    ) {
        self.observer = observer
        self.whenRecordsAreThere = whenRecordsAreThere
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// - Throws: `CancellationError` when nobody wants the index any more.
    func checkCancellation() throws {
        if state.withLock({ $0.isCancelled || $0.isGivenUp }) { throw CancellationError() }
    }

    /// What is under way cannot be brought to its end: all threads of it stop.
    func giveUp() {
        state.withLock { $0.isGivenUp = true }
        endRecords()
    }

    /// Begins anew what was given up.
    func restart() {
        state.withLock { state in
            state.isGivenUp = false
            state.isOver = false
            state.moved = []
            state.progress = IndexProgress()
        }
    }

    /// Changes what is told, and tells it.
    func report(_ change: (inout IndexProgress) -> Void) {
        let progress = state.withLock { state in
            change(&state.progress)
            return state.progress
        }
        observer(progress)
    }

    /// A conversation has more records than before.
    func note(records conversation: Int64) {
        state.change { state in
            if state.moved.last != conversation { state.moved.append(conversation) }
        }
    }

    /// No more records come.
    func endRecords() {
        state.change { $0.isOver = true }
    }

    /// Waits for conversations that have more records; nil when no more come.
    func nextMoves(most: Int) -> [Int64]? {
        let moved: [Int64] = state.wait { state in
            guard !state.moved.isEmpty || state.isOver else { return nil }
            defer { state.moved = state.moved.dropFirst(most) }
            return Array(state.moved.prefix(most))
        }
        return moved.isEmpty ? nil : moved
    }
}
