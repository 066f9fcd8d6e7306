import Glibc

/// Takes `flock` locks, with a limit on the wait. A lock ends with its descriptor, and so with the process.
package enum FileLock {
    package enum Failure: Error {
        /// An error number of the system.
        case system(CInt)
        /// Another process held the lock until the wait was over; nil when that process is not known.
        case held(LockHolder?)
    }

    /// Waits until the lock of a file or folder is free, and takes it.
    /// - Parameter note: reads the holder's process number from the file, for file systems that hide it from the
    ///   system's list.
    /// - Throws: `Failure`, and the errors of `patience.check`.
    package static func take(_ descriptor: CInt, _ patience: LockPatience, note: () -> String? = { nil }) throws {
        let start = ContinuousClock.now
        var hasCalled = false
        // Tries again and again, because flock(2) has no time limit and nothing reports that a lock is released.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw Failure.system(failure) }
            let waited = ContinuousClock.now - start
            if waited >= patience.stopped || waited >= LockPatience.noticeDelay {
                let holder = LockHolder.of(descriptor, note: note())
                let limit = holder?.isStopped ?? true ? patience.stopped : patience.limit
                guard waited < limit else { throw Failure.held(holder) }
                if waited >= LockPatience.noticeDelay, !hasCalled {
                    hasCalled = true
                    patience.onWait(LockHolder.describe(holder))
                }
            }
            try patience.check()
            // `flock` that waits can neither be cancelled nor end after some time, so the lock is tried again. This blocks the
            // thread: callers run on threads of their own, never in the cooperative pool.
            usleep(pause(after: waited))
        }
    }

    /// Microseconds until the next try: few at first, more the longer the lock is held.
    private static func pause(after waited: Duration) -> UInt32 {
        UInt32(min(max(waited / .microseconds(8), 1_000), 128_000))
    }
}
