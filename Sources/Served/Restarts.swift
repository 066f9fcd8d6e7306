/// Decides when a helper that has ended is started again: at once after a good time, then after pauses that grow, and no more
/// when it ends again and again.
package struct Restarts: Sendable {
    /// A helper that was of use for so long has not ended because of its start.
    private static let goodTime = Duration.seconds(60)
    private static let most = 7

    private let unit: Duration
    private var failures = 0

    /// - Parameter unit: the first pause that is none of nothing.
    package init(unit: Duration = .seconds(1)) { self.unit = unit }

    /// - Parameter lived: how long the connection lasted that has ended; nil if there was none.
    /// - Returns: the pause before the next start: 0 s, 1 s, 2 s, 4 s … 32 s; nil to give up.
    package mutating func pause(after lived: Duration?) -> Duration? {
        if let lived, lived >= Restarts.goodTime { failures = 0 }
        failures += 1
        guard failures <= Restarts.most else { return nil }
        return failures == 1 ? .zero : unit * (1 << (failures - 2))
    }
}
