internal import Messages
internal import Synchronization

/// How far a mirror is, for tasks that wait for it.
final class StatusBoard: Sendable {
    struct Status: Sendable {
        var conversations: [ConversationID: Progress] = [:]
        /// Whether the mirror holds all that the source held when it was last looked at.
        var isSettled = false
        /// Bytes of the source.
        var done: Int64 = 0
        var total: Int64 = 0
        /// Why the mirror cannot be made; nil while it can.
        var failure: StoreError?
        /// Changes with each step.
        var steps = 0
    }

    struct Progress: Sendable, Equatable {
        /// Whether its newest messages are there.
        var hasTail = false
        var isComplete = false
        /// Changes with each step.
        var steps = 0
    }

    private struct State {
        var status = Status()
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    var status: Status { state.withLock { $0.status } }

    /// Changes the status and wakes all who wait.
    func update(_ change: (inout Status) -> Void) {
        let waiting = state.withLock { state in
            change(&state.status)
            state.status.steps += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for task in waiting { task.resume() }
    }

    /// Lets all tasks go on, now and later.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for task in waiting { task.resume() }
    }

    /// Waits until `condition` returns a value.
    /// - Throws: the failure of the mirror; `unavailable` after `stop`.
    func value<Value>(_ condition: (Status) -> Value?) async throws(StoreError) -> Value {
        while true {
            let status = self.status
            if let value = condition(status) { return value }
            if let failure = status.failure { throw failure }
            let isOver = await wait(after: status.steps)
            if isOver { throw .unavailable("the export is no longer read") }
        }
    }

    /// Waits for the first step after another one.
    /// - Returns: whether there will be none.
    func wait(after step: Int) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let goesOn = state.withLock { state in
                if state.isStopped || state.status.steps != step { return true }
                state.waiting.append(continuation)
                return false
            }
            if goesOn { continuation.resume() }
        }
        return state.withLock { $0.isStopped }
    }
}
