internal import Files

/// The error if another process did not release the index in time.
struct IndexLocked: Error, CustomStringConvertible {
    let folder: String
    /// Nil if unknown.
    let holder: LockHolder?

    var description: String { "\(folder): the index is kept locked by \(LockHolder.describe(holder))" }
}

extension LockPatience {
    /// For callers that can read the files instead.
    static let short = LockPatience(limit: .seconds(2))
    /// For callers that need the index: to build one for ten million messages takes minutes.
    static let long = LockPatience(limit: .seconds(600))
}
