internal import Files
internal import Index
internal import Messages

/// The reason why there is no index, in one line for people.
struct IndexFailure: Error, CustomStringConvertible {
    let description: String
    /// True if another process did not release the index in time.
    let isLocked: Bool

    /// The beginning of each message about an index that cannot be read.
    static let unreadable = "the index cannot be read: "

    init(reason: String) { (description, isLocked) = ("the index cannot be saved: \(reason)", false) }

    /// - Parameter holder: nil if unknown.
    init(lockOf folder: String, heldBy holder: LockHolder?) {
        (description, isLocked) = ("\(folder): the index is locked by \(LockHolder.describe(holder))", true)
    }

    /// True if an error means that files of the index are damaged.
    static func isDamage(_ error: any Error) -> Bool {
        if case .damaged = error as? IndexFault { true } else { false }
    }

    /// The error to report for an index that cannot be read: `unreadable` if it is damaged and must be rebuilt;
    /// otherwise `unavailable`.
    static func reading(_ error: any Error) -> StoreError {
        let isLasting = isDamage(error) || !(error is IndexFault)
        return isLasting ? .unreadable("\(unreadable)\(error)") : .unavailable("\(unreadable)\(error)")
    }
}
