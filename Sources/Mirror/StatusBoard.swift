internal import Messages
internal import Synchronization

/// How far a mirror is, for tasks that wait for it.
final class StatusBoard: Sendable {
    struct Status: Sendable {
        var conversations: [ConversationID: Progress] = [:]
        /// Whether the mirror holds all that the source held when it was last looked at.
        var isSettled = false
        /// Whether the list of conversations and the people are those of the source.
        var isListed = true
        /// Stand for all files, for those besides the conversations' own, and for the people, as they were written; nil while they are
        /// being made.
        var stamps: (all: UInt64, labels: UInt64, people: UInt64)?
        /// Bytes of the source.
        var done: Int64 = 0
        var total: Int64 = 0
        /// Why the mirror cannot be made; nil while it can.
        var failure: StoreError?
        /// Changes with each step.
        var steps = 0

        /// The mirror is whole.
        /// - Parameter header: as it is on the disk.
        mutating func settle(_ header: MirrorHeader?) {
            (isSettled, isListed, failure) = (true, true, nil)
            stamps = header.flatMap { $0.listing == nil ? nil : ($0.stamp, $0.labels, $0.people) }
        }
    }

    struct Progress: Sendable, Equatable {
        /// Whether its newest messages are there.
        var hasTail = false
        var isComplete = false
        /// Whether its files are not those that were written: nothing of them is shown until they are made again.
        var isDamaged = false
        /// Stands for its files as they were written; nil if that is not known yet.
        var stamp: UInt64?
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
    /// - Parameter condition: runs after each step, and must be short: nobody else can use the board meanwhile. It must not keep
    ///   the status: each step would then copy the progress of all conversations.
    /// - Throws: the failure of the mirror; `unavailable` after `stop`.
    func value<Value>(_ condition: (Status) -> Value?) async throws(StoreError) -> Value {
        while true {
            let (value, failure, steps) = state.withLock { state in
                (condition(state.status), state.status.failure, state.status.steps)
            }
            if let value { return value }
            if let failure { throw failure }
            let isOver = await wait(after: steps)
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
