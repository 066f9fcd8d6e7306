internal import Threads

/// The events of a mirror, in their order, for the only thread that it has.
final class MirrorQueue: Sendable {
    private let events = Monitor<[MirrorEvent]>([])

    func send(_ event: MirrorEvent) { events.change { $0.append(event) } }

    /// The next event; nil when the time is over first.
    /// - Parameter limit: nil to wait for ever.
    func next(within limit: Duration?) -> MirrorEvent? {
        guard let limit else { return events.wait { $0.isEmpty ? nil : $0.removeFirst() } }
        if limit > .zero { _ = events.wait(atMost: limit) { !$0.isEmpty } }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
