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
