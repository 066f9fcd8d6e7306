internal import Messages
internal import Synchronization

/// The progress of a mirror. Tasks wait for it.
final class StatusBoard: Sendable {
    struct Status: Sendable {
        var conversations: [ConversationID: Progress] = [:]
        /// True if the mirror contains everything that the source contained when it was last read.
        var isSettled = false
        /// True if the list of conversations and the people match the source.
        var isListed = true
        /// The stamps of the files when they were written: of all files, of all but the conversations' own files, and of the
        /// people's files. Nil while the mirror is being made.
        var stamps: (all: UInt64, labels: UInt64, people: UInt64)?
        /// The converted bytes of the source, and all its bytes.
        var done: Int64 = 0
        var total: Int64 = 0
        /// The reason why the mirror cannot be made; nil while it can.
        var failure: StoreError?
        /// Counts the steps.
        var steps = 0

        /// Records that the mirror is complete.
        /// - Parameter header: the header on the disk.
        mutating func settle(_ header: MirrorHeader?) {
            (isSettled, isListed, failure) = (true, true, nil)
            stamps = header.flatMap { $0.listing == nil ? nil : ($0.stamp, $0.labels, $0.people) }
        }
    }

    struct Progress: Sendable, Equatable {
        /// True if the newest messages have been converted.
        var hasTail = false
        var isComplete = false
        /// True if the files have changed since they were written: they are not shown until they are made again.
        var isDamaged = false
        /// The stamp of the files when they were written; nil if not known yet.
        var stamp: UInt64?
        /// Counts the steps.
        var steps = 0
    }

    private struct State {
        var status = Status()
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    var status: Status { state.withLock { $0.status } }

    /// Changes the status and wakes all waiting tasks.
    func update(_ change: (inout Status) -> Void) {
        let waiting = state.withLock { state in
            change(&state.status)
            state.status.steps += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for task in waiting { task.resume() }
    }

    /// Lets all waiting tasks continue, now and later.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for task in waiting { task.resume() }
    }

    /// Waits until `condition` returns a value.
    /// - Parameter condition: called after each step. It must be fast, because it holds the lock. It must not keep the status,
    ///   because each step would then copy the progress of all conversations.
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

    /// Waits for the next step after this one.
    /// - Returns: true if there will be no more.
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
