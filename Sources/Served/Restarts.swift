/// Decides when a helper that has ended is started again: at once after a good time, then after pauses that grow, for as long as
/// somebody watches. What ends it may be over in a minute, or in a day.
package struct Restarts: Sendable {
    /// A helper that was of use for so long has not ended because of its start.
    private static let goodTime = Duration.seconds(60)
    /// The longest pause is so many first ones: five minutes.
    private static let longest = 300

    private let unit: Duration
    private var failures = 0

    /// - Parameter unit: the first pause that is none of nothing.
    package init(unit: Duration = .seconds(1)) { self.unit = unit }

    /// Whether the helper ends again and again.
    package var isTroubled: Bool { failures > 7 }

    /// - Parameter lived: how long the connection lasted that has ended; nil if there was none.
    /// - Returns: the pause before the next start: 0 s, 1 s, 2 s, 4 s … 5 minutes.
    package mutating func pause(after lived: Duration?) -> Duration {
        if let lived, lived >= Restarts.goodTime { failures = 0 }
        failures += 1
        return failures == 1 ? .zero : unit * min(1 << min(failures - 2, 16), Restarts.longest)
    }
}
