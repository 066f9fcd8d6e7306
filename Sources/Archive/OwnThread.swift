import Glibc

/// A thread that does one thing and ends. Not libdispatch's: the first of those starts a timer that wakes the process once
/// a second for as long as it lives.
package enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static let stack = 2 << 20

    /// - Returns: the error number when the system gives no thread, else nil.
    package static func start(_ run: @escaping @Sendable () -> Void) -> CInt? {
        // Signals belong to the event loop on the main thread; a new thread inherits the mask of its maker.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // Not those of a crash: held back, they would end the process without giving the terminal back.
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS] { sigdelset(&all, number) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // A quarter of what is usual: several of them have to fit where the address space is limited (`ulimit -v`).
        pthread_attr_setstacksize(&attributes, stack)
        let context = Unmanaged.passRetained(Body(run))
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                // What a crash calls has a stack of its own: that of the thread may be what ran out.
                let size = 64 << 10
                let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
                var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
                sigaltstack(&stack, nil)
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                stack.ss_flags = CInt(SS_DISABLE)
                sigaltstack(&stack, nil)
                memory.deallocate()
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
