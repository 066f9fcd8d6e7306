import Glibc
import Threads

/// ^C and SIGTERM, as a call on a thread of its own.
enum Interruption {
    private static let state = Monitor(false)

    /// Whether one of them came.
    static var happened: Bool { state.withLock { $0 } }

    /// Calls `body` when one of them comes. Call this before other threads begin: they are to leave the signals alone.
    static func call(_ body: @escaping @Sendable () -> Void) {
        var signals = ends
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let thread = SerialThread()
        thread.run {
            var signals = ends
            var number: CInt = 0
            sigwait(&signals, &number)
            state.change { $0 = true }
            body()
        }
        kept.change { $0 = thread }
    }

    private static var ends: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }

    /// The thread lives as long as the process.
    private static let kept = Monitor<SerialThread?>(nil)
}
