import Interface
import Synchronization
import Threads

/// What other threads have for the event loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
    private let events = Mutex<[Event]>([])
    private let wakeUp: WakeUp
    /// Readable while there is post.
    var fileDescriptor: Int32 { wakeUp.descriptor }

    /// Nil when the process has no descriptors left.
    init?() {
        guard let wakeUp = WakeUp() else { return nil }
        self.wakeUp = wakeUp
    }

    func post(_ event: Event) {
        let isFirst = events.withLock { events in
            events.append(event)
            return events.count == 1
        }
        if isFirst { wakeUp.ring() }
    }

    func takeAll() -> [Event] {
        // Before the events are taken: what comes in after that rings anew.
        wakeUp.silence()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
