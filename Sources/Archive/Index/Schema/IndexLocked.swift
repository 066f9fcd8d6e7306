internal import Locks

/// That another process did not let go of the index.
struct IndexLocked: Error, CustomStringConvertible {
    let folder: String
    /// Nil when that cannot be found out.
    let holder: LockHolder?

    var description: String { "\(folder): the index is kept locked by \(LockHolder.describe(holder))" }
}

extension LockPatience {
    /// For those who can do without: what the index would give is in the files.
    static let short = LockPatience(limit: .seconds(2))
    /// For those who want the index itself: making one of ten million messages takes minutes.
    static let long = LockPatience(limit: .seconds(600))
}
