internal import Glibc

/// A value that several threads share. A thread can sleep until the value changes; no timer wakes it.
package final class Monitor<Value: Sendable>: @unchecked Sendable {
    // Only a thread that holds `mutex` reads or writes the value. The two primitives never move in memory.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The user may set the wall clock while a thread waits.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the value without waking a thread.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    /// Changes the value, and wakes all threads that wait for a change.
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&value)
        pthread_cond_broadcast(changed)
        return result
    }

    /// Waits until `body` returns a result. `body` is called now, and after each change. It may change the value when
    /// it returns a result, so the other threads are then woken.
    package func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) {
                pthread_cond_broadcast(changed)
                return result
            }
            pthread_cond_wait(changed, mutex)
        }
    }

    /// Waits until the value meets a condition.
    /// - Returns: false on a timeout.
    package func wait(atMost limit: Duration, until condition: (borrowing Value) -> Bool) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
        end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(value) {
            if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return condition(value) }
        }
        return true
    }
}

/// A descriptor with which any thread wakes one that sleeps in `poll`. It is readable from `ring` until `silence`.
package struct WakeUp: ~Copyable, Sendable {
    package let descriptor: CInt
    private let writeEnd: CInt

    /// Nil when the process has no descriptors left; `errno` has the reason.
    package init?() {
        var ends: [CInt] = [-1, -1]
        // Sockets, since Swift does not see pipe2, and a pipe takes five calls. A full one is readable already, so writing to it need
        // not wait.
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        guard socketpair(AF_UNIX, CInt(kind), 0, &ends) == 0 else { return nil }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// Makes the descriptor readable.
    package func ring() { _ = write(writeEnd, [1], 1) }

    /// Makes the descriptor unreadable until the next `ring`.
    package func silence() {
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {}
    }
}
