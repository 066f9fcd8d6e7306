internal import SQLite
internal import Messages
internal import Words

/// The reason why there is no index, in one line for people.
struct IndexFailure: Error, CustomStringConvertible {
    let description: String

    /// The beginning of each message about an index that cannot be read.
    static let unreadable = "the index cannot be read: "

    init(reason: String) { description = "the index cannot be kept: \(reason)" }

    init(_ path: String, _ error: DatabaseError) {
        self.init(reason: "\(path): \(error.cause)")
    }

    /// Whether an error means that files of the index are damaged.
    static func isDamage(_ error: any Error) -> Bool {
        if let error = error as? DatabaseError { return IndexDatabase.isBroken(error) }
        guard case .broken = error as? WordFault else { return false }
        return true
    }

    /// The error to report for an index that cannot be read: `unreadable` if it is damaged and must be rebuilt;
    /// otherwise `unavailable`.
    static func reading(_ error: any Error) -> StoreError {
        if let error = error as? WordFault {
            return isDamage(error) ? .unreadable("\(unreadable)\(error)") : .unavailable("\(unreadable)\(error)")
        }
        guard let error = error as? DatabaseError else { return .unreadable("\(unreadable)\(error)") }
        let reason = unreadable + error.cause
        return IndexDatabase.isBroken(error) ? .unreadable(reason) : .unavailable(reason)
    }
}
