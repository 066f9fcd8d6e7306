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
