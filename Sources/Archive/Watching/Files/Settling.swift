/// Decides when rewritten files are final: when they have not changed for a while. Files that look incomplete get more
/// time; files that keep changing are taken as they are after a limit.
struct Settling: Sendable {
    /// The files at one moment.
    struct State: Equatable {
        /// Nil if the files are gone.
        let segments: [Segment]?
        /// Whether a writer may still be at work: the files are empty or gone, end within a line, or were truncated in
        /// place.
        let isHalfWritten: Bool
    }

    enum Verdict: Equatable {
        case final
        /// Not yet final: look again after this time or at the next change.
        case wait(Duration)
    }

    private let pace: SettlingPace
    private let start: Duration
    private var last: (state: State, since: Duration)?

    /// - Parameter now: the time on the clock of `pace`.
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
