import Glibc
import Testing

@testable import Threads

@Suite("A serial thread", .timeLimit(.minutes(30)))
struct SerialThreadTests {
    @Test("work is done in its order, on one thread that is not the caller's")
    func order() async {
        let (thread, done) = (SerialThread(), Monitor<[Int]>([]))
        for number in 0..<1_000 { thread.run { done.change { $0.append(number) } } }
        let first = await thread.value { pthread_self() }
        #expect(done.withLock { $0 } == Array(0..<1_000))
        await #expect(thread.value { pthread_self() } == first)
        #expect(SerialThreadTests.current != first)
    }

    @Test("an actor whose executor it is runs there, and so does a task that prefers it")
    func executor() async throws {
        let thread = try SerialThread.started()
        let own = await thread.value { pthread_self() }
        let room = Room(thread)
        await #expect(room.thread() == own)
        // After a wait of its own, too.
        await #expect(room.threadAfterYield() == own)
        let task = Task.detached(executorPreference: thread) {
            await Task.yield()
            return SerialThreadTests.current
        }
        await #expect(task.value == own)
    }

    @Test("jobs of an actor and other work keep one order")
    func jobs() async throws {
        let thread = try SerialThread.started()
        let (gate, room) = (Monitor(false), Room(thread))
        thread.run { gate.wait { $0 ? () : nil } }
        async let held = room.thread()
        #expect(!thread.finish(within: .zero))
        gate.change { $0 = true }
        _ = await held
        #expect(thread.finish(within: .seconds(60)))
    }

    @Test("the end of all work is waited for, and only so long")
    func finish() {
        let (thread, gate) = (SerialThread(), Monitor(false))
        #expect(thread.finish(within: .zero))
        thread.run { gate.wait { $0 ? () : nil } }
        thread.run {}
        #expect(!thread.finish(within: .zero))
        #expect(!thread.finish(within: .nanoseconds(1)))
        gate.change { $0 = true }
        #expect(thread.finish(within: .seconds(60)))
    }

    @Test("the thread does all its work and ends when nobody holds it", arguments: [false, true])
    func end(isStarted: Bool) throws {
        let (end, gate, count) = (Monitor(false), Monitor(false), Monitor(0))
        var key = pthread_key_t()
        // The system calls this at the end of a thread that has set the key.
        try #require(
            pthread_key_create(&key) { context in
                guard let context else { return }
                Unmanaged<Monitor<Bool>>.fromOpaque(context).takeRetainedValue().change { $0 = true }
            } == 0)
        defer { pthread_key_delete(key) }
        do {
            let thread = try isStarted ? SerialThread.started() : SerialThread()
            thread.run { [key] in
                pthread_setspecific(key, Unmanaged.passRetained(end).toOpaque())
                gate.wait { $0 ? () : nil }
            }
            for _ in 0..<10 { thread.run { count.change { $0 += 1 } } }
        }
        #expect(!end.withLock { $0 })
        gate.change { $0 = true }
        end.wait { $0 ? () : nil }
        #expect(count.withLock { $0 } == 10)
    }

    @Test("signals stay with the thread that makes it, but for those of a crash")
    func signals() async {
        let isHeldBack = await SerialThread().value {
            [SIGINT, SIGTERM, SIGWINCH, SIGTSTP, SIGSEGV, SIGBUS, SIGABRT].map(SerialThreadTests.isHeldBack)
        }
        #expect(isHeldBack == [true, true, true, true, false, false, false])
    }

    @Test("the maker of a thread keeps its own signals")
    func ownSignals() throws {
        // One that does nothing by itself: the threads of the tests hold all back.
        var open = sigset_t()
        var before = sigset_t()
        sigemptyset(&open)
        sigaddset(&open, SIGURG)
        pthread_sigmask(SIG_UNBLOCK, &open, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let thread = try SerialThread.started()
        #expect(!SerialThreadTests.isHeldBack(SIGURG))
        withExtendedLifetime(thread) {}
    }

    @Test("the reason why there is none is said in the system's words")
    func reason() { #expect(NoThread(code: EAGAIN).description == String(cString: strerror(EAGAIN))) }

    private static var current: pthread_t { pthread_self() }

    private static func isHeldBack(_ signal: CInt) -> Bool {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        return sigismember(&mask, signal) == 1
    }

    private actor Room {
        private let executor: SerialThread
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: SerialThread) { self.executor = executor }

        func thread() -> pthread_t { pthread_self() }

        func threadAfterYield() async -> pthread_t {
            await Task.yield()
            return SerialThreadTests.current
        }
    }
}
