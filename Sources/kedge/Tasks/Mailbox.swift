import Interface
import Synchronization
import Threads

/// The events that other threads send to the event loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
    private let events = Mutex<[Event]>([])
    private let wakeUp: WakeUp
    /// Readable while events wait.
    var fileDescriptor: Int32 { wakeUp.descriptor }

    /// Nil when the process has no free descriptor.
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
        // Silenced before the events are taken: an event that comes after that rings again.
        wakeUp.silence()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
