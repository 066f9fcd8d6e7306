/// The work of one thread, in its order, and the thread that does it.
final class WorkQueue: Sendable {
    private struct State {
        var isStarted = false
        var work: [@Sendable () -> Void] = []
        /// How many pieces are not done yet: those that wait, and those that the thread has taken.
        var open = 0
        var isOver = false
    }

    private let state = Monitor(State())

    /// Starts the thread, unless it runs.
    /// - Returns: why there is none; nil when there is.
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

    /// Lets the thread end when it has done all work. Never waits: the caller may be that thread itself.
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

    /// - Returns: all work that there is, as soon as there is some; nil at the end.
    private func next() -> [@Sendable () -> Void]? {
        state.wait { state in
            if state.work.isEmpty { return state.isOver ? .some(nil) : nil }
            defer { state.work = [] }
            return .some(state.work)
        }
    }
}
