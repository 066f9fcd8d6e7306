internal import Glibc

/// Takes `flock` locks, with a limit on the wait. A lock ends with its descriptor, and so with the process.
package enum FileLock {
    /// Waits until the lock of a file or folder is free, and takes it.
    /// - Parameters:
    ///   - path: for the error.
    ///   - note: reads the holder's process number from the file, for file systems that hide it from the system's list.
    /// - Throws: `FileError`, and the errors of `patience.check`.
    package static func take(
        _ descriptor: CInt, _ path: String, _ patience: LockPatience, note: () -> String? = { nil }
    ) throws {
        let start = ContinuousClock.now
        var hasCalled = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw FileError(.write, path, code: failure) }
            let waited = ContinuousClock.now - start
            if waited >= patience.stopped || waited >= LockPatience.noticeDelay {
                let holder = LockHolder.of(descriptor, note: note())
                let limit = holder?.isStopped ?? true ? patience.stopped : patience.limit
                guard waited < limit else { throw FileError(.write, path, .held(holder)) }
                if waited >= LockPatience.noticeDelay, !hasCalled {
                    hasCalled = true
                    patience.onWait(LockHolder.describe(holder))
                }
            }
            try patience.check()
            // Sleeps between tries, because flock(2) has no time limit and nothing reports that a lock is released. Only the thread of
            // the caller sleeps, which is never one of the cooperative pool.
            usleep(pause(after: waited))
        }
    }

    /// Microseconds until the next try: few at first, more the longer the lock is held.
    private static func pause(after waited: Duration) -> UInt32 {
        UInt32(min(max(waited / .microseconds(8), 1_000), 128_000))
    }
}

/// The limits of a wait for a lock that another process holds.
package struct LockPatience: Sendable {
    /// The time to wait before calling `onWait`.
    package static let noticeDelay = Duration.seconds(1)

    /// The longest wait for a holder that is running.
    package var limit: Duration
    /// The limit when the holder is stopped (it keeps the lock until somebody continues it) or not known.
    package var stopped: Duration
    /// Called once, with the holder in words.
    package var onWait: @Sendable (String) -> Void
    /// Throws when the lock is no longer wanted.
    package var check: @Sendable () throws -> Void

    package init(
        limit: Duration, stopped: Duration = .seconds(2), onWait: @escaping @Sendable (String) -> Void = { _ in },
        check: @escaping @Sendable () throws -> Void = {}
    ) {
        self.limit = limit
        self.stopped = min(limit, stopped)
        self.onWait = onWait
        self.check = check
    }
}
