/// A thread that does one piece of work after another, in order, and sleeps while there is none. When this object is
/// released, the thread finishes its work and ends.
///
/// Kedge has its own threads for two reasons. A read may block for as long as a disk takes: on a machine with two
/// cores, two blocked tasks would stop every other task of the cooperative pool. And libdispatch, which runs every task
/// that has no executor of its own, starts a timer to watch its worker threads, which wakes the process once a second
/// for as long as it lives.
package final class SerialThread: SerialExecutor, TaskExecutor {
    /// The thread retains the queue and not this object, which could otherwise never be released.
    private let queue = WorkQueue()

    /// The thread starts with the first piece of work.
    package init() {}

    /// Starts the thread now, so that the caller can rely on it.
    /// - Returns: nil if no thread can be started.
    package static func started() -> SerialThread? {
        let thread = SerialThread()
        return thread.start() ? thread : nil
    }

    /// Starts the thread, unless it runs.
    /// - Returns: false if no thread can be started.
    package func start() -> Bool { queue.start() }

    deinit { queue.end() }

    /// Enqueues `work`; returns immediately. When the system cannot start a thread, does the work before it returns.
    package func run(_ work: @escaping @Sendable () -> Void) {
        if queue.start() { queue.append(work) } else { work() }
        // Otherwise `deinit` could run before the work is enqueued, when only the caller holds this object.
        withExtendedLifetime(self) {}
    }

    /// Enqueues `work` and waits for its result.
    package func value<Result: Sendable>(of work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in run { continuation.resume(returning: work()) } }
    }

    /// Waits until all enqueued work is done, or the time is up.
    /// - Returns: true if all of it is done.
    @discardableResult
    package func finish(within limit: Duration) -> Bool { queue.finish(within: limit) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { [self] in
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
}

/// The work of one thread, in order, and the thread that does it.
final class WorkQueue: Sendable {
    private struct State {
        var isStarted = false
        var work: [@Sendable () -> Void] = []
        /// The number of unfinished pieces: those that wait, and those that the thread has taken.
        var open = 0
        var isOver = false
    }

    private let state = Monitor(State())

    /// Starts the thread, unless it is running.
    /// - Returns: false if no thread can be started.
    func start() -> Bool {
        state.withLock { state in
            state.isStarted = state.isStarted || Pthread.start { [self] in work() }
            return state.isStarted
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

    /// - Returns: true if all work is done.
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
