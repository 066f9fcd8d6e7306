/// The clock and the time limits for files that are being rewritten.
struct SettlingPace: Sendable {
    /// Complete files are final if they have not changed for this long.
    var quiet = Duration.milliseconds(300)
    /// Files that look incomplete are final if they have not changed for this long.
    var patience = Duration.seconds(2)
    /// Files that keep changing are final after this long.
    var limit = Duration.seconds(5)
    /// The time since an arbitrary fixed moment.
    var now: @Sendable () -> Duration = { ContinuousClock.now - SettlingPace.origin }
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    private static let origin = ContinuousClock.now
}
