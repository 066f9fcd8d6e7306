/// The work with which the store prepares itself to be fast.
struct Preparation: Hashable, Sendable {
    /// The share that is done, 0 to 1; nil when nothing is left to do.
    private var share: Double?
    /// The pause before the progress is shown; nil once it is shown.
    private var pause: Int?
    /// Counts the pauses.
    private var pauses = 0

    /// The progress of shorter work is not shown.
    private static let grace = Duration.seconds(1)

    /// The share that the title bar shows.
    var shown: Double? { pause == nil ? share : nil }

    mutating func note(_ share: Double) -> [Outcome] {
        let hasBegun = self.share == nil && share < 1
        self.share = share < 1 ? share : nil
        guard hasBegun else { return [] }
        pauses += 1
        pause = pauses
        return [.effect(.wait(Preparation.grace, .pause(.preparation(pauses))))]
    }

    mutating func end(_ pause: Int) { if self.pause == pause { self.pause = nil } }
}
