import Archive
import Synchronization

/// A thread of its own that does one thing after another, and sleeps without end while there is nothing to do.
///
/// Work on a queue of libdispatch, and so any task without an executor of its own, starts a timer there (the monitor of its
/// worker threads) that wakes the process once a second for as long as it lives. Nothing may do so that runs while a screen
/// is shown.
final class WorkThread: TaskExecutor {
    /// Where tasks run between the waits that they are made of. They never block it.
    static let tasks = WorkThread()

    private let queue = WorkQueue()
    /// Started with the first piece of work.
    private let isStarted = Mutex(false)

    deinit { queue.end() }

    /// Does it behind all that was asked for before, and does not wait.
    func run(_ work: @escaping @Sendable () -> Void) {
        let isTaken = isStarted.withLock { isStarted in
            isStarted = isStarted || queue.start() == nil
            return isStarted
        }
        // The system gives no thread: late is better than never.
        if isTaken { queue.append(work) } else { work() }
        // Else the end of one that is only asked for this could come before it.
        withExtendedLifetime(self) {}
    }

    /// Does it behind all that was asked for before.
    func value<Result: Sendable>(of work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { answer in run { answer.resume(returning: work()) } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
