/// Time and chance, which tests set.
package struct MirrorPace: Sendable {
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
