/// How long to wait for a lock that another process holds.
package struct LockPatience: Sendable {
    /// After so long `onWait` is told the holder.
    package static let untilTold = Duration.seconds(1)

    package var limit: Duration
    /// The limit for a holder that is stopped: it keeps the lock until somebody continues it.
    package var stopped: Duration
    /// Is told the holder in words, once.
    package var onWait: @Sendable (String) -> Void
    /// Throws when nobody wants the lock any more.
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
