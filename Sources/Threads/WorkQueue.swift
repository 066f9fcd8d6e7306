/// The work of one thread, in order, and the thread that does it.
final class WorkQueue: Sendable {
    private struct State {
        var isStarted = false
        var work: [@Sendable () -> Void] = []
        /// The number of pieces that are not done: those that wait, and those that the thread has taken.
        var open = 0
        var isOver = false
    }

    private let state = Monitor(State())

    /// Starts the thread, unless it is running.
    /// - Returns: nil on success.
    func start() -> NoThread? {
        state.withLock { state in
            if state.isStarted { return nil }
            let failure = Pthread.start { [self] in work() }
            state.isStarted = failure == nil
            return failure
        }
    }

    func append(_ piece: @escaping @Sendable () -> Void) {
        state.change { state in
            state.work.append(piece)
            state.open += 1
        }
    }

    /// Ends the thread after all its work is done. Does not wait, because that thread itself may call this.
    func end() { state.change { $0.isOver = true } }

    /// - Returns: whether all work is done.
    func finish(within limit: Duration) -> Bool { state.wait(atMost: limit) { $0.open == 0 } }

    private func work() {
        while let pieces = next() {
            for piece in pieces {
                piece()
                state.change { $0.open -= 1 }
            }
        }
    }

    /// - Returns: all waiting work, as soon as there is some; nil at the end.
    private func next() -> [@Sendable () -> Void]? {
        state.wait { state in
            if state.work.isEmpty { return state.isOver ? .some(nil) : nil }
            defer { state.work = [] }
            return .some(state.work)
        }
    }
}
