/// How long somebody waits for another process that makes the index, which none can do at the same time.
struct IndexPatience {
    /// After so much waiting it is said who is waited for.
    static let untilTold = Duration.seconds(1)

    let limit: Duration
    /// A process that is stopped does not come to its end: nobody waits longer for it.
    var stopped = Duration.seconds(2)
    /// Is told once, in one line, who is waited for.
    var onWait: @Sendable (String) -> Void = { _ in }
    /// Throws when nobody wants the index any more.
    var check: @Sendable () throws -> Void = {}

    /// For those who can do without: what the index would give is in the files.
    static let short = IndexPatience(limit: .seconds(2))
    /// For those who want the index itself: making one of ten million messages takes minutes.
    static let long = IndexPatience(limit: .seconds(600))
}

/// That another process did not let go of the index.
struct IndexLocked: Error, CustomStringConvertible {
    let folder: String
    /// Nil when that cannot be found out.
    let holder: LockHolder?

    var description: String {
        "\(folder): the index is kept locked by \(holder?.description ?? "another program")"
    }
}
