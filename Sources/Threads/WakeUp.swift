internal import Glibc

/// A descriptor with which any thread wakes one that sleeps in `poll`. It is readable from `ring` until `silence`.
package struct WakeUp: ~Copyable, Sendable {
    package let descriptor: CInt
    private let writeEnd: CInt

    /// Nil when the process has no descriptors left; `errno` has the reason.
    package init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (descriptor, writeEnd) = (ends[0], ends[1])
        for end in ends {
            // A full pipe is readable already, so writing to it need not wait.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    package func ring() { _ = write(writeEnd, [1], 1) }

    package func silence() {
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {}
    }
}
