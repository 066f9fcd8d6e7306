import Glibc
import Testing

@testable import Threads

struct MonitorTests {
    @Test func `Two threads take turns`() {
        let (number, other) = (Monitor(0), SerialThread())
        other.run {
            for turn in 0..<500 { number.wait { number in number == 2 * turn + 1 ? number += 1 : nil } }
        }
        for turn in 0..<500 {
            number.change { $0 += 1 }
            #expect(number.wait { $0 == 2 * turn + 2 ? $0 : nil } == 2 * turn + 2)
        }
    }

    @Test func `A change wakes every waiting thread, whichever can go on`() {
        let (state, threads) = (Monitor((waiting: 0, turn: -1)), (0..<4).map { _ in SerialThread() })
        for (number, thread) in threads.enumerated() {
            thread.run {
                var isFirstLook = true
                state.wait { state in
                    if isFirstLook { state.waiting += 1 }
                    isFirstLook = false
                    return state.turn == number ? () : nil
                }
            }
            while state.withLock({ $0.waiting <= number }) { sched_yield() }
        }
        // The last thread to wait continues first.
        for (number, thread) in threads.enumerated().reversed() {
            state.change { $0.turn = number }
            #expect(thread.finish(within: .seconds(60)))
        }
    }

    @Test(arguments: [Duration.zero, .nanoseconds(1), .milliseconds(1)])
    func `A wait with a limit ends in time`(limit: Duration) {
        let value = Monitor(1)
        #expect(!value.wait(atMost: limit) { $0 == 2 })
        #expect(value.wait(atMost: limit) { $0 == 1 })
    }

    @Test func `A wake-up is readable from the ring until the silence`() {
        guard let wakeUp = WakeUp() else {
            Issue.record("no descriptors are left")
            return
        }
        #expect(!isReadable(wakeUp.descriptor))
        // More than a pipe holds: a ring never waits.
        for _ in 0..<100_000 { wakeUp.ring() }
        #expect(isReadable(wakeUp.descriptor))
        wakeUp.silence()
        #expect(!isReadable(wakeUp.descriptor))
        wakeUp.ring()
        #expect(isReadable(wakeUp.descriptor))
    }

    @Test func `Other programs do not inherit a wake-up`() {
        guard let wakeUp = WakeUp() else {
            Issue.record("no descriptors are left")
            return
        }
        #expect(fcntl(wakeUp.descriptor, F_GETFD) == FD_CLOEXEC)
    }

    private func isReadable(_ descriptor: CInt) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }
}
