/// Decides when files that are being rewritten are taken as final: as soon as they have not changed for a while. What looks
/// half written is given more time, and files that never rest are taken after a limit as they are.
struct Settling: Sendable {
    /// Files as they are at a moment.
    struct State: Equatable {
        /// Nil when they are gone.
        let segments: [Segment]?
        /// Whether somebody may still be writing: they are empty or gone, end within a line, or were cut off in place.
        let isHalfWritten: Bool
    }

    enum Verdict: Equatable {
        case final
        /// Not yet: they are to be looked at again after so long, or when they change.
        case wait(Duration)
    }

    private let pace: SettlingPace
    private let start: Duration
    private var last: (state: State, since: Duration)?

    /// - Parameter now: by the clock of the pace.
    init(pace: SettlingPace, at now: Duration) {
        self.pace = pace
        start = now
    }

    mutating func look(_ state: State, at now: Duration) -> Verdict {
        if last?.state != state { last = (state, now) }
        let quietEnd = (last?.since ?? now) + (state.isHalfWritten ? pace.patience : pace.quiet)
        let end = min(quietEnd, start + pace.limit)
        return now >= end ? .final : .wait(end - now)
    }
}

/// How long files that are being rewritten are given to settle, and the clock for that.
struct SettlingPace: Sendable {
    /// Without a change for so long, whole files are final.
    var quiet = Duration.milliseconds(300)
    /// Without a change for so long, files are final that look half written.
    var patience = Duration.seconds(2)
    /// After so long, files are final that keep changing.
    var limit = Duration.seconds(5)
    /// The time since some moment.
    var now: @Sendable () -> Duration = { ContinuousClock.now - SettlingPace.origin }
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    private static let origin = ContinuousClock.now
}
