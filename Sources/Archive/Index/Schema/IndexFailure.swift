internal import SQLite
internal import Messages
internal import Words

/// Why there is no index: one line for people.
struct IndexFailure: Error, CustomStringConvertible {
    let description: String

    /// How the description of what cannot be read begins.
    static let unreadable = "the index cannot be read: "

    init(reason: String) { description = "the index cannot be kept: \(reason)" }

    init(_ path: String, _ error: DatabaseError) {
        self.init(reason: "\(path): \(error.cause)")
    }

    /// Whether files of the index are not as they were written.
    static func isDamage(_ error: any Error) -> Bool {
        if let error = error as? DatabaseError { return IndexDatabase.isBroken(error) }
        guard case .broken = error as? WordFault else { return false }
        return true
    }

    /// What kept the index from being read: `unreadable` when it is damaged, which only a new one mends; else `unavailable`.
    static func reading(_ error: any Error) -> StoreError {
        if let error = error as? WordFault {
            return isDamage(error) ? .unreadable("\(unreadable)\(error)") : .unavailable("\(unreadable)\(error)")
        }
        guard let error = error as? DatabaseError else { return .unreadable("\(unreadable)\(error)") }
        let reason = unreadable + error.cause
        return IndexDatabase.isBroken(error) ? .unreadable(reason) : .unavailable(reason)
    }
}
