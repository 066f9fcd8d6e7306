internal import Messages

import Glibc

/// Runs the jobs of one actor on one thread of its own, in order. Reads may block there for as long as a disk takes: on
/// the cooperative pool of a machine with two cores, two blocked jobs would stop all others.
final class ThreadExecutor: SerialExecutor {
    let queue = WorkQueue()

    /// - Throws: `unavailable` when the system gives no thread.
    init() throws(StoreError) {
        guard let failure = queue.start() else { return }
        throw .unavailable("no thread for reading the archive: \(String(cString: strerror(failure))); try again")
    }

    deinit { queue.end() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.append { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
