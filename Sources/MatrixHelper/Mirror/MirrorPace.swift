/// Time and chance, which tests set.
package struct MirrorPace: Sendable {
    /// The longest pauses of a mirror that does not follow the server, added up, in milliseconds: it tries again for half a minute.
    static let patience = 40_000
    /// How long such a mirror waits for a byte, in seconds.
    static let longestSilence = 40

    package var now: @Sendable () -> ContinuousClock.Instant
    /// 0 to 1.
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        (self.now, self.jitter) = (now, jitter)
    }
}
