import Glibc
import Testing

@testable import Threads

struct SerialThreadTests {
    @Test func `Work is done in order, on one thread that is not the caller's`() async {
        let (thread, done) = (SerialThread(), Monitor<[Int]>([]))
        for number in 0..<1_000 { thread.run { done.change { $0.append(number) } } }
        let first = await thread.value { pthread_self() }
        #expect(done.withLock { $0 } == Array(0..<1_000))
        await #expect(thread.value { pthread_self() } == first)
        #expect(SerialThreadTests.current != first)
    }

    @Test func `An actor with this executor runs on the thread, and so does a task that prefers it`() async throws {
        let thread = try #require(SerialThread.started())
        let own = await thread.value { pthread_self() }
        let room = Room(thread)
        await #expect(room.thread() == own)
        // It still does after a wait.
        await #expect(room.threadAfterYield() == own)
        let task = Task.detached(executorPreference: thread) {
            await Task.yield()
            return SerialThreadTests.current
        }
        await #expect(task.value == own)
    }

    @Test func `Jobs of an actor and other work share one order`() async throws {
        let thread = try #require(SerialThread.started())
        let (gate, room) = (Monitor(false), Room(thread))
        thread.run { gate.wait { $0 ? () : nil } }
        async let held = room.thread()
        #expect(!thread.finish(within: .zero))
        gate.change { $0 = true }
        _ = await held
        #expect(thread.finish(within: .seconds(60)))
    }

    @Test func `Waiting for the end of all work has a limit`() {
        let (thread, gate) = (SerialThread(), Monitor(false))
        #expect(thread.finish(within: .zero))
        thread.run { gate.wait { $0 ? () : nil } }
        thread.run {}
        #expect(!thread.finish(within: .zero))
        #expect(!thread.finish(within: .nanoseconds(1)))
        gate.change { $0 = true }
        #expect(thread.finish(within: .seconds(60)))
    }

    @Test(arguments: [false, true])
    func `A released thread does all its work, and ends`(isStarted: Bool) throws {
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
            let thread = isStarted ? try #require(SerialThread.started()) : SerialThread()
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

    @Test func `A thread blocks all signals except those of a crash`() async {
        let isHeldBack = await SerialThread().value {
            [SIGINT, SIGTERM, SIGWINCH, SIGTSTP, SIGSEGV, SIGBUS, SIGABRT].map(SerialThreadTests.isHeldBack)
        }
        #expect(isHeldBack == [true, true, true, true, false, false, false])
    }

    @Test func `The creator of a thread keeps its own signals`() throws {
        // A thread without a mask of its own: the threads of the tests block all signals.
        var open = sigset_t()
        var before = sigset_t()
        sigemptyset(&open)
        sigaddset(&open, SIGURG)
        pthread_sigmask(SIG_UNBLOCK, &open, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let thread = try #require(SerialThread.started())
        #expect(!SerialThreadTests.isHeldBack(SIGURG))
        withExtendedLifetime(thread) {}
    }

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
