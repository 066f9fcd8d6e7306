internal import Synchronization

/// Wakes a watcher, and gathers the reasons until it asks for them.
final class Signal<Reasons: SetAlgebra & Sendable>: Sendable {
    private struct State {
        var reasons: Reasons = []
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Waits for a reason. For one who asks at a time.
    func next() async -> Reasons? {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.isOver || !state.reasons.isEmpty
                if !isReady { state.waiting = continuation }
                return isReady
            }
            if isReady { continuation.resume() }
        }
        return now()
    }

    /// The reasons that there are, without waiting: none, maybe. Nil when it is over.
    func now() -> Reasons? {
        state.withLock { state in
            defer { state.reasons = [] }
            return state.isOver ? nil : state.reasons
        }
    }

    func tell(_ reason: Reasons) { wake { $0.reasons.formUnion(reason) } }

    /// Does this at the end, or now when it is over.
    func onStop(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.ends.append(end) }
            return state.isOver
        }
        if isOver { end() }
    }

    func stop() {
        let ends = state.withLock { state in
            defer { state.ends = [] }
            return state.ends
        }
        wake { $0.isOver = true }
        for end in ends { end() }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
