import Glibc

/// A thread of its own that does one thing after another, and sleeps without end while there is nothing to do. The thread
/// keeps this alive, and not who gives it work.
package final class WorkQueue: @unchecked Sendable {
    // All below is read and written under `mutex` alone, but for the two primitives, which do not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: [@Sendable () -> Void] = []
    private var isOver = false

    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(wake, nil)
    }

    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(mutex)
        wake.deallocate()
        mutex.deallocate()
    }

    /// Starts the thread, once.
    /// - Returns: the error number when the system gives none, else nil.
    package func start() -> CInt? { OwnThread.start { [self] in run() } }

    /// Does it behind all that was asked for before, and does not wait.
    package func append(_ piece: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        work.append(piece)
        pthread_cond_signal(wake)
        pthread_mutex_unlock(mutex)
    }

    /// Lets the thread end behind what there is to do. Never waits: who calls it may be that thread itself.
    package func end() {
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
}
