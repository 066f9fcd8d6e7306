import Archive
import Glibc

/// A thread of its own that does one thing after another, and sleeps without end while there is nothing to do.
///
/// Work on a queue of libdispatch, and so any task without an executor of its own, starts a timer there (the monitor of its
/// worker threads) that wakes the process once a second for as long as it lives. Nothing may do so that runs while a screen
/// is shown.
final class WorkThread: TaskExecutor {
    /// Where tasks run between the waits that they are made of. They never block it.
    static let tasks = WorkThread()

    private let queue = WorkQueue()

    deinit { queue.end() }

    /// Does it behind all that was asked for before, and does not wait.
    func run(_ work: @escaping @Sendable () -> Void) { queue.append(work) }

    /// Does it behind all that was asked for before.
    func value<Result: Sendable>(of work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { answer in run { answer.resume(returning: work()) } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// What a thread has to do. It keeps this, and not who gives it work.
private final class WorkQueue: @unchecked Sendable {
    // All below is read and written under `mutex` alone, but for the two primitives, which do not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: [@Sendable () -> Void] = []
    private var isStarted = false
    private var isOver = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(wake, nil)
    }

    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(mutex)
        wake.deallocate()
        mutex.deallocate()
    }

    func append(_ piece: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        if !isStarted { isStarted = start() }
        if isStarted {
            work.append(piece)
            pthread_cond_signal(wake)
        }
        let isTaken = isStarted
        pthread_mutex_unlock(mutex)
        // The system gives no thread: late is better than never.
        if !isTaken { piece() }
    }

    /// Lets the thread end behind what there is to do.
    func end() {
        pthread_mutex_lock(mutex)
        isOver = true
        pthread_cond_signal(wake)
        pthread_mutex_unlock(mutex)
    }

    private func run() {
        while let batch = next() {
            for piece in batch { piece() }
        }
    }

    private func next() -> [@Sendable () -> Void]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while work.isEmpty {
            if isOver { return nil }
            pthread_cond_wait(wake, mutex)
        }
        defer { work = [] }
        return work
    }

    private func start() -> Bool { OwnThread.start { [self] in run() } == nil }
}
