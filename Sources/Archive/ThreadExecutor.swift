internal import Messages

import Glibc

/// Runs the jobs of one actor on one thread of its own, in order. Reads may block there for as long as a disk takes: on
/// the cooperative pool of a machine with two cores, two blocked jobs would stop all others.
///
/// The thread keeps the executor alive until `shutDown`, after which it runs what is queued and ends.
final class ThreadExecutor: SerialExecutor, @unchecked Sendable {
    // All below is read and written under `mutex` alone, but for the two primitives, which do not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var isOver = false

    /// - Throws: `unavailable` when the system gives no thread.
    init() throws(StoreError) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(wake, nil)
        guard let failure = OwnThread.start({ [self] in run() }) else { return }
        throw .unavailable("no thread for reading the archive: \(String(cString: strerror(failure))); try again")
    }

    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(mutex)
        wake.deallocate()
        mutex.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_cond_signal(wake)
        pthread_mutex_unlock(mutex)
    }

    /// Lets the thread end when nothing is queued any more. Never waits: the last owner may be that thread itself.
    func shutDown() {
        pthread_mutex_lock(mutex)
        isOver = true
        pthread_cond_signal(wake)
        pthread_mutex_unlock(mutex)
    }

    private func run() {
        while let batch = next() {
            for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private func next() -> [UnownedJob]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty {
            if isOver { return nil }
            pthread_cond_wait(wake, mutex)
        }
        defer { jobs.removeAll(keepingCapacity: true) }
        return jobs
    }
}
