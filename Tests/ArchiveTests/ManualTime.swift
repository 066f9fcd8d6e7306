import Synchronization

@testable import Archive

/// A clock that stands still until a test moves it.
final class ManualTime: Sendable {
    private struct State {
        var now = Duration.zero
        var sleepers: [(end: Duration, continuation: CheckedContinuation<Void, Never>)] = []
        /// How often a task went to sleep.
        var sleeps = 0
        var watchers: [(sleeps: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// The usual pace on this clock.
    var pace: SettlingPace {
        SettlingPace(
            now: { [self] in state.withLock(\.now) }, sleep: { [self] duration in await sleep(duration) })
    }

    private func sleep(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.sleepers.append((state.now + duration, continuation))
                state.sleeps += 1
                let ready = state.watchers.filter { $0.sleeps <= state.sleeps }
                state.watchers.removeAll { $0.sleeps <= state.sleeps }
                return ready
            }
            for watcher in ready { watcher.continuation.resume() }
        }
    }

    /// Waits until tasks have gone to sleep this many times in all.
    func slept(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleeps < count { state.watchers.append((count, continuation)) }
                return state.sleeps >= count
            }
            if isReady { continuation.resume() }
        }
    }

    var sleeps: Int { state.withLock(\.sleeps) }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.end <= state.now }
            state.sleepers.removeAll { $0.end <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    deinit { for sleeper in state.withLock({ $0.sleepers }) { sleeper.continuation.resume() } }
}
