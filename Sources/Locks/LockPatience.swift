/// How long to wait for a lock that another process holds.
package struct LockPatience: Sendable {
    /// How long to wait before calling `onWait`.
    package static let noticeDelay = Duration.seconds(1)

    package var limit: Duration
    /// The limit when the holder is stopped: it keeps the lock until somebody continues it.
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
