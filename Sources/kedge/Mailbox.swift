import Interface
import Synchronization

import Glibc

/// What other threads have for the event loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
    private let events = Mutex<[Event]>([])
    /// Readable while there is post.
    let fileDescriptor: Int32
    private let writeEnd: Int32

    /// Nil when the process has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (fileDescriptor, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(fileDescriptor)
        close(writeEnd)
    }

    func post(_ event: Event) {
        let isFirst = events.withLock { events in
            events.append(event)
            return events.count == 1
        }
        // One byte an emptying is enough, so the pipe never fills.
        if isFirst { _ = write(writeEnd, [1], 1) }
    }

    func takeAll() -> [Event] {
        var byte: UInt8 = 0
        while read(fileDescriptor, &byte, 1) == 1 {}
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
