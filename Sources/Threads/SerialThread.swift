/// A thread that does one piece of work after another, in their order, and sleeps without end while there is none. When
/// nobody holds this any more, the thread does the work that it was given, and ends.
///
/// Kedge has threads of its own for two reasons. A read may block for as long as a disk takes: on the cooperative pool of a
/// machine with two cores, two blocked tasks would stop all others. And work on a queue of libdispatch, as any task without
/// an executor of its own is, starts a timer there (it watches the worker threads) that wakes the process once a second for
/// as long as it lives.
package final class SerialThread: SerialExecutor, TaskExecutor {
    /// The thread keeps the work alive, and not this: else this would never go.
    private let queue = WorkQueue()

    /// Begins with the first piece of work.
    package init() {}

    /// Begins now, so that work can be relied on to be done here.
    package static func started() throws(NoThread) -> SerialThread {
        let thread = SerialThread()
        try thread.start()
        return thread
    }

    /// Begins now, unless it has begun.
    package func start() throws(NoThread) {
        if let failure = queue.start() { throw failure }
    }

    deinit { queue.end() }

    /// Adds a piece of work and returns at once. When the system gives no thread, the piece is done before this returns:
    /// late is better than never.
    package func run(_ work: @escaping @Sendable () -> Void) {
        if queue.start() == nil { queue.append(work) } else { work() }
        // Else `deinit` could come before the work is added, where this is held by nobody but its caller.
        withExtendedLifetime(self) {}
    }

    /// Adds a piece of work and waits for its result.
    package func value<Result: Sendable>(of work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in run { continuation.resume(returning: work()) } }
    }

    /// Waits until all work that was added is done, or so much time has passed.
    /// - Returns: whether all of it is done.
    @discardableResult
    package func finish(within limit: Duration) -> Bool { queue.finish(within: limit) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { [self] in
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
}
