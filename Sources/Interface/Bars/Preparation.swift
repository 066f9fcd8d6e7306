import Messages

/// The work with which the store prepares itself to be fast.
struct Preparation: Hashable, Sendable {
    /// Nil when nothing is left to do.
    private var progress: StoreProgress?
    /// The pause before the progress is shown; nil once it is shown.
    private var pause: Int?
    /// Counts the pauses.
    private var pauses = 0

    /// The progress of shorter work is not shown.
    private static let grace = Duration.seconds(1)

    /// The progress that the title bar shows.
    var shown: StoreProgress? { pause == nil ? progress : nil }

    mutating func note(_ progress: StoreProgress) -> [Outcome] {
        let hasBegun = self.progress == nil && progress.share < 1
        self.progress = progress.share < 1 ? progress : nil
        guard hasBegun else { return [] }
        pauses += 1
        pause = pauses
        return [.effect(.wait(Preparation.grace, .pause(.preparation(pauses))))]
    }

    mutating func end(_ pause: Int) { if self.pause == pause { self.pause = nil } }
}
