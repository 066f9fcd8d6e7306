import Glibc

/// A thread that does one thing and ends. Not libdispatch's: the first of those starts a timer that wakes the process once
/// a second for as long as it lives.
package enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Returns: the error number when the system gives no thread, else nil.
    package static func start(_ run: @escaping @Sendable () -> Void) -> CInt? {
        // Signals belong to the event loop on the main thread; a new thread inherits the mask of its maker.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run))
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            return result
        }
        pthread_detach(thread)
        return nil
    }
}
