internal import Glibc

/// Starts threads of the system.
enum Pthread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// In bytes: a quarter of the usual size, because several stacks must fit where the address space is limited
    /// (`ulimit -v`).
    private static let stackSize = 2 << 20
    private static let crashStackSize = 64 << 10

    /// Starts a thread that ends when `body` returns.
    /// - Returns: false if no thread can be started: too many are running, or there is no memory for another one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // Signals belong to the event loop on the main thread. A new thread inherits the signal mask of its creator.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // Crash signals stay unblocked: when blocked, they end the process without giving the terminal back.
        for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS] { sigdelset(&all, number) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Pthread.run(Unmanaged<Body>.fromOpaque(context).takeRetainedValue()) }
                return nil
            }, context.toOpaque())
        if code != 0 { context.release() }
        return code == 0
    }

    private static func run(_ body: consuming Body) {
        // The crash handler has its own stack, because the stack of the thread may be full.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: crashStackSize, alignment: 16)
        var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: crashStackSize)
        sigaltstack(&stack, nil)
        body.run()
        stack.ss_flags = CInt(SS_DISABLE)
        sigaltstack(&stack, nil)
        memory.deallocate()
    }
}
