internal import Synchronization

/// Wakes a watcher, and collects reasons until the watcher takes them.
final class Signal<Reasons: SetAlgebra & Sendable>: Sendable {
    private struct State {
        var reasons: Reasons = []
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Waits for a reason. Only one task may wait at a time.
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

    /// Takes the reasons without waiting; there may be none. Returns nil after `stop`.
    func now() -> Reasons? {
        state.withLock { state in
            defer { state.reasons = [] }
            return state.isOver ? nil : state.reasons
        }
    }

    func send(_ reason: Reasons) { wake { $0.reasons.formUnion(reason) } }

    /// Runs `end` at `stop`, or at once if that was called before.
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
