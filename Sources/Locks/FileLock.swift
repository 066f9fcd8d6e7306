import Glibc

/// Locks of `flock`, with a limit to the waiting. A lock ends with its descriptor, and so with the process.
package enum FileLock {
    package enum Failure: Error {
        /// An error number of the system.
        case system(CInt)
        /// Another process kept it until the patience was over; nil when nothing tells which.
        case held(LockHolder?)
    }

    /// Waits until the lock of a file or folder is free, and takes it.
    /// - Parameter note: reads the number of the holder out of the file, for file systems that hide it from the system's list.
    /// - Throws: `Failure`, and what `patience.check` throws.
    package static func take(_ descriptor: CInt, _ patience: LockPatience, note: () -> String? = { nil }) throws {
        let start = ContinuousClock.now
        var isTold = false
        // It asks again and again: a call that waits by itself could wait for ever, and nothing tells when a lock is let go.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw Failure.system(failure) }
            let waited = ContinuousClock.now - start
            if waited >= patience.stopped || waited >= LockPatience.untilTold {
                let holder = LockHolder.of(descriptor, note: note())
                let limit = holder?.isStopped ?? true ? patience.stopped : patience.limit
                guard waited < limit else { throw Failure.held(holder) }
                if waited >= LockPatience.untilTold, !isTold {
                    isTold = true
                    patience.onWait(LockHolder.describe(holder))
                }
            }
            try patience.check()
            // flock(2) waits without any limit, so the lock is asked for again after a pause.
            usleep(pause(after: waited))
        }
    }

    /// Microseconds until the next try: short for a lock that was just taken, longer for one that is kept.
    private static func pause(after waited: Duration) -> UInt32 {
        UInt32(min(max(waited / .microseconds(8), 1_000), 128_000))
    }
}
